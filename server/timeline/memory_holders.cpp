#include "timeline/memory_holders.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "model/module_names.h"

namespace vizd {

std::optional<HolderGroup> holder_group(std::string_view name) {
  const auto found = std::ranges::find(kHolderGroupNames, name);
  if (found == std::end(kHolderGroupNames)) return std::nullopt;
  return static_cast<HolderGroup>(found - std::begin(kHolderGroupNames));
}

std::int64_t MemoryHolders::holder_of(std::uint32_t place) const {
  const Allocation& allocation = track_.allocations[place];
  if (group_ == HolderGroup::kCategory) return static_cast<std::int64_t>(index(category_of(allocation)));
  if (allocation.is_earlier) return kEarlierHolder;
  const AllocationOrigin& origin = origins_.of[place];
  const std::uint32_t event = group_ == HolderGroup::kModule ? origin.module
                              : group_ == HolderGroup::kLine ? origin.python_line
                                                             : origin.operation;
  if (event == kNoId) return kUnknownHolder;
  return static_cast<std::int64_t>(index(capture_.profile.tracks[origin.track].events.name(event)));
}

std::vector<MemoryHolder> MemoryHolders::list(std::size_t moment, std::size_t before) const {
  std::unordered_map<std::int64_t, std::size_t> known;
  std::vector<MemoryHolder> holders;
  for (std::uint32_t place = 0; place < track_.allocations.size(); ++place) {
    const bool is_now = is_alive(memory_, place, moment), was_before = is_alive(memory_, place, before);
    if (!is_now && !was_before) continue;
    const std::int64_t id = holder_of(place);
    const auto [found, is_new] = known.try_emplace(id, holders.size());
    if (is_new) holders.push_back({.id = id});
    MemoryHolder& holder = holders[found->second];
    const std::uint64_t size_bytes = track_.allocations[place].size_bytes();
    if (was_before) holder.before_bytes += size_bytes;
    if (!is_now) continue;
    holder.bytes += size_bytes;
    ++holder.allocations;
    if (holder.largest == kNoId || size_bytes > track_.allocations[holder.largest].size_bytes()) holder.largest = place;
  }
  std::ranges::sort(holders, {}, [](const MemoryHolder& h) { return std::tuple(~h.bytes, ~h.before_bytes, h.id); });
  return holders;
}

std::string_view MemoryHolders::name_of(const MemoryHolder& holder) const {
  if (holder.id < 0) return "";
  const std::string_view name = capture_.strings.get(to_id<StringId>(static_cast<std::size_t>(holder.id)));
  return group_ == HolderGroup::kModule ? module_name(name) : name;
}

std::string MemoryHolders::modules_of(const MemoryHolder& holder) const {
  if (group_ == HolderGroup::kCategory || holder.largest == kNoId) return "";
  const AllocationOrigin& origin = origins_.of[holder.largest];
  if (origin.module == kNoId) return "";
  std::string path;
  const EventColumns& events = capture_.profile.tracks[origin.track].events;
  for (const EventPlace& place :
       spans_around(capture_, timeline_, origin.track, track_.allocations[holder.largest].birth_ns)) {
    const std::string_view name = capture_.strings.get(events.name(place.event));
    if (!is_module_name(name)) continue;
    if (!path.empty()) path += " / ";
    path += module_name(name);
  }
  return path;
}

}  // namespace vizd
