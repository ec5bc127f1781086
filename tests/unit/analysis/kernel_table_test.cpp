// The table of kernels of more work than one core goes through, held against one sum after the other.
#include "analysis/devices/kernel_table.h"

#include <algorithm>
#include <map>
#include <random>

#include "analysis/devices/device_analysis.h"
#include "support/catch.h"

namespace vizd::kernel_table_test {
namespace {

// Two devices of two streams, 300,000 launches of 40 names; names of later launches are not among the first.
void make_launches(Capture& capture, std::int64_t longest_ns) {
  std::mt19937 random(3);
  std::vector<StringId> names;
  for (int i = 0; i < 40; ++i) names.push_back(capture.strings.add("kernel_" + std::to_string(i)));
  for (std::uint32_t s = 0; s < 4; ++s) {
    if (s % 2 == 0) {
      Track& device = capture.profile.tracks.emplace_back();
      device.kind = TrackKind::kDevice;
      device.number = std::int64_t{s / 2};
    }
    Track stream;
    stream.kind = TrackKind::kStream;
    stream.parent = static_cast<std::uint32_t>(capture.profile.tracks.size() - 1 - s % 2);
    stream.number = std::int64_t{s};
    std::int64_t at_ns = 0;
    for (std::uint32_t i = 0; i < 75'000; ++i) {
      Event event;
      event.start_ns = at_ns;
      event.dur_ns = i == 1000 ? longest_ns : static_cast<std::int64_t>(random() % 5000);
      event.name = names[(random() % 10) + s * 10];
      stream.events.push_back(event);
      at_ns += event.dur_ns + 1;
    }
    capture.profile.tracks.push_back(std::move(stream));
  }
  capture.has_profile = true;
}

void check_table(std::int64_t longest_ns) {
  Capture capture;
  make_launches(capture, longest_ns);
  const DeviceAnalysis analysis = analyse_devices(capture);
  const auto& items = analysis.work.items;
  const auto dur_ns = [&](std::uint32_t i) { return items[i].end_ns - items[i].start_ns; };
  std::map<std::pair<std::uint32_t, std::string_view>, std::vector<std::uint32_t>> launches;
  std::map<std::uint32_t, std::int64_t> device_ns;
  for (std::uint32_t i = 0; i < items.size(); ++i) {
    const std::uint32_t device = analysis.work.streams[items[i].stream].device;
    launches[{device, capture.strings.get(capture.profile.tracks[items[i].track].events.name(items[i].event))}]
        .push_back(i);
    device_ns[device] += dur_ns(i);
  }
  const auto rows = make_kernel_table(capture, analysis.work, analysis.operators, analysis.figures, DevicePeaks(), {});
  REQUIRE(rows.size() == launches.size());
  for (const KernelRow& row : rows) {
    const auto& of_row = launches.at({row.device, *row.key});
    std::vector<std::int64_t> durations_ns;
    for (const std::uint32_t i : of_row) durations_ns.push_back(dur_ns(i));
    CHECK(row.worst == *std::ranges::max_element(of_row, {}, dur_ns));
    std::ranges::sort(durations_ns);
    const std::size_t n = durations_ns.size();
    CHECK(row.durations.launches == static_cast<std::int64_t>(n));
    CHECK(row.durations.max_ns == durations_ns.back());
    CHECK(row.durations.p90_ns == durations_ns[(9 * n + 9) / 10 - 1]);
    CHECK(row.durations.median_ns == static_cast<double>(durations_ns[(n - 1) / 2] + durations_ns[n / 2]) / 2);
    CHECK(row.time_percent ==
          100 * static_cast<double>(row.durations.total_ns) / static_cast<double>(device_ns.at(row.device)));
  }
}

TEST_CASE("rows of work that several cores go through are those of one") { check_table(6000); }

TEST_CASE("a launch that takes longer than 32 bits of nanoseconds is summed up like any other") {
  check_table(std::int64_t{20} << 32);
}

}  // namespace
}  // namespace vizd::kernel_table_test
