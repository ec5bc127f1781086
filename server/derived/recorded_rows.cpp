#include "derived/recorded_rows.h"

#include "derived/recorded_runs.h"
#include "formats/tinygrad/hardware_records.h"
#include "hardware/thread_trace/heat.h"
#include "hardware/thread_trace/waves.h"

namespace vizd {
namespace {

void add_recorded_waves(const hardware::Records& records, std::uint32_t run, RecordedRows& rows) {
  for (const hardware::ThreadTrace& trace : records.traces) {
    if (trace.key != records.runs[run]) continue;
    for (const thread_trace::Wave& wave : thread_trace::waves_of(trace.packets).waves) {
      rows.waves.push_back({.run = run,
                            .engine = trace.engine,
                            .unit = wave.unit,
                            .simd = wave.simd,
                            .slot = wave.slot,
                            .start_cycle = wave.start_cycle,
                            .end_cycle = wave.end_cycle,
                            .has_ended = wave.has_ended});
    }
  }
}

// None of CDNA, whose traces do not tell which instruction a packet is of.
void add_recorded_instructions(const hardware::Records& records, std::uint32_t run, RecordedRows& rows) {
  const hardware::Program* const program = records.find_program(records.runs[run].program);
  if (program == nullptr) return;
  const hardware::Device* const device = records.find_device(program->device);
  if (device == nullptr || !device->gfx_target) return;
  const amd::Family family = amd::family_of(*device->gfx_target);
  if (family == amd::Family::kCdna) return;
  const auto listing = amd::CodeListing::read(family, program->binary);
  if (!listing) return;
  thread_trace::HeatBuilder builder(family, *listing);
  for (const hardware::ThreadTrace& trace : records.traces) {
    if (trace.key == records.runs[run] && trace.has_instructions) builder.add(trace.packets);
  }
  for (const thread_trace::InstructionHeat& heat : builder.finish().instructions) {
    const amd::CodeListing::Line& line = listing->lines()[heat.place];
    RecordedRows::Instruction& made = rows.instructions.emplace_back();
    made.run = run;
    made.address = line.address;
    made.text = line.instruction.text();
    made.hits = heat.hits;
    made.cycles = heat.cycles.total();
    made.median_cycles = heat.cycles.median();
    made.least_cycles = heat.cycles.least();
    made.most_cycles = heat.cycles.most();
    made.issue_cycles = heat.issue_cycles;
    made.wait_cycles = heat.wait_cycles;
    made.barrier_cycles = heat.barrier_cycles;
    made.end_cycles = heat.end_cycles;
    if (heat.execute_delay.count() > 0) made.execute_median_cycles = heat.execute_delay.median();
  }
}

void add_counts(const hardware::CounterTable& table, std::uint32_t run, RecordedRows& rows) {
  for (const hardware::CounterTotal& total : table.totals) {
    for (const hardware::CounterRow& row : total.rows) {
      for (std::uint32_t group = 0; group < row.groups.size(); ++group) {
        rows.counts.push_back({.run = run,
                               .name = std::string(total.name),
                               .xcc = row.xcc,
                               .instance = row.instance,
                               .engine = row.engine,
                               .array = row.array,
                               .group = group,
                               .value = row.groups[group]});
      }
    }
  }
}

}  // namespace

RecordedRows recorded_rows(const Capture& capture) {
  RecordedRows rows;
  const hardware::Records records = tinygrad::hardware_records(capture);
  const std::vector<RecordedRun> runs = recorded_runs(capture);
  for (std::uint32_t run = 0; run < runs.size(); ++run) {
    rows.runs.push_back({runs[run].name, runs[run].key.run});
    add_recorded_waves(records, run, rows);
    add_recorded_instructions(records, run, rows);
    if (runs[run].counters) add_counts(*runs[run].counters, run, rows);
  }
  return rows;
}

}  // namespace vizd
