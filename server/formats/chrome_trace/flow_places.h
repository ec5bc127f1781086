// FlowPlaces: which event of a track a flow's end is of. Ends are asked for in the order of time. Refers to the track,
// whose events must not change. One thread.
//
// The trace's format says: the event around the end, or where the end does not say so of a finish, the next one. Where
// that leaves several, the event is taken that has the end's number as its correlation, as launches and their work
// have it; and on a device's stream, where an arrow starts at the end of work, the event that ends there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "model/arguments.h"
#include "model/enclosing_spans.h"
#include "model/flow_ends.h"
#include "model/track.h"

namespace vizd::chrome_trace {

class FlowPlaces {
 public:
  FlowPlaces(const Track& track, StringId correlation)
      : track_(track),
        correlation_(find_argument(track.arguments, correlation)),
        around_(track.events, [](std::uint32_t) { return true; }),
        after_(track.events, [](std::uint32_t) { return true; }) {}

  std::optional<std::uint32_t> of(const FlowEnd& end) {
    if (!end.is_of_enclosing) return after_.next(end.at_ns);
    const auto around = around_.at(end.at_ns);
    const auto begun = around_.beginning_at(end.at_ns);
    if (track_.kind == TrackKind::kStream && end.kind == FlowEnd::Kind::kStart) {
      const auto ended = ending_at(end.at_ns);
      return ended ? ended : around;
    }
    if (begun.size() < 2 || correlation_ == nullptr || end.id_type != FlowEnd::IdType::kInteger) return around;
    const auto same = std::ranges::find_if(
        begun, [&](std::uint32_t event) { return correlation_->of(event) == ArgumentValue(end.id); });
    return same == begun.end() ? around : std::optional(*same);
  }

 private:
  // If several end there, the one that began last.
  std::optional<std::uint32_t> ending_at(std::int64_t at_ns) {
    const EventColumns& events = track_.events;
    const auto key = [&](std::uint32_t i) { return std::tuple(events.end_ns(i), events.start_ns(i), i); };
    if (by_end_.empty()) {
      for (std::uint32_t i = 0; i < events.size(); ++i) {
        if (events.kind(i) == EventKind::kSpan) by_end_.push_back(i);
      }
      std::ranges::sort(by_end_, {}, key);
    }
    const auto last = std::ranges::upper_bound(by_end_, at_ns, {}, [&](std::uint32_t i) { return events.end_ns(i); });
    if (last == by_end_.begin() || events.end_ns(*std::prev(last)) != at_ns) return std::nullopt;
    return *std::prev(last);
  }

  const Track& track_;
  const ArgumentColumn* const correlation_;
  EnclosingSpans around_, after_;
  std::vector<std::uint32_t> by_end_;  // the spans, once they are asked for by their ends
};

}  // namespace vizd::chrome_trace
