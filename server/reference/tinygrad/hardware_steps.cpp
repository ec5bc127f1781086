#include "reference/tinygrad/hardware_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "formats/tinygrad/hardware_records.h"
#include "hardware/counter_table.h"
#include "hardware/pc_samples.h"
#include "hardware/thread_trace/lanes.h"
#include "hardware/traced_code.h"
#include "reference/tinygrad/cycle_profile.h"
#include "reference/tinygrad/occupancy_lanes.h"

namespace vizd {
namespace {

using Kind = HardwareStep::Kind;

// How many records of a trace or a sampling the viewer shows.
std::uint64_t most_records() {
  constexpr std::uint64_t kUsual = 50'000;
  const char* const told = std::getenv("MAX_SQTT_PKTS");
  const long long number = told == nullptr ? 0 : std::atoll(told);
  return number > 0 ? static_cast<std::uint64_t>(number) : kUsual;
}

// The viewer's colours of operations, by what their names hold.
constexpr std::string_view kColours =
    R"("waveColors":[["WMMA","#1F7857"],["VALU","#ffffc0"],["VINTERP","#ffffc0"],["SALU","#cef263"],["SMEM","#ffc0c0"],)"
    R"(["STORE","#4fa3cc"],["VMEM","#b2b7c9"],["SGMEM","#b2b7c9"],["LDS","#9fb4a6"],["IMMEDIATE","#f3b44a"],)"
    R"(["BARRIER","#d00000"],["JUMP_NO","#fb8500"],["JUMP","#ffb703"],["WAVERDY","#1a2a2a"]])";

std::string numbered(std::string name, std::string_view between, std::size_t number) {
  return number > 1 ? fmt::format("{}{}{}", name, between, number) : name;
}

std::string percent_text(double percent) { return fmt::format("{:.1f}%", percent); }

void write_detail(JsonWriter& json, const hardware::CounterTotal& total) {
  json.begin_object().key("cols").begin_array().text("XCC").text("INST").text("SE").text("SA");
  for (std::uint32_t i = 0; i < total.groups; ++i) json.text(fmt::format("WGP:{}", i));
  json.end_array().key("rows").begin_array();
  for (const hardware::CounterRow& row : total.rows) {
    json.begin_array().number(row.xcc).number(row.instance).number(row.engine).number(row.array);
    for (const std::uint64_t value : row.groups) json.number(value);
    json.end_array();
  }
  json.end_array().end_object();
}

std::string counters_json(const hardware::CounterTable& table) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("rows").begin_array();
  for (const hardware::CounterTotal& total : table.totals) {
    json.begin_array().text(total.name).number(total.sum);
    write_detail(json, total);
    json.end_array();
  }
  for (const hardware::CounterRate& rate : table.rates) {
    json.begin_array().text(rate.name).text(percent_text(rate.percent)).end_array();
  }
  if (!table.problem.empty()) json.begin_array().text(table.problem).text("").end_array();
  json.end_array().key("cols").begin_array().text("Name").text("Sum").end_array().end_object();
  return text;
}

// A run's numbers by their columns, ready to be written.
struct CounterCells {
  std::string program;
  std::optional<double> dur_us;
  std::map<std::string_view, std::string> cells;  // JSON
};

CounterCells cells_of(const hardware::CounterTable& table, std::vector<std::string_view>& columns) {
  CounterCells row;
  const auto add = [&](std::string_view column, std::string cell) {
    if (std::ranges::find(columns, column) == columns.end()) columns.push_back(column);
    row.cells.emplace(column, std::move(cell));
  };
  for (const hardware::CounterTotal& total : table.totals) add(total.name, fmt::format("{}", total.sum));
  for (const hardware::CounterRate& rate : table.rates)
    add(rate.name, fmt::format("\"{}\"", percent_text(rate.percent)));
  return row;
}

CycleProfile cycle_profile(thread_trace::Lanes lanes) {
  CycleProfile profile;
  profile.names = std::move(lanes.names);
  for (const thread_trace::Lane& lane : lanes.lanes) {
    CycleLane& made = profile.lanes.emplace_back();
    made.name = lane.name;
    for (const thread_trace::LaneEvent& event : lane.events) {
      CycleEvent& copy = made.events.emplace_back();
      copy.name = event.name;
      copy.start_cycle = event.start_cycle;
      copy.end_cycle = event.end_cycle;
      if (event.address) copy.details = fmt::format("{{\"pc\": {}}}", *event.address);
      if (event.dispatch) {
        copy.details =
            fmt::format("{{\"link\": \"{}-{}\"}}", lanes.lanes[event.dispatch->first].name, event.dispatch->second);
      }
    }
  }
  for (const thread_trace::ClockPoint& point : lanes.clock) profile.clock.emplace_back(point.at_cycle, point.hz);
  return profile;
}

std::string pc_map_json(const amd::CodeListing& listing) {
  std::string text = ",\"pcMap\":";
  JsonWriter json(text);
  json.begin_object();
  for (const amd::CodeListing::Line& line : listing.lines()) {
    json.key(fmt::format("{}", line.address)).text(line.instruction.text());
  }
  json.end_object();
  return text;
}

HardwareStep unit_step(const HardwareStep& occupancy, std::size_t unit) {
  HardwareStep step = occupancy;
  step.kind = Kind::kUnitWaves;
  step.path = "/cu-sqtt";
  step.unit = unit;
  step.place += 1 + unit;
  return step;
}

}  // namespace

