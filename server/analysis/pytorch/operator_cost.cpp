#include "analysis/pytorch/operator_cost.h"

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "analysis/pytorch/python_literal.h"

namespace vizd {
namespace {

using Shape = std::vector<double>;

// The formulas throw this where the inputs are not as the operator has them.
struct NotKnown {};

double product(const Shape& shape, std::size_t from = 0) {
  double all = 1;
  for (std::size_t i = from; i < shape.size(); ++i) all *= shape[i];
  return all;
}

double at(const Shape& shape, std::size_t i) {
  if (i >= shape.size()) throw NotKnown();
  return shape[i];
}

using Bytes = std::optional<double>;

class Call {
 public:
  explicit Call(const OperatorInputs& inputs) {
    read_dims(nlohmann::json::parse(inputs.dims, nullptr, false));
    for (const auto& type : list_of(inputs.types)) types_.push_back(type.is_string() ? type.get<std::string>() : "");
    for (const auto& value : list_of(inputs.concrete))
      concrete_.push_back(python_literal(value.is_string() ? value.get<std::string>() : ""));
  }

  std::size_t size() const { return dims_.size(); }
  bool has_values() const { return !concrete_.empty(); }

  const Shape& dims(std::size_t i) const {
    if (i >= dims_.size() || !dims_[i]) throw NotKnown();
    return *dims_[i];
  }
  // Of so many dimensions.
  const Shape& dims(std::size_t i, std::size_t count) const {
    if (dims(i).size() != count) throw NotKnown();
    return *dims_[i];
  }
  bool has_tensor(std::size_t i) const { return !dims(i).empty(); }
  const PythonLiteral& value(std::size_t i) const {
    if (i >= concrete_.size()) throw NotKnown();
    return concrete_[i];
  }

  // Of input i; a missing tensor has none.
  Bytes input(std::size_t i) const {
    if (i >= dims_.size()) return 0;
    const bool has_type = i < types_.size() && !types_[i].empty();
    if (!has_tensor(i) && !has_type) return 0;
    return made(dims(i), i);
  }
  // Of a tensor of that shape, in the type of input `like`.
  Bytes made(const Shape& shape, std::size_t like) const {
    const auto item_bytes = like < types_.size() ? item_size_bytes(types_[like]) : std::nullopt;
    return item_bytes ? Bytes(product(shape) * *item_bytes) : Bytes();
  }

 private:
  static nlohmann::json list_of(std::string_view text) {
    nlohmann::json list = nlohmann::json::parse(text, nullptr, false);
    return list.is_array() ? list : nlohmann::json::array();
  }

  void read_dims(const nlohmann::json& list) {
    if (!list.is_array()) return;
    for (const auto& dims : list) {
      std::optional<Shape> shape;
      if (dims.is_array()) {
        shape.emplace();
        for (const auto& size : dims) {
          if (shape && size.is_number()) {
            shape->push_back(size.get<double>());
          } else {
            shape.reset();  // a list of tensors
          }
        }
      }
      dims_.push_back(std::move(shape));
    }
  }

