#include "timeline/tiles.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/parallel.h"
#include "base/varint.h"
#include "timeline/counter_tiles.h"

namespace vizd {
namespace {

// Fewer events than this in all rows are not worth a second thread.
constexpr std::uint64_t kEventsWorthThreads = 50'000;
constexpr std::int64_t kColumnUnits = std::int64_t{1} << kUnitBitsPerColumn;

// The columns of some rows, to be put one after the other.
struct Columns {
  std::string spans, first, count, busy_ns;
  std::string gap, width, events, skipped, traits;
  std::string busy, share, name;
  std::string ticks, tick_gap, picked;

  void append(const Columns& other) {
    const auto all = {&Columns::spans, &Columns::first,  &Columns::count,   &Columns::busy_ns,  &Columns::gap,
                      &Columns::width, &Columns::events, &Columns::skipped, &Columns::traits,   &Columns::busy,
                      &Columns::share, &Columns::name,   &Columns::ticks,   &Columns::tick_gap, &Columns::picked};
    for (const auto column : all) this->*column += other.*column;
  }
};

// Shares go out as bytes in which 255 is all, in as few steps as can be told apart, which packs well: busy ones in
// eighths, those of names in fifteenths.
constexpr std::uint64_t kBusySteps = 8, kShareStep = 17;
constexpr std::uint64_t kHalf = 128;

double share_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : std::min(1.0, static_cast<double>(part) / static_cast<double>(whole));
}

// Rounded; what is less than half a step but not nothing is 1.
std::uint64_t busy_byte(double share) {
  const auto steps = static_cast<std::uint64_t>(std::lround(share * kBusySteps));
  return steps == 0 && share > 0 ? 1 : steps * 255 / kBusySteps;
}

// Rounded down; 0 for less than half.
std::uint64_t certified_byte(double share) {
  const std::uint64_t byte = static_cast<std::uint64_t>(share * 15) * kShareStep;
  return share * 255 < static_cast<double>(kHalf) ? 0 : std::max(byte, kHalf);
}

void append_byte(std::string& out, std::uint64_t value) {
  out.push_back(static_cast<char>(static_cast<unsigned char>(value)));
}

class RowTiles {
 public:
  RowTiles(const Profile& profile, const Timeline& timeline, const TileQuery& query, const LaneRow& where,
           const Picks* picks, Columns& out)
      : profile_(profile),
        events_(profile.tracks[where.lane].events),
        timeline_(timeline),
        row_(timeline.lanes[where.lane].row(where.row)),
        picks_(picks == nullptr ? nullptr : &picks->lanes[where.lane]),
        level_(query.level),
        out_(out) {
    for (std::uint64_t tile = query.from; tile <= query.to; ++tile)
      write(tile_window(profile_, level_, tile, query.whole));
  }

 private:
  void write(const Window& window) {
    const std::uint32_t first = first_ending_after(events_, row_, window.from_ns);
    const bool began_before = first < row_.end && events_.start_ns(first) < window.from_ns;
    write_spans(window, first, began_before);
    if (picks_ != nullptr) write_ticks(window, began_before ? first + 1 : first);
  }

  void write_spans(const Window& window, std::uint32_t first, bool began_before) {
    RowSpans spans(events_, row_, window);
    RowSpan span, next;
    std::uint64_t span_count = 0, event_count = 0;
    std::int64_t busy_ns = 0, last_unit = 0;
    std::uint32_t next_known = first;
    for (bool has_next = spans.next(next); has_next;) {
      span = next;
      has_next = spans.next(next);
      ++span_count;
      event_count += span.events;
      busy_ns += span.busy_ns;
      write_span(span, window, has_next ? begin_of(next, window) : (window.to_ns - window.from_ns) >> level_,
                 last_unit);
      if (span.events > 1) continue;
      append_varint(out_.skipped, span.first - next_known);
      append_byte(out_.traits, events_.traits(span.first));
      next_known = span.first + 1;
    }
    append_varint(out_.spans, span_count);
    append_varint(out_.first, span_count == 0 ? 0 : std::uint64_t{first} * 2 + (began_before ? 1 : 0));
    append_varint(out_.count, event_count - (span_count > 0 && began_before ? 1 : 0));
    append_varint(out_.busy_ns, static_cast<std::uint64_t>(busy_ns));
  }

  // The unit in which a span begins: an event where it does, an aggregate where its column does.
  std::int64_t begin_of(const RowSpan& span, const Window& window) const {
    const std::int64_t unit = (span.start_ns - window.from_ns) >> level_;
    return span.events == 1 ? unit : unit / kColumnUnits * kColumnUnits;
  }

