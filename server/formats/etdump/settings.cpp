#include "formats/etdump/settings.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "formats/etdump/option_text.h"

namespace vizd::etdump {
namespace {

struct ScaleRow {
  std::string_view name;
  double per_second;
};
constexpr ScaleRow kScales[] = {{"ns", 1e9}, {"us", 1e6}, {"ms", 1e3}, {"s", 1}, {"cycles", 1}};

// The options' names.
namespace option {
constexpr std::string_view kSource = "source-time-scale", kTarget = "target-time-scale",
                           kMetadata = "delegate-metadata", kTicks = "delegate-ticks", kClocks = "delegate-clocks",
                           kTensors = "reference-tensors", kGraph = "reference-graph", kMethod = "method",
                           kWarmUp = "warm-up", kRawValues = "raw-values", kIteration = "iteration",
                           kGrouping = "reference-grouping";
}  // namespace option

Error refuse(std::string_view option, std::string_view value, std::string_view why) {
  return {ErrorKind::kBadInput, fmt::format("--{} {}: {}", option, value, why), ""};
}

Result<TimeScale> scale_of(const OpenSet& set, std::string_view option, TimeScale usual) {
  const auto value = set.setting(option);
  if (!value) return usual;
  const auto found = std::ranges::find(kScales, *value, &ScaleRow::name);
  if (found == std::end(kScales)) return refuse(option, *value, "is not a unit; use ns, us, ms, s or cycles");
  return static_cast<TimeScale>(found - std::begin(kScales));
}

// "QnnBackend = 0.625 ns".
Result<std::vector<DelegateClock>> read_clocks(std::string_view path) {
  constexpr double kNanosecondsPerSecond = 1e9;
  constexpr std::string_view kForm = "NAME = NUMBER ns, us, ms or s";
  auto rules = read_rules(path, kForm);
  if (!rules) return std::move(rules).error();
  std::vector<DelegateClock> clocks;
  for (DelegateRule& rule : *rules) {
    const std::string_view tick = rule.text;
    const auto blank = tick.find_first_of(" \t");
    const auto count = number_of<double>(tick.substr(0, blank));
    const auto unit =
        std::ranges::find(kScales, blank == tick.npos ? "" : without_blanks(tick.substr(blank)), &ScaleRow::name);
    const bool is_time = unit != std::end(kScales) && unit->name != "cycles";
    if (!is_time || !count || !(*count > 0) || !std::isfinite(*count))
      return rule.refuse(fmt::format("is not a rule; write {}", kForm));
    clocks.push_back({std::move(rule), *count * kNanosecondsPerSecond / unit->per_second});
  }
  return clocks;
}

}  // namespace

std::string_view scale_name(TimeScale scale) { return kScales[static_cast<std::size_t>(scale)].name; }

double Settings::factor() const {
  return kScales[static_cast<std::size_t>(source)].per_second / kScales[static_cast<std::size_t>(target)].per_second;
}

double Settings::delegate_factor(const BlockEvent& event) const {
  const auto clock = std::ranges::find_if(
      delegate_clocks, [&](const DelegateClock& of) { return of.rule.fits(event.name, event.backend); });
  if (clock == delegate_clocks.end() || target == TimeScale::kCycles) return delegate_ticks.value_or(factor());
  return kScales[0].per_second / kScales[static_cast<std::size_t>(target)].per_second / clock->tick_ns;
}

std::vector<std::string> idle_rules(const Settings& settings, std::span<const Block> blocks) {
  std::vector<std::string> notes;
  for (const DelegateClock& clock : settings.delegate_clocks) {
    const auto fits = [&](const BlockEvent& event) {
      return event.is_delegated && clock.rule.fits(event.name, event.backend);
    };
    const auto has_one = [&](const Block& block) { return std::ranges::any_of(block.events, fits); };
    if (std::ranges::none_of(blocks, has_one))
      notes.push_back(fmt::format("{}: matches no event of a delegate", clock.rule.place));
  }
  for (const std::string& place : settings.metadata.idle(blocks))
    notes.push_back(fmt::format("{}: finds nothing in the metadata of any event", place));
  return notes;
}

constinit const SettingOption kSettingOptions[13] = {
    {option::kSource, "UNIT [ns]", "For an ETDump: the unit of its ticks: ns, us, ms, s or cycles"},
    {option::kTarget, "UNIT [ms]", "For an ETDump: the unit of its figures: ns, us, ms, s or cycles"},
    {option::kMetadata, "pairs|FILE",
     "For an ETDump: how to read the metadata of a delegate: a=1;b=2 as fields a and b (pairs), or by the rules in a "
     "file"},
    {option::kTicks, "N", "For an ETDump: N ticks of a delegate's clock are one target unit"},
    {option::kClocks, "FILE",
     "For an ETDump: the length of a tick of each clock, one per line: DELEGATE or EVENT = NUMBER ns|us|ms|s"},
    {option::kTensors, "DIR", "For an ETDump: the values to compare with, as HANDLE.npy or HANDLE.OUTPUT.npy"},
    {option::kGraph, "NAME",
     "For an ETRecord: the graph that the values to compare with belong to: aten, edge or a name of its own"},
    {kReferenceDump, "PATH", "For an ETDump: another run of the model, whose logged values are compared with"},
    {option::kIteration, "N [0]", "For an ETDump: the iteration whose logged values are shown, from 0"},
    {option::kMethod, "NAME",
     "For an ETDump: the method of the ETRecord that its events belong to, if they do not name it"},
    {option::kWarmUp, "N [0]", "For an ETDump: leave the first N iterations of each block out of its figures"},
    {option::kRawValues, "N", "For an ETDump: list the times of at most N iterations of an event"},
    {option::kGrouping, "", "For an ETDump: answer as ExecuTorch's Inspector does, including its errors"},
};

Result<Settings> read_settings(const OpenSet& set) {
  Settings settings;
  const auto source = scale_of(set, option::kSource, settings.source),
             target = scale_of(set, option::kTarget, settings.target);
  if (!source) return source.error();
  if (!target) return target.error();
  settings.source = *source;
  settings.target = *target;
  // Cycles in, cycles out, where nothing else was asked for.
  if (settings.source == TimeScale::kCycles && !set.setting(option::kTarget)) settings.target = TimeScale::kCycles;
  if ((settings.source == TimeScale::kCycles) != (settings.target == TimeScale::kCycles))
    return refuse(option::kTarget, scale_name(settings.target),
                  "cycles are not a time: use cycles for both units, or for neither");
  if (const auto form = set.setting(option::kMetadata)) {
    auto rules = MetadataRules::read(*form);
    if (!rules) return rules.error();
    settings.metadata = *std::move(rules);
  }
  if (const auto ticks = set.setting(option::kTicks)) {
    settings.delegate_ticks = number_of<double>(*ticks);
    if (!settings.delegate_ticks || !(*settings.delegate_ticks > 0) || !std::isfinite(*settings.delegate_ticks))
      return refuse(option::kTicks, *ticks, "must be a number above 0");
  }
  if (const auto path = set.setting(option::kClocks)) {
    auto clocks = read_clocks(*path);
    if (!clocks) return clocks.error();
    settings.delegate_clocks = *std::move(clocks);
  }
  if (const auto count = set.setting(option::kWarmUp)) {
    const auto number = number_of<std::uint32_t>(*count);
    if (!number) return refuse(option::kWarmUp, *count, "must be a number of iterations");
    settings.warm_up_iterations = *number;
  }
  if (const auto count = set.setting(option::kRawValues)) {
    const auto number = number_of<std::uint32_t>(*count);
    if (!number) return refuse(option::kRawValues, *count, "must be a number of iterations");
    settings.most_raw_values = *number;
  }
  if (const auto count = set.setting(option::kIteration)) {
    const auto number = number_of<std::uint32_t>(*count);
    if (!number) return refuse(option::kIteration, *count, "must be the number of an iteration");
    settings.iteration = *number;
  }
  settings.reference_tensors = set.setting(option::kTensors).value_or("");
  settings.reference_graph = set.setting(option::kGraph).value_or("");
  settings.reference_dump = set.setting(kReferenceDump).value_or("");
  if (!settings.reference_dump.empty() && !settings.reference_tensors.empty())
    return refuse(kReferenceDump, settings.reference_dump,
                  "cannot be used with --reference-tensors: use one of the two");
  settings.method = set.setting(option::kMethod).value_or("");
  settings.is_reference = set.setting(option::kGrouping).has_value();
  return settings;
}

}  // namespace vizd::etdump
