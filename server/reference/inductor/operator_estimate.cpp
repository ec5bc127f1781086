#include "reference/inductor/operator_estimate.h"

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/parse_json.h"

namespace vizd {
namespace {

using nlohmann::json;

// The reference stops with an error.
struct Raised {};

const json& item(const json& list, std::size_t i) {
  if (!list.is_array() || i >= list.size()) throw Raised();
  return list[i];
}

double number(const json& value) {
  if (!value.is_number()) throw Raised();
  return value.get<double>();
}

double number(const json& list, std::size_t i) { return number(item(list, i)); }

double number(const json& lists, std::size_t i, std::size_t j) { return number(item(lists, i), j); }

// The product of all numbers in it, however nested.
double product(const json& value) {
  if (!value.is_array()) return number(value);
  double all = 1;
  for (const json& part : value) all *= product(part);
  return all;
}

// What torch has under the type's name: of most that the profiler writes nothing, which counts as a byte.
double item_size(const json& type) {
  static constexpr std::pair<std::string_view, int> kSizes[] = {
      {"float", 4}, {"double", 8}, {"half", 2},   {"bfloat16", 2}, {"float16", 2}, {"float32", 4}, {"float64", 8},
      {"int", 4},   {"long", 8},   {"short", 2},  {"bool", 1},     {"int8", 1},    {"int16", 2},   {"int32", 4},
      {"int64", 8}, {"uint8", 1},  {"cfloat", 8}, {"cdouble", 16}, {"chalf", 4}};
  if (!type.is_string()) throw Raised();
  const std::string name = type.get<std::string>();
  // Classes of torch's, which have no size.
  if (name == "Generator" || name == "Tensor" || name == "Stream" || name == "Size") throw Raised();
  for (const auto& [known, size_bytes] : kSizes) {
    if (known == name) return size_bytes;
  }
  return 1;
}

// "[2, 2]", brackets or not: whole numbers.
std::vector<double> parse_list(const json& text) {
  if (!text.is_string()) throw Raised();
  std::string digits;
  std::vector<double> list;
  const auto take = [&] {
    char* end = nullptr;
    const double value = std::strtod(digits.c_str(), &end);
    if (digits.empty() || *end != '\0' || value != std::floor(value)) throw Raised();
    list.push_back(value);
    digits.clear();
  };
  for (const char c : text.get<std::string>()) {
    if (c == ',') {
      take();
    } else if (c != '[' && c != ']' && c != ' ') {
      digits += c;
    }
  }
  take();
  return list;
}

struct Inputs {
  bool has_dims = false, has_types = false, has_concrete = false;
  json dims, types, concrete;
};

// The output as the reference has it: padding and dilation count for nothing.
std::vector<double> convolution_output(const Inputs& inputs, std::size_t stride_at) {
  const std::vector<double> stride = parse_list(item(inputs.concrete, stride_at));
  const json &x = item(inputs.dims, 0), &w = item(inputs.dims, 1);
  std::vector<double> out{number(x, 0), number(w, 0)};
  for (std::size_t i = 0; i + 2 < x.size() && i + 2 < w.size() && i < stride.size(); ++i) {
    if (stride[i] == 0) throw Raised();
    out.push_back(std::floor((number(x, i + 2) - number(w, i + 2)) / stride[i]) + 1);
  }
  return out;
}

double matrix_flop(const json& a, const json& b) {
  if (a.size() != 2 || b.size() != 2 || number(a, 1) != number(b, 0)) throw Raised();
  return number(a, 0) * number(b, 1) * 2 * number(a, 1);
}

double batched_flop(const json& a, const json& b) {
  if (a.size() != 3 || b.size() != 3 || number(a, 0) != number(b, 0) || number(a, 2) != number(b, 1)) throw Raised();
  return number(a, 0) * number(a, 1) * number(b, 2) * 2 * number(a, 2);
}

double convolution_flop(std::string_view name, const Inputs& inputs) {
  const bool is_slow = name == "_slow_conv2d_forward";
  const std::size_t count = inputs.dims.size() + (is_slow ? 1 : 0);
  if (is_slow && inputs.concrete.size() < 5) return 0;  // a warning, and nothing
  if (count != 4 && count <= 6) return 0;
  const std::vector<double> out = convolution_output(inputs, is_slow ? 4 : 3);
  if (count < 7) throw Raised();  // too few for the formula
  const json& w = item(inputs.dims, 1);
  double flop = 2 * number(inputs.dims, 0, 0) * product(w);
  for (std::size_t i = 2; i < out.size(); ++i) flop *= out[i];
  return flop;
}

double attention_flop(const Inputs& inputs, bool is_backward) {
  const std::size_t first = is_backward ? 1 : 0;
  const json &q = item(inputs.dims, first), &k = item(inputs.dims, first + 1), &v = item(inputs.dims, first + 2);
  if (q.size() != 4 || k.size() != 4 || v.size() != 4) throw Raised();
  for (const std::size_t same : {0u, 1u}) {
    if (number(q, same) != number(k, same) || number(q, same) != number(v, same)) throw Raised();
  }
  if (number(q, 3) != number(k, 3) || number(k, 2) != number(v, 2)) throw Raised();
  const double pairs = 2 * number(q, 0) * number(q, 1) * number(q, 2) * number(k, 2), d = number(q, 3),
               dv = number(v, 3);
  return is_backward ? pairs * (3 * d + 2 * dv) : pairs * (d + dv);
}

// By name, as the reference guesses it; "": it knows none.
std::string_view operator_of(std::string_view name) {
  constexpr std::string_view kLibrary = "aten::";
  if (name.starts_with(kLibrary)) return name.substr(kLibrary.size());
  for (const auto& [word, op] : {std::pair<std::string_view, std::string_view>{"conv", "convolution"},
                                 {"addmm", "addmm"},
                                 {"bmm", "bmm"},
                                 {"_mm", "mm"}}) {
    if (name.find(word) != std::string_view::npos) return op;
  }
  return "";
}

bool is_convolution(std::string_view op) {
  return op == "convolution" || op == "_convolution" || op == "cudnn_convolution" || op == "_slow_conv2d_forward";
}

double flop_of(std::string_view op, const Inputs& inputs) {
  const bool is_backward = op.ends_with("_backward");
  const bool is_scaled = op.starts_with("_scaled_dot_product_") && op.find("_attention") != std::string_view::npos;
  const bool is_raw = op.starts_with("_flash_attention_") || op.starts_with("_efficient_attention_");
  const bool is_known = op == "mm" || op == "addmm" || op == "bmm" || op == "baddbmm" || op == "_scaled_mm" ||
                        is_convolution(op) || op == "convolution_backward" || is_scaled || is_raw;
  if (!is_known || !inputs.has_dims || !inputs.has_concrete) return 0;
  const json& dims = inputs.dims;
  if (op == "mm" || op == "_scaled_mm") return matrix_flop(item(dims, 0), item(dims, 1));
  if (op == "addmm") return matrix_flop(item(dims, 1), item(dims, 2));
  if (op == "bmm") return batched_flop(item(dims, 0), item(dims, 1));
  if (op == "baddbmm") return batched_flop(item(dims, 1), item(dims, 2));
  if (is_convolution(op)) return convolution_flop(op, inputs);
  if (is_scaled) return attention_flop(inputs, is_backward);
  throw Raised();  // formulas that want tensors, and are given lists
}

double default_bytes(const Inputs& inputs) {
  double bytes = 0;
  for (std::size_t i = 0; i < inputs.dims.size() && i < inputs.types.size(); ++i)
    bytes += item_size(inputs.types[i]) * product(inputs.dims[i]);
  return bytes;
}

double matrix_bytes(double m, double n, double k, double item_bytes) {
  return 2 * (m * k + n * k + m * n) * item_bytes;
}

double bytes_of(std::string_view op, const Inputs& inputs) {
  if (!inputs.has_types || !inputs.has_dims) return 0;
  if (op.empty() || !inputs.has_concrete) return default_bytes(inputs);
  const json &dims = inputs.dims, &types = inputs.types;
  const auto addend = [&] { return product(item(dims, 0)) * item_size(item(types, 0)); };
  if (op == "mm" || op == "addmm") {
    const std::size_t a = op == "addmm" ? 1 : 0;
    if (number(dims, a, 1) != number(dims, a + 1, 0)) throw Raised();
    const double product_bytes =
        matrix_bytes(number(dims, a, 0), number(dims, a, 1), number(dims, a + 1, 1), item_size(item(types, a)));
    return product_bytes + (a == 1 ? addend() : 0);
  }
  if (op == "bmm" || op == "baddbmm") {
    const std::size_t a = op == "baddbmm" ? 1 : 0;
    const double one =
        matrix_bytes(number(dims, a, 1), number(dims, a, 2), number(dims, a + 1, 2), item_size(item(types, 1)));
    return number(dims, 0, 0) * one + addend();
  }
  if (is_convolution(op)) {
    const std::vector<double> out = convolution_output(inputs, op == "_slow_conv2d_forward" ? 4 : 3);
    const json &x = item(dims, 0), &w = item(dims, 1);
    if (out.size() < 4) throw Raised();
    const double reads = out[0] * out[1] * out[2] * out[3] * number(x, 1) * number(w, 2) * number(w, 3);
    return reads + number(w, 0) * number(w, 1) * number(w, 2) * number(w, 3);
  }
  return default_bytes(inputs);
}

}  // namespace

std::optional<ReferenceEstimate> reference_estimate(const OperatorInputs& given) {
  constexpr double kBytesInGigabyte = 1e9;
  Inputs inputs{!given.dims.empty(),    !given.types.empty(),    !given.concrete.empty(),
                parse_json(given.dims), parse_json(given.types), parse_json(given.concrete)};
  const std::string_view op = operator_of(given.name);
  try {
    return ReferenceEstimate{flop_of(op, inputs), bytes_of(op, inputs) / kBytesInGigabyte};
  } catch (const Raised&) {
    return std::nullopt;
  }
}

}  // namespace vizd
