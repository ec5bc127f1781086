// Rules about the recording itself: launches whose kernels were lost, and durations that cannot be so.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "diagnosis/page_place.h"
#include "diagnosis/rules.h"
#include "model/doubtful_durations.h"
#include "model/launch_calls.h"

namespace vizd {
namespace {

constexpr std::int64_t kFewestLost = 2;

bool is_kernel_launch(std::string_view call) {
  constexpr std::string_view kWords[] = {"LaunchKernel", "LaunchCooperativeKernel"};
  return std::ranges::any_of(kWords, [&](std::string_view word) { return call.find(word) != call.npos; });
}

// When threads capture a stream: what is launched then does not run.
std::vector<TimeSpan> stream_captures(const Examined& examined) {
  std::vector<std::pair<std::int64_t, bool>> edges;
  examined.for_each_host_span([&](std::uint32_t track, std::uint32_t event) {
    const EventColumns& events = examined.profile().tracks[track].events;
    const std::string_view name = examined.capture().strings.get(events.name(event));
    if (name.find("StreamBeginCapture") != name.npos) edges.emplace_back(events.start_ns(event), true);
    if (name.find("StreamEndCapture") != name.npos) edges.emplace_back(events.end_ns(event), false);
  });
  std::ranges::sort(edges);
  std::vector<TimeSpan> captures;
  for (const auto& [at_ns, begins] : edges) {
    if (begins && (captures.empty() || captures.back().to_ns != INT64_MAX)) captures.push_back({at_ns, INT64_MAX});
    if (!begins && !captures.empty()) captures.back().to_ns = at_ns;
  }
  return captures;
}

RuleAnswer lost_kernels(const Examined& examined) {
  if (examined.whole().events == 0) return without_device_work(examined);
  if (!examined.profile().is_trace) return Absence{Nothing::kNone, "it applies to traces", ""};
  const DeviceWork& work = examined.work();
  if (work.calls.empty()) return not_recorded(examined, Recordable::kLaunches);
  if (!examined.of().scope.is_all())
    return Absence{Nothing::kNotAsked, "it applies to whole captures", "run it without a scope"};
  std::vector<bool> has_work(work.calls.size());
  for (const WorkItem& item : work.items) {
    if (item.call != kNoId) has_work[item.call] = true;
  }
  const std::vector<TimeSpan> captures = stream_captures(examined);
  std::vector<LaunchCall> launches;
  for (std::size_t c = 0; c < work.calls.size(); ++c) {
    const ProfileEvent& call = work.calls[c];
    const EventColumns& events = examined.profile().tracks[call.track].events;
    if (!is_kernel_launch(examined.capture().strings.get(events.name(call.event)))) continue;
    const bool is_captured = std::ranges::any_of(
        captures, [&](const TimeSpan& span) { return call.start_ns >= span.from_ns && call.start_ns < span.to_ns; });
    if (!is_captured) launches.push_back({call.track, call.start_ns, call.end_ns, c, has_work[c]});
  }
  merge_nested(launches);
  const auto count = static_cast<std::int64_t>(launches.size());
  std::erase_if(launches, &LaunchCall::has_work);
  const auto lost = static_cast<std::int64_t>(launches.size());
  if (lost < kFewestLost)
    return Absence{Nothing::kNone, fmt::format("of {} {} without a kernel", count_text(count, "launch"), lost), ""};
  Finding finding;
  finding.title = fmt::format("{} launches have no kernel in the capture: the profiler lost them", lost);
  finding.detail = fmt::format("{} of {} launches; all figures of the devices lack these kernels", lost, count);
  finding.is_of_capture = true;
  finding.share = share_of(lost, count);
  finding.of = "the launches";
  finding.sure = Sureness::kLikely;
  finding.next =
      "record fewer steps at once, or enlarge the profiler's buffer; end the recording after a "
      "torch.cuda.synchronize(), so that the last kernels have run";
  const auto first = std::ranges::min_element(launches, {}, &LaunchCall::start_ns);
  finding.evidence = {{examined.id_of(work.calls[first->call]), "the first of them"}};
  return std::vector{std::move(finding)};
}

// Reports negative durations and kernels longer than their stream allows, which `vizd check` notes too.
RuleAnswer impossible_durations(const Examined& examined) {
  if (!examined.capture().has_profile) return without_device_work(examined);
  if (!examined.profile().is_trace) return Absence{Nothing::kNone, "it applies to traces", ""};
  if (!examined.of().scope.is_all())
    return Absence{Nothing::kNotAsked, "it applies to whole captures", "run it without a scope"};
  const auto& tracks = examined.profile().tracks;
  const NegativeDurations negative = negative_durations(tracks);
  const std::vector<LongKernel> longs = long_kernels(tracks);
  if (negative.count == 0 && longs.empty())
    return Absence{Nothing::kNone, "no duration is negative, and no kernel contains others of its stream", ""};
  Finding finding;
  finding.title = "impossible durations";
  if (negative.count > 0) {
    finding.detail = fmt::format("{} with a negative duration, not counted as work",
                                 count_text(static_cast<std::int64_t>(negative.count), "event"));
    finding.evidence.push_back({slice_id(examined.profile(), negative.track, negative.event), "the first of these"});
  }
  const auto longest = std::ranges::max_element(longs, {}, &LongKernel::inside);
  if (longest != longs.end()) {
    const EventColumns& events = tracks[longest->track].events;
    finding.detail += fmt::format(
        "{}while a kernel runs, {} of {}, {} others of its stream begin and end, though a stream runs one kernel after "
        "another",
        finding.detail.empty() ? "" : "; ", time_text(events.length_ns(longest->event)),
        shown_name(examined.capture().strings.get(events.name(longest->event))), longest->inside);
    finding.evidence.push_back({slice_id(examined.profile(), longest->track, longest->event), "that kernel"});
  }
  const auto doubtful = static_cast<std::int64_t>(negative.count + longs.size());
  finding.share = share_of(doubtful, static_cast<std::int64_t>(negative.count + examined.work().items.size()));
  finding.of = "the devices' events";
  finding.next =
      "do not trust figures that include them: record again, with a newer profiler or driver, since these are errors "
      "of the profiler; vizd check lists them";
  return std::vector{std::move(finding)};
}

constexpr std::array kRecordingRules{
    DiagnosisRule{"lost-kernels", "launches whose kernels are not in the capture", 0.01, lost_kernels},
    DiagnosisRule{"impossible-durations", "durations that are negative, or longer than their stream allows", 0,
                  impossible_durations},
};

}  // namespace

std::span<const DiagnosisRule> recording_rules() { return kRecordingRules; }

}  // namespace vizd
