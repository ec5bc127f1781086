#include "timeline/tiles.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/parallel.h"
#include "base/varint.h"
#include "timeline/counter_tiles.h"
#include "timeline/row_spans.h"

namespace vizd {
namespace {

// Fewer events than this in all rows are not worth a second thread.
constexpr std::uint64_t kEventsWorthThreads = 50'000;
constexpr unsigned kTileUnitBits = kUnitBitsPerColumn + kColumnBitsPerTile;

// The columns of some rows, to be put one after the other.
struct Columns {
  std::string spans, first, count, busy_ns;
  std::string gap, width, events, name;
  std::string busy, share, longest;
  std::string ticks, tick_gap, marked;

  void append(const Columns& other) {
    const auto all = {&Columns::spans,   &Columns::first,  &Columns::count,    &Columns::busy_ns, &Columns::gap,
                      &Columns::width,   &Columns::events, &Columns::name,     &Columns::busy,    &Columns::share,
                      &Columns::longest, &Columns::ticks,  &Columns::tick_gap, &Columns::marked};
    for (const auto column : all) this->*column += other.*column;
  }
};

char share_of(std::uint64_t part, double whole, double (*round)(double)) {
  const double share = whole <= 0 ? 0 : round(255.0 * static_cast<double>(part) / whole);
  return static_cast<char>(static_cast<unsigned char>(std::clamp(share, 0.0, 255.0)));
}

// 0 for 0 ns, else 1 + floor(4 * log2(ns)).
char duration_class(std::int64_t ns) {
  if (ns <= 0) return 0;
  const auto bits = static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(ns))) - 1;
  // 2^(1/4), 2^(2/4), 2^(3/4) times the power of two below.
  const double above = std::ldexp(static_cast<double>(ns), -static_cast<int>(bits));
  const unsigned quarter = above >= 1.6817928305074292   ? 3
                           : above >= 1.4142135623730951 ? 2
                                                         : above >= 1.189207115002721;
  return static_cast<char>(1 + 4 * bits + quarter);
}

class RowTiles {
 public:
  RowTiles(const Profile& profile, const Timeline& timeline, const TileQuery& query, const LaneRow& where,
           const Marks* marks, Columns& out)
      : events_(profile.lanes[where.lane].events),
        timeline_(timeline),
        row_(timeline.lanes[where.lane].row(where.row)),
        marks_(marks == nullptr ? nullptr : &marks->lanes[where.lane]),
        level_(query.level),
        origin_ns_(profile.start_ns),
        out_(out) {
    for (std::uint64_t tile = query.from; tile <= query.to; ++tile) write(tile);
  }

 private:
  void write(std::uint64_t tile) {
    const unsigned bits = level_ + kTileUnitBits;
    const std::int64_t from_ns = origin_ns_ + static_cast<std::int64_t>(tile << bits);
    const Window window{from_ns, from_ns + (std::int64_t{1} << bits), level_ + kUnitBitsPerColumn, from_ns};
    const std::uint32_t first = first_ending_after(events_, row_, window.from_ns);
    const bool began_before = first < row_.end && events_.start_ns(first) < window.from_ns;
    write_spans(window, first, began_before);
    if (marks_ != nullptr) write_ticks(window, began_before ? first + 1 : first);
  }

  void write_spans(const Window& window, std::uint32_t first, bool began_before) {
    RowSpans spans(events_, row_, window);
    RowSpan span;
    std::uint64_t span_count = 0, event_count = 0;
    std::int64_t busy_ns = 0, last_unit = 0;
    while (spans.next(span)) {
      ++span_count;
      event_count += span.events;
      busy_ns += span.busy_ns;
      write_span(span, window, last_unit);
    }
    append_varint(out_.spans, span_count);
    append_varint(out_.first, span_count == 0 ? 0 : std::uint64_t{first} * 2 + (began_before ? 1 : 0));
    append_varint(out_.count, event_count - (span_count > 0 && began_before ? 1 : 0));
    append_varint(out_.busy_ns, static_cast<std::uint64_t>(busy_ns));
  }

