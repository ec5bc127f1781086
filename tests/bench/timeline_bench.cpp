// What laying out a profile costs, by its size: rows of a lane with nesting and overlaps, packing of allocations, and
// the whole answer to /api/v1/profile.
#include <benchmark/benchmark.h>

#include <random>
#include <string>

#include "timeline/lane_rows.h"
#include "timeline/memory_layout.h"
#include "timeline/profile_json.h"

namespace vizd {
namespace {

// Bursts of nested events as hosts record them; 2.6 % start before the last has ended and outlive it.
std::vector<Event> make_events(std::size_t count) {
  std::mt19937 random(1);
  std::vector<Event> events;
  std::int64_t at_ns = 0;
  while (events.size() < count) {
    Event outer;
    outer.start_ns = at_ns;
    outer.dur_ns = 4'000 + random() % 100'000;
    outer.order = static_cast<std::uint32_t>(events.size());
    events.push_back(outer);
    for (std::int64_t inner_ns = outer.start_ns; inner_ns + 1000 < outer.start_ns + outer.dur_ns; inner_ns += 1000) {
      Event inner = outer;
      inner.start_ns = inner_ns;
      inner.dur_ns = 100 + random() % 900;
      inner.order = static_cast<std::uint32_t>(events.size());
      events.push_back(inner);
    }
    at_ns += random() % 1000 < 26 ? outer.dur_ns / 2 : outer.dur_ns + random() % 5'000;
  }
  events.resize(count);
  return events;
}

// Activations that live long and in the order of a stack, and scratch that lives briefly.
std::vector<Allocation> make_allocations(std::size_t count) {
  std::mt19937 random(2);
  std::vector<Allocation> allocations;
  std::vector<std::uint32_t> live;
  std::uint32_t order = 0;
  while (allocations.size() < count) {
    if (live.size() > 500 || (!live.empty() && random() % 2 == 0)) {
      const std::size_t pick = random() % 4 == 0 ? random() % live.size() : live.size() - 1;
      Allocation& freed = allocations[live[pick]];
      freed.freed = true;
      freed.death_order = order;
      freed.death_ns = order++;
      live.erase(live.begin() + static_cast<std::ptrdiff_t>(pick));
    } else {
      Allocation allocation;
      allocation.count = 1u << random() % 20;
      allocation.item_size_bytes = 4;
      allocation.birth_order = order;
      allocation.birth_ns = order++;
      live.push_back(static_cast<std::uint32_t>(allocations.size()));
      allocations.push_back(allocation);
    }
  }
  return allocations;
}

void lay_out_rows(benchmark::State& state) {
  const std::vector<Event> events = make_events(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(lane_rows(events));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(lay_out_rows)->RangeMultiplier(10)->Range(10'000, 1'000'000)->Unit(benchmark::kMillisecond);

void pack_memory(benchmark::State& state) {
  const std::vector<Allocation> allocations = make_allocations(static_cast<std::size_t>(state.range(0)));
  MemoryLayout layout;
  for (auto _ : state) layout = memory_layout(allocations);
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.counters["height_over_peak"] =
      static_cast<double>(layout.height_bytes) / static_cast<double>(layout.peak_bytes);
}
BENCHMARK(pack_memory)->RangeMultiplier(10)->Range(10'000, 1'000'000)->Unit(benchmark::kMillisecond);

void write_profile(benchmark::State& state) {
  Capture capture;
  capture.profile.lanes.emplace_back();
  Lane& lane = capture.profile.lanes.front();
  lane.name = capture.strings.add("GPU");
  lane.events = make_events(static_cast<std::size_t>(state.range(0)));
  for (Event& event : lane.events) event.name = capture.strings.add("kernel_" + std::to_string(event.dur_ns % 97));
  capture.profile.end_ns = lane.events.back().start_ns + lane.events.back().dur_ns;
  std::size_t bytes = 0;
  for (auto _ : state) bytes = profile_json(capture, 1).size();
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.counters["bytes_per_event"] = static_cast<double>(bytes) / static_cast<double>(state.range(0));
}
BENCHMARK(write_profile)->RangeMultiplier(10)->Range(10'000, 1'000'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace vizd
