#include "timeline/row_spans.h"

#include <algorithm>

namespace vizd {

RowSpans::RowSpans(const EventColumns& events, const Row& row, const Window& window)
    : events_(events), row_(row), window_(window), at_(first_ending_after(events, row, window.from_ns)) {}

bool RowSpans::next(RowSpan& span) {
  if (at_ == row_.end || events_.start_ns(at_) >= window_.to_ns) return false;
  const std::int64_t start_ns = events_.start_ns(at_), length_ns = events_.length_ns(at_);
  const bool began_before = start_ns < window_.from_ns;
  span = {.start_ns = std::max(start_ns, window_.from_ns), .first = at_};
  if (began_before || length_ns >= window_.column_ns()) {
    span.end_ns = std::min(start_ns + length_ns, window_.to_ns);
    span.events = 1;
    span.name = events_.name(at_++);
    span.busy_ns = span.end_ns - span.start_ns;
    span.name_ns = static_cast<std::uint64_t>(span.busy_ns);
    span.longest_ns = length_ns;
    return true;
  }
  add_events(window_.column_end_ns(start_ns), span);
  return true;
}

void RowSpans::add_events(std::int64_t column_end_ns, RowSpan& span) {
  names_.clear();
  while (at_ < row_.end && events_.start_ns(at_) < column_end_ns) {
    if ((at_ - row_.begin) % events_per_node(0) == 0 && add_node(column_end_ns, span)) continue;
    if (events_.length_ns(at_) >= window_.column_ns()) break;
    add_event(span);
  }
  span.events = at_ - span.first;
  const std::int64_t end_ns = events_.end_ns(at_ - 1);
  span.end_ns = std::min(end_ns, window_.to_ns);
  span.busy_ns -= end_ns - span.end_ns;
  const NameTime most = names_.most();
  span.name = most.name;
  // What was cut off at the window's end may have been the name's.
  const std::uint64_t cut_ns = static_cast<std::uint64_t>(end_ns - span.end_ns);
  span.name_ns =
      span.events == 1 ? static_cast<std::uint64_t>(span.busy_ns) : most.time_ns - std::min(cut_ns, most.time_ns);
}

bool RowSpans::add_node(std::int64_t column_end_ns, RowSpan& span) {
  // The largest node that begins here, begins and ends its events in this column, and has none that stands alone.
  const std::uint32_t place = at_ - row_.begin;
  const RowNode* best = nullptr;
  std::uint64_t best_events = 0;
  std::size_t level_begin = 0;
  for (unsigned level = 0;; ++level) {
    const std::uint64_t size = events_per_node(level);
    const std::size_t count = row_.size() / size, number = place / size;
    if (place % size != 0 || number >= count) break;
    const RowNode& node = row_.nodes[level_begin + number];
    if (node.longest_ns >= window_.column_ns()) break;
    if (events_.start_ns(at_ + static_cast<std::uint32_t>(size - 1)) >= column_end_ns) break;
    best = &node;
    best_events = size;
    level_begin += count;
  }
  if (best == nullptr) return false;
  const auto next = at_ + static_cast<std::uint32_t>(best_events);
  span.busy_ns += busy_before_ns(events_, row_, next) - best->busy_before_ns;
  span.longest_ns = std::max(span.longest_ns, std::int64_t{best->longest_ns});
  names_.add(best->name, best->name_ns);
  at_ = next;
  return true;
}

void RowSpans::add_event(RowSpan& span) {
  const std::int64_t length_ns = events_.length_ns(at_);
  span.busy_ns += length_ns;
  span.longest_ns = std::max(span.longest_ns, length_ns);
  names_.add(events_.name(at_), static_cast<std::uint64_t>(length_ns));
  ++at_;
}

}  // namespace vizd
