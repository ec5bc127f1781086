#include "formats/etdump/partitions.h"

namespace vizd::etdump {

Partitions::Partitions(const Method& method) {
  for (const auto& [instruction, call] : method.delegates) {
    const auto found = method.debug_handles.find(instruction);
    if (found == method.debug_handles.end()) continue;
    all_.push_back({instruction, call.backend.empty() ? "delegate" : call.backend});
    for (const std::int64_t handle : found->second)
      by_handle_.try_emplace(handle, static_cast<std::uint32_t>(all_.size()));
  }
}

std::uint32_t Partitions::of(const std::optional<std::int64_t>& handle) const {
  const auto found = handle ? by_handle_.find(*handle) : by_handle_.end();
  return found == by_handle_.end() ? 0 : found->second;
}

}  // namespace vizd::etdump
