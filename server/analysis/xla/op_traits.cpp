#include "analysis/xla/op_traits.h"

#include <algorithm>
#include <string>

#include "analysis/devices/kernel_names.h"
#include "base/ascii_case.h"

namespace vizd {
namespace {

constexpr std::string_view kCollectives[] = {
    "all-reduce",         "all-gather",           "reduce-scatter", "all-to-all", "ragged-all-to-all",
    "collective-permute", "collective-broadcast", "send",           "recv"};
constexpr std::string_view kMemoryOps[] = {"copy", "infeed", "outfeed"};

bool are_digits(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return is_digit(c); });
}

bool tells_copies_apart(std::string_view ending) {
  if (ending == "clone") return true;
  if (ending.starts_with("remat")) return are_digits(ending.substr(5));
  return !ending.empty() && are_digits(ending);
}

std::string_view without_outer_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\f\v";
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string_view without_phase(std::string_view name) {
  for (const std::string_view phase : {"-start", "-done"}) {
    if (name.ends_with(phase)) return name.substr(0, name.size() - phase.size());
  }
  return name;
}

template <typename Words>
bool is_among(std::string_view name, const Words& words) {
  return std::ranges::find(words, name) != std::end(words);
}

// category: "" where the op has none; then its name tells.
OpTraits traits_of_op(std::string_view category, std::string_view op) {
  const std::string_view told = category.empty() ? op : category;
  const std::string key = ascii_lower(without_outer_blanks(told));
  const std::string_view name = without_phase(op_base_name(key)), base = op_base_name(told);
  return {.is_communication = is_among(name, kCollectives),
          .is_memory = is_among(name, kMemoryOps),
          .is_infeed = base.starts_with("infeed"),
          .is_outfeed = base.starts_with("outfeed")};
}

}  // namespace

std::string_view op_base_name(std::string_view op) {
  while (true) {
    const std::size_t dot = op.rfind('.');
    if (dot == op.npos || !tells_copies_apart(op.substr(dot + 1))) return op;
    op = op.substr(0, dot);
  }
}

std::vector<OpTraits> find_op_traits(const XlaHost& host, const StringTable& strings) {
  std::vector<OpTraits> traits;
  for (const XlaWorkKind& kind : host.kinds) {
    const std::string_view op = kind.op == StringId{kNoId} ? std::string_view() : strings.get(kind.op);
    if (kind.work == XlaClass::kOp) {
      const StringId category = kind.metadata == kNoId ? StringId{} : host.metadata[kind.metadata].category;
      traits.push_back(traits_of_op(strings.get(category), op));
    } else if (kind.work == XlaClass::kKernel) {
      traits.push_back({.is_communication = is_communication_kernel(strings.get(kind.name)) ||
                                            is_among(without_phase(op_base_name(op)), kCollectives)});
    } else {
      traits.push_back({.is_memory = true});
    }
  }
  return traits;
}

}  // namespace vizd
