// KernelChoice: what the rows of a table of kernels are of, and which of the work they count. Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vizd {

enum class KernelGroup : std::uint8_t {
  kName,
  kFamily,
  kCategory,
  kOperator,
  kShapes,
  kModule,
  kStream,
  kDevice,
  kRank,
  kStep
};
inline constexpr std::string_view kKernelGroupNames[] = {"name",   "family", "category", "operator", "shapes",
                                                         "module", "stream", "device",   "rank",     "step"};
std::optional<KernelGroup> kernel_group(std::string_view word);

// Whether rows are of operators: what they count is calls, however many launches one makes.
constexpr bool is_of_operators(KernelGroup group) {
  return group == KernelGroup::kOperator || group == KernelGroup::kShapes;
}

// The part of the work that is counted.
struct KernelChoice {
  KernelGroup group = KernelGroup::kName;
  std::string text = "";                   // only rows whose key holds this, in any case
  std::string category = "";               // only kernels of that category
  std::optional<std::string> kernel = {};  // only launches of the kernel of that whole name

  bool is_all() const { return text.empty() && category.empty() && !kernel; }
};

}  // namespace vizd
