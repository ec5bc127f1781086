// vizd instructions FILE: where the cycles of a program's waves went, as the thread traces of AMD's GPUs tell it:
// instruction by instruction, loop by loop, wave by wave.
#include <fmt/core.h>

#include <algorithm>

#include "analysis/recorded/recordable.h"
#include "base/standard_streams.h"
#include "cli/command_line/arguments.h"
#include "cli/command_line/command.h"
#include "cli/command_line/input.h"
#include "cli/command_line/records.h"
#include "derived/recorded_program.h"

namespace vizd {
namespace {

using thread_trace::Heat;

struct InstructionsArguments {
  CommonArguments common;
  std::string program;
  std::int64_t run = -1, wave = -1;
  bool loops = false, waits = false, waves = false;
};

std::optional<std::uint32_t> number_or_all(std::int64_t number) {
  return number < 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(number));
}
std::string hexadecimal(std::uint64_t address) { return fmt::format("0x{:x}", address); }

// The records of one program.
class HeatRecords {
 public:
  HeatRecords(const std::string& program, const amd::CodeListing& listing, const Heat& heat,
              std::span<const hardware::ThreadTrace* const> traces)
      : program_(program), listing_(listing), heat_(heat), traces_(traces) {}

  static Records of_instructions() {
    return Records({"program", "address", "hits", "cycles", "median_cycles", "issue_cycles", "wait_cycles",
                    "barrier_cycles", "end_cycles", "execute_median_cycles", "instruction"});
  }
  void add_instructions(Records& records) const {
    for (const thread_trace::InstructionHeat& i : heat_.instructions) {
      std::vector<Cell> cells{program_,          address(i.place), number(i.hits), i.cycles.total(),
                              i.cycles.median(), i.issue_cycles,   i.wait_cycles,  i.barrier_cycles,
                              i.end_cycles,      Cell(),           text(i.place)};
      if (i.execute_delay.count() != 0) cells[9] = i.execute_delay.median();
      records.add(std::move(cells));
    }
  }

  static Records of_waits() {
    return Records({"program", "address", "load_address", "hits", "cycles", "instruction", "load"});
  }
  void add_waits(Records& records) const {
    for (const thread_trace::LoadWait& w : heat_.waits) {
      records.add({program_, address(w.wait), address(w.load), number(w.hits), w.cycles, text(w.wait), text(w.load)});
    }
  }

  static Records of_loops() {
    return Records({"program", "head_address", "last_address", "entries", "iterations", "cycles", "median_cycles",
                    "least_cycles", "most_cycles", "head"});
  }
  void add_loops(Records& records) const {
    for (const thread_trace::LoopHeat& l : heat_.loops) {
      const thread_trace::CycleCounts& each = l.iterations;
      records.add({program_, address(l.head), address(l.last), number(l.entries), number(each.count()), each.total(),
                   each.median(), each.least(), each.most(), text(l.head)});
    }
  }

  static Records of_waves() {
    return Records({"program", "wave", "run", "engine", "slot", "start_cycle", "cycles", "instructions", "issue_cycles",
                    "wait_cycles", "barrier_cycles", "end_cycles"});
  }
  void add_waves(Records& records) const {
    for (std::size_t i = 0; i < heat_.waves.size(); ++i) {
      const thread_trace::WaveHeat& w = heat_.waves[i];
      records.add({program_, number(i), traces_[w.trace]->key.run, traces_[w.trace]->engine, number(w.slot),
                   w.start_cycle, w.end_cycle - w.start_cycle, number(w.instructions), w.issue_cycles, w.wait_cycles,
                   w.barrier_cycles, w.end_cycles});
    }
  }

 private:
  static std::int64_t number(std::uint64_t count) { return static_cast<std::int64_t>(count); }
  std::string address(std::uint32_t place) const { return hexadecimal(listing_.lines()[place].address); }
  std::string text(std::uint32_t place) const { return listing_.lines()[place].instruction.text(); }

  const std::string& program_;
  const amd::CodeListing& listing_;
  const Heat& heat_;
  std::span<const hardware::ThreadTrace* const> traces_;
};

void add_program(const Capture& capture, const Program& program, const InstructionsArguments& arguments,
                 Records& records) {
  const RecordedProgram recorded(capture, program);
  const auto listing = recorded.family() ? recorded.listing() : Result<amd::CodeListing>(Error{});
  if (!listing) return;
  std::vector<const hardware::ThreadTrace*> traces;
  const Heat heat = recorded.heat(*listing, number_or_all(arguments.run), number_or_all(arguments.wave), traces);
  const std::string name(capture.strings.get(program.name));
  const HeatRecords rows(name, *listing, heat, traces);
  if (arguments.waves) {
    rows.add_waves(records);
  } else if (arguments.loops) {
    rows.add_loops(records);
  } else if (arguments.waits) {
    rows.add_waits(records);
  } else {
    rows.add_instructions(records);
  }
}

}  // namespace

int run_instructions(int argc, const char* const* argv) {
  CommandLine line("vizd instructions",
                   "Where the cycles of a GPU's waves went, instruction by instruction, from thread traces of AMD GPUs "
                   "(tinygrad with VIZ=2).");
  InstructionsArguments arguments;
  arguments.common.describe(line);
  line.option("--program NAME", arguments.program, "Only this program");
  line.option("--run N", arguments.run, "Only this one of its recorded runs, from 0; by default all");
  line.option("--wave N", arguments.wave, "Only this wave, as --waves counts them");
  line.flag("--loops", arguments.loops, "The loops, with the cycles of their iterations");
  line.flag("--waits", arguments.waits, "What was waited for; for loads, the last one that had to arrive");
  line.flag("--waves", arguments.waves, "The waves");
  if (const auto code = line.parse(argc, argv)) return *code;
  if (arguments.loops + arguments.waits + arguments.waves > 1)
    return line.refuse("choose one of --loops, --waits and --waves");
  const auto input = open_input(arguments.common);
  if (!input) return kExitFailure;
  const Capture& capture = input->capture;
  Records records = arguments.waves   ? HeatRecords::of_waves()
                    : arguments.loops ? HeatRecords::of_loops()
                    : arguments.waits ? HeatRecords::of_waits()
                                      : HeatRecords::of_instructions();
  bool is_there = arguments.program.empty();
  for (const Program& program : capture.rewrites.programs) {
    if (!arguments.program.empty() && capture.strings.get(program.name) != arguments.program) continue;
    is_there = true;
    add_program(capture, program, arguments, records);
  }
  if (!is_there) {
    print_error("vizd instructions: no program {}\n", arguments.program);
    return kExitFailure;
  }
  if (records.empty()) {
    const std::string_view wanted = arguments.loops   ? "loops"
                                    : arguments.waits ? "waits"
                                    : arguments.waves ? "waves"
                                                      : "instructions";
    const Absence none{Nothing::kNone, fmt::format("no thread trace contains {}", wanted), ""};
    print_error("vizd instructions: {}\n", if_not_recorded(capture, Recordable::kHardware).value_or(none).text());
    return kExitFailure;
  }
  records.print(stdout, arguments.common.json);
  return kExitOk;
}

}  // namespace vizd