std::string HardwareStep::query() const { return fmt::format("{}?ctx={}&step={}", path, context, place); }

void write_step(JsonWriter& json, const HardwareStep& step) {
  json.begin_object().key("name").text(step.name).key("query").text(step.query());
  json.key("depth").number(step.kind == Kind::kUnitWaves ? 1 : 0).end_object();
}

HardwareSteps::HardwareSteps(const Capture& capture)
    : capture_(capture), records_(tinygrad::hardware_records(capture)) {
  if (!records_.any()) return;
  const auto is_nvidia = [](const hardware::Device& device) { return device.name.starts_with("NV"); };
  const bool nvidia_first = !records_.devices.empty() && is_nvidia(records_.devices.front());
  if (nvidia_first) list_nvidia();
  list_amd();
  if (!nvidia_first) list_nvidia();
  number_steps();
}

void HardwareSteps::number_steps() {
  for (std::size_t i = 0; i < contexts_.size(); ++i) {
    for (std::size_t j = 0; j < contexts_[i].steps.size(); ++j) {
      contexts_[i].steps[j].context = capture_.rewrites.contexts.size() + i;
      contexts_[i].steps[j].place = j;
    }
  }
}

std::optional<HardwareStep> HardwareSteps::find_step(std::size_t context, std::size_t place) const {
  const std::size_t before = capture_.rewrites.contexts.size();
  if (context < before || context - before >= contexts_.size()) return std::nullopt;
  const std::vector<HardwareStep>& steps = contexts_[context - before].steps;
  if (place < steps.size()) return steps[place];
  if (steps.empty() || steps.back().kind != Kind::kOccupancy) return std::nullopt;
  return unit_step(steps.back(), place - steps.size());
}

// As its context is called, with its colours, where the capture has one.
std::string HardwareSteps::program_name(std::int64_t number) const {
  const hardware::Program* const program = records_.find_program(number);
  if (program == nullptr) return fmt::format("program {}", number);
  const auto& by_name = capture_.rewrites.context_by_name;
  const auto found = by_name.find(capture_.strings.find(program->key));
  return std::string(found == by_name.end()
                         ? program->name
                         : capture_.strings.get(capture_.rewrites.contexts[index(found->second)].name));
}

void HardwareSteps::list_amd() {
  if (records_.runs.empty()) return;
  contexts_.push_back({"All Counters", {{"PMC", "/all-pmc", Kind::kAllCounters, 0}}});
  std::map<std::int64_t, std::size_t> run_numbers;
  std::map<hardware::RunKey, std::size_t> counters;  // the first of each run
  for (std::size_t i = 0; i < records_.counters.size(); ++i) counters.try_emplace(records_.counters[i].key, i);
  for (std::size_t number = 0; number < records_.runs.size(); ++number) {
    const hardware::RunKey& run = records_.runs[number];
    HardwareContext& context = contexts_.emplace_back();
    context.name = numbered("SQTT " + program_name(run.program), " n", ++run_numbers[run.program]);
    const auto counted = counters.find(run);
    if (counted != counters.end()) context.steps.push_back({"PMC", "/prg-pmc", Kind::kCounters, counted->second});
    const auto traces = records_.traces_of(run);
    for (const hardware::ThreadTrace* const trace : traces) {
      if (!trace->has_instructions) continue;
      context.steps.push_back({fmt::format("SE:{} PKTS", trace->engine), fmt::format("/sqtt-{}", trace->engine),
                               Kind::kTrace, static_cast<std::size_t>(trace - records_.traces.data())});
    }
    if (!traces.empty()) {
      context.steps.push_back({"OCC", "/amd-sqtt-occ", Kind::kOccupancy, number});
    }
  }
}

