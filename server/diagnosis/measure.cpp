#include "diagnosis/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include "analysis/figures/median_change.h"
#include "base/clean_text.h"
#include "diagnosis/rules.h"

namespace vizd {
namespace {

using Relation = Assertion::Relation;

Measured of_whole(const Examined& examined, std::int64_t DeviceBreakdown::*part) {
  if (examined.whole().events == 0) return without_device_work(examined);
  return static_cast<double>(examined.whole().*part);
}

template <std::int64_t DeviceBreakdown::*part>
Measured part_of_whole(const Examined& examined, std::string_view) {
  return of_whole(examined, part);
}

Measured device_span(const Examined& examined, std::string_view) {
  if (examined.whole().events == 0) return without_device_work(examined);
  return static_cast<double>(examined.whole().span_ns());
}

Measured device_busy(const Examined& examined, std::string_view) {
  if (examined.whole().events == 0) return without_device_work(examined);
  return 100 * share_of(examined.whole().busy_ns, examined.whole().span_ns());
}

Measured idle(const Examined& examined, std::string_view) {
  if (examined.whole().events == 0) return without_device_work(examined);
  return static_cast<double>(examined.whole().idle_ns());
}

Measured idle_host(const Examined& examined, std::string_view) {
  if (examined.whole().events > 0 && examined.work().calls.empty())
    return not_recorded(examined, Recordable::kLaunches);
  return of_whole(examined, &DeviceBreakdown::idle_host_ns);
}

// The sum over launches of kernels, all or those of a name.
struct LaunchSum {
  double total_ns = 0, most_ns = 0;
  std::int64_t count = 0;
};

LaunchSum launches(const Examined& examined, std::optional<std::string_view> name) {
  LaunchSum sum;
  for (const KernelRow& row : examined.kernels()) {
    if (row.work != EventRole::kKernel) continue;
    if (name && one_line(row.key.value_or(""), false) != *name) continue;
    sum.total_ns += static_cast<double>(row.durations.total_ns);
    sum.most_ns = std::max(sum.most_ns, static_cast<double>(row.durations.max_ns));
    sum.count += row.durations.launches;
  }
  return sum;
}

Measured kernels_total(const Examined& examined, std::string_view) {
  if (examined.whole().events == 0) return without_device_work(examined);
  return launches(examined, std::nullopt).total_ns;
}
Measured kernels_count(const Examined& examined, std::string_view) {
  if (examined.whole().events == 0) return without_device_work(examined);
  return static_cast<double>(launches(examined, std::nullopt).count);
}
Measured kernels_longest(const Examined& examined, std::string_view) {
  if (examined.whole().events == 0) return without_device_work(examined);
  return launches(examined, std::nullopt).most_ns;
}

template <typename Value>
Measured of_kernel(const Examined& examined, std::string_view name, Value value) {
  if (examined.whole().events == 0) return without_device_work(examined);
  const LaunchSum sum = launches(examined, name);
  if (sum.count == 0) return Absence{Nothing::kNone, fmt::format("no launch of {}", name), "vizd kernels lists them"};
  return value(sum);
}
Measured kernel_total(const Examined& examined, std::string_view name) {
  return of_kernel(examined, name, [](const LaunchSum& sum) { return sum.total_ns; });
}
Measured kernel_mean(const Examined& examined, std::string_view name) {
  return of_kernel(examined, name, [](const LaunchSum& sum) { return sum.total_ns / static_cast<double>(sum.count); });
}
Measured kernel_count(const Examined& examined, std::string_view name) {
  if (examined.whole().events == 0) return without_device_work(examined);
  return static_cast<double>(launches(examined, name).count);
}

Measured step_median(const Examined& examined, std::string_view) {
  auto lengths = examined.step_lengths();
  if (lengths.empty()) return not_recorded(examined, Recordable::kRuns);
  return median_of(lengths);
}
Measured step_longest(const Examined& examined, std::string_view) {
  const auto lengths = examined.step_lengths();
  if (lengths.empty()) return not_recorded(examined, Recordable::kRuns);
  return static_cast<double>(std::ranges::max(lengths));
}

Measured recording_span(const Examined& examined, std::string_view) {
  if (!examined.capture().has_profile) return without_device_work(examined);
  return static_cast<double>(examined.extent_ns());
}

Measured compiled_again(const Examined& examined, std::string_view) {
  if (!is_of_pytorch(examined.capture())) return not_recorded(examined, Recordable::kOperators);
  std::int64_t times = 0;
  for (const CompileRow& row : find_compiles(examined.capture(), examined.of().scope))
    if (row.kind == CompileKind::kRecompile) times += row.count;
  return static_cast<double>(times);
}

Measured memory_peak(const Examined& examined, std::string_view) {
  const StringId id = examined.capture().strings.find(kAllocatedCounter);
  std::optional<double> most;
  for (const Track& track : examined.profile().tracks) {
    for (const Counter& counter : track.counters) {
      if (id == StringId{kNoId} || counter.name != id) continue;
      for (const double value : counter.value.span()) most = std::max(most.value_or(value), value);
    }
  }
  if (most) return *most;
  return not_recorded(examined, Recordable::kMemoryBytes);
}

Measured rewrite_matches(const Examined& examined, std::string_view) {
  if (!examined.capture().has_rewrites) return not_recorded(examined, Recordable::kRewrites);
  return static_cast<double>(examined.capture().rewrites.matches.size());
}
Measured rewrite_contexts(const Examined& examined, std::string_view) {
  if (!examined.capture().has_rewrites) return not_recorded(examined, Recordable::kRewrites);
  return static_cast<double>(examined.capture().rewrites.contexts.size());
}

Measured findings_count(const Examined& examined, std::string_view) {
  return static_cast<double>(diagnose(examined.of(), SIZE_MAX).findings.size());
}
Measured finding_cost(const Examined& examined, std::string_view rule) {
  const Diagnosis diagnosis = diagnose(examined.of(), SIZE_MAX);
  double cost_ns = 0;
  for (const Finding& finding : diagnosis.findings)
    if (finding.rule == rule) cost_ns += static_cast<double>(finding.cost_ns.value_or(0));
  const auto silent = std::ranges::find(diagnosis.silent, rule, &Silence::rule);
  if (silent != diagnosis.silent.end() && silent->absence.kind != Nothing::kNone) return silent->absence;
  return cost_ns;
}

using enum MeasureUnit;
constexpr std::array kMeasures{
    Measure{"kernels.total", "time of all launches of kernels", kTime, kernels_total},
    Measure{"kernels.count", "launches of kernels", kCount, kernels_count},
    Measure{"kernels.longest", "the longest launch", kTime, kernels_longest},
    Measure{"kernel.total", "time of the launches of the kernel in brackets", kTime, kernel_total, true},
    Measure{"kernel.mean", "their mean", kTime, kernel_mean, true},
    Measure{"kernel.count", "how many there are", kCount, kernel_count, true},
    Measure{"devices.span", "from first work to last, all devices", kTime, device_span},
    Measure{"devices.busy", "the share of that in which they are busy", kPercent, device_busy},
    Measure{"idle.total", "time in which nothing runs", kTime, idle},
    Measure{"idle.host", "the part caused by the host launching late", kTime, idle_host},
    Measure{"communication.exposed", "collectives while nothing computes", kTime,
            part_of_whole<&DeviceBreakdown::exposed_communication_ns>},
    Measure{"copies.exposed", "copies while nothing computes", kTime,
            part_of_whole<&DeviceBreakdown::exposed_memory_ns>},
    Measure{"step.median", "the median step", kTime, step_median},
    Measure{"step.longest", "the longest step", kTime, step_longest},
    Measure{"recording.span", "from the first recorded event to the last", kTime, recording_span},
    Measure{"compiles.again", "functions that torch.compile recompiled", kCount, compiled_again},
    Measure{"memory.peak", "the most allocated at once", kBytes, memory_peak},
    Measure{"rewrites.matches", "matches of the compiler's rules", kCount, rewrite_matches},
    Measure{"rewrites.contexts", "schedules and kernels that were made", kCount, rewrite_contexts},
    Measure{"findings.count", "findings of vizd diagnose", kCount, findings_count},
    Measure{"finding.cost", "the cost of findings of the rule in brackets", kTime, finding_cost, true},
};

struct UnitWord {
  std::string_view word;
  MeasureUnit unit;
  double size;
};
constexpr std::array kUnitWords{
    UnitWord{"ns", kTime, 1},      UnitWord{"us", kTime, 1e3},       UnitWord{"ms", kTime, 1e6},
    UnitWord{"s", kTime, 1e9},     UnitWord{"%", kPercent, 1},       UnitWord{"B", kBytes, 1},
    UnitWord{"KB", kBytes, 1e3},   UnitWord{"MB", kBytes, 1e6},      UnitWord{"GB", kBytes, 1e9},
    UnitWord{"KiB", kBytes, 1024}, UnitWord{"MiB", kBytes, 1 << 20}, UnitWord{"GiB", kBytes, 1 << 30}};

struct RelationWord {
  std::string_view word;
  Relation relation;
};
// The longer before what they begin with.
constexpr std::array kRelations{RelationWord{"<=", Relation::kAtMost}, RelationWord{">=", Relation::kAtLeast},
                                RelationWord{"==", Relation::kEqual},  RelationWord{"!=", Relation::kOther},
                                RelationWord{"<", Relation::kLess},    RelationWord{">", Relation::kMore},
                                RelationWord{"=", Relation::kEqual}};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Where the relation stands: behind a bracket, since a kernel's name may hold all of them.
std::size_t find_relation(std::string_view text) {
  const std::size_t open = text.find('('), first = text.find_first_of("<>=!");
  if (open == std::string_view::npos || first < open) return first;
  const std::size_t close = text.rfind(')');
  return close == std::string_view::npos ? close : text.find_first_of("<>=!", close);
}

Error wrong(std::string_view text, std::string why) {
  return {ErrorKind::kBadInput, std::move(why), std::string(text)};
}

std::string shown_value(MeasureUnit unit, double value) {
  switch (unit) {
    case kTime:
      return time_text(std::llround(value));
    case kPercent:
      return fmt::format("{:.1f} %", value);
    case kBytes:
      return fmt::format("{:.0f} B", value);
    case kCount:
      break;
  }
  return fmt::format("{:.0f}", value);
}

bool stands(double value, Relation relation, double limit) {
  switch (relation) {
    case Relation::kLess:
      return value < limit;
    case Relation::kAtMost:
      return value <= limit;
    case Relation::kMore:
      return value > limit;
    case Relation::kAtLeast:
      return value >= limit;
    case Relation::kEqual:
      return value == limit;
    case Relation::kOther:
      break;
  }
  return value != limit;
}

}  // namespace

std::span<const Measure> measures() { return kMeasures; }

bool looks_like_assertion(std::string_view word) {
  const std::size_t at = find_relation(word);
  const std::string_view name = trimmed(word.substr(0, std::min({at, word.find('('), word.size()})));
  return at != std::string_view::npos && name.find('.') != std::string_view::npos &&
         std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || c == '.'; });
}

