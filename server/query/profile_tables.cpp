// counter, flow and allocation: what else a profile has beside events.
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
                                    {{"ts", kWhole, "From when on, in nanoseconds on the capture's clock"},
                                     [value](const Place& p, Cell& cell) {
                                       const CounterValue v = value(p);
                                       cell.integer(v.counter.at_ns[v.at]);
                                     }},
                                    {{"track_id", kWhole, "track.id of the counter"},
                                     [track_id](const Place& p, Cell& cell) { cell.integer(track_id(p)); },
                                     track_id},
                                    {{"value", ColumnType::kReal, "What it was"},
                                     [value](const Place& p, Cell& cell) {
                                       const CounterValue v = value(p);
                                       cell.real(v.counter.value[v.at]);
                                     }},
                                    {{"name", kWord, "The counter's name"},
                                     [value](const Place& p, Cell& cell) {
                                       const CounterValue v = value(p);
                                       cell.text(v.capture.strings.get(v.counter.name));
                                     }},
                                    {{"series", kWord, "Which of several values under that name"},
                                     [value](const Place& p, Cell& cell) {
                                       const CounterValue v = value(p);
                                       cell.text_or_null(v.capture.strings.get(v.counter.series));
                                     }},
                                    {{"unit", kWord, "What it is counted in"},
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
          .about = "That one slice led to another: a launch to its kernel.",
          .id_about = "The flow's number",
          .count = [&catalog](std::size_t s) { return std::uint64_t{catalog.capture(s).profile.flows.size()}; },
          .columns =
              {
                  {{"slice_out", kWhole, "slice.id of the one that led"},
                   [=, &catalog](const Place& p, Cell& cell) {
                     const Flow f = flow(p);
                     cell.integer(
                         static_cast<std::int64_t>(catalog.slice_number(p.source, f.from_track, f.from_event)));
                   },
                   [=, &catalog](const Place& p) {
                     const Flow f = flow(p);
                     return static_cast<std::int64_t>(catalog.slice_number(p.source, f.from_track, f.from_event));
                   }},
                  {{"slice_in", kWhole, "slice.id of the one that it led to"},
                   [=, &catalog](const Place& p, Cell& cell) {
                     const Flow f = flow(p);
                     cell.integer(static_cast<std::int64_t>(catalog.slice_number(p.source, f.to_track, f.to_event)));
                   }},
                  capture_id_column(),
              }},
      catalog.sources().size());
}

// By capture the tracks that own memory, each with the number of its first allocation.
struct MemoryTrack {
  std::uint32_t track;
  std::uint64_t first;
};
using MemoryTracks = std::vector<std::vector<MemoryTrack>>;

std::shared_ptr<const MemoryTracks> memory_tracks(const Catalog& catalog) {
  auto memories = std::make_shared<MemoryTracks>(catalog.sources().size());
  for (std::size_t source = 0; source < memories->size(); ++source) {
    const auto& tracks = catalog.capture(source).profile.tracks;
    std::uint64_t first = 0;
    for (std::uint32_t t = 0; t < tracks.size(); ++t) {
      if (!tracks[t].allocations.empty()) (*memories)[source].push_back({t, first});
      first += tracks[t].allocations.size();
    }
  }
  return memories;
}

std::uint64_t allocation_count(const Catalog& catalog, std::size_t source) {
  std::uint64_t count = 0;
  for (const Track& track : catalog.capture(source).profile.tracks) count += track.allocations.size();
  return count;
}

std::unique_ptr<Table> allocation_table(Catalog& catalog) {
  const auto memories = memory_tracks(catalog);
  const auto memory = [memories](const Place& p) -> const MemoryTrack& {
    const auto& of = (*memories)[p.source];
    return *(std::ranges::upper_bound(of, p.at, {}, &MemoryTrack::first) - 1);
  };
  const auto allocation = [=, &catalog](const Place& p) -> const Allocation& {
    const MemoryTrack& of = memory(p);
    return catalog.capture(p.source).profile.tracks[of.track].allocations[p.at - of.first];
  };
  const auto strings = [&catalog](const Place& p) -> const StringTable& { return catalog.capture(p.source).strings; };
  const auto track_id = [=, &catalog](const Place& p) {
    return global_id(catalog.tracks(), p.source, memory(p).track);
  };
  // Until the end of the capture where it was not freed.
  const auto end_ns = [=, &catalog](const Place& p) {
    const Allocation& of = allocation(p);
    return of.freed ? of.death_ns : std::max(of.birth_ns, catalog.capture(p.source).profile.end_ns);
  };
  return std::make_unique<RowTable>(
      RowTable::Description{
          .name = "allocation",
          .about = "Lives of buffers in the memory of a track.",
          .id_about = "The allocation's number",
          .count = [&catalog](std::size_t s) { return allocation_count(catalog, s); },
          .columns =
              {
                  {{"track_id", kWhole, "track.id of the one that owns the memory"},
                   [track_id](const Place& p, Cell& cell) { cell.integer(track_id(p)); },
                   track_id},
                  {{"ts", kWhole, "When it was made, in nanoseconds on the capture's clock"},
                   [=](const Place& p, Cell& cell) { cell.integer(allocation(p).birth_ns); }},
                  {{"dur", kWhole, "How long it lived: until it was freed, or the capture ended"},
                   [=](const Place& p, Cell& cell) { cell.integer(end_ns(p) - allocation(p).birth_ns); }},
                  {{"is_freed", kWhole, "0 where it outlives the capture"},
                   [=](const Place& p, Cell& cell) { cell.integer(allocation(p).freed ? 1 : 0); }},
                  {{"size", kWhole, "In bytes"},
                   [=](const Place& p, Cell& cell) {
                     cell.integer(static_cast<std::int64_t>(allocation(p).size_bytes()));
                   }},
                  {{"address", kWhole, "In its memory; null where the capture does not tell"},
                   [=](const Place& p, Cell& cell) {
                     const std::uint64_t at = allocation(p).address;
                     at == Allocation::kNoAddress ? cell.null() : cell.integer(static_cast<std::int64_t>(at));
                   }},
                  {{"buffer", kWhole, "The capture's own number of it"},
                   [=](const Place& p, Cell& cell) { cell.integer(static_cast<std::int64_t>(allocation(p).key)); }},
                  {{"dtype", kWord, "Of its elements"},
                   [=](const Place& p, Cell& cell) { cell.text_or_null(strings(p).get(allocation(p).dtype)); }},
                  {{"category", kWord, "weights, activations, …; null where the capture has none"},
                   [=](const Place& p, Cell& cell) { cell.text_or_null(strings(p).get(allocation(p).category)); }},
                  {{"context_id", kWhole, "context.id of the rewrites that it leads to"},
                   [=, &catalog](const Place& p, Cell& cell) {
                     write_id(catalog.contexts(), p.source, static_cast<std::uint32_t>(allocation(p).context), cell);
                   }},
              }},
      catalog.sources().size());
}

}  // namespace

void add_profile_tables(TableList& tables, Catalog& catalog) {
  tables.push_back(counter_table(catalog));
  tables.push_back(flow_table(catalog));
  tables.push_back(allocation_table(catalog));
}

}  // namespace vizd::sql
