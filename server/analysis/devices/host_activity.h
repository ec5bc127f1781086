// HostActivity: what the threads that launch a rank's work did before a moment, for the critical path. Refers to the
// capture. Made once for each rank; reading may be done by any thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "analysis/devices/device_work.h"

namespace vizd {

class HostActivity {
 public:
  // The items [first, end) of the work are the rank's. A thread that does nothing for less than rest_ns goes on.
  HostActivity(const Capture& capture, const DeviceWork& work, std::uint32_t root, std::size_t first, std::size_t end,
               std::int64_t rest_ns);

  // The past of a thread at some moment.
  struct Before {
    std::uint32_t waited_for = kNoId;  // the work that the thread waited for last; then the rest says nothing
    std::int64_t from_ns = 0;          // since when the thread acted, or rested
    std::uint32_t track = kNoId;       // the thread that acted before; kNoId: none
  };
  Before before(std::uint32_t track, std::int64_t now_ns) const;

 private:
  struct Wait {
    std::int64_t from_ns = 0, to_ns = 0;
    std::uint32_t item = kNoId;  // that ended last in it
  };
  struct Thread {
    std::uint32_t process = kNoId;
    std::vector<TimeSpan> active;  // in order of time; no two overlap
    std::vector<Wait> waits;       // by their ends
  };

  const Wait* last_wait(const Thread& thread, std::int64_t after_ns, std::int64_t by_ns) const;

  const DeviceWork& work_;
  std::map<std::uint32_t, Thread> threads_;  // by track
};

// Takes spans of time apart by the event that is the innermost then, of those for which takes(event) holds, and calls
// visit(event, span) for each part; event is kNoId where there is none. The spans are in order and do not overlap.
template <typename Takes, typename Visit>
void for_each_innermost(const EventColumns& events, std::span<const TimeSpan> spans, Takes&& takes, Visit&& visit) {
  std::vector<std::uint32_t> order, open;
  for (std::uint32_t i = 0; i < events.size(); ++i) {
    if (events.kind(i) == EventKind::kSpan && takes(i)) order.push_back(i);
  }
  const auto is_before = [&](std::uint32_t a, std::uint32_t b) {
    if (events.start_ns(a) != events.start_ns(b)) return events.start_ns(a) < events.start_ns(b);
    return events.length_ns(a) > events.length_ns(b);
  };
  if (!std::ranges::is_sorted(order, is_before)) std::ranges::stable_sort(order, is_before);
  std::size_t next = 0;
  for (const TimeSpan& span : spans) {
    std::int64_t now_ns = span.from_ns;
    while (now_ns < span.to_ns) {
      for (; next < order.size() && events.start_ns(order[next]) <= now_ns; ++next) {
        while (!open.empty() && events.end_ns(open.back()) <= events.start_ns(order[next])) open.pop_back();
        open.push_back(order[next]);
      }
      while (!open.empty() && events.end_ns(open.back()) <= now_ns) open.pop_back();
      std::int64_t until_ns = span.to_ns;
      if (next < order.size()) until_ns = std::min(until_ns, events.start_ns(order[next]));
      if (!open.empty()) until_ns = std::min(until_ns, events.end_ns(open.back()));
      visit(open.empty() ? kNoId : open.back(), TimeSpan{now_ns, until_ns});
      now_ns = until_ns;
    }
  }
}

}  // namespace vizd
