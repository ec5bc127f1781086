#include "analysis/devices/work_scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/devices/work_steps.h"
#include "model/argument_json.h"

namespace vizd {
namespace {

// Numbers anew those of many things that are asked for, in the order in which they first are.
class Renumbering {
 public:
  explicit Renumbering(std::size_t count) : now_at_(count, kNoId) {}

  std::uint32_t of(std::uint32_t place) {
    if (place == kNoId) return kNoId;
    if (now_at_[place] == kNoId) {
      now_at_[place] = static_cast<std::uint32_t>(was_at_.size());
      was_at_.push_back(place);
    }
    return now_at_[place];
  }
  const std::vector<std::uint32_t>& was_at() const { return was_at_; }

 private:
  std::vector<std::uint32_t> now_at_, was_at_;
};

bool is_called(const FileValue& value, const std::string& text, const StringTable& strings) {
  return value && value_text(*value, strings) == text;
}

// By stream.
std::vector<bool> streams_in_scope(const DeviceWork& work, const WorkScope& scope, const StringTable& strings) {
  std::vector<bool> chosen;
  for (const WorkStream& stream : work.streams) {
    const WorkDevice& device = work.devices[stream.device];
    chosen.push_back((!scope.rank || is_called(device.rank, *scope.rank, strings)) &&
                     (!scope.device || is_called(device.number, *scope.device, strings)));
  }
  return chosen;
}

std::vector<StepTime> steps_in_scope(const Capture& capture, const DeviceWork& work, const WorkScope& scope) {
  if (!scope.step && !scope.rank) return work.steps;
  const std::vector<bool> streams = streams_in_scope(work, scope, capture.strings);
  std::set<std::uint32_t> roots;
  for (std::size_t s = 0; s < streams.size(); ++s) {
    if (streams[s]) roots.insert(work.devices[work.streams[s].device].root);
  }
  std::vector<StepTime> chosen = work.steps;
  std::erase_if(chosen, [&](const StepTime& step) {
    return (scope.step && step.number != *scope.step) || (scope.rank && !roots.contains(step.root));
  });
  return chosen;
}

// For each operator, the number and time of its kernels, by which its figures are divided.
struct OperatorTime {
  std::int64_t total_ns = 0, kernels = 0;
};

std::vector<OperatorTime> operator_times(const DeviceWork& work, const Operators& operators) {
  std::vector<OperatorTime> times(operators.all.size());
  for (std::size_t i = 0; i < work.items.size(); ++i) {
    const std::uint32_t of = operators.of_item[i];
    if (of == kNoId || !work.items[i].is_compute()) continue;
    times[of].total_ns += work.items[i].end_ns - work.items[i].start_ns;
    ++times[of].kernels;
  }
  return times;
}

double share_of_time(const OperatorTime& part, const OperatorTime& whole) {
  // An operator of which no kernel is in the scope did nothing there.
  if (part.kernels == 0) return FigureColumn::kNotKnown;
  if (whole.total_ns > 0) return static_cast<double>(part.total_ns) / static_cast<double>(whole.total_ns);
  return static_cast<double>(part.kernels) / static_cast<double>(whole.kernels);
}

// operators: the places in the whole's of those of the part.
void share_operator_figures(const DeviceAnalysis& whole, const std::vector<std::uint32_t>& operators,
                            DeviceAnalysis& part) {
  if (whole.figures.operator_flop.empty()) return;
  const auto of_whole = operator_times(whole.work, whole.operators),
             of_part = operator_times(part.work, part.operators);
  for (std::size_t now = 0; now < operators.size(); ++now) {
    const std::uint32_t was = operators[now];
    const double share = share_of_time(of_part[now], of_whole[was]);
    part.figures.operator_flop.push_back(whole.figures.operator_flop[was] * share);
    part.figures.operator_bytes.push_back(whole.figures.operator_bytes[was] * share);
    part.figures.operator_source.push_back(whole.figures.operator_source[was]);
    if (!whole.figures.operator_attention.empty())
      part.figures.operator_attention.push_back(whole.figures.operator_attention[was]);
  }
}

}  // namespace

WorkScope WorkScope::without_kernel() const {
  WorkScope scope = *this;
  scope.kernel.reset();
  return scope;
}

WorkScope WorkScope::of_breakdowns() const {
  WorkScope scope = without_kernel();
  scope.from_ns.reset();
  scope.to_ns.reset();
  scope.step.reset();
  return scope;
}

BreakdownOptions WorkScope::breakdown_options(const Profile& profile) const {
  return {.range = range_in(profile), .step = step};
}

std::optional<WorkRange> WorkScope::range_in(const Profile& profile) const {
  if (!from_ns && !to_ns) return std::nullopt;
  const std::int64_t dur_ns = profile.end_ns - profile.start_ns;
  const std::int64_t from = std::clamp<std::int64_t>(from_ns.value_or(0), 0, dur_ns);
  const std::int64_t to = std::clamp<std::int64_t>(to_ns.value_or(dur_ns), from, dur_ns);
  return WorkRange{{profile.start_ns + from, profile.start_ns + to}, to == dur_ns};
}

std::string WorkScope::key() const {
  if (is_all()) return "";
  const auto number = [](const std::optional<std::int64_t>& of) { return of ? std::to_string(*of) : "-"; };
  // With their lengths: names hold any character.
  const auto text = [](const std::optional<std::string>& of) {
    return of ? fmt::format("{}:{}", of->size(), *of) : "-";
  };
  return fmt::format(" in {} {} {} {} {} {}", number(from_ns), number(to_ns), number(step), text(rank), text(device),
                     text(kernel));
}

std::vector<bool> items_in_scope(const Capture& capture, const DeviceWork& work, const WorkScope& scope) {
  const std::optional<WorkRange> range = scope.range_in(capture.profile);
  const std::vector<bool> streams = streams_in_scope(work, scope, capture.strings);
  const StringId kernel = scope.kernel ? capture.strings.find(*scope.kernel) : StringId{};
  WorkSteps steps(capture.profile, capture.strings, work);
  std::vector<bool> chosen(work.items.size(), true);
  if (scope.is_all()) return chosen;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const WorkItem& item = work.items[i];
    chosen[i] = streams[item.stream] && (!range || range->holds(item.start_ns, item.end_ns)) &&
                (!scope.kernel || capture.profile.tracks[item.track].events.name(item.event) == kernel) &&
                (!scope.step || steps.is_in(item, *scope.step));
  }
  return chosen;
}

