#include "analysis/devices/kernel_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

#include "base/ascii_case.h"

namespace vizd {
namespace {

bool holds_any(std::string_view text, std::span<const std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

// Whether the text holds the words one after another, with a '_' or '-' between two or nothing.
bool holds_joined(std::string_view text, std::span<const std::string_view> words) {
  for (std::size_t from = text.find(words[0]); from != std::string_view::npos; from = text.find(words[0], from + 1)) {
    std::size_t at = from;
    bool fits = true;
    for (const std::string_view word : words) {
      if (at != from && at < text.size() && (text[at] == '_' || text[at] == '-')) ++at;
      fits = text.substr(std::min(at, text.size())).starts_with(word);
      if (!fits) break;
      at += word.size();
    }
    if (fits) return true;
  }
  return false;
}

struct CategoryWords {
  std::string_view category;
  std::array<std::string_view, 14> words;
};

// The first that fits: the more telling words stand first.
constexpr CategoryWords kCategories[] = {
    {"attention", {"flash", "fmha", "attention", "attn", "sdpa", "paged"}},
    {"convolution", {"conv", "winograd", "im2col", "col2im", "implicit_gemm", "wgrad", "dgrad", "xdlops_fwd"}},
    {"GEMM",
     {"gemm", "gemv", "cublas", "cutlass", "matmul", "splitk", "cijk_", "nvjet", "_mm_", "_bmm", "_addmm", "mm2"}},
    {"normalisation",
     {"layer_norm", "layernorm", "batch_norm", "batchnorm", "rms_norm", "rmsnorm", "group_norm", "bn_fw", "bn_bw",
      "norm_kernel"}},
    {"softmax", {"softmax"}},
    {"optimizer", {"multi_tensor_apply", "adam", "sgd", "optimizer"}},
    {"embedding",
     {"embedding", "index_select", "indexselect", "gather", "scatter", "index_put", "indexing", "index_kernel"}},
    {"sort", {"sort", "topk", "scan", "cumsum", "radix"}},
    {"random", {"philox", "distribution_", "dropout", "random", "curand"}},
    {"reduction", {"reduce", "_red_", "_per_", "sum", "argmax", "r_"}},
    {"copy",
     {"copy", "memcpy", "memset", "fill", "transpose", "tensorld", "tensorst", "tensormv", "cat_array", "catarray",
      "concat"}},
    {"elementwise",
     {"elementwise", "_poi_", "pointwise", "vectorized", "unary", "binary", "activation", "add", "mul", "e_"}},
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Without what stands in < >, as far as these pair up: "operator<" keeps its own.
std::string without_templates(std::string_view name) {
  std::string result;
  int depth = 0;
  for (const char c : name) {
    if (c == '<') {
      ++depth;
    } else if (c == '>' && depth > 0) {
      --depth;
    } else if (depth == 0) {
      result += c;
    }
  }
  return depth == 0 ? result : std::string(name);
}

// A last part after '_' that is a number, or a hash: eight or more hexadecimal digits of which one is a digit.
bool is_serial(std::string_view part) {
  if (part.empty()) return false;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (std::ranges::all_of(part, is_digit)) return true;
  const auto is_hex = [&](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); };
  return part.size() >= 8 && std::ranges::all_of(part, is_hex) && std::ranges::any_of(part, is_digit);
}

}  // namespace

bool is_communication_kernel(std::string_view name) {
  if (name.starts_with("triton_")) return false;
  const std::string text = ascii_lower(name);
  constexpr std::string_view kLibraries[] = {"nccl", "rccl", "msccl", "nvshmem", "cross_device_reduce"};
  constexpr std::string_view kAllReduce[] = {"all", "reduce"}, kAllGather[] = {"all", "gather"};
  constexpr std::string_view kReduceScatter[] = {"reduce", "scatter"}, kAllToAll[] = {"all", "to", "all"};
  // Ascend's, and what exchanges tokens between the devices of expert parallelism: DeepEP's, MORI's and their like.
  constexpr std::string_view kExchanges[] = {"dispatch", "combine", "notify", "barrier"};
  constexpr std::string_view kExperts[] = {
      "deep_ep", "deepep", "mori::", "internode_ll::", "internode::", "intranode::", "pplx"};
  if (text.starts_with("hcom_") || text.find("hccl") != std::string::npos) return true;
  if (text.find("collective-permute") != std::string::npos) return true;
  if (holds_any(text, kExperts) && holds_any(text, kExchanges)) return true;
  return holds_any(text, kLibraries) || holds_joined(text, kAllReduce) || holds_joined(text, kAllGather) ||
         holds_joined(text, kReduceScatter) || holds_joined(text, kAllToAll);
}

bool is_copy_engine(std::string_view lane) {
  return lane.find("DMA") != std::string_view::npos || lane.ends_with("COPY");
}

bool is_copy(std::string_view name) { return name.find(" -> ") != std::string_view::npos; }

std::string kernel_family(std::string_view name) {
  std::string family = without_templates(name);
  if (const auto parameters = family.find('(');
      parameters != std::string::npos && parameters > 0 && !family.starts_with("(anonymous"))
    family.resize(parameters);
  if (family.starts_with("void ")) family.erase(0, 5);
  for (auto last = family.rfind('_'); last != std::string::npos && last > 0; last = family.rfind('_')) {
    if (!is_serial(std::string_view(family).substr(last + 1))) break;
    family.resize(last);
  }
  while (!family.empty() && !is_word(family.back()) && family.back() != ')') family.pop_back();
  return family.empty() ? std::string(name) : family;
}

std::string_view kernel_category(std::string_view name) {
  if (is_communication_kernel(name)) return "communication";
  const std::string text = ascii_lower(name);
  for (const auto& [category, words] : kCategories) {
    for (const std::string_view word : words) {
      if (word.empty()) break;
      // Words that end in '_' and are short stand at the beginning: tinygrad's r_… and E_….
      const bool fits = word.size() == 2 ? text.starts_with(word) : text.find(word) != std::string::npos;
      if (fits) return category;
    }
  }
  return "other";
}

std::optional<Precision> precision_of_kernel(std::string_view name) {
  static constexpr std::pair<std::string_view, Precision> kWords[] = {
      {"tf32", Precision::kTf32},   {"e4m3", Precision::kFp8},       {"e5m2", Precision::kFp8},
      {"fp8", Precision::kFp8},     {"bf16", Precision::kBf16},      {"bfloat16", Precision::kBf16},
      {"f16", Precision::kFp16},    {"half", Precision::kFp16},      {"hgemm", Precision::kFp16},
      {"i8", Precision::kInt8},     {"int8", Precision::kInt8},      {"dgemm", Precision::kFp64},
      {"double", Precision::kFp64}, {"f32", Precision::kFp32},       {"float", Precision::kFp32},
      {"sgemm", Precision::kFp32},  {"s1688gemm_", Precision::kTf32}};
  const std::string text = ascii_lower(name);
  for (const auto& [word, precision] : kWords) {
    if (text.find(word) != std::string::npos) return precision;
  }
  return std::nullopt;
}

std::optional<Precision> precision_of_types(std::string_view types) {
  static constexpr std::pair<std::string_view, Precision> kTypes[] = {
      {"\"c10::Float8", Precision::kFp8},  {"\"c10::BFloat16\"", Precision::kBf16},
      {"\"c10::Half\"", Precision::kFp16}, {"\"float\"", Precision::kFp32},
      {"\"double\"", Precision::kFp64},    {"\"signed char\"", Precision::kInt8}};
  std::size_t first = std::string_view::npos;
  std::optional<Precision> found;
  for (const auto& [type, precision] : kTypes) {
    if (const auto at = types.find(type); at < first) {
      first = at;
      found = precision;
    }
  }
  return found;
}

}  // namespace vizd
