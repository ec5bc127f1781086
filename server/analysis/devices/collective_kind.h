// CollectiveKind: what ranks exchange by a collective, and how its kernels and calls are named for it. Pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace vizd {

enum class CollectiveKind : std::uint8_t {
  kAllReduce,
  kAllGather,
  kReduceScatter,
  kAllToAll,
  kBroadcast,
  kReduce,
  kSendReceive,
  kOther
};
// "all_reduce", "all_gather", …, "other".
std::string_view collective_kind_name(CollectiveKind kind);
// The kind of a collective by its name, as PyTorch or a kernel has it: "_allgather_base",
// "ncclDevKernel_AllReduce_Sum_f32_RING_LL".
CollectiveKind collective_kind(std::string_view name);
// The share of the algorithm bandwidth that goes over each rank's links: NCCL's factors.
double bus_factor(CollectiveKind kind, std::int64_t ranks);

}  // namespace vizd