  // An event is drawn to the unit in which it ends, an aggregate over its column, and as far as its last event goes on
  // behind that, up to free_until, where the next span begins. No span is narrower than a unit, none begins before the
  // last one's end.
  void write_span(const RowSpan& span, const Window& window, std::int64_t free_until, std::int64_t& last_unit) {
    const std::int64_t unit_ns = std::int64_t{1} << level_;
    const std::int64_t begin = begin_of(span, window), from = std::max(begin, last_unit);
    std::int64_t to = (span.end_ns - window.from_ns + unit_ns - 1) >> level_;
    if (span.events > 1) to = std::min(std::max(to, begin + kColumnUnits), free_until);
    to = std::max(to, from + 1);
    append_varint(out_.gap, static_cast<std::uint64_t>(from - last_unit));
    append_varint(out_.width, static_cast<std::uint64_t>(to - from - 1));
    append_varint(out_.events, count_class(span.events - 1));
    last_unit = to;
    std::uint64_t certified = 255;
    if (span.events > 1) {
      const auto busy_ns = static_cast<std::uint64_t>(span.busy_ns);
      certified = certified_byte(share_of(span.name_ns, busy_ns));
      append_byte(out_.busy, busy_byte(share_of(busy_ns, static_cast<std::uint64_t>((to - from) * unit_ns))));
      append_byte(out_.share, certified);
    }
    if (certified != 0) append_varint(out_.name, timeline_.number_of(span.name));
  }

  // One tick for each column in which a picked event begins.
  void write_ticks(const Window& window, std::uint32_t first) {
    const std::uint32_t end = first_starting_at(events_, row_, window.to_ns);
    std::uint64_t count = 0;
    std::int64_t last_column = 0;
    for (std::uint32_t i = picks_->next(first, end); i < end;) {
      const std::int64_t start_ns = events_.start_ns(i);
      const Row rest{i, end, {}};
      const std::uint32_t after = first_starting_at(events_, rest, window.column_end_ns(start_ns));
      const std::int64_t column = (start_ns - window.from_ns) >> window.column_bits;
      append_varint(out_.tick_gap, static_cast<std::uint64_t>(column - last_column));
      append_varint(out_.picked, picks_->rank(after) - picks_->rank(i) - 1);
      last_column = column;
      ++count;
      i = picks_->next(after, end);
    }
    append_varint(out_.ticks, count);
  }

  const Profile& profile_;
  const EventColumns& events_;
  const Timeline& timeline_;
  const Row row_;
  const LanePicks* picks_;
  const unsigned level_;
  Columns& out_;
};

std::uint64_t events_in_rows(const Timeline& timeline, const TileQuery& query) {
  std::uint64_t events = 0;
  for (const LaneRow& where : query.rows) events += timeline.lanes[where.lane].row(where.row).size();
  return events;
}

}  // namespace

std::uint64_t count_class(std::uint64_t count) { return static_cast<std::uint64_t>(std::bit_width(count)); }

std::optional<RowSpan> span_of_tile(const Profile& profile, const Timeline& timeline, const SpanPlace& place) {
  const EventColumns& events = profile.tracks[place.where.lane].events;
  const Row row = timeline.lanes[place.where.lane].row(place.where.row);
  RowSpans spans(events, row, tile_window(profile, place.level, place.tile, place.whole));
  RowSpan span;
  for (std::uint64_t i = 0; spans.next(span); ++i) {
    if (i == place.span) return span;
  }
  return std::nullopt;
}

std::string tiles(const Profile& profile, const Timeline& timeline, const TileQuery& query, const Picks* picks,
                  unsigned threads) {
  std::vector<Columns> parts(query.rows.size());
  const bool is_small = events_in_rows(timeline, query) < kEventsWorthThreads;
  for_each_index(query.rows.size(), is_small ? 1 : threads,
                 [&](std::size_t i) { RowTiles(profile, timeline, query, query.rows[i], picks, parts[i]); });
  Columns columns;
  for (const Columns& part : parts) columns.append(part);

  std::string out;
  for (const std::uint64_t number : {std::uint64_t{5}, std::uint64_t{query.level}, query.from, query.to,
                                     std::uint64_t{query.rows.size()}, std::uint64_t{query.counters.size()}})
    append_varint(out, number);
  for (const LaneRow& where : query.rows) append_varint(out, where.lane);
  for (const LaneRow& where : query.rows) append_varint(out, where.row);
  for (const std::string* column : {&columns.spans, &columns.first, &columns.count, &columns.busy_ns, &columns.gap,
                                    &columns.width, &columns.events, &columns.skipped, &columns.traits, &columns.busy,
                                    &columns.share, &columns.name, &columns.ticks, &columns.tick_gap, &columns.picked})
    out += *column;
  append_counter_tiles(out, profile, query);
  return out;
}

}  // namespace vizd
