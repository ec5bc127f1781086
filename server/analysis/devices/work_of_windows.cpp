#include "analysis/devices/work_of_windows.h"

#include <algorithm>
#include <utility>

namespace vizd {

WorkOfWindows::WorkOfWindows(const DeviceWork& work, const WorkPlaces& items)
    : work_(work), by_start_(items), by_begin_(items) {
  std::ranges::stable_sort(by_begin_, {}, [this](std::uint32_t i) { return begin_of(i); });
}

std::int64_t WorkOfWindows::begin_of(std::uint32_t i) const {
  const WorkItem& item = work_.items[i];
  return item.call == kNoId ? item.start_ns : std::min(item.start_ns, work_.calls[item.call].start_ns);
}

WorkPlaces WorkOfWindows::next(const TimeSpan& window) {
  while (next_ < by_begin_.size() && begin_of(by_begin_[next_]) < window.to_ns) open_.push_back(by_begin_[next_++]);
  std::erase_if(open_, [&](std::uint32_t i) {
    if (end_of(i) > window.from_ns || start_of(i) >= window.from_ns) return false;
    if (last_ended_ == kNoId || end_of(i) > end_of(last_ended_)) last_ended_ = i;
    return true;
  });
  WorkPlaces found = open_;
  if (last_ended_ != kNoId) found.push_back(last_ended_);
  const auto after =
      std::ranges::lower_bound(by_start_, window.to_ns, {}, [this](std::uint32_t i) { return start_of(i); });
  if (after != by_start_.end()) found.push_back(*after);
  std::ranges::sort(found, {}, [this](std::uint32_t i) { return std::pair(start_of(i), i); });
  const auto rest = std::ranges::unique(found);
  found.erase(rest.begin(), rest.end());
  return found;
}

}  // namespace vizd
