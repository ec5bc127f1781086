#include "analysis/devices/collective_instances.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace vizd {
namespace {

// What ran on the devices of a profile before a time.
class WorkBefore {
 public:
  explicit WorkBefore(const DeviceWork& work) : work_(work) {
    for (std::uint32_t i = 0; i < work.items.size(); ++i) of_root_[work.device_of(work.items[i]).root].push_back(i);
    for (auto& [root, items] : of_root_)
      std::ranges::sort(items, {}, [&](std::uint32_t i) { return std::pair(work.items[i].end_ns, i); });
  }

  // The item of the same rank that ended last, of those that had ended when this one began.
  std::optional<std::uint32_t> find(std::uint32_t item) const {
    const std::vector<std::uint32_t>& items = of_root_.at(work_.device_of(work_.items[item]).root);
    auto after = std::ranges::upper_bound(items, work_.items[item].start_ns, {},
                                          [this](std::uint32_t i) { return work_.items[i].end_ns; });
    while (after != items.begin()) {
      if (*--after != item) return *after;
    }
    return std::nullopt;
  }

 private:
  const DeviceWork& work_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> of_root_;
};

}  // namespace

std::vector<CollectiveInstance> list_collectives(std::span<const ProfiledRank> profiles, const Collectives& found,
                                                 std::size_t most) {
  std::vector<std::uint32_t> order(found.all.size());
  std::iota(order.begin(), order.end(), 0U);
  const std::size_t count = std::min(most, order.size());
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(count), {},
                            [&](std::uint32_t place) { return std::pair(-found.all[place].skew_ns(), place); });
  order.resize(count);
  const auto item_of = [&](const CollectiveLaunch& launch) -> const WorkItem& {
    return profiles[launch.profile].work.items[launch.item];
  };
  const auto length_of = [&](const CollectiveLaunch& launch) {
    return item_of(launch).end_ns - item_of(launch).start_ns;
  };
  std::map<std::uint32_t, WorkBefore> before;  // by profile
  std::vector<CollectiveInstance> instances;
  for (const std::uint32_t place : order) {
    const Collective& collective = found.all[place];
    CollectiveInstance& instance = instances.emplace_back();
    instance.place = place;
    instance.longest = *std::ranges::max_element(collective.launches, {}, length_of);
    for (const CollectiveLaunch& launch : collective.launches)
      instance.waiting_ns += length_of(launch) - collective.shortest_ns;
    if (!collective.last) continue;
    const CollectiveLaunch& last = collective.launches[*collective.last];
    const WorkBefore& of_rank = before.try_emplace(last.profile, profiles[last.profile].work).first->second;
    instance.before = of_rank.find(last.item);
    if (instance.before)
      instance.idle_before_ns = item_of(last).start_ns - profiles[last.profile].work.items[*instance.before].end_ns;
  }
  return instances;
}

}  // namespace vizd
