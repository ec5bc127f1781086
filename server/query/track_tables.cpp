// capture, track, thread, process, run and fact: what a profile's events hang on, and what the capture says of itself.
#include <fmt/format.h>

#include <memory>
#include <ranges>

#include "query/tables.h"

namespace vizd::sql {
namespace {

constexpr auto kInt = ColumnType::kInteger;
constexpr auto kText = ColumnType::kText;

std::unique_ptr<Table> capture_table(Catalog& catalog) {
  const auto of = [&catalog](const Place& place) -> const Capture& { return catalog.capture(place.source); };
  return std::make_unique<RowTable>(
      RowTable::Description{
          .name = "capture",
          .about = "The captures that are queried.",
          .id_about = "The capture's number",
          .count = [](std::size_t) { return 1; },
          .columns =
              {
                  {{"name", kText,
                    "As on the page: the name of its file, and for ranks that are one capture their number"},
                   [&catalog](const Place& p, Cell& cell) { cell.text(catalog.sources()[p.source].name); }},
                  {{"format", kText, "The format of its files"},
                   [of](const Place& p, Cell& cell) { cell.text(of(p).format); }},
                  {{"start_ns", kInt, "When its earliest event began: times on the page count from there"},
                   [of](const Place& p, Cell& cell) { cell.integer(of(p).profile.start_ns); }},
                  {{"end_ns", kInt, "When its last event ended"},
                   [of](const Place& p, Cell& cell) { cell.integer(of(p).profile.end_ns); }},
                  {{"unix_offset_ns", kInt, "Add this to its times for Unix time; null if unknown"},
                   [of](const Place& p, Cell& cell) {
                     const auto& offset_ns = of(p).profile.clock.unix_offset_ns;
                     offset_ns ? cell.integer(*offset_ns) : cell.null();
                   }},
                  {{"unix_start_ns", kInt,
                    "Unix time of start_ns, in nanoseconds: when the recording began; null if unknown"},
                   [of](const Place& p, Cell& cell) {
                     const Profile& profile = of(p).profile;
                     std::int64_t start_ns = 0;
                     const bool is_known =
                         profile.clock.unix_offset_ns &&
                         !__builtin_add_overflow(profile.start_ns, *profile.clock.unix_offset_ns, &start_ns);
                     is_known ? cell.integer(start_ns) : cell.null();
                   }},
              }},
      catalog.sources().size());
}

// A row of track: one of the profile's, or a counter, which counts as a track.
struct TrackRow {
  const Capture& capture;
  const Track* track;      // null for a counter
  const Counter* counter;  // null for a track
  std::uint32_t parent;    // place; kNoId at the top
};

TrackRow track_row(const Catalog& catalog, const Place& place) {
  const Capture& capture = catalog.capture(place.source);
  const auto& tracks = capture.profile.tracks;
  if (place.at < tracks.size()) return {capture, &tracks[place.at], nullptr, tracks[place.at].parent};
  const CounterTrack& of = catalog.counters(place.source)[place.at - tracks.size()];
  return {capture, nullptr, &tracks[of.track].counters[of.counter], of.track};
}

// The nearest track of the kind, from the row upwards.
std::uint32_t nearest(const Catalog& catalog, const Place& place, TrackKind kind) {
  const auto& tracks = catalog.capture(place.source).profile.tracks;
  const bool is_track = place.at < tracks.size();
  std::uint32_t at = is_track ? static_cast<std::uint32_t>(place.at) : track_row(catalog, place).parent;
  while (at != Track::kNoParent && tracks[at].kind != kind) at = tracks[at].parent;
  return at;
}

void write_value(const ArgumentValue& value, const StringTable& strings, Cell& cell) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return cell.integer(*number);
  if (const auto* real = std::get_if<double>(&value)) return cell.real(*real);
  cell.text(strings.get(std::get<StringId>(value)));
}

void write_number(const Track& track, const StringTable& strings, Cell& cell) {
  track.number ? write_value(*track.number, strings, cell) : cell.null();
}

// Writes the rank that the track belongs to, else the rank of the whole capture.
void write_rank(const Catalog& catalog, const Place& place, Cell& cell) {
  const Capture& capture = catalog.capture(place.source);
  const std::uint32_t rank = nearest(catalog, place, TrackKind::kRank);
  if (rank != Track::kNoParent) return write_number(capture.profile.tracks[rank], capture.strings, cell);
  const StringId subject = capture.strings.find("distributedInfo"), name = capture.strings.find("rank");
  for (const Fact& fact : capture.facts) {
    if (fact.track == kNoId && fact.subject == subject && fact.name == name)
      return write_value(fact.value, capture.strings, cell);
  }
  cell.null();
}

void write_path(Catalog& catalog, const Place& place, Cell& cell) {
  const auto& paths = catalog.track_paths(place.source);
  if (place.at < paths.size()) return cell.text(paths[place.at]);
  const TrackRow row = track_row(catalog, place);
  cell.copied_text(fmt::format("{}/{}", paths[row.parent], row.capture.strings.get(row.counter->name)));
}

std::unique_ptr<Table> track_table(Catalog& catalog) {
  const auto row = [&catalog](const Place& place) { return track_row(catalog, place); };
  return std::make_unique<RowTable>(
      RowTable::Description{
          .name = "track",
          .about = "What events and counters belong to: ranks, processes, threads, devices, streams; each counter is a "
                   "track too.",
          .id_about = "The track's number",
          .count = [&catalog](std::size_t s) { return catalog.tracks().first(s + 1) - catalog.tracks().first(s); },
          .columns =
              {
                  {{"name", kText, "Its own name"},
                   [row](const Place& p, Cell& cell) {
                     const TrackRow r = row(p);
                     cell.text(r.capture.strings.get(r.track != nullptr ? r.track->name : r.counter->name));
                   }},
                  {{"type", kText, "rank, host, process, thread, device, engine, stream, memory or counter; else null"},
                   [row](const Place& p, Cell& cell) {
                     const TrackRow r = row(p);
                     cell.text_or_null(track_kind_name(r.track != nullptr ? r.track->kind : TrackKind::kCounter));
                   }},
                  {{"parent_id", kInt, "track.id of its parent"},
                   [row, &catalog](const Place& p, Cell& cell) {
                     write_id(catalog.tracks(), p.source, row(p).parent, cell);
                   }},
                  {{"path", kText, "The names of its parents and its own, as in the page's links"},
                   [&catalog](const Place& p, Cell& cell) { write_path(catalog, p, cell); }},
                  {{"number", ColumnType::kAny,
                    "The system's number for it: the id of a process or thread, a device's index"},
                   [row](const Place& p, Cell& cell) {
                     const TrackRow r = row(p);
                     r.track != nullptr ? write_number(*r.track, r.capture.strings, cell) : cell.null();
                   }},
                  {{"rank_number", ColumnType::kAny, "The rank in a distributed job"},
                   [&catalog](const Place& p, Cell& cell) { write_rank(catalog, p, cell); }},
                  {{"unit", kText, "For a counter: the unit of its values"},
                   [row](const Place& p, Cell& cell) {
                     const TrackRow r = row(p);
                     r.counter != nullptr ? cell.text_or_null(r.capture.strings.get(r.counter->unit)) : cell.null();
                   }},
                  {{"utid", kInt, "thread.utid of the thread that it is, or belongs to"},
                   [&catalog](const Place& p, Cell& cell) {
                     write_id(catalog.tracks(), p.source, nearest(catalog, p, TrackKind::kThread), cell);
                   }},
                  {{"upid", kInt, "process.upid of the process that it is, or belongs to"},
                   [&catalog](const Place& p, Cell& cell) {
                     write_id(catalog.tracks(), p.source, nearest(catalog, p, TrackKind::kProcess), cell);
                   }},
                  capture_id_column(),
              }},
      catalog.sources().size());
}

// The tracks of a kind, by capture.
using Places = std::vector<std::vector<std::uint32_t>>;

std::shared_ptr<const Places> places_of(const Catalog& catalog, TrackKind kind) {
  auto places = std::make_shared<Places>(catalog.sources().size());
  for (std::size_t source = 0; source < places->size(); ++source) {
    const auto& tracks = catalog.capture(source).profile.tracks;
    for (std::uint32_t t = 0; t < tracks.size(); ++t) {
      if (tracks[t].kind == kind) (*places)[source].push_back(t);
    }
  }
  return places;
}

// thread or process: tracks of that kind under the names that Perfetto has for them.
std::unique_ptr<Table> system_table(Catalog& catalog, TrackKind kind) {
  const bool is_thread = kind == TrackKind::kThread;
  const auto places = places_of(catalog, kind);
  const auto at = [places](const Place& p) { return (*places)[p.source][p.at]; };
  const auto track_id = [&catalog, at](const Place& p) { return global_id(catalog.tracks(), p.source, at(p)); };
  const auto track = [&catalog, at](const Place& p) -> const Track& {
    return catalog.capture(p.source).profile.tracks[at(p)];
  };
  std::vector<RowColumn> columns;
  columns.push_back({{is_thread ? "utid" : "upid", kInt, "Its number among all tracks: track.id"},
                     [track_id](const Place& p, Cell& cell) { cell.integer(track_id(p)); },
                     track_id});
  columns.push_back(
      {{is_thread ? "tid" : "pid", kInt, "The system's number for it"}, [track, &catalog](const Place& p, Cell& cell) {
         write_number(track(p), catalog.capture(p.source).strings, cell);
       }});
  columns.push_back({{"name", kText, "Its name"}, [track, &catalog](const Place& p, Cell& cell) {
                       cell.text(catalog.capture(p.source).strings.get(track(p).name));
                     }});
  if (is_thread) {
    columns.push_back(
        {{"upid", kInt, "process.upid of its process"}, [&catalog, at](const Place& p, Cell& cell) {
           write_id(catalog.tracks(), p.source, nearest(catalog, {p.source, at(p)}, TrackKind::kProcess), cell);
         }});
  }
  columns.push_back({{"track_id", kInt, "track.id of its events"},
                     [track_id](const Place& p, Cell& cell) { cell.integer(track_id(p)); },
                     track_id});
  columns.push_back(capture_id_column());
  return std::make_unique<RowTable>(
      RowTable::Description{.name = is_thread ? "thread" : "process",
                            .about = is_thread ? "Threads." : "Processes.",
                            .id_about = is_thread ? "The thread's number" : "The process's number",
                            .count = [places](std::size_t s) { return std::uint64_t{(*places)[s].size()}; },
                            .columns = std::move(columns)},
      catalog.sources().size());
}

// When runs began and ended: steps as answers about devices have them, with the work that they launched.
class RunTimes {
 public:
  explicit RunTimes(Catalog& catalog) : catalog_(catalog), times_(catalog.sources().size()) {}

