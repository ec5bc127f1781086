#include "analysis/devices/kernel_choice.h"

#include <algorithm>
#include <iterator>

namespace vizd {

std::optional<KernelGroup> kernel_group(std::string_view word) {
  const auto found = std::ranges::find(kKernelGroupNames, word);
  if (found == std::end(kKernelGroupNames)) return std::nullopt;
  return static_cast<KernelGroup>(found - std::begin(kKernelGroupNames));
}

}  // namespace vizd
