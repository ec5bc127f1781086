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
  } else {
    add_events(window_.column_end_ns(start_ns), span);
  }
  span.next_ns = at_ < row_.end ? std::min(events_.start_ns(at_), window_.to_ns) : window_.to_ns;
  return true;
}

void RowSpans::add_events(std::int64_t column_end_ns, RowSpan& span) {
  majority_ = {};
  nodes_.clear();
  while (at_ < row_.end && events_.start_ns(at_) < column_end_ns) {
    const bool at_node = (at_ - row_.begin) % events_per_node(0) == 0;
    if (at_node && add_node(column_end_ns, span)) continue;
    if (events_.length_ns(at_) >= window_.column_ns()) break;
    add_run(column_end_ns, span);
  }
  span.events = at_ - span.first;
  const std::int64_t end_ns = events_.end_ns(at_ - 1);
  span.end_ns = std::min(end_ns, window_.to_ns);
  span.busy_ns -= end_ns - span.end_ns;
  span.name = majority_.name();
  // The time that was cut off at the window's end may have been the name's.
  const auto cut_ns = static_cast<std::uint64_t>(end_ns - span.end_ns);
  const std::uint64_t name_ns = certified_ns(span, span.name);
  span.name_ns = name_ns - std::min(cut_ns, name_ns);
}

bool RowSpans::add_node(std::int64_t column_end_ns, RowSpan& span) {
  // The largest node that begins here, begins all of its events in this column, and has none that stands alone.
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
  majority_.add(best->name, best->name_ns);
  nodes_.push_back({at_, next, best});
  at_ = next;
  return true;
}

// Events from at_ on, up to the next place where a node may begin. The first of them is known to belong to the span.
void RowSpans::add_run(std::int64_t column_end_ns, RowSpan& span) {
  const auto node_events = static_cast<std::uint32_t>(events_per_node(0));
  const std::uint32_t end = std::min(row_.end, at_ + node_events - (at_ - row_.begin) % node_events);
  const std::int64_t* const starts = events_.starts().data();
  const std::uint32_t* const durs = events_.short_durs().data();
  const std::uint32_t* const names = events_.names().data();
  for (; at_ < end && starts[at_] < column_end_ns; ++at_) {
    const std::int64_t length_ns = durs[at_] != EventColumns::kLong ? durs[at_] : events_.length_ns(at_);
    if (length_ns >= window_.column_ns()) break;
    span.busy_ns += length_ns;
    span.longest_ns = std::max(span.longest_ns, length_ns);
    majority_.add(StringId{names[at_]}, static_cast<std::uint64_t>(length_ns));
  }
}

// Time that events of the name certainly take in the span: those of its events that were looked at one by one, and what
// its nodes certify.
std::uint64_t RowSpans::certified_ns(const RowSpan& span, StringId name) const {
  std::uint64_t time_ns = 0;
  const auto add_until = [&](std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t i = from; i < to; ++i) {
      if (events_.name(i) == name) time_ns += static_cast<std::uint64_t>(events_.length_ns(i));
    }
  };
  std::uint32_t from = span.first;
  for (const TakenNode& taken : nodes_) {
    add_until(from, taken.first);
    if (taken.node->name == name) time_ns += taken.node->name_ns;
    from = taken.end;
  }
  add_until(from, span.first + span.events);
  return time_ns;
}

}  // namespace vizd
