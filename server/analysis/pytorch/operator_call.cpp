#include "analysis/pytorch/operator_call.h"

#include <utility>

#include "base/parse_json.h"

namespace vizd {
namespace {

nlohmann::json json_list_of(std::string_view text) {
  nlohmann::json list = parse_json(text);
  return list.is_array() ? list : nlohmann::json::array();
}

// None where the list holds anything but numbers.
std::optional<Shape> shape_of(const nlohmann::json& list) {
  if (!list.is_array()) return std::nullopt;
  Shape shape;
  for (const auto& size : list) {
    if (!size.is_number()) return std::nullopt;
    shape.push_back(size.get<double>());
  }
  return shape;
}

}  // namespace

double product(const Shape& shape, std::size_t from) {
  double all = 1;
  for (std::size_t i = from; i < shape.size(); ++i) all *= shape[i];
  return all;
}

double at(const Shape& shape, std::size_t i) {
  if (i >= shape.size()) throw NotKnown();
  return shape[i];
}

Bytes sum(std::initializer_list<Bytes> parts) {
  double all = 0;
  for (const Bytes& part : parts) {
    if (!part) return std::nullopt;
    all += *part;
  }
  return all;
}

OperatorCall::OperatorCall(const OperatorInputs& inputs) {
  read_dims(inputs.dims);
  for (const auto& type : json_list_of(inputs.types)) types_.push_back(type.is_string() ? type.get<std::string>() : "");
  for (const auto& value : json_list_of(inputs.concrete))
    concrete_.push_back(python_literal(value.is_string() ? value.get<std::string>() : ""));
}

void OperatorCall::read_dims(std::string_view text) {
  for (const auto& dims : json_list_of(text)) {
    dims_.push_back(shape_of(dims));
    std::vector<Shape>& tensors = lists_.emplace_back();
    if (dims_.back() || !dims.is_array()) continue;
    for (const auto& each : dims) {
      auto shape = shape_of(each);
      if (!shape) {
        tensors.clear();
        break;
      }
      tensors.push_back(std::move(*shape));
    }
  }
}

const Shape& OperatorCall::dims(std::size_t i) const {
  if (i >= dims_.size() || !dims_[i]) throw NotKnown();
  return *dims_[i];
}

const Shape& OperatorCall::dims(std::size_t i, std::size_t count) const {
  if (dims(i).size() != count) throw NotKnown();
  return *dims_[i];
}

bool OperatorCall::is_tensor(std::size_t i) const {
  return i < dims_.size() && dims_[i] && (!dims_[i]->empty() || item_bytes(i));
}

const std::vector<Shape>& OperatorCall::tensors(std::size_t i) const {
  if (i >= lists_.size() || lists_[i].empty()) throw NotKnown();
  return lists_[i];
}

const PythonLiteral& OperatorCall::value(std::size_t i) const {
  if (i >= concrete_.size()) throw NotKnown();
  return concrete_[i];
}

std::optional<int> OperatorCall::item_bytes(std::size_t i) const {
  return i < types_.size() ? item_size_bytes(types_[i]) : std::nullopt;
}

Bytes OperatorCall::input(std::size_t i) const {
  if (i >= dims_.size()) return 0;
  const bool has_type = i < types_.size() && !types_[i].empty();
  if (!has_tensor(i) && !has_type) return 0;
  return made(dims(i), i);
}

Bytes OperatorCall::made(const Shape& shape, std::size_t like) const {
  const auto each = item_bytes(like);
  return each ? Bytes(product(shape) * *each) : Bytes();
}

}  // namespace vizd