Result<Assertion> parse_assertion(std::string_view text) {
  const std::size_t at = find_relation(text);
  if (at == std::string_view::npos)
    return wrong(text, "an assertion is a measure, one of < <= > >= == !=, and a number");
  std::string_view name = trimmed(text.substr(0, at)), rest = text.substr(at);
  Assertion assertion;
  assertion.text = text;
  if (const std::size_t open = name.find('('); open != std::string_view::npos && name.ends_with(')')) {
    assertion.argument = name.substr(open + 1, name.size() - open - 2);
    name = trimmed(name.substr(0, open));
  }
  const auto measure = std::ranges::find(kMeasures, name, &Measure::name);
  if (measure == kMeasures.end()) return wrong(text, "no such measure; vizd assert --measures lists them");
  if (measure->takes_argument != !assertion.argument.empty())
    return wrong(text, measure->takes_argument ? "name it in brackets" : "it takes no name in brackets");
  assertion.measure = &*measure;
  const auto relation = std::ranges::find_if(kRelations, [&](const auto& each) { return rest.starts_with(each.word); });
  if (relation == kRelations.end()) return wrong(text, "one of < <= > >= == != is missing");
  assertion.relation = relation->relation;
  rest = trimmed(rest.substr(relation->word.size()));
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), assertion.limit);
  if (error != std::errc() || !std::isfinite(assertion.limit)) return wrong(text, "a number must follow the relation");
  const std::string_view unit = trimmed({end, static_cast<std::size_t>(rest.data() + rest.size() - end)});
  if (measure->unit == kCount && unit.empty()) return assertion;
  const auto word = std::ranges::find(kUnitWords, unit, &UnitWord::word);
  if (word == kUnitWords.end() || word->unit != measure->unit)
    return wrong(text, measure->unit == kCount     ? "it is a count, without a unit"
                       : measure->unit == kTime    ? "it is a time: ns, us, ms or s"
                       : measure->unit == kPercent ? "it is a share: %"
                                                   : "it is a size: B, KB, MB, GB, KiB, MiB or GiB");
  assertion.limit *= word->size;
  return assertion;
}

Verdict judge(const Assertion& assertion, const Examined& examined) {
  const Measured measured = assertion.measure->measure(examined, assertion.argument);
  // What is not known holds nothing.
  if (const auto* const absence = std::get_if<Absence>(&measured)) return {false, absence->text()};
  const double value = std::get<double>(measured);
  return {stands(value, assertion.relation, assertion.limit), "it is " + shown_value(assertion.measure->unit, value)};
}

}  // namespace vizd
