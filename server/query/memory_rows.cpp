// What rows of allocation and memory_event are grouped by, and which of their columns are added up.
#include <algorithm>

#include "model/allocator_log.h"
#include "query/memory_groups.h"

namespace vizd::sql {
namespace {

enum AllocationTrait : std::size_t { kOfSite, kOfPool, kOfFlags, kOfDtype, kOfCategory };

constexpr MemoryRows::Key kAllocationKeys[]{{"track_id", MemoryRows::kNoTrait},
                                            {"stream", kOfPool},
                                            {"pool", kOfPool},
                                            {"frame", kOfSite},
                                            {"file", kOfSite},
                                            {"forward_frame", kOfSite},
                                            {"operator", kOfSite},
                                            {"phase", kOfSite},
                                            {"metadata", kOfSite},
                                            {"compile_context", kOfSite},
                                            {"stack_id", kOfSite},
                                            {"forward_stack_id", kOfSite},
                                            {"is_freed", kOfFlags},
                                            {"is_lost", kOfFlags},
                                            {"dtype", kOfDtype},
                                            {"category", kOfCategory}};
constexpr std::string_view kAllocationSums[]{"size", "block_bytes", "requested_bytes"};

// A track's allocator may have recorded only some allocations: a block has only recorded ones, or only others.
void read_allocations(const Track& track, std::size_t begin, std::size_t end, MemoryRowBlock& to) {
  const AllocatorLog* const log = track.allocator.get();
  const std::size_t told = log == nullptr ? 0 : log->lives.size();
  const bool is_told = begin < told;
  end = std::min({end, begin + MemoryRowBlock::kRows, is_told ? told : end});
  to.size = end - begin;
  to.is_null = {false, log == nullptr, !is_told};
  for (std::size_t i = 0; i < to.size; ++i) {
    const Allocation& of = track.allocations[begin + i];
    const bool is_lost = is_told && (log->lives.flags[begin + i] & AllocatorLives::kLost) != 0;
    to.traits[i] = {is_told ? log->lives.site[begin + i] : kNoId, is_told ? log->lives.pool[begin + i] : kNoId,
                    (is_told ? 0u : 4u) | (is_lost ? 2u : 0u) | (of.freed ? 1u : 0u),
                    static_cast<std::uint32_t>(of.dtype), static_cast<std::uint32_t>(of.category)};
    const auto size = static_cast<std::int64_t>(of.size_bytes());
    const auto requested = is_told ? static_cast<std::int64_t>(log->lives.requested_bytes[begin + i]) : 0;
    to.values[0][i] = to.values[1][i] = size;
    to.values[2][i] = requested;
  }
}

constexpr MemoryRows::Key kEventKeys[]{
    {"track_id", MemoryRows::kNoTrait}, {"device", MemoryRows::kNoTrait}, {"action", 0}};
constexpr std::string_view kEventSums[]{"size"};

void read_entries(const Track& track, std::size_t begin, std::size_t end, MemoryRowBlock& to) {
  const AllocatorEntries& entries = track.allocator->entries;
  to.size = std::min(end - begin, MemoryRowBlock::kRows);
  for (std::size_t i = 0; i < to.size; ++i) {
    to.traits[i] = {static_cast<std::uint32_t>(entries.action[begin + i])};
    to.values[0][i] = static_cast<std::int64_t>(entries.size_bytes[begin + i]);
  }
}

}  // namespace

const MemoryRows kAllocationRows{.table = "allocation",
                                 .name = "allocation groups",
                                 .about = "Allocations in groups, for totals of them.",
                                 .keys = kAllocationKeys,
                                 .sums = kAllocationSums,
                                 .count = [](const Track& track) { return track.allocations.size(); },
                                 .read = read_allocations};
const MemoryRows kMemoryEventRows{
    .table = "memory_event",
    .name = "memory_event groups",
    .about = "An allocator's entries in groups, for totals of them.",
    .keys = kEventKeys,
    .sums = kEventSums,
    .count = [](const Track& track) { return track.allocator == nullptr ? 0 : track.allocator->entries.size(); },
    .read = read_entries};

}  // namespace vizd::sql