void HardwareSteps::list_nvidia() {
  if (records_.samplings.empty()) return;
  HardwareContext& context = contexts_.emplace_back();
  context.name = "All Counters";
  std::map<std::string_view, std::size_t> run_numbers;
  for (std::size_t i = 0; i < records_.samplings.size(); ++i) {
    const hardware::PcSampling& sampling = records_.samplings[i];
    context.steps.push_back({numbered(fmt::format("PMA {}", sampling.program), "n", ++run_numbers[sampling.key]),
                             "/prg-pma-pkts", Kind::kSamples, i});
  }
}

// One row a run. Runs may have other counters than others: a column is what it says of every one.
Result<std::string> HardwareSteps::all_counters() const {
  std::vector<std::string_view> columns;
  std::vector<CounterCells> rows;
  for (const hardware::RunKey& key : records_.runs) {
    const auto run = std::ranges::find(records_.counters, key, &hardware::CounterRun::key);
    if (run == records_.counters.end()) continue;
    const hardware::CounterTable table = hardware::counter_table(*run);
    CounterCells& row = rows.emplace_back(cells_of(table, columns));
    row.program = program_name(key.program);
    if (const hardware::TimedRun* const timed = records_.find_timed(key)) row.dur_us = timed->dur_us;
  }
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("cols").begin_array().text("Kernel").text("Duration");
  for (const std::string_view column : columns) json.text(column);
  json.end_array().key("rows").begin_array();
  for (const CounterCells& row : rows) {
    json.begin_array().text(row.program);
    row.dur_us ? json.real(*row.dur_us) : json.null();
    for (const std::string_view column : columns) {
      const auto cell = row.cells.find(column);
      cell == row.cells.end() ? json.null() : json.raw(cell->second);
    }
    json.end_array();
  }
  json.end_array().end_object();
  return text;
}

Result<std::string> HardwareSteps::trace_lanes(const hardware::ThreadTrace& trace) const {
  const auto listing = hardware::traced_code(records_, trace).listing;
  CycleProfile profile =
      cycle_profile(thread_trace::lanes_of(trace.packets, listing ? &*listing : nullptr, most_records()));
  profile.index_fields = kColours;
  if (listing && !profile.lanes.empty()) profile.index_fields += pc_map_json(*listing);
  return encode(profile);
}

// What OCC unfolds into: a step for each unit that had waves.
std::string HardwareSteps::unit_steps(const HardwareStep& occupancy) const {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("steps").begin_array();
  std::size_t number = 0;
  for (const UnitWaves& unit : units_of(records_, records_.runs[occupancy.record])) {
    HardwareStep step = unit_step(occupancy, number++);
    step.name = unit_step_name(unit);
    write_step(json, step);
  }
  json.end_array().end_object();
  return text;
}

Result<std::string> HardwareSteps::sample_lanes(const hardware::PcSampling& sampling) const {
  const std::int64_t version = records_.sm_version_of(sampling.device);
  CycleProfile profile;
  std::map<std::string, std::size_t, std::less<>> lanes;
  std::map<std::string_view, std::uint32_t> names;
  std::uint64_t left = most_records() + 1;
  hardware::read_pc_samples(sampling.packets, version, [&](const hardware::PcSample& sample) {
    const std::string row = fmt::format("GPC:{} TPC:{} SM:{} WAVE:{}", sample.graphics_cluster(),
                                        sample.texture_cluster(), sample.multiprocessor(), sample.wave);
    const auto [lane, is_new] = lanes.try_emplace(row, profile.lanes.size());
    if (is_new) profile.lanes.push_back({row, {}});
    const auto [name, is_new_name] = names.try_emplace(sample.stall, static_cast<std::uint32_t>(profile.names.size()));
    if (is_new_name) profile.names.emplace_back(sample.stall);
    profile.lanes[lane->second].events.push_back(
        {name->second, sample.start_cycle, sample.end_cycle,
         fmt::format(R"({{"metadata": "pc=0x{:06x} active={:d}"}})", sample.address, sample.is_active)});
    return --left > 0;
  });
  return encode(profile);
}

Result<std::string> HardwareSteps::answer(const HardwareStep& step) const {
  switch (step.kind) {
    case Kind::kAllCounters:
      return all_counters();
    case Kind::kCounters:
      return counters_json(hardware::counter_table(records_.counters[step.record]));
    case Kind::kTrace:
      return trace_lanes(records_.traces[step.record]);
    case Kind::kOccupancy:
      return unit_steps(step);
    case Kind::kUnitWaves: {
      const std::vector<UnitWaves> units = units_of(records_, records_.runs[step.record]);
      if (step.unit < units.size()) return encode(occupancy_lanes(units[step.unit]));
      return Error{ErrorKind::kNotFound, fmt::format("OCC unfolds into {} steps; see /amd-sqtt-occ", units.size()), ""};
    }
    case Kind::kSamples:
      break;
  }
  return sample_lanes(records_.samplings[step.record]);
}

}  // namespace vizd
