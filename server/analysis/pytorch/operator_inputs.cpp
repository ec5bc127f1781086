#include "analysis/pytorch/operator_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/parse_json.h"

namespace vizd {
namespace {

using Json = nlohmann::json;

constexpr std::pair<std::string_view, std::string_view> kShortTypes[] = {{"float", "f32"},
                                                                         {"double", "f64"},
                                                                         {"c10::Half", "f16"},
                                                                         {"c10::BFloat16", "bf16"},
                                                                         {"c10::Float8_e4m3fn", "f8e4m3fn"},
                                                                         {"c10::Float8_e4m3fnuz", "f8e4m3fnuz"},
                                                                         {"c10::Float8_e5m2", "f8e5m2"},
                                                                         {"c10::Float8_e5m2fnuz", "f8e5m2fnuz"},
                                                                         {"c10::complex<float>", "c64"},
                                                                         {"c10::complex<double>", "c128"},
                                                                         {"long int", "i64"},
                                                                         {"long", "i64"},
                                                                         {"int", "i32"},
                                                                         {"short int", "i16"},
                                                                         {"short", "i16"},
                                                                         {"signed char", "i8"},
                                                                         {"unsigned char", "u8"},
                                                                         {"bool", "bool"}};

std::string short_type(const std::string& type) {
  const auto* const known = std::ranges::find(kShortTypes, type, &std::pair<std::string_view, std::string_view>::first);
  return known == std::end(kShortTypes) ? type : std::string(known->second);
}

bool are_numbers(const Json& list) {
  return list.is_array() && std::ranges::all_of(list, [](const Json& each) { return each.is_number_integer(); });
}

std::string list_text(const Json& numbers) {
  std::string text;
  for (const Json& each : numbers) text += fmt::format("{}{}", text.empty() ? "" : ", ", each.get<std::int64_t>());
  return fmt::format("[{}]", text);
}

// Whether the elements lie one after the other, the last dimension innermost.
bool is_dense(const Json& dims, const Json& strides) {
  if (!are_numbers(strides) || strides.size() != dims.size()) return true;  // not recorded
  std::int64_t expected = 1;
  bool follows = true;
  for (std::size_t i = dims.size(); i-- > 0;) {
    const auto size = dims[i].get<std::int64_t>();
    if (size == 0) return true;
    if (size > 1 && strides[i].get<std::int64_t>() != expected) follows = false;
    if (__builtin_mul_overflow(expected, size, &expected)) return false;
  }
  return follows;
}

std::string tensor_text(const Json& dims, const Json& strides) {
  return list_text(dims) + (is_dense(dims, strides) ? "" : " strides " + list_text(strides));
}

const Json& part_of(const Json& list, std::size_t i) {
  static const Json none;
  return list.is_array() && i < list.size() ? list[i] : none;
}

// Tensors of a list; equal ones that follow one another are told once.
std::string tensors_text(const Json& dims, const Json& strides) {
  std::string text, last;
  std::size_t times = 0;
  const auto end_run = [&] {
    if (times == 0) return;
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", times == 1 ? "" : fmt::format("{} x ", times), last);
  };
  for (std::size_t i = 0; i < dims.size(); ++i) {
    std::string next = are_numbers(dims[i]) ? tensor_text(dims[i], part_of(strides, i)) : dims[i].dump();
    if (next != last) {
      end_run();
      times = 0;
    }
    ++times;
    last = std::move(next);
  }
  end_run();
  return fmt::format("({})", text);
}

std::string input_text(const Json& dims, const std::string& type, const Json& strides) {
  const bool is_tensor = are_numbers(dims);
  if (is_tensor && dims.empty() && (type.empty() || type == "Scalar" || type == "ScalarList"))
    return type.empty() ? "none" : type;
  if (is_tensor) return short_type(type) + tensor_text(dims, strides);
  return short_type(type) + (dims.is_array() ? tensors_text(dims, strides) : dims.dump());
}

}  // namespace

std::string operator_inputs_text(const RecordedInputs& inputs) {
  const Json dims = parse_json(inputs.dims), types = parse_json(inputs.types);
  const Json strides = parse_json(inputs.strides);
  if (!dims.is_array()) return std::string(inputs.dims);
  std::string text;
  std::size_t end = 0;  // after the last tensor: numbers and missing inputs behind it tell nothing
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const Json& type = part_of(types, i);
    const std::string name = type.is_string() ? type.get<std::string>() : "";
    const std::string input = input_text(dims[i], name, part_of(strides, i));
    text += fmt::format("{}{}", text.empty() ? "" : ", ", input);
    if (input != "none" && input != name) end = text.size();
  }
  text.resize(end);
  return text;
}

}  // namespace vizd
