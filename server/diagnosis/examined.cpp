#include "diagnosis/examined.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/graph_replay/captured_ranges.h"
#include "base/clean_text.h"
#include "diagnosis/page_place.h"

namespace vizd {
namespace {

constexpr std::size_t kMostName = 80;  // bytes of a name in a finding

bool is_host_track(const std::vector<Track>& tracks, std::uint32_t track) {
  for (std::uint32_t at = track; at != Track::kNoParent; at = tracks[at].parent) {
    const TrackKind kind = tracks[at].kind;
    if (kind == TrackKind::kDevice || kind == TrackKind::kStream || kind == TrackKind::kEngine ||
        kind == TrackKind::kMemory)
      return false;
  }
  return true;
}

}  // namespace

const DeviceBreakdown& Examined::whole() const {
  if (whole_) return *whole_;
  DeviceBreakdown sum;
  for (const DeviceBreakdown& row : make_breakdowns(work(), of_.scope.breakdown_options(profile()))) {
    if (row.stream) continue;
    sum.events += row.events;
    sum.end_ns += row.span_ns();  // so that span_ns() is the sum
    sum.busy_ns += row.busy_ns;
    sum.compute_ns += row.compute_ns;
    sum.communication_ns += row.communication_ns;
    sum.memory_ns += row.memory_ns;
    sum.overlap_ns += row.overlap_ns;
    sum.exposed_communication_ns += row.exposed_communication_ns;
    sum.exposed_memory_ns += row.exposed_memory_ns;
    sum.idle_host_ns += row.idle_host_ns;
    sum.idle_kernel_ns += row.idle_kernel_ns;
    sum.idle_other_ns += row.idle_other_ns;
    sum.not_recorded_ns += row.not_recorded_ns;
    sum.gaps += row.gaps;
  }
  return whole_.emplace(sum);
}

const std::vector<DeviceGap>& Examined::gaps() const {
  if (gaps_) return *gaps_;
  std::vector<DeviceGap> all;
  const auto by_device = find_gaps(work(), of_.scope.breakdown_options(profile()));
  for (std::uint32_t device = 0; device < by_device.size(); ++device) {
    for (const Gap& gap : by_device[device]) all.push_back({gap, device});
  }
  std::ranges::stable_sort(all, std::greater(), &DeviceGap::length_ns);
  return gaps_.emplace(std::move(all));
}

const DeviceAnalysis& Examined::analysis_in_scope() const {
  // A breakdown looks around its range; sums are of what lies in it.
  WorkScope part{.from_ns = of_.scope.from_ns, .to_ns = of_.scope.to_ns, .step = of_.scope.step};
  if (part.is_all()) return of_.analysis;
  if (cut_) return *cut_;
  // With one rank the step's time is a range, as in its breakdown.
  if (part.step && std::ranges::count(work().steps, *part.step, &StepTime::number) == 1) {
    const TimeSpan step = *std::ranges::find(work().steps, *part.step, &StepTime::number);
    part.from_ns = std::max(part.from_ns.value_or(INT64_MIN), step.from_ns - profile().start_ns);
    part.to_ns = std::min(part.to_ns.value_or(INT64_MAX), step.to_ns - profile().start_ns);
    part.step.reset();
  }
  return cut_.emplace(in_scope(capture(), of_.analysis, part));
}

const DeviceWork& Examined::work_in_scope() const { return analysis_in_scope().work; }

const std::vector<KernelRow>& Examined::kernels() const {
  if (kernels_) return *kernels_;
  const DeviceAnalysis& of = analysis_in_scope();
  return kernels_.emplace(make_kernel_table(capture(), of.work, of.operators, of.figures, of_.peaks, {}));
}

const std::vector<StepBreakdown>& Examined::steps() const {
  if (!steps_) steps_ = make_step_breakdowns(work(), of_.scope.breakdown_options(profile()));
  return *steps_;
}

std::vector<std::int64_t> Examined::step_lengths() const {
  std::vector<std::int64_t> lengths_ns;
  for (const StepBreakdown& step : steps()) lengths_ns.push_back(step.dur_ns());
  return lengths_ns;
}

std::size_t Examined::step_numbers() const {
  std::set<std::int64_t> numbers;
  for (const StepBreakdown& step : steps()) numbers.insert(step.step.number);
  return numbers.size();
}

const Collectives& Examined::collectives() const {
  if (!collectives_) collectives_ = find_collectives(job());
  return *collectives_;
}

std::span<const ProfiledRank> Examined::job() const {
  if (!of_.job.empty()) return of_.job;
  if (!alone_) alone_.emplace(capture(), work(), of_.analysis.operators, items_in_scope(capture(), work(), of_.scope));
  return {&*alone_, 1};
}

bool Examined::is_replayed(const WorkItem& item) const {
  if (item.call == kNoId) return false;
  const ProfileEvent& call = work().calls[item.call];
  return is_graph_launch(capture().strings.get(profile().tracks[call.track].events.name(call.event)));
}

std::int64_t Examined::extent_ns() const {
  if (const auto range = of_.scope.range_in(profile())) return range->to_ns - range->from_ns;
  return profile().end_ns - profile().start_ns;
}

std::string Examined::name_of(const ProfileEvent& event) const {
  const StringId name = profile().tracks[event.track].events.name(event.event);
  return shown_name(capture().strings.get(name));
}

std::string Examined::id_of(const ProfileEvent& event) const { return slice_id(profile(), event.track, event.event); }

void Examined::for_each_host_span(const std::function<void(std::uint32_t, std::uint32_t)>& visit) const {
  const auto range = of_.scope.range_in(profile());
  for (std::uint32_t track = 0; track < profile().tracks.size(); ++track) {
    if (!is_host_track(profile().tracks, track)) continue;
    const EventColumns& events = profile().tracks[track].events;
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      if (events.kind(i) != EventKind::kSpan || is_work(events.role(i))) continue;
      if (!range || range->holds(events.start_ns(i), events.end_ns(i))) visit(track, i);
    }
  }
}

Finding Examined::of_devices(std::string title, std::string detail, std::int64_t cost_ns, Sureness sure) const {
  Finding finding;
  finding.title = std::move(title);
  finding.detail = std::move(detail);
  finding.cost_ns = cost_ns;
  finding.share = share_of(cost_ns, whole().span_ns());
  finding.of = "the devices' time";
  finding.sure = sure;
  return finding;
}

double share_of(std::int64_t part_ns, std::int64_t whole_ns) {
  return whole_ns > 0 ? static_cast<double>(part_ns) / static_cast<double>(whole_ns) : 0;
}

std::string time_text(std::int64_t dur_ns) {
  const auto ns = static_cast<double>(dur_ns);
  constexpr std::pair<double, std::string_view> kUnits[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}};
  for (const auto& [size, unit] : kUnits) {
    const double shown = ns / size;
    if (shown >= 1) return fmt::format("{:.{}f} {}", shown, shown >= 100 ? 0 : shown >= 10 ? 1 : 2, unit);
  }
  return fmt::format("{} ns", dur_ns);
}

std::string times_text(std::uint64_t times) { return times == 1 ? "once" : fmt::format("{} times", times); }

std::string count_text(std::int64_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing,
                     count == 1                                       ? ""
                     : thing.ends_with("ch") || thing.ends_with("ss") ? "es"
                                                                      : "s");
}

std::string share_text(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string shown_name(std::string_view name) { return short_line(name, kMostName); }

}  // namespace vizd
