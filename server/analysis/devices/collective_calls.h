// What the host's spans around the launch of a collective tell of it, where neither the kernel nor its operator records
// "Collective name": PyTorch's before 2.1, collectives of other libraries. Refers to nothing once it is made. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "analysis/devices/device_work.h"

namespace vizd {

struct CollectiveCall {
  std::string name;                   // "all_reduce", "multimem_all_reduce_"
  std::optional<std::int64_t> bytes;  // of a rank: of what goes in or comes out the larger, where shapes are recorded
};

// By place in DeviceWork::items, of those that any span tells of: the innermost annotation of the library
// ("nccl:all_reduce"), else the innermost operator that is named for a collective.
std::map<std::uint32_t, CollectiveCall> find_collective_calls(const Capture& capture, const DeviceWork& work,
                                                              std::span<const std::uint32_t> items);

}  // namespace vizd
