#include "derived/recorded_rows.h"

#include <algorithm>
#include <span>

#include "derived/recorded_runs.h"
#include "formats/tinygrad/hardware_records.h"
#include "hardware/thread_trace/heat.h"
#include "hardware/thread_trace/waves.h"
#include "hardware/traced_code.h"

namespace vizd {
namespace {

void add_recorded_waves(std::span<const hardware::ThreadTrace* const> traces, std::uint32_t run, const Budget& budget,
                        RecordedRows& rows) {
  for (const hardware::ThreadTrace* const trace : traces) {
    for (const thread_trace::Wave& wave : thread_trace::waves_of(trace->packets, budget).waves) {
      rows.waves.push_back({.run = run,
                            .engine = trace->engine,
                            .unit = wave.unit,
                            .simd = wave.simd,
                            .slot = wave.slot,
                            .start_cycle = wave.start_cycle,
                            .end_cycle = wave.end_cycle,
                            .has_ended = wave.has_ended});
    }
  }
}

void add_recorded_instructions(const hardware::TracedCode& code, std::span<const hardware::ThreadTrace* const> traces,
                               std::uint32_t run, const Budget& budget, RecordedRows& rows) {
  const amd::CodeListing* const listing = code.followed();
  if (listing == nullptr) return;
  thread_trace::HeatBuilder builder(code.family, *listing);
  for (const hardware::ThreadTrace* const trace : traces) {
    if (trace->has_instructions) builder.add(trace->packets, budget);
  }
  const thread_trace::Heat all = builder.finish();
  for (const thread_trace::InstructionHeat& heat : all.instructions) {
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
    const auto waits = std::ranges::equal_range(all.waits, heat.place, {}, &thread_trace::LoadWait::wait);
    const auto longest = std::ranges::max_element(waits, {}, &thread_trace::LoadWait::cycles);
    if (longest != waits.end()) made.waits_for = listing->lines()[longest->load].instruction.text();
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

void add_samples(std::span<const RecordedSampling> samplings, RecordedRows& rows) {
  for (const RecordedSampling& sampling : samplings) {
    const auto place = static_cast<std::uint32_t>(rows.samplings.size());
    rows.samplings.push_back({.kernel = std::string(sampling.name), .program = sampling.program});
    const hardware::SampleTable& table = sampling.samples;
    for (const hardware::SampledAddress& at : table.addresses) {
      for (std::size_t stall = 0; stall < at.stalls.size(); ++stall) {
        if (at.stalls[stall] == 0) continue;
        rows.samples.push_back({.sampling = place,
                                .address = sampling.base ? std::optional(at.address - *sampling.base) : std::nullopt,
                                .gpu_address = at.address,
                                .stall = table.stalls[stall],
                                .samples = at.stalls[stall]});
      }
    }
  }
}

}  // namespace

Result<std::shared_ptr<const RecordedRows>> recorded_rows(const Capture& capture, const Budget& budget) {
  auto rows = std::make_shared<RecordedRows>();
  const hardware::Records records = tinygrad::hardware_records(capture);
  const std::vector<RecordedRun> runs = counted_runs(capture);
  for (std::uint32_t run = 0; run < runs.size() && !budget.is_over(); ++run) {
    rows->runs.push_back({runs[run].name, runs[run].key.run, runs[run].program});
    const auto traces = records.traces_of(runs[run].key);
    add_recorded_waves(traces, run, budget, *rows);
    if (!traces.empty())
      add_recorded_instructions(hardware::traced_code(records, *traces.front()), traces, run, budget, *rows);
    if (runs[run].counters) add_counts(*runs[run].counters, run, *rows);
  }
  if (!budget.is_over()) add_samples(recorded_samplings(capture), *rows);
  if (budget.is_over()) return budget.error();
  return std::shared_ptr<const RecordedRows>(std::move(rows));
}

}  // namespace vizd