  // A span begins and ends at the units around it, is at least one unit wide, and never before the end of the last.
  void write_span(const RowSpan& span, const Window& window, std::int64_t& last_unit) {
    const std::int64_t unit_ns = std::int64_t{1} << level_;
    const std::int64_t from = std::max((span.start_ns - window.from_ns) >> level_, last_unit);
    const std::int64_t to = std::max((span.end_ns - window.from_ns + unit_ns - 1) >> level_, from + 1);
    append_varint(out_.gap, static_cast<std::uint64_t>(from - last_unit));
    append_varint(out_.width, static_cast<std::uint64_t>(to - from - 1));
    append_varint(out_.events, span.events - 1);
    append_varint(out_.name, timeline_.number_of(span.name));
    last_unit = to;
    if (span.events == 1) return;
    const auto busy = static_cast<std::uint64_t>(span.busy_ns);
    const char busy_share = share_of(busy, static_cast<double>((to - from) * unit_ns), std::round);
    out_.busy.push_back(busy > 0 && busy_share == 0 ? '\1' : busy_share);
    out_.share.push_back(share_of(span.name_ns, static_cast<double>(busy), std::floor));
    out_.longest.push_back(duration_class(span.longest_ns));
  }

  // One tick for each column in which a marked event begins.
  void write_ticks(const Window& window, std::uint32_t first) {
    const std::uint32_t end = first_starting_at(events_, row_, window.to_ns);
    std::uint64_t count = 0;
    std::int64_t last_column = 0;
    for (std::uint32_t i = marks_->next(first, end); i < end;) {
      const std::int64_t start_ns = events_.start_ns(i);
      const Row rest{i, end, {}};
      const std::uint32_t after = first_starting_at(events_, rest, window.column_end_ns(start_ns));
      const std::int64_t column = (start_ns - window.from_ns) >> window.column_bits;
      append_varint(out_.tick_gap, static_cast<std::uint64_t>(column - last_column));
      append_varint(out_.marked, marks_->rank(after) - marks_->rank(i) - 1);
      last_column = column;
      ++count;
      i = marks_->next(after, end);
    }
    append_varint(out_.ticks, count);
  }

  const EventColumns& events_;
  const Timeline& timeline_;
  const Row row_;
  const LaneMarks* marks_;
  const unsigned level_;
  const std::int64_t origin_ns_;
  Columns& out_;
};

std::uint64_t events_in_rows(const Timeline& timeline, const TileQuery& query) {
  std::uint64_t events = 0;
  for (const LaneRow& where : query.rows) events += timeline.lanes[where.lane].row(where.row).size();
  return events;
}

}  // namespace

std::string tiles(const Profile& profile, const Timeline& timeline, const TileQuery& query, const Marks* marks,
                  unsigned threads) {
  std::vector<Columns> parts(query.rows.size());
  const bool is_small = events_in_rows(timeline, query) < kEventsWorthThreads;
  for_each_index(query.rows.size(), is_small ? 1 : threads,
                 [&](std::size_t i) { RowTiles(profile, timeline, query, query.rows[i], marks, parts[i]); });
  Columns columns;
  for (const Columns& part : parts) columns.append(part);

  std::string out;
  for (const std::uint64_t number : {std::uint64_t{1}, std::uint64_t{query.level}, query.from, query.to,
                                     std::uint64_t{query.rows.size()}, std::uint64_t{query.counters.size()}})
    append_varint(out, number);
  for (const LaneRow& where : query.rows) append_varint(out, where.lane);
  for (const LaneRow& where : query.rows) append_varint(out, where.row);
  for (const std::string* column : {&columns.spans, &columns.first, &columns.count, &columns.busy_ns, &columns.gap,
                                    &columns.width, &columns.events, &columns.name, &columns.busy, &columns.share,
                                    &columns.longest, &columns.ticks, &columns.tick_gap, &columns.marked})
    out += *column;
  append_counter_tiles(out, profile, query);
  return out;
}

}  // namespace vizd
