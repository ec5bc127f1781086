#include "analysis/pytorch/operator_bytes.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "analysis/pytorch/operator_call.h"

namespace vizd {
namespace {

using Names = std::initializer_list<std::string_view>;

bool is_one_of(std::string_view name, Names names) { return std::ranges::find(names, name) != names.end(); }

// Operators that cost only their elements, by the number of tensors they take; one more is where the result goes.
constexpr std::string_view kUnary[] = {
    "abs",         "neg",   "sign",     "reciprocal", "sqrt",       "rsqrt",       "square",     "exp",      "exp2",
    "expm1",       "log",   "log2",     "log10",      "log1p",      "sin",         "cos",        "tan",      "tanh",
    "erf",         "erfc",  "sigmoid",  "relu",       "relu6",      "gelu",        "silu",       "mish",     "elu",
    "round",       "floor", "ceil",     "trunc",      "hardswish",  "hardtanh",    "leaky_relu", "softplus", "isnan",
    "hardsigmoid", "isinf", "isfinite", "logit",      "nan_to_num", "logical_not", "bitwise_not"};
constexpr std::string_view kBinary[] = {"add",
                                        "sub",
                                        "mul",
                                        "div",
                                        "rsub",
                                        "pow",
                                        "maximum",
                                        "minimum",
                                        "fmod",
                                        "remainder",
                                        "atan2",
                                        "eq",
                                        "ne",
                                        "lt",
                                        "le",
                                        "gt",
                                        "ge",
                                        "logical_and",
                                        "logical_or",
                                        "logical_xor",
                                        "bitwise_and",
                                        "bitwise_or",
                                        "bitwise_xor",
                                        "masked_fill",
                                        "clamp_min",
                                        "clamp_max",
                                        "floor_divide",
                                        "threshold",
                                        "copysign",
                                        "gelu_backward",
                                        "silu_backward",
                                        "tanh_backward",
                                        "sigmoid_backward",
                                        "threshold_backward",
                                        "hardswish_backward",
                                        "leaky_relu_backward",
                                        "elu_backward",
                                        "native_dropout_backward"};
constexpr std::string_view kTernary[] = {"where", "clamp", "addcmul", "addcdiv", "lerp"};
constexpr std::string_view kReductions[] = {"sum",
                                            "mean",
                                            "prod",
                                            "amax",
                                            "amin",
                                            "all",
                                            "any",
                                            "std",
                                            "var",
                                            "norm",
                                            "nansum",
                                            "logsumexp",
                                            "argmax",
                                            "argmin",
                                            "max",
                                            "min",
                                            "linalg_vector_norm"};

bool is_in(const auto& names, std::string_view name) { return std::ranges::find(names, name) != std::end(names); }

// How many tensors an operator of elements takes; 0: it is none.
std::size_t elementwise_inputs(std::string_view name) {
  if (is_in(kUnary, name)) return 1;
  if (is_in(kBinary, name)) return 2;
  return is_in(kTernary, name) ? 3 : 0;
}

bool gives_truths(std::string_view name) {
  return is_one_of(name, {"eq", "ne", "lt", "le", "gt", "ge", "isnan", "isinf", "isfinite", "all", "any"}) ||
         name.starts_with("logical_");
}

// The shape of two shapes that are broadcast to one another.
Shape stretched(const Shape& a, const Shape& b) {
  Shape all = a.size() >= b.size() ? a : b;
  const Shape& other = a.size() >= b.size() ? b : a;
  const std::size_t before = all.size() - other.size();
  for (std::size_t i = 0; i < other.size(); ++i) {
    if (all[before + i] == 1) all[before + i] = other[i];
    if (all[before + i] != other[i] && other[i] != 1) throw NotKnown();
  }
  return all;
}

double known(const Bytes& bytes) {
  if (!bytes) throw NotKnown();
  return *bytes;
}

// Reads every tensor once, and writes one of the shape to which they are stretched; in place, the first.
double elementwise(const OperatorCall& call, std::string_view name, std::size_t inputs, bool is_in_place) {
  double read = 0;
  Shape shape;
  int item = 0;
  std::size_t seen = 0;
  for (std::size_t i = 0; i < call.size() && seen < inputs; ++i) {
    if (!call.is_tensor(i)) continue;
    ++seen;
    read += known(call.input(i));
    shape = stretched(shape, call.dims(i));
    // A condition is no number that the others are computed with.
    if (name == "where" && seen == 1) continue;
    item = std::max(item, call.item_bytes(i).value_or(0));
  }
  if (seen == 0) throw NotKnown();
  if (is_in_place) return read + known(call.input(0));
  return read + product(shape) * (gives_truths(name) ? 1 : item);
}

// So many elements of one that is made of input 0 along the dimensions that input 1 names.
double reduced_elements(const OperatorCall& call) {
  const Shape& shape = call.dims(0);
  if (call.size() < 2) return 1;
  const PythonLiteral& along = call.value(1);
  const Shape chosen = along.list ? *along.list : along.scalar ? Shape{*along.scalar} : Shape();
  if (chosen.empty()) return 1;
  double elements = product(shape);
  for (const double dim : chosen) {
    const double size = at(shape, static_cast<std::size_t>(dim < 0 ? dim + static_cast<double>(shape.size()) : dim));
    if (size == 0) throw NotKnown();
    elements /= size;
  }
  return elements;
}

std::optional<double> reduction(const OperatorCall& call, std::string_view name) {
  if (is_one_of(name, {"cumsum", "cumprod"})) return 2 * known(call.input(0));
  if (!is_in(kReductions, name)) return std::nullopt;
  if (is_one_of(name, {"max", "min"}) && call.is_tensor(1)) return elementwise(call, name, 2, false);
  const bool is_norm = name.ends_with("norm");  // its input 1 is the exponent
  if (is_norm && call.size() > 2 && call.is_tensor(2)) throw NotKnown();
  constexpr double kIndexBytes = 8;
  const double elements = is_norm ? 1 : reduced_elements(call);
  const double item = gives_truths(name) ? 1 : name.starts_with("arg") ? kIndexBytes : call.item_bytes(0).value_or(0);
  const bool has_places = is_one_of(name, {"max", "min"}) && call.size() > 1;
  return known(call.input(0)) + elements * (item + (has_places ? kIndexBytes : 0));
}

std::optional<double> norm(const OperatorCall& call, std::string_view name) {
  constexpr double kStatisticBytes = 4;
  if (name == "native_layer_norm") {
    const Shape normalized = call.value(1).spread(1);
    const double rows = product(call.dims(0)) / std::max(product(normalized), 1.0);
    return known(sum({call.input(0), call.input(2), call.input(3), call.input(0)})) + 2 * rows * kStatisticBytes;
  }
  if (name == "native_layer_norm_backward")  // gradient, input, shape, mean, rstd, weight, bias
    return known(sum({call.input(0), call.input(1), call.input(3), call.input(4), call.input(5), call.input(1),
                      call.input(5), call.input(6)}));
  if (name == "native_group_norm")
    return known(sum({call.input(0), call.input(1), call.input(2), call.input(0)})) +
           2 * call.value(3).number() * call.value(6).number() * kStatisticBytes;
  if (is_one_of(name, {"native_batch_norm", "cudnn_batch_norm", "miopen_batch_norm"}))
    return known(sum({call.input(0), call.input(1), call.input(2), call.input(3), call.input(4), call.input(0)}));
  return std::nullopt;
}

// The bytes of vLLM's own operators, which are given where their result goes.
std::optional<OperatorBytes> vllm_bytes(const OperatorCall& call, std::string_view name) {
  if (name == "rms_norm")
    return OperatorBytes{known(sum({call.input(0), call.input(1), call.input(2)})), WorkSource::kNorm};
  if (name == "fused_add_rms_norm")  // both are read, and written
    return OperatorBytes{2 * known(sum({call.input(0), call.input(1)})) + known(call.input(2)), WorkSource::kNorm};
  if (is_one_of(name, {"silu_and_mul", "gelu_and_mul", "gelu_tanh_and_mul", "static_scaled_fp8_quant"}))
    return OperatorBytes{known(sum({call.input(0), call.input(1)})), WorkSource::kElementwise};
  return std::nullopt;
}

// Indices, and each row that they name once as read and once as written.
std::optional<double> lookup(const OperatorCall& call, std::string_view name) {
  if (name == "embedding")
    return known(call.input(1)) + 2 * known(call.made({product(call.dims(1)), product(call.dims(0), 1)}, 0));
  if (name == "index_select") {
    const double dim = call.value(1).number();
    const Shape& from = call.dims(0);
    const double size = at(from, static_cast<std::size_t>(dim < 0 ? dim + static_cast<double>(from.size()) : dim));
    if (size == 0) throw NotKnown();
    return known(call.input(2)) + 2 * known(call.made({product(from) / size, product(call.dims(2))}, 0));
  }
  if (name == "gather") return known(call.input(2)) + 2 * known(call.made(call.dims(2), 0));
  if (name == "embedding_dense_backward")
    return known(sum({call.input(0), call.input(1),
                      call.made({call.value(2).number(), at(call.dims(0), call.dims(0).size() - 1)}, 0)}));
  if (name == "scatter_add_") return known(call.input(2)) + 3 * known(call.input(3));
  return std::nullopt;
}

// Bytes of an element of lists, whose type the profiler does not record, by the name of a kernel.
int list_item_bytes(std::string_view kernel) {
  constexpr std::string_view kOpaque = "OpaqueType<";
  if (const std::size_t at = kernel.find(kOpaque); at != std::string_view::npos) {
    int size = 0;
    const char* const from = kernel.data() + at + kOpaque.size();
    if (std::from_chars(from, kernel.data() + kernel.size(), size).ec == std::errc() && size > 0) return size;
  }
  for (const auto& [word, size] :
       {std::pair("BFloat16", 2), std::pair("c10::Half", 2), std::pair("double", 8), std::pair("float", 4)}) {
    if (kernel.find(word) != std::string_view::npos) return size;
  }
  throw NotKnown();
}

double elements_of(const OperatorCall& call, std::size_t i) {
  double all = 0;
  for (const Shape& shape : call.tensors(i)) all += product(shape);
  return all;
}

bool has_list(const OperatorCall& call, std::size_t i) {
  try {
    return !call.tensors(i).empty();
  } catch (const NotKnown&) {
    return false;
  }
}

// How often the elements of input 0's list are read and written by an optimizer, or by an operator of lists.
std::optional<double> moved_elements(const OperatorCall& call, std::string_view name) {
  if (is_one_of(name,
                {"_fused_adam_", "_fused_adamw_"}))  // reads weights, gradients, both moments; writes all but gradients
    return elements_of(call, 0) * (has_list(call, 4) ? 9 : 7);
  if (name == "_fused_sgd_") return elements_of(call, 0) * (has_list(call, 2) ? 5 : 3);
  if (!name.starts_with("_foreach_")) return std::nullopt;
  double read = 0;
  for (std::size_t i = 0; i < call.size(); ++i) read += has_list(call, i) ? elements_of(call, i) : 0;
  if (name == "_foreach_norm") return read;
  if (name == "_foreach_copy_") return read;  // reads one list, writes the other
  return read + elements_of(call, 0);
}

std::optional<OperatorBytes> aten_bytes(const OperatorCall& call, std::string_view name, std::string_view kernel) {
  const auto found = [](double bytes, WorkSource source) { return OperatorBytes{bytes, source}; };
  if (name == "copy_") return found(known(sum({call.input(0), call.input(1)})), WorkSource::kCopy);
  if (is_one_of(name, {"fill_", "zero_"})) return found(known(call.input(0)), WorkSource::kCopy);
  if (is_one_of(name, {"cat", "_cat"}))
    return found(2 * elements_of(call, 0) * list_item_bytes(kernel), WorkSource::kCopy);
  if (is_one_of(name, {"_softmax", "_log_softmax"})) return found(2 * known(call.input(0)), WorkSource::kSoftmax);
  if (is_one_of(name, {"_softmax_backward_data", "_log_softmax_backward_data"}))
    return found(known(sum({call.input(0), call.input(1), call.input(0)})), WorkSource::kSoftmax);
  if (const auto bytes = norm(call, name)) return found(*bytes, WorkSource::kNorm);
  if (const auto bytes = lookup(call, name)) return found(*bytes, WorkSource::kLookup);
  if (const auto bytes = reduction(call, name)) return found(*bytes, WorkSource::kReduction);
  if (const auto elements = moved_elements(call, name))
    return found(*elements * list_item_bytes(kernel), WorkSource::kOptimizer);
  if (name == "native_dropout")
    return found(2 * known(call.input(0)) + product(call.dims(0)), WorkSource::kElementwise);
  const bool is_in_place = name.ends_with('_');
  const std::string_view plain = is_in_place ? name.substr(0, name.size() - 1) : name;
  if (const std::size_t inputs = elementwise_inputs(plain); inputs > 0)
    return found(elementwise(call, plain, inputs, is_in_place), WorkSource::kElementwise);
  return std::nullopt;
}

std::optional<OperatorBytes> triton_bytes(const OperatorCall& call) {
  double all = 0;
  for (std::size_t i = 0; i < call.size(); ++i) {
    if (call.is_tensor(i)) all += known(call.input(i));
  }
  return all > 0 ? std::optional(OperatorBytes{all, WorkSource::kTriton}) : std::nullopt;
}

std::optional<OperatorBytes> bytes_of(const OperatorInputs& inputs) {
  const OperatorCall call(inputs);
  if (call.size() == 0) return std::nullopt;
  const auto after = [&](std::string_view prefix) { return inputs.name.substr(prefix.size()); };
  if (inputs.name.starts_with("aten::")) return aten_bytes(call, after("aten::"), inputs.kernel);
  if (inputs.name.starts_with("_C::")) return vllm_bytes(call, after("_C::"));
  const bool is_triton = std::ranges::any_of(Names{"triton_poi_", "triton_per_", "triton_red_"},
                                             [&](std::string_view kind) { return inputs.name.starts_with(kind); });
  return is_triton ? triton_bytes(call) : std::nullopt;
}

}  // namespace

std::optional<OperatorBytes> operator_bytes(const OperatorInputs& inputs) {
  try {
    const auto found = bytes_of(inputs);
    return found && std::isfinite(found->bytes) && found->bytes > 0 ? found : std::nullopt;
  } catch (const NotKnown&) {
    return std::nullopt;
  }
}

}  // namespace vizd
