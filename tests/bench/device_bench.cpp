// What the devices did, of ten million events: finding the work, the table of kernels, the breakdown, the critical
// path, frequent sequences.
#include <benchmark/benchmark.h>

#include <memory>
#include <random>
#include <string>

#include "analysis/devices/critical_path.h"
#include "analysis/devices/device_analysis.h"
#include "analysis/devices/device_breakdown.h"
#include "analysis/devices/kernel_sequences.h"
#include "analysis/devices/kernel_table.h"

namespace vizd {
namespace {

// Eight devices of four streams, 200 kernels.
const Capture& large_capture() {
  static const std::unique_ptr<const Capture> capture = [] {
    constexpr std::size_t kEvents = 10'000'000, kStreams = 32;
    auto owned = std::make_unique<Capture>();
    Capture& made = *owned;
    std::vector<StringId> names;
    for (int i = 0; i < 200; ++i) names.push_back(made.strings.add("kernel_" + std::to_string(i)));
    std::minstd_rand random(7);
    for (std::size_t s = 0; s < kStreams; ++s) {
      if (s % 4 == 0) {
        Track& device = made.profile.tracks.emplace_back();
        device.kind = TrackKind::kDevice;
        device.number = static_cast<std::int64_t>(s / 4);
        device.name = made.strings.add("GPU " + std::to_string(s / 4));
      }
      Track stream;
      stream.kind = TrackKind::kStream;
      stream.parent = static_cast<std::uint32_t>(made.profile.tracks.size() - 1 - s % 4);
      stream.number = static_cast<std::int64_t>(s);
      stream.name = made.strings.add("stream " + std::to_string(s));
      std::int64_t at_ns = static_cast<std::int64_t>(random() % 1000);
      for (std::size_t i = 0; i < kEvents / kStreams; ++i) {
        const auto dur_ns = static_cast<std::int64_t>(1000 + random() % 20'000);
        Event event;
        event.start_ns = at_ns;
        event.dur_ns = dur_ns;
        event.name = names[random() % names.size()];
        stream.events.push_back(event);
        at_ns += dur_ns + static_cast<std::int64_t>(random() % 5000);
      }
      made.profile.tracks.push_back(std::move(stream));
    }
    made.has_profile = true;
    return owned;
  }();
  return *capture;
}

void find_work(benchmark::State& state) {
  const Capture& capture = large_capture();
  for (auto _ : state) benchmark::DoNotOptimize(analyse_devices(capture));
}

void kernel_rows(benchmark::State& state) {
  const Capture& capture = large_capture();
  const DeviceAnalysis analysis = analyse_devices(capture);
  for (auto _ : state)
    benchmark::DoNotOptimize(
        make_kernel_table(capture, analysis.work, analysis.operators, analysis.figures, DevicePeaks(), {}));
}

void breakdown(benchmark::State& state) {
  const DeviceAnalysis analysis = analyse_devices(large_capture());
  for (auto _ : state) benchmark::DoNotOptimize(make_breakdowns(analysis.work, {}));
}

void critical_path(benchmark::State& state) {
  const Capture& capture = large_capture();
  const DeviceAnalysis analysis = analyse_devices(capture);
  for (auto _ : state) benchmark::DoNotOptimize(find_critical_paths(capture, analysis.work));
}

void sequences(benchmark::State& state) {
  const Capture& capture = large_capture();
  const DeviceAnalysis analysis = analyse_devices(capture);
  for (auto _ : state) benchmark::DoNotOptimize(find_kernel_sequences(capture, analysis.work, 200));
}

BENCHMARK(find_work)->Name("devices/find_work/10M")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(kernel_rows)->Name("devices/kernels/10M")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(breakdown)->Name("devices/breakdown/10M")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(critical_path)->Name("devices/critical_path/10M")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(sequences)->Name("devices/sequences/10M")->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace vizd
