// SpanStack: the open spans of one thread, for readers of files that tell begins and ends apart. A span is appended to
// its track's events when it begins, so that of spans with the same times the outer comes first, as
// model/event_columns.h asks; its length is told when it ends. One thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "model/event_columns.h"

namespace vizd {

class SpanStack {
 public:
  // Appends a span that begins. Returns its place among the events.
  std::uint32_t open(EventColumns& events, const Event& begun) {
    const auto place = static_cast<std::uint32_t>(events.size());
    events.push_back(begun);
    open_.push_back(place);
    return place;
  }

  // Ends the innermost span. Returns its place; none where no span is open.
  std::optional<std::uint32_t> close(EventColumns& events, std::int64_t end_ns) {
    if (open_.empty()) return std::nullopt;
    const std::uint32_t place = open_.back();
    open_.pop_back();
    events.end(place, end_ns - events.start_ns(place), events.kind(place));
    return place;
  }

  // After the last end: what is still open was unfinished at end_ns. Returns the places of those, the outermost first.
  // The durations can be read from now on.
  std::vector<std::uint32_t> finish(EventColumns& events, std::int64_t end_ns) {
    for (const std::uint32_t place : open_)
      events.end(place, std::max<std::int64_t>(end_ns - events.start_ns(place), 0), EventKind::kUnfinished);
    events.settle();
    return std::exchange(open_, {});
  }

  std::size_t depth() const { return open_.size(); }

 private:
  std::vector<std::uint32_t> open_;  // places among the events, the outermost first
};

}  // namespace vizd
