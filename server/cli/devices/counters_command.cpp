// vizd counters FILE: what GPUs counted while programs ran, run by run; the rates that follow, with their formulas; how
// full the shader engines were; and what samples of program counters say warps waited for.
#include <fmt/core.h>

#include <algorithm>

#include "analysis/recorded/recordable.h"
#include "base/standard_streams.h"
#include "cli/command_line/arguments.h"
#include "cli/command_line/command.h"
#include "cli/command_line/input.h"
#include "cli/command_line/records.h"
#include "derived/recorded_runs.h"

namespace vizd {
namespace {

std::int64_t as_cell(std::uint64_t count) { return static_cast<std::int64_t>(count); }
void put(Cell& cell, const std::optional<double>& number) {
  if (number) cell = *number;
}

// A row a run, the same columns for all: a run that lacks a counter has nothing there.
Records recorded_run_records(const std::vector<RecordedRun>& runs) {
  std::vector<std::string> columns{"program", "run", "dur_us", "occupancy_percent", "imbalance"};
  const auto place_of = [&](const std::string& name) {
    const auto found = std::ranges::find(columns, name);
    const auto place = static_cast<std::size_t>(found - columns.begin());
    if (found == columns.end()) columns.push_back(name);
    return place;
  };
  std::vector<std::vector<std::pair<std::size_t, Cell>>> cells(runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const hardware::DerivedRate& rate : runs[i].rates)
      cells[i].emplace_back(place_of(fmt::format("{}, %", rate.name)), rate.percent);
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i].counters) continue;
    for (const hardware::CounterTotal& total : runs[i].counters->totals)
      cells[i].emplace_back(place_of(std::string(total.name)), as_cell(total.sum));
  }
  Records records(columns);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::vector<Cell> row(columns.size());
    row[0] = runs[i].name;
    row[1] = runs[i].key.run;
    put(row[2], runs[i].dur_us);
    put(row[3], runs[i].occupancy_percent);
    put(row[4], runs[i].imbalance);
    for (auto& [place, cell] : cells[i]) row[place] = std::move(cell);
    records.add(std::move(row));
  }
  return records;
}

Records formula_records(const std::vector<RecordedRun>& runs) {
  Records records({"rate", "formula"});
  std::vector<std::string_view> known;
  for (const RecordedRun& run : runs) {
    for (const hardware::DerivedRate& rate : run.rates) {
      if (std::ranges::find(known, rate.name) != known.end()) continue;
      known.push_back(rate.name);
      records.add({std::string(rate.name), std::string(rate.formula)});
    }
  }
  return records;
}

Records place_records(const std::vector<RecordedRun>& runs) {
  Records records({"program", "run", "counter", "xcc", "instance", "engine", "array", "group", "value"});
  for (const RecordedRun& run : runs) {
    if (!run.counters) continue;
    for (const hardware::CounterTotal& total : run.counters->totals) {
      for (const hardware::CounterRow& row : total.rows) {
        for (std::size_t group = 0; group < row.groups.size(); ++group) {
          records.add({run.name, run.key.run, std::string(total.name), as_cell(row.xcc), as_cell(row.instance),
                       as_cell(row.engine), as_cell(row.array), as_cell(group), as_cell(row.groups[group])});
        }
      }
    }
  }
  return records;
}

Records engine_records(const std::vector<RecordedRun>& runs) {
  Records records({"program", "run", "engine", "waves", "most_at_once", "engine_waves", "span_cycles", "wave_cycles",
                   "tail_cycles", "units"});
  for (const RecordedRun& run : runs) {
    for (const EngineOccupancy& engine : run.engines) {
      const thread_trace::Occupancy& of = engine.occupancy;
      records.add({run.name, run.key.run, engine.engine, as_cell(of.waves), of.most_at_once, run.engine_waves,
                   of.span_cycles, of.wave_cycles, of.tail_cycles, as_cell(of.units.size())});
    }
  }
  return records;
}

Records sample_records(const std::vector<RecordedSampling>& samplings) {
  Records records({"program", "address", "stall", "samples"});
  for (const RecordedSampling& sampling : samplings) {
    const hardware::SampleTable& table = sampling.samples;
    for (const hardware::SampledAddress& at : table.addresses) {
      for (std::size_t stall = 0; stall < at.stalls.size(); ++stall) {
        if (at.stalls[stall] == 0) continue;
        records.add({std::string(sampling.name), fmt::format("0x{:x}", at.address - sampling.base.value_or(0)),
                     std::string(table.stalls[stall]), as_cell(at.stalls[stall])});
      }
    }
  }
  return records;
}

}  // namespace

int run_counters(int argc, const char* const* argv) {
  CommandLine line("vizd counters",
                   "What GPUs counted while programs ran, the rates derived from it, and how full the shader engines "
                   "were (tinygrad with VIZ=2).");
  CommonArguments common;
  bool formulas = false, places = false, engines = false, samples = false;
  common.describe(line);
  line.flag("--formulas", formulas, "The rates, with the formula of each");
  line.flag("--places", places, "Each counter by the place on the chip where it was counted");
  line.flag("--engines", engines, "The waves of each shader engine: how many at once, and how it ran empty at the end");
  line.flag("--samples", samples, "Samples of program counters, by address and stall reason");
  if (const auto code = line.parse(argc, argv)) return *code;
  if (formulas + places + engines + samples > 1)
    return line.refuse("choose one of --formulas, --places, --engines and --samples");
  const auto input = open_input(common);
  if (!input) return kExitFailure;
  const auto runs = samples ? std::vector<RecordedRun>() : recorded_runs(input->capture);
  for (const RecordedRun& run : runs) {
    if (!run.problem.empty()) print_error("vizd counters: {}, run {}: {}\n", run.name, run.key.run, run.problem);
  }
  const Records records = samples    ? sample_records(recorded_samplings(input->capture))
                          : formulas ? formula_records(runs)
                          : places   ? place_records(runs)
                          : engines  ? engine_records(runs)
                                     : recorded_run_records(runs);
  if (records.empty()) {
    const bool has_samples = !samples && !recorded_samplings(input->capture).empty();
    const Absence none{Nothing::kNone, "no run of a program has any", has_samples ? "it has samples: --samples" : ""};
    print_error("vizd counters: {}\n", if_not_recorded(input->capture, Recordable::kHardware).value_or(none).text());
    return kExitFailure;
  }
  records.print(stdout, common.json);
  return kExitOk;
}

}  // namespace vizd
