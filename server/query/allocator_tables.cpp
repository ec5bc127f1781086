// stack, segment, memory_event and oom: what an allocator told of itself, and who asked.
#include <algorithm>

#include "analysis/allocator/out_of_memory.h"
#include "query/memory_places.h"

namespace vizd::sql {
namespace {

constexpr auto kCount = ColumnType::kInteger;

// By capture and stack: how many frames it has.
using StackDepths = std::vector<std::vector<std::uint32_t>>;

std::unique_ptr<Table> stack_table(Catalog& catalog) {
  const auto depths = std::make_shared<StackDepths>(catalog.sources().size());
  const auto stacks = std::make_shared<Numbering>();
  for (const Source& source : catalog.sources()) stacks->add(source.capture->stacks.size());
  const auto stack = [&catalog](const Place& p) -> const Stack& { return catalog.capture(p.source).stacks[p.at]; };
  const auto text = [=, &catalog](StringId Frame::*member) {
    return [=, &catalog](const Place& p, Cell& cell) {
      cell.text_or_null(catalog.capture(p.source).strings.get(stack(p).frame.*member));
    };
  };
  return std::make_unique<RowTable>(
      RowTable::Description{
          .name = "stack",
          .about = "Call stacks, each as its innermost frame and the stack of its caller.",
          .id_about = "The stack's number",
          .count =
              [&catalog, depths](std::size_t s) {
                const Stacks& all = catalog.capture(s).stacks;
                std::vector<std::uint32_t>& of = (*depths)[s];
                for (const Stack& one : all)
                  of.push_back(index(one.caller) < of.size() ? of[index(one.caller)] + 1 : 1);
                return std::uint64_t{all.size()};
              },
          .columns =
              {
                  {{"depth", kCount, "Number of frames"},
                   [depths](const Place& p, Cell& cell) { cell.integer((*depths)[p.source][p.at]); }},
                  {{"name", ColumnType::kText, "The innermost frame's function"}, text(&Frame::function)},
                  {{"file", ColumnType::kText, "Its file"}, text(&Frame::file)},
                  {{"line", kCount, "Its line; null if unknown"},
                   [stack](const Place& p, Cell& cell) {
                     const std::uint32_t line = stack(p).frame.line;
                     line == 0 ? cell.null() : cell.integer(line);
                   }},
                  {{"parent_id", kCount, "stack.id of the caller; null for the outermost"},
                   [stack, stacks](const Place& p, Cell& cell) {
                     write_id(*stacks, p.source, static_cast<std::uint32_t>(stack(p).caller), cell);
                   }},
                  capture_id_column(),
              }},
      catalog.sources().size());
}

std::unique_ptr<Table> segment_table(Catalog& catalog) {
  const auto places = std::make_shared<const MemoryPlaces>(catalog, [](const Track& track) {
    return track.allocator == nullptr ? std::size_t{0} : track.allocator->segments.size();
  });
  const auto log = [places](const Place& p) -> const AllocatorLog& { return *places->track(p).allocator; };
  const auto segment = [=](const Place& p) { return log(p).segments[places->at(p)]; };
  std::vector<RowColumn> columns;
  add_memory_columns(columns, catalog, places);
  const auto add = [&](const ColumnInfo& info, auto write) {
    columns.push_back({info, [=](const Place& p, Cell& cell) { write(log(p), segment(p), cell); }});
  };
  using Log = const AllocatorLog&;
  using Segment = const AllocatorSegment&;
  add({"address", kCount, "Where it begins"}, [](Log, Segment s, Cell& cell) { write_bytes(s.address, cell); });
  add({"size", kCount, "In bytes"}, [](Log, Segment s, Cell& cell) { write_bytes(s.size_bytes, cell); });
  add({"from_event", kCount, "The entry that put it into this state; null if it was in it before the first"},
      [](Log, Segment s, Cell& cell) { write_entry(s.from, cell); });
  add({"to_event", kCount, "The entry that changed or ended it; null if it is unchanged at the end"},
      [](Log, Segment s, Cell& cell) { write_entry(s.to, cell); });
  add({"from_ts", kCount, "When that was, in nanoseconds on the capture's clock"},
      [](Log of, Segment s, Cell& cell) { write_moment_ts(of, s.from, cell); });
  add({"to_ts", kCount, "Likewise"}, [](Log of, Segment s, Cell& cell) { write_moment_ts(of, s.to, cell); });
  add({"pool", ColumnType::kText, "As in allocation"},
      [](Log of, Segment s, Cell& cell) { write_pool(of.pools[s.pool], cell); });
  add({"stream", ColumnType::kAny, "As in allocation"},
      [](Log of, Segment s, Cell& cell) { write_stream(of.pools[s.pool], cell); });
  add({"expandable", kCount, "1 if it can grow and shrink"},
      [](Log, Segment s, Cell& cell) { cell.integer(s.is_expandable ? 1 : 0); });
  return std::make_unique<RowTable>(
      RowTable::Description{
          .name = "segment",
          .about = "Memory that an allocator holds on a device, in one state from one entry to another.",
          .id_about = "The row's number",
          .count = [places](std::size_t s) { return places->count(s); },
          .columns = std::move(columns)},
      catalog.sources().size());
}

std::string_view action_name(const Capture& capture, const AllocatorLog& log, AllocatorAction action) {
  const auto at = static_cast<std::size_t>(action);
  return at < log.actions.size() ? capture.strings.get(log.actions[at]) : std::string_view();
}

std::unique_ptr<Table> memory_event_table(Catalog& catalog) {
  const auto places = std::make_shared<const MemoryPlaces>(catalog, [](const Track& track) {
    return track.allocator == nullptr ? std::size_t{0} : track.allocator->entries.size();
  });
  const auto entries = [places](const Place& p) -> const AllocatorEntries& {
    return places->track(p).allocator->entries;
  };
  std::vector<RowColumn> columns;
  add_memory_columns(columns, catalog, places);
  columns.push_back({{"entry", kCount, "Its number in the device's trace, from 0"},
                     [places](const Place& p, Cell& cell) { cell.integer(static_cast<std::int64_t>(places->at(p))); }});
  columns.push_back({{"action", ColumnType::kText, "alloc, free_requested, free_completed, segment_alloc, oom, …"},
                     [places, &catalog](const Place& p, Cell& cell) {
                       const AllocatorLog& log = *places->track(p).allocator;
                       cell.text_or_null(
                           action_name(catalog.capture(p.source), log, log.entries.action[places->at(p)]));
                     }});
  columns.push_back({{"address", kCount,
                      "The address that the entry names; for oom the free memory of the device; null if not recorded"},
                     [=](const Place& p, Cell& cell) {
                       const std::uint64_t at = entries(p).address[places->at(p)];
                       at == Allocation::kNoAddress ? cell.null() : write_bytes(at, cell);
                     }});
  columns.push_back({{"size", kCount, "In bytes; for allocations and frees the requested size"},
                     [=](const Place& p, Cell& cell) { write_bytes(entries(p).size_bytes[places->at(p)], cell); }});
  columns.push_back({{"ts", kCount, "When, in nanoseconds on the capture's clock"},
                     [=](const Place& p, Cell& cell) { cell.integer(entries(p).at_ns[places->at(p)]); }});
  return std::make_unique<RowTable>(
      RowTable::Description{.name = "memory_event",
                            .about = "The entries of an allocator's event log, one after another.",
                            .id_about = "The row's number",
                            .count = [places](std::size_t s) { return places->count(s); },
                            .columns = std::move(columns)},
      catalog.sources().size());
}

// The failed requests of one track.
struct OutOfTrack {
  std::uint32_t track = 0;
  OutOfMemory oom;
};
using OutsOfMemory = std::vector<std::vector<OutOfTrack>>;  // by capture

std::vector<OutOfTrack> outs_of_memory(const Capture& capture) {
  std::vector<OutOfTrack> all;
  for (std::uint32_t t = 0; t < capture.profile.tracks.size(); ++t) {
    const Track& track = capture.profile.tracks[t];
    if (track.allocator == nullptr) continue;
    const std::vector<AllocatorMoment> moments = moments_out_of_memory(*track.allocator);
    if (moments.empty()) continue;
    const AllocatorStates states(track);
    for (const AllocatorMoment moment : moments) all.push_back({t, out_of_memory(track, states, moment)});
  }
  return all;
}

std::unique_ptr<Table> oom_table(Catalog& catalog) {
  const auto all = std::make_shared<OutsOfMemory>(catalog.sources().size());
  const auto track = [all](const Place& p) { return (*all)[p.source][p.at].track; };
  const auto oom = [all](const Place& p) -> const OutOfMemory& { return (*all)[p.source][p.at].oom; };
  const auto log = [track, &catalog](const Place& p) -> const AllocatorLog& {
    return *catalog.capture(p.source).profile.tracks[track(p)].allocator;
  };
  const auto bytes = [=](std::int64_t AllocatorBytes::*member) {
    return [=](const Place& p, Cell& cell) { cell.integer(oom(p).bytes.*member); };
  };
  return std::make_unique<RowTable>(
      RowTable::Description{
          .name = "oom",
          .about = "Where memory ran out: the request, and the state of the memory.",
          .id_about = "The row's number",
          .count =
              [&catalog, all](std::size_t s) {
                (*all)[s] = outs_of_memory(catalog.capture(s));
                return std::uint64_t{(*all)[s].size()};
              },
          .columns =
              {
                  {{"track_id", kCount, "track.id of the memory"},
                   [=, &catalog](const Place& p, Cell& cell) { write_id(catalog.tracks(), p.source, track(p), cell); }},
                  {{"device", kCount, "The device's number"},
                   [=](const Place& p, Cell& cell) { cell.integer(log(p).device); }},
                  {{"entry", kCount, "The number of its entry, as memory_event.entry"},
                   [=](const Place& p, Cell& cell) { cell.integer(oom(p).moment - 1); }},
                  {{"ts", kCount, "When, in nanoseconds on the capture's clock"},
                   [=](const Place& p, Cell& cell) { cell.integer(log(p).entries.at_ns[oom(p).moment - 1]); }},
                  {{"asked_bytes", kCount, "The request, rounded"},
                   [=](const Place& p, Cell& cell) { write_bytes(oom(p).asked_bytes, cell); }},
                  {{"device_free_bytes", kCount, "Free memory of the device; null if not recorded"},
                   [=](const Place& p, Cell& cell) {
                     oom(p).device_free_bytes ? write_bytes(*oom(p).device_free_bytes, cell) : cell.null();
                   }},
                  {{"reserved_bytes", kCount, "The sum of all segments"}, bytes(&AllocatorBytes::reserved)},
                  {{"allocated_bytes", kCount, "The sum of blocks in use"}, bytes(&AllocatorBytes::allocated)},
                  {{"active_bytes", kCount, "Including blocks that a stream still used"},
                   bytes(&AllocatorBytes::active)},
                  {{"requested_bytes", kCount, "The requested part of the active blocks"},
                   bytes(&AllocatorBytes::requested)},
                  {{"inactive_bytes", kCount, "Free inside segments"},
                   [=](const Place& p, Cell& cell) { write_bytes(oom(p).shape.inactive_bytes, cell); }},
                  {{"largest_free_bytes", kCount, "The largest free block"},
                   [=](const Place& p, Cell& cell) { write_bytes(oom(p).shape.largest_free_bytes, cell); }},
                  {{"is_fragmented", kCount, "1 if enough was free, but not in one piece"},
                   [=](const Place& p, Cell& cell) { cell.integer(oom(p).reason == OomReason::kFragmented ? 1 : 0); }},
                  {{"reason", ColumnType::kText, "Why, in words"},
                   [=](const Place& p, Cell& cell) { cell.text(oom_reason_text(oom(p).reason)); }},
              }},
      catalog.sources().size());
}

}  // namespace

void add_allocator_tables(TableList& tables, Catalog& catalog) {
  tables.push_back(stack_table(catalog));
  tables.push_back(segment_table(catalog));
  tables.push_back(memory_event_table(catalog));
  tables.push_back(oom_table(catalog));
}

}  // namespace vizd::sql