  std::vector<std::optional<Shape>> dims_;
  std::vector<std::string> types_;
  std::vector<PythonLiteral> concrete_;
};

Bytes sum(std::initializer_list<Bytes> parts) {
  double all = 0;
  for (const Bytes& part : parts) {
    if (!part) return std::nullopt;
    all += *part;
  }
  return all;
}

// a and b: which inputs are the factors.
OperatorCost matrix_product(const Call& call, std::size_t a, std::size_t b, bool has_addend) {
  const Shape &x = call.dims(a, 2), &y = call.dims(b, 2);
  if (x[1] != y[0]) throw NotKnown();
  const Bytes out = call.made({x[0], y[1]}, a);
  return {2 * x[0] * y[1] * x[1], sum({has_addend ? call.input(0) : 0, call.input(a), call.input(b), out})};
}

OperatorCost batched_product(const Call& call, bool has_addend) {
  const std::size_t a = has_addend ? 1 : 0;
  const Shape &x = call.dims(a, 3), &y = call.dims(a + 1, 3);
  if (x[0] != y[0] || x[2] != y[1]) throw NotKnown();
  const Bytes out = call.made({x[0], x[1], y[2]}, a);
  return {2 * x[0] * x[1] * y[2] * x[2], sum({has_addend ? call.input(0) : 0, call.input(a), call.input(a + 1), out})};
}

// Which input holds what; none: the operator has no such.
struct ConvolutionInputs {
  std::string_view name;
  std::size_t stride, padding;
  std::optional<std::size_t> dilation, transposed, output_padding, groups, bias;
};

constexpr ConvolutionInputs kConvolutions[] = {
    {"convolution", 3, 4, 5, 6, 7, 8, 2},
    {"_convolution", 3, 4, 5, 6, 7, 8, 2},
    {"convolution_overrideable", 3, 4, 5, 6, 7, 8, 2},
    {"cudnn_convolution", 3, 2, 4, {}, {}, 5, {}},
    {"miopen_convolution", 4, 3, 5, {}, {}, 6, 2},
    {"_slow_conv2d_forward", 4, 5, {}, {}, {}, {}, 3},
};

OperatorCost convolution(const Call& call, const ConvolutionInputs& at_input) {
  if (!call.has_values()) throw NotKnown();
  const Shape &x = call.dims(0), &w = call.dims(1);
  const std::size_t spatial = x.size() < 2 ? 0 : x.size() - 2;
  const auto numbers = [&](const std::optional<std::size_t>& input, double otherwise) {
    return input ? call.value(*input).spread(spatial) : Shape(spatial, otherwise);
  };
  const bool is_transposed = at_input.transposed && call.value(*at_input.transposed).is_true();
  const Shape stride = numbers(at_input.stride, 1), padding = numbers(at_input.padding, 0);
  const Shape dilation = numbers(at_input.dilation, 1), more = numbers(at_input.output_padding, 0);
  Shape out{at(x, 0), 0};
  for (std::size_t i = 0; i < spatial; ++i) {
    const double reach = at(dilation, i) * (at(w, 2 + i) - 1);
    if (at(stride, i) == 0) throw NotKnown();
    out.push_back(is_transposed ? (x[2 + i] - 1) * stride[i] - 2 * at(padding, i) + reach + at(more, i) + 1
                                : std::floor((x[2 + i] + 2 * at(padding, i) - reach - 1) / stride[i]) + 1);
  }
  const double groups = at_input.groups ? call.value(*at_input.groups).number() : 1;
  out[1] = is_transposed ? at(w, 1) * groups : at(w, 0);
  const double flop = 2 * x[0] * product(is_transposed ? x : out, 2) * product(w);
  return {flop, sum({call.input(0), call.input(1), at_input.bias ? call.input(*at_input.bias) : 0, call.made(out, 0)})};
}

OperatorCost convolution_backward(const Call& call) {
  constexpr std::size_t kTransposed = 7, kMask = 10;
  if (!call.has_values()) throw NotKnown();
  const Shape &gradient = call.dims(0), &x = call.dims(1), &w = call.dims(2);
  const std::vector<double> mask = call.value(kMask).spread(3);
  const bool is_transposed = call.value(kTransposed).is_true();
  const double one = 2 * at(x, 0) * product(is_transposed ? x : gradient, 2) * product(w);
  const bool wants_x = at(mask, 0) != 0, wants_w = at(mask, 1) != 0, wants_bias = at(mask, 2) != 0;
  return {one * (wants_x + wants_w),
          sum({call.input(0), call.input(1), call.input(2), wants_x ? call.input(1) : 0, wants_w ? call.input(2) : 0,
               wants_bias ? call.made({at(gradient, 1)}, 2) : 0})};
}

struct AttentionInputs {
  std::string_view name;
  bool is_backward;
  std::optional<std::size_t> packed;  // given where sequences of unknown lengths lie one after another
};

constexpr AttentionInputs kAttentions[] = {
    {"_scaled_dot_product_flash_attention", false, {}},
    {"_scaled_dot_product_efficient_attention", false, {}},
    {"_scaled_dot_product_cudnn_attention", false, {}},
    {"_flash_attention_forward", false, 3},
    {"_efficient_attention_forward", false, 4},
    {"_scaled_dot_product_flash_attention_backward", true, {}},
    {"_scaled_dot_product_efficient_attention_backward", true, {}},
    {"_scaled_dot_product_cudnn_attention_backward", true, {}},
    {"_flash_attention_backward", true, 6},
    {"_efficient_attention_backward", true, 6},
};

OperatorCost attention(const Call& call, const AttentionInputs& inputs) {
  if (inputs.packed && call.has_tensor(*inputs.packed)) throw NotKnown();
  const std::size_t first = inputs.is_backward ? 1 : 0;
  Shape q = call.dims(first, 4), k = call.dims(first + 1), v = call.dims(first + 2);
  if (k.size() < 4 || v.size() < 4) throw NotKnown();
  // These record [batch, sequence, heads, size], the others heads before sequence.
  if (!inputs.name.starts_with("_scaled")) {
    for (Shape* const shape : {&q, &k, &v}) std::swap((*shape)[1], (*shape)[2]);
  }
  const double pairs = 2 * q[0] * q[1] * q[2] * k[2], size = q[3], out_size = v[3];
  const Bytes tensors = sum({call.input(first), call.input(first + 1), call.input(first + 2)});
  if (!inputs.is_backward)
    return {pairs * (size + out_size), sum({tensors, call.made({q[0], q[1], q[2], out_size}, 0)})};
  const Bytes out = call.made({q[0], q[1], q[2], out_size}, 1);
  return {pairs * (3 * size + 2 * out_size), sum({call.input(0), tensors, out, tensors})};
}

OperatorCost cost_of(std::string_view name, const Call& call) {
  if (name == "mm" || name == "_scaled_mm") return matrix_product(call, 0, 1, false);
  if (name == "addmm") return matrix_product(call, 1, 2, true);
  if (name == "bmm" || name == "baddbmm") return batched_product(call, name == "baddbmm");
  for (const ConvolutionInputs& inputs : kConvolutions) {
    if (inputs.name == name) return convolution(call, inputs);
  }
  if (name == "convolution_backward") return convolution_backward(call);
  for (const AttentionInputs& inputs : kAttentions) {
    if (inputs.name == name) return attention(call, inputs);
  }
  throw NotKnown();
}

}  // namespace

std::optional<int> item_size_bytes(std::string_view type) {
  static constexpr std::pair<std::string_view, int> kTypes[] = {{"float", 4},
                                                                {"double", 8},
                                                                {"c10::Half", 2},
                                                                {"c10::BFloat16", 2},
                                                                {"long int", 8},
                                                                {"long", 8},
                                                                {"int", 4},
                                                                {"short int", 2},
                                                                {"short", 2},
                                                                {"signed char", 1},
                                                                {"unsigned char", 1},
                                                                {"char", 1},
                                                                {"bool", 1},
                                                                {"c10::complex<float>", 8},
                                                                {"c10::complex<double>", 16},
                                                                {"c10::complex<c10::Half>", 4},
                                                                {"c10::Float8_e4m3fn", 1},
                                                                {"c10::Float8_e5m2", 1},
                                                                {"c10::Float8_e4m3fnuz", 1},
                                                                {"c10::Float8_e5m2fnuz", 1},
                                                                {"c10::Float8_e8m0fnu", 1}};
  for (const auto& [name, size_bytes] : kTypes) {
    if (name == type) return size_bytes;
  }
  return std::nullopt;
}

std::optional<OperatorCost> operator_cost(const OperatorInputs& inputs) {
  constexpr std::string_view kLibrary = "aten::";
  if (!inputs.name.starts_with(kLibrary)) return std::nullopt;
  const Call call(inputs);
  if (call.size() == 0) return std::nullopt;
  try {
    OperatorCost cost = cost_of(inputs.name.substr(kLibrary.size()), call);
    if (!std::isfinite(cost.flop)) return std::nullopt;
    if (cost.bytes && !std::isfinite(*cost.bytes)) cost.bytes.reset();
    return cost;
  } catch (const NotKnown&) {
    return std::nullopt;
  }
}

}  // namespace vizd
