// counter and flow: what else a profile has beside events.
#include <algorithm>

#include "query/tables.h"

namespace vizd::sql {
namespace {

constexpr auto kWhole = ColumnType::kInteger;
constexpr auto kWord = ColumnType::kText;

std::uint64_t values_of(const Catalog& catalog, std::size_t source) {
  const auto counters = catalog.counters(source);
  if (counters.empty()) return 0;
  const CounterTrack& last = counters.back();
  return last.first_value + catalog.capture(source).profile.tracks[last.track].counters[last.counter].at_ns.size();
}

// A value of a counter.
struct CounterValue {
  const Capture& capture;
  const Counter& counter;
  std::uint64_t track;  // the counter's, as a place among the capture's tracks and counters
  std::size_t at;       // place in the counter
};

CounterValue counter_value(const Catalog& catalog, const Place& place) {
  const auto counters = catalog.counters(place.source);
  const auto after = std::ranges::upper_bound(counters, place.at, {}, &CounterTrack::first_value);
  const auto number = static_cast<std::size_t>(after - counters.begin()) - 1;
  const CounterTrack& of = counters[number];
  const Capture& capture = catalog.capture(place.source);
  const auto& tracks = capture.profile.tracks;
  return {capture, tracks[of.track].counters[of.counter], tracks.size() + number,
          static_cast<std::size_t>(place.at - of.first_value)};
}

std::unique_ptr<Table> counter_table(Catalog& catalog) {
  const auto value = [&catalog](const Place& p) { return counter_value(catalog, p); };
  const auto track_id = [&catalog](const Place& p) {
    return global_id(catalog.tracks(), p.source, counter_value(catalog, p).track);
  };
  return std::make_unique<RowTable>(
      RowTable::Description{.name = "counter",
                            .about = "Values of counters; each holds until the next of its track.",
                            .id_about = "The value's number",
                            .count = [&catalog](std::size_t s) { return values_of(catalog, s); },
                            .columns =
                                {
                                    {{"ts", kWhole, "Its start, in nanoseconds on the capture's clock"},
                                     [value](const Place& p, Cell& cell) {
                                       const CounterValue v = value(p);
                                       cell.integer(v.counter.at_ns[v.at]);
                                     }},
                                    {{"track_id", kWhole, "track.id of the counter"},
                                     [track_id](const Place& p, Cell& cell) { cell.integer(track_id(p)); },
                                     track_id},
                                    {{"value", ColumnType::kReal, "The value"},
                                     [value](const Place& p, Cell& cell) {
                                       const CounterValue v = value(p);
                                       cell.real(v.counter.value[v.at]);
                                     }},
                                    {{"name", kWord, "The counter's name"},
                                     [value](const Place& p, Cell& cell) {
                                       const CounterValue v = value(p);
                                       cell.text(v.capture.strings.get(v.counter.name));
                                     }},
                                    {{"series", kWord, "Which of several values with that name"},
                                     [value](const Place& p, Cell& cell) {
                                       const CounterValue v = value(p);
                                       cell.text_or_null(v.capture.strings.get(v.counter.series));
                                     }},
                                    {{"unit", kWord, "The unit of the value"},
                                     [value](const Place& p, Cell& cell) {
                                       const CounterValue v = value(p);
                                       cell.text_or_null(v.capture.strings.get(v.counter.unit));
                                     }},
                                }},
      catalog.sources().size());
}

std::unique_ptr<Table> flow_table(Catalog& catalog) {
  const auto flow = [&catalog](const Place& p) { return catalog.capture(p.source).profile.flows[p.at]; };
  return std::make_unique<RowTable>(
      RowTable::Description{
          .name = "flow",
          .about = "Arrows from one slice to another: from a launch to its kernel.",
          .id_about = "The flow's number",
          .count = [&catalog](std::size_t s) { return std::uint64_t{catalog.capture(s).profile.flows.size()}; },
          .columns =
              {
                  {{"slice_out", kWhole, "slice.id of the slice that it starts at"},
                   [=, &catalog](const Place& p, Cell& cell) {
                     const Flow f = flow(p);
                     cell.integer(
                         static_cast<std::int64_t>(catalog.slice_number(p.source, f.from_track, f.from_event)));
                   },
                   [=, &catalog](const Place& p) {
                     const Flow f = flow(p);
                     return static_cast<std::int64_t>(catalog.slice_number(p.source, f.from_track, f.from_event));
                   }},
                  {{"slice_in", kWhole, "slice.id of the slice that it ends at"},
                   [=, &catalog](const Place& p, Cell& cell) {
                     const Flow f = flow(p);
                     cell.integer(static_cast<std::int64_t>(catalog.slice_number(p.source, f.to_track, f.to_event)));
                   }},
                  capture_id_column(),
              }},
      catalog.sources().size());
}

}  // namespace

void add_profile_tables(TableList& tables, Catalog& catalog) {
  tables.push_back(counter_table(catalog));
  tables.push_back(flow_table(catalog));
}

}  // namespace vizd::sql
