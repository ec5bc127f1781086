#include "formats/native/memory_reader.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace vizd::native {
namespace {

namespace column = capture::column;

}  // namespace

void MemoryReader::add_allocations(const Columns& columns) {
  using Column = column::Allocations;
  const auto lanes = columns.read<std::uint32_t>(Column::kLane), dtypes = columns.read<std::uint32_t>(Column::kDtype);
  const auto keys = columns.read<std::uint64_t>(Column::kKey), counts = columns.read<std::uint64_t>(Column::kCount);
  const auto item_sizes = columns.read<std::uint32_t>(Column::kItemSize);
  const auto births = columns.read<std::int64_t>(Column::kAt), deaths = columns.read<std::int64_t>(Column::kFreedAt);
  const auto birth_orders = columns.read<std::uint32_t>(Column::kBirthOrder);
  const auto death_orders = columns.read<std::uint32_t>(Column::kDeathOrder);
  const auto flags = columns.read<std::uint32_t>(Column::kFlags);
  const auto categories = columns.read<std::uint32_t>(Column::kCategory);
  const auto contexts = columns.read<std::uint64_t>(Column::kContext);
  const auto addresses = columns.read<std::uint64_t>(Column::kAddress);
  const auto askers = columns.read<std::uint64_t>(Column::kAskedBy);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    if (tracks_.track(lanes[i]) == nullptr) {
      tables_.skip("allocation of a track that is missing");
      continue;
    }
    if (item_sizes[i] != 0 && counts[i] > std::numeric_limits<std::int64_t>::max() / item_sizes[i]) {
      tables_.skip("allocation larger than any memory");
      continue;
    }
    if (!tables_.is_time(births[i]) || !tables_.is_time(deaths[i])) continue;
    Allocation made;
    made.key = keys[i];
    made.count = counts[i];
    made.item_size_bytes = item_sizes[i];
    made.dtype = tables_.string(dtypes[i]);
    made.birth_ns = births[i];
    made.death_ns = deaths[i];
    made.birth_order = birth_orders[i];
    made.death_order = death_orders[i];
    made.category = tables_.string(categories[i]);
    made.context = find_context_(contexts[i]);
    if ((flags[i] & capture::kAllocationAddressed) != 0) made.address = addresses[i];
    made.freed = (flags[i] & capture::kAllocationFreed) != 0;
    made.is_earlier = (flags[i] & capture::kAllocationEarlier) != 0;
    if (askers[i] > 0 && tracks_.track(askers[i] - 1) != nullptr) made.asked_by = tracks_.place(askers[i] - 1);
    if (made.freed && made.death_order <= made.birth_order) {
      tables_.skip("allocation that is freed before it is made");
      continue;
    }
    if (has_frees_) {
      changes_.push_back({lanes[i], births[i], false, made});
    } else {
      keep_allocation(lanes[i], made);
    }
  }
}

void MemoryReader::add_frees(const Columns& columns) {
  const auto lanes = columns.read<std::uint32_t>(column::Frees::kLane);
  const auto keys = columns.read<std::uint64_t>(column::Frees::kKey);
  const auto times = columns.read<std::int64_t>(column::Frees::kAt);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    if (tracks_.track(lanes[i]) == nullptr || !tables_.is_time(times[i])) {
      tables_.skip("free of a track that is missing");
      continue;
    }
    Allocation freed;
    freed.key = keys[i];
    changes_.push_back({lanes[i], times[i], true, freed});
  }
}

void MemoryReader::finish() {
  if (std::ranges::any_of(changes_, &MemoryChange::is_free)) return pair_frees();
  for (const MemoryChange& change : changes_) keep_allocation(change.track, change.allocation);
  number_allocations();
}

void MemoryReader::keep_allocation(std::uint32_t track, const Allocation& allocation) {
  auto& allocations = tracks_.track(track)->allocations;
  if (allocations.size() == tracks_.first_allocation(track)) allocations.reserve(allocations.size() + expected_);
  has_orders_ = has_orders_ || allocation.freed || allocation.birth_order != 0;
  allocations.push_back(allocation);
}

void MemoryReader::number_allocations() {
  if (has_orders_) return;
  for (std::uint32_t number = 0; number < tracks_.size(); ++number) {
    auto& allocations = tracks_.track(number)->allocations;
    const std::size_t first = tracks_.first_allocation(number);
    for (std::size_t i = first; i < allocations.size(); ++i)
      allocations[i].birth_order = static_cast<std::uint32_t>(i - first);
  }
}

void MemoryReader::pair_frees() {
  struct Buffer {
    std::uint32_t track;
    std::uint64_t key;
    bool operator==(const Buffer&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Buffer& b) const { return std::hash<std::uint64_t>()(b.key * 31 + b.track); }
  };
  std::ranges::stable_sort(changes_, {}, &MemoryChange::at_ns);
  std::unordered_map<Buffer, std::size_t, Hash> live;
  std::vector<std::uint32_t> orders(tracks_.size());
  for (MemoryChange& change : changes_) {
    auto& allocations = tracks_.track(change.track)->allocations;
    const Buffer buffer{change.track, change.allocation.key};
    if (!change.is_free) {
      if (change.allocation.freed) tables_.skip("allocation's own end, where ends have a table of their own");
      change.allocation.freed = false;
      change.allocation.birth_order = orders[change.track]++;
      live[buffer] = allocations.size();
      allocations.push_back(change.allocation);
    } else if (const auto found = live.find(buffer); found != live.end()) {
      Allocation& freed = allocations[found->second];
      freed.freed = true;
      freed.death_ns = change.at_ns;
      freed.death_order = orders[change.track]++;
      live.erase(found);
    } else {
      tables_.skip("free of a buffer that was never allocated");
    }
  }
}

}  // namespace vizd::native
