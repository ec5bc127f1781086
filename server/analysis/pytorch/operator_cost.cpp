#include "analysis/pytorch/operator_cost.h"

#include <cmath>
#include <utility>
#include <vector>

#include "analysis/pytorch/operator_call.h"

namespace vizd {
namespace {

// a and b: which inputs are the factors.
OperatorCost matrix_product(const OperatorCall& call, std::size_t a, std::size_t b, bool has_addend) {
  const Shape &x = call.dims(a, 2), &y = call.dims(b, 2);
  if (x[1] != y[0]) throw NotKnown();
  const Bytes out = call.made({x[0], y[1]}, a);
  return {2 * x[0] * y[1] * x[1], sum({has_addend ? call.input(0) : 0, call.input(a), call.input(b), out})};
}

OperatorCost batched_product(const OperatorCall& call, bool has_addend) {
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

OperatorCost convolution(const OperatorCall& call, const ConvolutionInputs& at_input) {
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

OperatorCost convolution_backward(const OperatorCall& call) {
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

// How queries, keys and values lie: [batch, heads, sequence, size] or [batch, sequence, heads, size].
enum class AttentionLayout : std::uint8_t { kHeadsFirst, kSequenceFirst };

struct AttentionInputs {
  std::string_view name;
  AttentionLayout layout;
  bool is_backward;
  std::optional<std::size_t> packed;  // given where sequences of unknown lengths lie one after another
  std::size_t causal;                 // whether it is: a truth, or 1 and 2 of _efficient_attention
};

using enum AttentionLayout;
constexpr AttentionInputs kAttentions[] = {
    {"_scaled_dot_product_flash_attention", kHeadsFirst, false, {}, 4},
    {"_scaled_dot_product_efficient_attention", kHeadsFirst, false, {}, 6},
    {"_scaled_dot_product_cudnn_attention", kHeadsFirst, false, {}, 6},
    {"_flash_attention_forward", kSequenceFirst, false, 3, 8},
    {"_efficient_attention_forward", kSequenceFirst, false, 4, 9},
    {"_cudnn_attention_forward", kHeadsFirst, false, 4, 10},
    {"_scaled_dot_product_flash_attention_backward", kHeadsFirst, true, {}, 11},
    {"_scaled_dot_product_efficient_attention_backward", kHeadsFirst, true, {}, 11},
    {"_scaled_dot_product_cudnn_attention_backward", kHeadsFirst, true, {}, 14},
    {"_flash_attention_backward", kSequenceFirst, true, 6, 11},
    {"_efficient_attention_backward", kSequenceFirst, true, 6, 14},
    {"_cudnn_attention_backward", kHeadsFirst, true, 9, 14},
};

AttentionMask mask_of(const OperatorCall& call, const AttentionInputs& inputs) {
  if (!call.has_value(inputs.causal)) return AttentionMask::kNotTold;
  return call.value(inputs.causal).is_true() ? AttentionMask::kCausal : AttentionMask::kFull;
}

// The pairs of queries and keys, out of all, that a causal mask leaves: for query i keys 0 to i, if there are as many
// keys as queries; additional keys come before, and fewer are seen by all later queries.
double causal_share(double queries, double keys) {
  if (queries == 0 || keys == 0) return 1;
  const double pairs = keys >= queries ? queries * (queries + 1) / 2 + queries * (keys - queries)
                                       : keys * (keys + 1) / 2 + (queries - keys) * keys;
  return pairs / (queries * keys);
}

OperatorCost attention(const OperatorCall& call, const AttentionInputs& inputs) {
  if (inputs.packed && call.has_tensor(*inputs.packed)) throw NotKnown();
  const std::size_t first = inputs.is_backward ? 1 : 0;
  Shape q = call.dims(first, 4), k = call.dims(first + 1), v = call.dims(first + 2);
  if (k.size() < 4 || v.size() < 4) throw NotKnown();
  if (inputs.layout == AttentionLayout::kSequenceFirst) {
    for (Shape* const shape : {&q, &k, &v}) std::swap((*shape)[1], (*shape)[2]);
  }
  const AttentionMask mask = mask_of(call, inputs);
  const double share = causal_share(q[2], k[2]);
  const double counted = mask == AttentionMask::kCausal ? share : 1;
  const double pairs = counted * 2 * q[0] * q[1] * q[2] * k[2], size = q[3], out_size = v[3];
  const Bytes tensors = sum({call.input(first), call.input(first + 1), call.input(first + 2)});
  if (!inputs.is_backward)
    return {pairs * (size + out_size), sum({tensors, call.made({q[0], q[1], q[2], out_size}, 0)}), mask, share};
  const Bytes out = call.made({q[0], q[1], q[2], out_size}, 1);
  return {pairs * (3 * size + 2 * out_size), sum({call.input(0), tensors, out, tensors}), mask, share};
}

OperatorCost cost_of(std::string_view name, const OperatorCall& call) {
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

std::optional<OperatorCost> operator_cost(const OperatorInputs& inputs) {
  constexpr std::string_view kLibrary = "aten::";
  if (!inputs.name.starts_with(kLibrary)) return std::nullopt;
  const OperatorCall call(inputs);
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