  Result<std::uint64_t> count(std::size_t source) {
    const auto& runs = catalog_.capture(source).profile.runs;
    if (runs.empty()) return std::uint64_t{0};
    auto devices = catalog_.devices(source);
    if (!devices) return std::move(devices).error();
    std::vector<TimeSpan>& times = times_[source];
    for (const Run& run : runs) times.push_back({run.from_ns, run.to_ns});
    // A step of several ranks is the first's.
    for (const StepTime& step : (*devices)->work.steps | std::views::reverse) times[step.run] = step;
    return std::uint64_t{runs.size()};
  }
  const TimeSpan& at(const Place& p) const { return times_[p.source][p.at]; }

 private:
  Catalog& catalog_;
  std::vector<std::vector<TimeSpan>> times_;  // by capture, and by place in Profile::runs
};

std::unique_ptr<Table> run_table(Catalog& catalog) {
  const auto times = std::make_shared<RunTimes>(catalog);
  const auto run = [&catalog](const Place& p) -> const Run& { return catalog.capture(p.source).profile.runs[p.at]; };
  const auto strings = [&catalog](const Place& p) -> const StringTable& { return catalog.capture(p.source).strings; };
  return std::make_unique<RowTable>(
      RowTable::Description{
          .name = "run",
          .about = "Parts of the time: steps of a training loop, iterations, calls. A step ends when the work that it "
                   "launched has ended, and begins no earlier than the end of the one before.",
          .id_about = "The run's number",
          .count = [times](std::size_t s) { return times->count(s); },
          .is_slow_to_count = true,
          .columns =
              {
                  {{"kind", kText, "step, iteration, call, batch, …"},
                   [=](const Place& p, Cell& cell) { cell.text(strings(p).get(run(p).kind)); }},
                  {{"name", kText, "Its name"},
                   [=](const Place& p, Cell& cell) { cell.text(strings(p).get(run(p).name)); }},
                  {{"number", kInt, "The capture's own number for it"},
                   [=](const Place& p, Cell& cell) { cell.integer(run(p).number); }},
                  {{"ts", kInt, "When it began, in nanoseconds on the capture's clock"},
                   [=](const Place& p, Cell& cell) { cell.integer(times->at(p).from_ns); }},
                  {{"dur", kInt, "How long it took, in nanoseconds"},
                   [=](const Place& p, Cell& cell) { cell.integer(times->at(p).to_ns - times->at(p).from_ns); }},
                  {{"track_id", kInt, "track.id of the track that it belongs to; null: all of them"},
                   [=, &catalog](const Place& p, Cell& cell) {
                     write_id(catalog.tracks(), p.source, run(p).track, cell);
                   }},
                  capture_id_column(),
              }},
      catalog.sources().size());
}

std::unique_ptr<Table> fact_table(Catalog& catalog) {
  const auto fact = [&catalog](const Place& p) -> const Fact& { return catalog.capture(p.source).facts[p.at]; };
  const auto strings = [&catalog](const Place& p) -> const StringTable& { return catalog.capture(p.source).strings; };
  return std::make_unique<RowTable>(
      RowTable::Description{
          .name = "fact",
          .about = "What captures record about their machine and their origin.",
          .id_about = "The fact's number",
          .count = [&catalog](std::size_t s) { return std::uint64_t{catalog.capture(s).facts.size()}; },
          .columns =
              {
                  {{"subject", kText, "What it is about; null for the capture as a whole"},
                   [=](const Place& p, Cell& cell) { cell.text_or_null(strings(p).get(fact(p).subject)); }},
                  {{"name", kText, "The name of the fact"},
                   [=](const Place& p, Cell& cell) { cell.text(strings(p).get(fact(p).name)); }},
                  {{"value", ColumnType::kAny, "A number or a text"},
                   [=](const Place& p, Cell& cell) { write_value(fact(p).value, strings(p), cell); }},
                  {{"unit", kText, "The unit of the value"},
                   [=](const Place& p, Cell& cell) { cell.text_or_null(strings(p).get(fact(p).unit)); }},
                  {{"track_id", kInt, "track.id of the track that it is about"},
                   [=, &catalog](const Place& p, Cell& cell) {
                     write_id(catalog.tracks(), p.source, fact(p).track, cell);
                   }},
                  capture_id_column(),
              }},
      catalog.sources().size());
}

}  // namespace

void add_track_tables(TableList& tables, Catalog& catalog) {
  tables.push_back(capture_table(catalog));
  tables.push_back(track_table(catalog));
  tables.push_back(system_table(catalog, TrackKind::kThread));
  tables.push_back(system_table(catalog, TrackKind::kProcess));
  tables.push_back(run_table(catalog));
  tables.push_back(fact_table(catalog));
}

}  // namespace vizd::sql
