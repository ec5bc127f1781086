// When steps begin and end, and that their parts add up: of small traces, and of all the project's samples.
#include "analysis/devices/step_times.h"

#include <filesystem>
#include <random>

#include "analysis/devices/comparison_verdict.h"
#include "analysis/devices/work_of_windows.h"
#include "analysis/devices/work_scope.h"
#include "formats/sniffer.h"
#include "session/loaded_capture.h"
#include "support/analysed_trace.h"
#include "support/places.h"

namespace vizd::step_times_test {
namespace {

std::string host_step(int number, int ts, int dur) {
  return record("user_annotation", fmt::format("ProfilerStep#{}", number), 1, 1, ts, dur, "");
}
std::string launched(std::string_view name, int stream, int called, int ts, int dur, int number) {
  const std::string correlation = fmt::format(R"("correlation":{})", number);
  return record("cuda_runtime", "cudaLaunchKernel", 1, 1, called, 2, correlation) +
         kernel(name, stream, ts, dur, correlation);
}

// From the first step's begin, in microseconds: "0..45 45..85".
std::string text_of(const DeviceWork& work) {
  std::string text;
  for (const StepTime& step : work.steps)
    text += fmt::format("{}{}..{}", text.empty() ? "" : " ", (step.from_ns - work.steps[0].from_ns) / 1000,
                        (step.to_ns - work.steps[0].from_ns) / 1000);
  return text;
}

void check_parts(const DeviceBreakdown& of) {
  CHECK(of.compute_ns >= 0);
  CHECK(of.exposed_communication_ns >= 0);
  CHECK(of.exposed_memory_ns >= 0);
  CHECK(of.idle_ns() >= 0);
  CHECK(of.not_recorded_ns >= 0);
  CHECK(of.idle_host_ns + of.idle_kernel_ns + of.idle_other_ns == of.idle_ns());
  CHECK(of.compute_ns + of.exposed_communication_ns + of.exposed_memory_ns + of.idle_ns() + of.not_recorded_ns ==
        of.span_ns());
}

TEST_CASE("a step ends with the work that it launched, and begins no earlier than the one before ended") {
  // The host is done with each step after 10 us; the device takes 40.
  const Analysed ahead(host_step(1, 0, 10) + host_step(2, 10, 10) + launched("a", 7, 1, 5, 40, 1) +
                       launched("b", 7, 11, 45, 40, 2));
  CHECK(text_of(ahead.analysis.work) == "0..45 45..85");
  const auto steps = make_step_breakdowns(ahead.analysis.work, {});
  REQUIRE(steps.size() == 2);
  CHECK(steps[0].devices[0].busy_ns == 40'000);
  CHECK(steps[1].devices[0].idle_ns() == 0);
  // The host takes longer than the device, and rests between the steps.
  const Analysed behind(host_step(1, 0, 100) + host_step(2, 150, 100) + launched("a", 7, 1, 5, 40, 1) +
                        launched("b", 7, 151, 160, 40, 2));
  CHECK(text_of(behind.analysis.work) == "0..100 150..250");
}

TEST_CASE("the first step begins where work had ended that was launched before any step") {
  const Analysed running(launched("earlier", 7, -9, 0, 60, 9) + host_step(1, 0, 10) + launched("a", 7, 1, 60, 40, 1));
  const StepTime& step = running.analysis.work.steps.at(0);
  CHECK(step.to_ns - step.from_ns == 40'000);
  // Work that runs on beside the step's is no end of anything before it.
  const Analysed beside(launched("earlier", 9, -9, 0, 90, 9) + host_step(1, 0, 10) + launched("a", 7, 1, 60, 40, 1));
  CHECK(text_of(beside.analysis.work) == "0..100");
}

TEST_CASE("work that lasts into the next step counts once, in the step in which it ran") {
  std::string events;
  for (int i = 0; i < 4; ++i) {
    events += host_step(i, 100 * i, 100) + launched("gemm", 7, 100 * i + 1, 100 * i + 2, 90, 2 * i + 1) +
              launched("ncclDevKernel_AllReduce", 20, 100 * i + 3, 100 * i + 50, 90, 2 * i + 2);
  }
  const Analysed trace(events);
  CHECK(text_of(trace.analysis.work) == "0..140 140..240 240..340 340..440");
  for (const StepBreakdown& step : make_step_breakdowns(trace.analysis.work, {})) {
    REQUIRE(step.devices.size() == 1);
    CHECK(step.devices[0].span_ns() == step.dur_ns());
    check_parts(step.devices[0]);
  }
  const StepBreakdown second = make_step_breakdowns(trace.analysis.work, {})[1];
  CHECK(second.devices[0].compute_ns == 90'000);
  CHECK(second.devices[0].exposed_communication_ns == 10'000);
  CHECK(second.devices[0].idle_ns() == 0);
  // A breakdown of the step alone is that of the list.
  const DeviceBreakdown alone = make_breakdowns(trace.analysis.work, {.step = 1})[0];
  CHECK(alone.start_ns == second.step.from_ns);
  CHECK(alone.compute_ns == second.devices[0].compute_ns);
  CHECK(make_breakdowns(trace.analysis.work, {.step = 9}).empty());
}

TEST_CASE("of evenly many steps the median is the mean of the middle two, and their parts add up to it") {
  std::string events;
  int at = 0;
  for (const int dur : {100, 120, 102, 122}) {
    events += host_step(at, at, dur) + launched("gemm", 7, at + 1, at + 2, dur - 2, at + 1);
    at += dur;
  }
  const Analysed trace(events);
  const JudgedSide side{trace.capture, trace.analysis.work};
  const auto verdict = judge_comparison(side, side, {});
  REQUIRE(verdict);
  CHECK(verdict->is_of_steps);
  CHECK(verdict->a.dur_ns == 111'000);
  double sum_ns = 0;
  for (const double part_ns : verdict->a.classes_ns) sum_ns += part_ns;
  CHECK(sum_ns == 111'000);
}

TEST_CASE("windows of time have all the work that runs in them, and the nearest around them") {
  std::minstd_rand random(7);
  for (int round = 0; round < 50; ++round) {
    DeviceWork work;
    work.devices.emplace_back();
    work.streams.emplace_back();
    for (int i = 0; i < 40; ++i) {
      WorkItem item;
      item.start_ns = static_cast<std::int64_t>(random() % 1000);
      item.end_ns = item.start_ns + static_cast<std::int64_t>(random() % 200);
      item.work = EventRole::kKernel;
      work.items.push_back(item);
    }
    std::vector<std::uint32_t> places(work.items.size());
    for (std::uint32_t i = 0; i < places.size(); ++i) places[i] = i;
    std::ranges::stable_sort(places, {}, [&](std::uint32_t i) { return work.items[i].start_ns; });
    std::int64_t from_ns = 0;
    for (std::uint32_t s = 0; from_ns < 1200; ++s) {
      const auto dur_ns = static_cast<std::int64_t>(random() % 300);
      work.steps.push_back({{from_ns, from_ns + dur_ns}, s, kNoId, s});
      from_ns += dur_ns + static_cast<std::int64_t>(random() % 2 * 20);
    }
    for (const StepBreakdown& step : make_step_breakdowns(work, {})) {
      const auto whole = make_breakdowns(work, {.range = WorkRange{TimeSpan(step.step), false}});
      if (step.devices.empty() || whole.empty()) continue;
      CHECK(step.devices[0].busy_ns == whole[0].busy_ns);
      CHECK(step.devices[0].idle_kernel_ns == whole[0].idle_kernel_ns);
      CHECK(step.devices[0].events == whole[0].events);
      check_parts(step.devices[0]);
    }
  }
}

// Annotations of devices are drawn on their streams, and are no work.
bool has_annotation(const Capture& capture, const DeviceWork& work) {
  return std::ranges::any_of(work.items, [&](const WorkItem& item) {
    const EventColumns& events = capture.profile.tracks[item.track].events;
    return capture.strings.get(events.category(item.event)).find("annotation") != std::string_view::npos;
  });
}

TEST_CASE("of every sample the parts of devices, streams, steps and selections add up") {
  const std::string folder = shared_data("samples");
  if (!std::filesystem::is_directory(folder)) return;  // they need not be there
  std::size_t steps_seen = 0;
  for (const char* const kind : {"kineto", "kineto_cpu", "kineto_graph", "etdump"}) {
    if (!std::filesystem::is_directory(folder + "/" + kind)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(folder + "/" + kind)) {
      if (!entry.is_regular_file() || entry.file_size() > 12'000'000) continue;
      INFO(entry.path().string());
      Sniffer sniffer;
      const std::string path = entry.path().string();
      const Format* const format = sniffer.format_of(path);
      if (format == nullptr) continue;
      const Reading reading = load_recorded({format, path, {{"capture", path}}});
      if (!reading.loaded || !reading.loaded->capture.has_profile) continue;
      const Capture& capture = reading.loaded->capture;
      const DeviceWork work = find_work_of_ranks(capture);
      CHECK_FALSE(has_annotation(capture, work));
      for (const DeviceBreakdown& row : make_breakdowns(work, {})) check_parts(row);
      std::map<std::uint32_t, std::int64_t> ended_ns;  // by rank
      for (const StepBreakdown& step : make_step_breakdowns(work, {})) {
        ++steps_seen;
        CHECK(step.dur_ns() >= 0);
        const auto [before, is_first] = ended_ns.try_emplace(step.step.root, step.step.to_ns);
        if (!is_first) CHECK(step.step.from_ns >= before->second);
        before->second = step.step.to_ns;
        for (const DeviceBreakdown& row : step.devices) {
          CHECK(row.span_ns() == step.dur_ns());
          check_parts(row);
        }
      }
      // A selection of half of the time: a device is busy as long as any of its streams is, and no longer.
      const std::int64_t middle_ns = capture.profile.start_ns + (capture.profile.end_ns - capture.profile.start_ns) / 2;
      const auto half = make_breakdowns(work, {.range = WorkRange{{capture.profile.start_ns, middle_ns}, false}});
      for (const DeviceBreakdown& row : half) {
        check_parts(row);
        if (row.stream) continue;
        std::int64_t sum_ns = 0, most_ns = 0;
        for (const DeviceBreakdown& stream : half) {
          if (!stream.stream || stream.device != row.device) continue;
          sum_ns += stream.busy_ns;
          most_ns = std::max(most_ns, stream.busy_ns);
        }
        CHECK(row.busy_ns <= sum_ns);
        CHECK(row.busy_ns >= most_ns);
      }
    }
  }
  CHECK(steps_seen > 0);
}

}  // namespace
}  // namespace vizd::step_times_test