DeviceAnalysis in_scope(const Capture& capture, const DeviceAnalysis& whole, const WorkScope& scope) {
  const std::optional<WorkRange> range = scope.range_in(capture.profile);
  const std::vector<bool> chosen = items_in_scope(capture, whole.work, scope);
  DeviceAnalysis part;
  part.work.devices = whole.work.devices;
  part.work.streams = whole.work.streams;
  part.work.lost = whole.work.lost;
  part.work.steps = steps_in_scope(capture, whole.work, scope);
  part.operators.captured = whole.operators.captured;
  part.work.items.reserve(static_cast<std::size_t>(std::ranges::count(chosen, true)));
  Renumbering calls(whole.work.calls.size()), operators(whole.operators.all.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (!chosen[i]) continue;
    const std::size_t now = part.work.items.size();
    WorkItem item = whole.work.items[i];
    const std::int64_t whole_ns = item.end_ns - item.start_ns;
    item.call = calls.of(item.call);
    if (range) range->cut(item);
    part.work.items.push_back(item);
    part.operators.of_item.set(now, operators.of(whole.operators.of_item[i]));
    part.operators.by_time_of_item.set(now, whole.operators.by_time_of_item[i]);
    part.operators.captured_of_item.set(now, whole.operators.captured_of_item[i]);
    part.operators.captured_call_of_item.set(now, whole.operators.captured_call_of_item[i]);
    const double share =
        whole_ns > 0 ? static_cast<double>(item.end_ns - item.start_ns) / static_cast<double>(whole_ns) : 1;
    part.figures.flop.set(now, whole.figures.flop[i] * share);
    part.figures.bytes.set(now, whole.figures.bytes[i] * share);
    part.figures.bytes_copied.set(now, whole.figures.bytes_copied[i] * share);
  }
  for (const std::uint32_t was : calls.was_at()) part.work.calls.push_back(whole.work.calls[was]);
  for (const std::uint32_t was : operators.was_at()) part.operators.all.push_back(whole.operators.all[was]);
  share_operator_figures(whole, operators.was_at(), part);
  return part;
}

}  // namespace vizd
