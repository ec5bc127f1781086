// The timeline on made-up profiles from 10^4 to 10^8 events: preparing one, the tiles of a view at several zooms, and a
// view of memory. --benchmark_filter picks; the largest take some gigabytes and are asked for by
// VIZD_BENCH_EVENTS=100000000. Bytes on the wire are those of zstd at the level that answers use.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <cstdlib>
#include <memory>

#include "analysis/figures/range_table.h"
#include "base/parallel.h"
#include "http/transport/encoding.h"
#include "support/made_profile.h"
#include "support/tile_reader.h"
#include "timeline/event_query.h"
#include "timeline/lane_rows.h"
#include "timeline/memory_layout.h"
#include "timeline/memory_view.h"
#include "timeline/tiles.h"
#include "timeline/whole_tiles.h"

namespace vizd {
namespace {

constexpr std::int64_t kUsualEvents = 10'000'000;
constexpr double kViewPixels = 2000;
constexpr std::size_t kLanes = 25;  // about a hundred rows

std::int64_t most_events() {
  const char* const asked = std::getenv("VIZD_BENCH_EVENTS");
  return asked == nullptr ? kUsualEvents : std::atoll(asked);
}

// VIZD_BENCH_IDLENESS=0: lanes that are busy throughout, the most spans there can be.
double idleness() {
  const char* const asked = std::getenv("VIZD_BENCH_IDLENESS");
  return asked == nullptr ? MadeProfile().idleness : std::atof(asked);
}

double peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

// The last profile that was asked for: the benchmarks of one size follow each other.
struct Prepared {
  std::size_t events = 0;
  std::unique_ptr<Capture> capture;
  Timeline timeline;
};
const Prepared& prepared(std::size_t events) {
  static Prepared last;
  if (last.events == events) return last;
  last = {};
  last.events = events;
  last.capture = std::make_unique<Capture>();
  fill_profile({.events = events, .lanes = kLanes, .idleness = idleness()}, *last.capture, core_count());
  last.timeline = prepare_timeline(*last.capture, core_count());
  return last;
}

void make_and_prepare(benchmark::State& state) {
  const auto events = static_cast<std::size_t>(state.range(0));
  double index_bytes = 0, relaned = 0;
  for (auto _ : state) {
    Capture capture;
    fill_profile({.events = events, .lanes = kLanes}, capture, core_count());
    const auto start = std::chrono::steady_clock::now();
    const Timeline timeline = prepare_timeline(capture, core_count());
    state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    index_bytes = relaned = 0;
    for (const LaneIndex& lane : timeline.lanes) {
      index_bytes += static_cast<double>(lane.nodes.size() * sizeof(RowNode) + lane.row_begin.size() * 12);
      relaned += lane.relaned;
    }
  }
  const auto count = static_cast<double>(events);
  state.counters["index_bytes_per_event"] = index_bytes / count;
  state.counters["relaned_percent"] = 100 * relaned / count;
  state.counters["peak_bytes_per_event"] = peak_bytes() / count;
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

// All rows over a window of 1 / range(1) of the profile, in its middle, at the level the page would ask for.
void tiles_of_view(benchmark::State& state) {
  const Prepared& profile = prepared(static_cast<std::size_t>(state.range(0)));
  const std::int64_t dur_ns = profile.capture->profile.end_ns - profile.capture->profile.start_ns;
  const std::int64_t window_ns = dur_ns / state.range(1), from_ns = (dur_ns - window_ns) / 2;
  unsigned level = 0;
  while (std::ldexp(4, static_cast<int>(level)) < static_cast<double>(window_ns) / kViewPixels) ++level;
  TileQuery query{level,
                  static_cast<std::uint64_t>(from_ns) >> (level + 11),
                  static_cast<std::uint64_t>(from_ns + window_ns) >> (level + 11),
                  {},
                  {}};
  for (std::uint32_t lane = 0; lane < profile.timeline.lanes.size(); ++lane) {
    for (std::uint32_t row = 0; row < profile.timeline.lanes[lane].row_count(); ++row)
      query.rows.push_back({lane, row});
  }
  std::string bytes;
  for (auto _ : state) bytes = tiles(profile.capture->profile, profile.timeline, query, nullptr, core_count());
  state.counters["rows"] = static_cast<double>(query.rows.size());
  state.counters["tiles"] = static_cast<double>(query.to - query.from + 1);
  std::size_t spans = 0;
  for (const RowTile& tile : read_tiles(bytes).rows) spans += tile.spans.size();
  state.counters["spans"] = static_cast<double>(spans);
  state.counters["bytes"] = static_cast<double>(bytes.size());
  state.counters["zstd_bytes"] =
      static_cast<double>(compress(Encoding::kZstd, bytes, CompressionEffort::kQuick).size());
}

void table_of_everything(benchmark::State& state) {
  const Prepared& profile = prepared(static_cast<std::size_t>(state.range(0)));
  std::vector<LaneRow> rows;
  for (std::uint32_t lane = 0; lane < profile.timeline.lanes.size(); ++lane) {
    for (std::uint32_t row = 0; row < profile.timeline.lanes[lane].row_count(); ++row) rows.push_back({lane, row});
  }
  const Profile& p = profile.capture->profile;
  for (auto _ : state)
    benchmark::DoNotOptimize(
        range_table(p, profile.timeline, rows, p.start_ns, p.end_ns, TableLines::kNames, core_count()));
}

void search_everything(benchmark::State& state) {
  const Prepared& profile = prepared(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state)
    benchmark::DoNotOptimize(find_by_text(*profile.capture, profile.timeline, "kernel_77", core_count()));
}

void of_each_size(benchmark::internal::Benchmark* bench) {
  for (std::int64_t events = 10'000; events <= most_events(); events *= 10) bench->Arg(events);
  bench->Unit(benchmark::kMillisecond);
}

void of_each_zoom(benchmark::internal::Benchmark* bench) {
  for (std::int64_t events = 100'000; events <= most_events(); events *= 10) {
    for (const std::int64_t zoom : {1, 10, 100, 1000}) bench->Args({events, zoom});
  }
  bench->Unit(benchmark::kMillisecond)->UseRealTime();
}

BENCHMARK(make_and_prepare)->Apply(of_each_size)->UseManualTime()->Iterations(1);
BENCHMARK(tiles_of_view)->Apply(of_each_zoom);
BENCHMARK(table_of_everything)->Apply(of_each_size)->UseRealTime();
BENCHMARK(search_everything)->Apply(of_each_size)->UseRealTime();

void pack_memory(benchmark::State& state) {
  const std::vector<Allocation> allocations = made_allocations(static_cast<std::size_t>(state.range(0)));
  MemoryLayout layout;
  for (auto _ : state) layout = memory_layout(allocations);
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.counters["height_over_peak"] =
      static_cast<double>(layout.height_bytes) / static_cast<double>(layout.peak_bytes);
}
BENCHMARK(pack_memory)->RangeMultiplier(10)->Range(10'000, 1'000'000)->Unit(benchmark::kMillisecond);

void view_memory(benchmark::State& state) {
  Track lane;
  lane.allocations = made_allocations(static_cast<std::size_t>(state.range(0)));
  const LaneMemory memory = lane_memory(lane);
  const MemoryIndex index = memory_index(lane, memory);
  const std::int64_t end_ns = memory.layout.live(memory.layout.changes.size() - 1).at_ns,
                     window_ns = end_ns / state.range(1);
  MemoryQuery query;
  query.from = (end_ns - window_ns) / 2;
  query.to = query.from + window_ns;
  query.high_bytes = memory.layout.height_bytes;
  query.width = 2000;
  query.height = 600;
  std::string bytes;
  for (auto _ : state) bytes = memory_view(lane, memory, index, query);
  state.counters["bytes"] = static_cast<double>(bytes.size());
  state.counters["zstd_bytes"] =
      static_cast<double>(compress(Encoding::kZstd, bytes, CompressionEffort::kQuick).size());
}
BENCHMARK(view_memory)->ArgsProduct({{10'000, 100'000, 1'000'000}, {1, 10, 1000}})->Unit(benchmark::kMillisecond);

// All of a small profile at once.
void write_whole(benchmark::State& state) {
  const Prepared& profile = prepared(static_cast<std::size_t>(state.range(0)));
  std::string bytes;
  for (auto _ : state) bytes = whole_tiles(profile.capture->profile, profile.timeline, nullptr, core_count());
  state.counters["bytes"] = static_cast<double>(bytes.size());
  state.counters["zstd_bytes"] =
      static_cast<double>(compress(Encoding::kZstd, bytes, CompressionEffort::kQuick).size());
}
BENCHMARK(write_whole)->Arg(1000)->Arg(5000)->Arg(20'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace vizd
