// EnclosingSpans: which span of a track is the innermost around a moment: of those that began by then and have not
// ended before it, the one that began last; of several such the one that ended first, and of those the last recorded.
// Both ends count. Moments are asked for in the order of time, so that all of them together cost one walk over the
// events. Refers to the events, whose places must not change. One thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "base/huge_pages.h"
#include "model/event_columns.h"

namespace vizd {

class EnclosingSpans {
 public:
  // Only events for which takes(place) holds.
  template <typename Takes>
  EnclosingSpans(const EventColumns& events, Takes&& takes) : events_(events) {
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      if (events.kind(i) == EventKind::kSpan && takes(i)) order_.push_back(i);
    }
    const auto is_before = [&](std::uint32_t a, std::uint32_t b) {
      if (events.start_ns(a) != events.start_ns(b)) return events.start_ns(a) < events.start_ns(b);
      if (events.length_ns(a) != events.length_ns(b)) return events.length_ns(a) > events.length_ns(b);
      return events[a].order < events[b].order;
    };
    if (!std::ranges::is_sorted(order_, is_before)) std::ranges::stable_sort(order_, is_before);
  }

  // The place of the event around the moment. Moments do not go back.
  std::optional<std::uint32_t> at(std::int64_t at_ns) {
    advance(at_ns, true);
    // A span that began earlier and ended no later than another is never the innermost again.
    while (!open_.empty() && events_.end_ns(open_.back()) < at_ns) open_.pop_back();
    return open_.empty() ? std::nullopt : std::optional(open_.back());
  }

  // The places of the events that begin at the moment that at() was asked for last.
  std::span<const std::uint32_t> beginning_at(std::int64_t at_ns) const {
    std::size_t first = next_;
    while (first > 0 && events_.start_ns(order_[first - 1]) == at_ns) --first;
    return {order_.data() + first, next_ - first};
  }

  // The place of the first event that begins then or later.
  std::optional<std::uint32_t> next(std::int64_t at_ns) {
    advance(at_ns, false);
    return next_ < order_.size() ? std::optional(order_[next_]) : std::nullopt;
  }

 private:
  // Goes past the events that began before then, or by then.
  void advance(std::int64_t at_ns, bool by_then) {
    for (; next_ < order_.size(); ++next_) {
      const std::uint32_t event = order_[next_];
      const std::int64_t start_ns = events_.start_ns(event);
      if (by_then ? start_ns > at_ns : start_ns >= at_ns) break;
      while (!open_.empty() && events_.end_ns(open_.back()) <= events_.end_ns(event)) open_.pop_back();
      open_.push_back(event);
    }
  }

  const EventColumns& events_;
  LargeVector<std::uint32_t> order_;
  std::vector<std::uint32_t> open_;  // each ends before the one before it
  std::size_t next_ = 0;
};

}  // namespace vizd
