#include "http/routes/heat_json.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/json_writer.h"
#include "hardware/sample_table.h"

namespace vizd {
namespace {

using thread_trace::CycleCounts;
using thread_trace::Heat;
using thread_trace::InstructionHeat;
using thread_trace::LoopHeat;
using thread_trace::WaveHeat;

// For those who find nothing here.
std::string_view why_no_heat(const RecordedProgram& recorded) {
  const auto family = recorded.family();
  if (!family) return "No thread trace of this program was recorded; tinygrad records them with VIZ=2.";
  if (*family == amd::Family::kCdna) return "CDNA's thread traces do not say which instruction a packet belongs to.";
  for (const hardware::RunKey& run : recorded.runs()) {
    if (!recorded.traces_of(run).empty()) return "";
  }
  return "No thread trace of this program has instructions.";
}

void write_heat_runs(JsonWriter& json, const RecordedProgram& recorded) {
  const auto runs = recorded.runs();
  json.key("runs").begin_object();
  const auto& all = recorded.records().runs;
  json.column("place", runs,
              [&](JsonWriter& j, const hardware::RunKey& run) { j.number(std::ranges::find(all, run) - all.begin()); });
  json.column("run", runs, [](JsonWriter& j, const hardware::RunKey& run) { j.number(run.run); });
  json.column("traces", runs,
              [&](JsonWriter& j, const hardware::RunKey& run) { j.number(recorded.traces_of(run).size()); });
  json.column("dur_us", runs, [&](JsonWriter& j, const hardware::RunKey& run) {
    const hardware::TimedRun* const timed = recorded.records().find_timed(run);
    timed == nullptr ? j.null() : j.real(timed->dur_us);
  });
  json.end_object();
}

void write_heat_instructions(JsonWriter& json, const Heat& heat, const amd::CodeListing* listing) {
  const auto& all = heat.instructions;
  const auto column = [&](std::string_view name, auto value) {
    json.column(name, all, [&](JsonWriter& j, const InstructionHeat& i) { j.number(value(i)); });
  };
  json.key("instructions").begin_object();
  column("address", [&](const InstructionHeat& i) { return listing->lines()[i.place].address; });
  column("hits", [](const InstructionHeat& i) { return i.hits; });
  column("cycles", [](const InstructionHeat& i) { return i.cycles.total(); });
  column("median", [](const InstructionHeat& i) { return i.cycles.median(); });
  column("least", [](const InstructionHeat& i) { return i.cycles.least(); });
  column("most", [](const InstructionHeat& i) { return i.cycles.most(); });
  column("issue", [](const InstructionHeat& i) { return i.issue_cycles; });
  column("wait", [](const InstructionHeat& i) { return i.wait_cycles; });
  column("barrier", [](const InstructionHeat& i) { return i.barrier_cycles; });
  column("end", [](const InstructionHeat& i) { return i.end_cycles; });
  column("executions", [](const InstructionHeat& i) { return i.execute_delay.count(); });
  column("execute_delay", [](const InstructionHeat& i) { return i.execute_delay.total(); });
  column("execute_median", [](const InstructionHeat& i) { return i.execute_delay.median(); });
  json.end_object();
}

void write_heat_waits(JsonWriter& json, const Heat& heat, const amd::CodeListing* listing) {
  const auto address = [&](std::uint32_t place) { return listing->lines()[place].address; };
  using thread_trace::LoadWait;
  json.key("waits").begin_object();
  json.column("address", heat.waits, [&](JsonWriter& j, const LoadWait& w) { j.number(address(w.wait)); });
  json.column("load", heat.waits, [&](JsonWriter& j, const LoadWait& w) { j.number(address(w.load)); });
  json.column("hits", heat.waits, [](JsonWriter& j, const LoadWait& w) { j.number(w.hits); });
  json.column("cycles", heat.waits, [](JsonWriter& j, const LoadWait& w) { j.number(w.cycles); });
  json.end_object().key("loops").begin_object();
  json.column("head", heat.loops, [&](JsonWriter& j, const LoopHeat& l) { j.number(address(l.head)); });
  json.column("last", heat.loops, [&](JsonWriter& j, const LoopHeat& l) { j.number(address(l.last)); });
  json.column("entries", heat.loops, [](JsonWriter& j, const LoopHeat& l) { j.number(l.entries); });
  json.column("iterations", heat.loops, [](JsonWriter& j, const LoopHeat& l) { j.number(l.iterations.count()); });
  json.column("cycles", heat.loops, [](JsonWriter& j, const LoopHeat& l) { j.number(l.iterations.total()); });
  json.column("median", heat.loops, [](JsonWriter& j, const LoopHeat& l) { j.number(l.iterations.median()); });
  json.column("least", heat.loops, [](JsonWriter& j, const LoopHeat& l) { j.number(l.iterations.least()); });
  json.column("most", heat.loops, [](JsonWriter& j, const LoopHeat& l) { j.number(l.iterations.most()); });
  json.end_object();
}

void write_heat_waves(JsonWriter& json, const Heat& heat, std::span<const hardware::ThreadTrace* const> traces,
                      std::span<const hardware::RunKey> runs) {
  const auto column = [&](std::string_view name, auto value) {
    json.column(name, heat.waves, [&](JsonWriter& j, const WaveHeat& w) { j.number(value(w)); });
  };
  json.key("waves").begin_object();
  column("run", [&](const WaveHeat& w) { return std::ranges::find(runs, traces[w.trace]->key) - runs.begin(); });
  column("engine", [&](const WaveHeat& w) { return traces[w.trace]->engine; });
  column("slot", [](const WaveHeat& w) { return w.slot; });
  column("start", [](const WaveHeat& w) { return w.start_cycle; });
  column("end", [](const WaveHeat& w) { return w.end_cycle; });
  column("ended", [](const WaveHeat& w) { return w.has_ended ? 1 : 0; });
  column("instructions", [](const WaveHeat& w) { return w.instructions; });
  column("issue", [](const WaveHeat& w) { return w.issue_cycles; });
  column("wait", [](const WaveHeat& w) { return w.wait_cycles; });
  column("barrier", [](const WaveHeat& w) { return w.barrier_cycles; });
  column("ending", [](const WaveHeat& w) { return w.end_cycles; });
  json.end_object();
}

// Null where none were taken.
void write_heat_samples(JsonWriter& json, const RecordedProgram& recorded) {
  const auto samplings = recorded.samplings();
  json.key("samples");
  if (samplings.empty()) {
    json.null();
    return;
  }
  hardware::SampleTable table;
  for (const hardware::PcSampling* sampling : samplings)
    table.add(sampling->packets, recorded.records().sm_version_of(sampling->device));
  table.finish();
  const std::uint64_t base = recorded.base().value_or(0);
  json.begin_object().key("has_base").boolean(recorded.base().has_value());
  const auto& all = recorded.records().samplings;
  json.column("place", samplings,
              [&](JsonWriter& j, const hardware::PcSampling* sampling) { j.number(sampling - all.data()); });
  json.column("stalls", table.stalls, [](JsonWriter& j, std::string_view name) { j.text(name); });
  json.column("address", table.addresses, [&](JsonWriter& j, const auto& at) { j.number(at.address - base); });
  json.column("samples", table.addresses, [](JsonWriter& j, const auto& at) { j.number(at.samples); });
  json.column("active", table.addresses, [](JsonWriter& j, const auto& at) { j.number(at.active); });
  json.column("by_stall", table.addresses, [](JsonWriter& j, const auto& at) {
    j.begin_array();
    for (const std::uint64_t count : at.stalls) j.number(count);
    j.end_array();
  });
  json.end_object();
}

}  // namespace

Result<std::string> heat_json(const RecordedProgram& recorded, std::optional<std::uint32_t> run,
                              std::optional<std::uint32_t> wave) {
  const auto none = [](std::string_view what, std::uint32_t number) {
    return Error{ErrorKind::kNotFound, fmt::format("no {} {}", what, number), ""};
  };
  const auto runs = recorded.runs();
  if (run && *run >= runs.size()) return none("run", *run);
  const std::string_view why = why_no_heat(recorded);
  std::optional<amd::CodeListing> listing;
  std::vector<const hardware::ThreadTrace*> traces;
  Heat heat;
  if (why.empty()) {
    auto read = recorded.listing();
    if (!read) return read.error();
    listing = *std::move(read);
    heat = recorded.heat(*listing, run, wave, traces);
    if (wave && *wave >= heat.waves.size()) return none("wave", *wave);
  }
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("why").text_or_null(why.empty() ? std::nullopt : std::optional(why));
  write_heat_runs(json, recorded);
  write_heat_waves(json, heat, traces, runs);
  const amd::CodeListing* const lines = listing ? &*listing : nullptr;
  write_heat_instructions(json, heat, lines);
  write_heat_waits(json, heat, lines);
  json.key("unplaced").number(heat.unplaced);
  write_heat_samples(json, recorded);
  json.end_object();
  return text;
}

}  // namespace vizd
