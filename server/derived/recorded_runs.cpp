#include "derived/recorded_runs.h"

#include <algorithm>

#include "base/clean_text.h"
#include "formats/tinygrad/hardware_records.h"
#include "hardware/loaded_code.h"

namespace vizd {
namespace {

using thread_trace::Occupancy;
using thread_trace::UnitLoad;

// As its context is called, where the capture has one.
std::string context_name(const Capture& capture, const hardware::Program& program) {
  const auto& by_name = capture.rewrites.context_by_name;
  const auto found = by_name.find(capture.strings.find(program.key));
  return found == by_name.end()
             ? std::string(program.name)
             : one_line(capture.strings.get(capture.rewrites.contexts[index(found->second)].name), false);
}

void add_occupancy(const hardware::Records& records, RecordedRun& run) {
  std::int64_t longest_cycles = 0;
  double wave_cycles = 0, unit_cycles = 0, most_cycles = 0;
  std::size_t units = 0;
  for (const hardware::ThreadTrace* const trace : records.traces_of(run.key)) {
    if (trace->packets.empty()) continue;  // not one of an engine that was idle: its trace would say so
    const Occupancy& made =
        run.engines.emplace_back(EngineOccupancy{trace->engine, occupancy_of(thread_trace::waves_of(trace->packets))})
            .occupancy;
    longest_cycles = std::max(longest_cycles, made.span_cycles);
    wave_cycles += static_cast<double>(made.wave_cycles);
    units += made.units.size();
    for (const UnitLoad& unit : made.units) {
      unit_cycles += static_cast<double>(unit.wave_cycles);
      most_cycles = std::max(most_cycles, static_cast<double>(unit.wave_cycles));
    }
    if (const hardware::Device* const device = records.find_device(trace->device))
      run.engine_waves = device->simds_per_engine * device->waves_per_simd;
  }
  if (run.engine_waves > 0 && longest_cycles > 0) {
    const double held = static_cast<double>(run.engines.size()) * static_cast<double>(longest_cycles) *
                        static_cast<double>(run.engine_waves);
    run.occupancy_percent = 100 * wave_cycles / held;
  }
  if (unit_cycles > 0) run.imbalance = most_cycles * static_cast<double>(units) / unit_cycles;
}

RecordedRun counted_run(const Capture& capture, const hardware::Records& records, const hardware::RunKey& key) {
  RecordedRun run;
  run.key = key;
  if (const hardware::Program* const program = records.find_program(key.program)) {
    run.name = context_name(capture, *program);
    run.program = program_place(capture, *program);
  } else {
    run.name = "program " + std::to_string(key.program);
  }
  if (const hardware::TimedRun* const timed = records.find_timed(key)) run.dur_us = timed->dur_us;
  const auto counted = std::ranges::find(records.counters, key, &hardware::CounterRun::key);
  if (counted == records.counters.end()) return run;
  run.counters = hardware::counter_table(*counted);
  run.rates = hardware::derived_rates(*run.counters);
  run.problem = run.counters->problem;
  return run;
}

RecordedSampling summed_sampling(const Capture& capture, const hardware::Records& records,
                                 const hardware::PcSampling& sampling) {
  RecordedSampling made;
  made.name = sampling.program;
  if (const hardware::Program* const program = records.find_program(sampling)) {
    made.program = program_place(capture, *program);
    made.base = hardware::listing_base(*program);
  }
  made.samples.add(sampling.packets, records.sm_version_of(sampling.device));
  made.samples.finish();
  return made;
}

}  // namespace

std::uint32_t program_place(const Capture& capture, const hardware::Program& program) {
  const std::string_view binary(reinterpret_cast<const char*>(program.binary.data()), program.binary.size());
  const auto& programs = capture.rewrites.programs;
  std::uint32_t found = kNoId;
  for (std::uint32_t i = 0; i < programs.size() && !binary.empty(); ++i) {
    if (capture.strings.get(programs[i].binary) != binary) continue;
    if (capture.strings.get(programs[i].name) == program.name) return i;
    if (found == kNoId) found = i;
  }
  return found;
}

bool tells_hardware(const Capture& capture) { return tinygrad::hardware_records(capture).any(); }

std::vector<RecordedRun> counted_runs(const Capture& capture) {
  const hardware::Records records = tinygrad::hardware_records(capture);
  std::vector<RecordedRun> runs;
  for (const hardware::RunKey& key : records.runs) runs.push_back(counted_run(capture, records, key));
  return runs;
}

std::vector<RecordedRun> recorded_runs(const Capture& capture) {
  const hardware::Records records = tinygrad::hardware_records(capture);
  std::vector<RecordedRun> runs = counted_runs(capture);
  for (RecordedRun& run : runs) add_occupancy(records, run);
  return runs;
}

std::vector<RecordedSampling> recorded_samplings(const Capture& capture) {
  const hardware::Records records = tinygrad::hardware_records(capture);
  std::vector<RecordedSampling> samplings;
  for (const hardware::PcSampling& sampling : records.samplings)
    samplings.push_back(summed_sampling(capture, records, sampling));
  return samplings;
}

std::size_t recorded_run_count(const Capture& capture) { return tinygrad::hardware_records(capture).runs.size(); }

RecordedRun recorded_run(const Capture& capture, std::size_t place) {
  const hardware::Records records = tinygrad::hardware_records(capture);
  RecordedRun run = counted_run(capture, records, records.runs[place]);
  add_occupancy(records, run);
  return run;
}

std::size_t recorded_sampling_count(const Capture& capture) {
  return tinygrad::hardware_records(capture).samplings.size();
}

RecordedSampling recorded_sampling(const Capture& capture, std::size_t place) {
  const hardware::Records records = tinygrad::hardware_records(capture);
  return summed_sampling(capture, records, records.samplings[place]);
}

}  // namespace vizd
