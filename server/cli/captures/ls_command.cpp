// vizd ls FILE: what is in a capture: one record of counts, then its contexts, tracks, runs, facts and the modules of
// XLA; with --instructions instead these modules' instructions.
#include <fmt/core.h>

#include <algorithm>

#include "analysis/answers/xla_answers.h"
#include "base/json_writer.h"
#include "base/standard_streams.h"
#include "cli/command_line/arguments.h"
#include "cli/command_line/command.h"
#include "cli/command_line/input.h"
#include "cli/command_line/row_ids.h"
#include "cli/command_line/terminal.h"
#include "cli/devices/answer_records.h"
#include "derived/hlo_modules.h"
#include "diagnosis/page_place.h"

namespace vizd {
namespace {

struct Counts {
  std::size_t lanes = 0, events = 0, instants = 0, counters = 0, samples = 0, allocations = 0, markers = 0;
};

// Lanes are the tracks with events; instants are counted apart from the other events.
Counts count_profile(const Profile& profile) {
  Counts counts{.markers = profile.markers.size()};
  for (const Track& track : profile.tracks) {
    const EventColumns& events = track.events;
    for (std::size_t i = 0; i < events.size(); ++i)
      ++(events.kind(i) == EventKind::kInstant ? counts.instants : counts.events);
    counts.lanes += events.empty() ? 0 : 1;
    counts.counters += track.counters.size();
    counts.samples += track.samples.size();
    counts.allocations += track.allocations.size();
  }
  return counts;
}

void print_counts(const Capture& capture, bool as_json) {
  const Counts counts = count_profile(capture.profile);
  const Rewrites& rewrites = capture.rewrites;
  const std::pair<std::string_view, std::size_t> numbers[] = {{"contexts", rewrites.contexts.size()},
                                                              {"passes", rewrites.passes.size()},
                                                              {"matches", rewrites.matches.size()},
                                                              {"programs", rewrites.programs.size()},
                                                              {"tracks", capture.profile.tracks.size()},
                                                              {"lanes", counts.lanes},
                                                              {"events", counts.events},
                                                              {"instants", counts.instants},
                                                              {"counters", counts.counters},
                                                              {"samples", counts.samples},
                                                              {"allocations", counts.allocations},
                                                              {"markers", counts.markers},
                                                              {"flows", capture.profile.flows.size()},
                                                              {"runs", capture.profile.runs.size()},
                                                              {"facts", capture.facts.size()}};
  std::string text;
  if (as_json) {
    JsonWriter json(text);
    json.begin_object().key("format").text(capture.format);
    for (const auto& [name, count] : numbers) json.key(name).number(count);
    json.key("skipped").begin_object();
    for (const auto& [reason, count] : capture.skipped) json.key(reason).number(count);
    json.end_object().key("record").text("capture").end_object();
  } else {
    text = capture.format + ":";
    for (const auto& [name, count] : numbers) text += fmt::format(" {} {}", count, name);
  }
  print_answer("{}\n", text);
}

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

Records context_records(const Capture& capture, const std::string& name, const RowIds& ids) {
  Records records({"context", "name", "passes", "matches", "program"});
  for (std::size_t i = 0; i < capture.rewrites.contexts.size(); ++i) {
    const Context& context = capture.rewrites.contexts[i];
    if (!holds(capture.strings.get(context.name), name)) continue;
    std::int64_t matches = 0;
    for (const Pass& pass : capture.rewrites.passes_of(context)) matches += pass.match_count;
    const bool has_program = context.program != ProgramId{kNoId};
    records.add({static_cast<std::int64_t>(i), std::string(capture.strings.get(context.name)),
                 static_cast<std::int64_t>(context.pass_count), matches,
                 has_program ? std::string(capture.strings.get(capture.rewrites.programs[index(context.program)].name))
                             : std::string()},
                ids.of_wanted(fmt::format("context:{}", i)));
  }
  return records;
}

Records track_records(const Capture& capture, const std::string& name, const RowIds& ids) {
  Records records({"track", "kind", "path", "events", "counters", "samples", "allocations"});
  const std::vector<Track>& tracks = capture.profile.tracks;
  const std::vector<std::string> paths = track_paths(tracks, capture.strings);
  for (const std::uint32_t i : track_order(tracks)) {
    const Track& track = tracks[i];
    if (!holds(paths[i], name)) continue;
    records.add({i, std::string(track_kind_name(track.kind)), paths[i], static_cast<std::int64_t>(track.events.size()),
                 static_cast<std::int64_t>(track.counters.size()), static_cast<std::int64_t>(track.samples.size()),
                 static_cast<std::int64_t>(track.allocations.size())},
                ids.of_wanted(fmt::format("{}:{}", track.allocations.empty() ? "track" : "memory", i)));
  }
  return records;
}

Records run_records(const Capture& capture, const std::string& name, const RowIds& ids) {
  Records records({"run", "name", "number", "from_ns", "to_ns"});
  const std::int64_t start_ns = capture.profile.start_ns;
  for (const Run& run : capture.profile.runs) {
    const std::string_view text = capture.strings.get(run.name);
    if (!holds(text, name)) continue;
    records.add({std::string(capture.strings.get(run.kind)), std::string(text), run.number, run.from_ns - start_ns,
                 run.to_ns - start_ns},
                ids.of_wanted(time_id(capture.profile, run.from_ns, run.to_ns)));
  }
  return records;
}

Cell cell_of(const ArgumentValue& value, const StringTable& strings) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::string(strings.get(std::get<StringId>(value)));
}

Records fact_records(const Capture& capture, const std::string& name, const RowIds& ids) {
  Records records({"subject", "fact", "value", "unit"});
  for (const Fact& fact : capture.facts) {
    const std::string_view text = capture.strings.get(fact.name);
    // How a trace was written is of no use to people.
    if (fact.is_hidden || !holds(text, name)) continue;
    records.add({std::string(capture.strings.get(fact.subject)), std::string(text),
                 cell_of(fact.value, capture.strings), std::string(capture.strings.get(fact.unit))},
                ids.of_wanted("view:info"));
  }
  return records;
}

// The modules of XLA that a capture holds, host by host.
class ListedModules {
 public:
  // The capture must outlive it.
  explicit ListedModules(const Capture& capture) : profile_(capture.profile.xla.get()) {
    if (profile_ != nullptr) by_host_ = read_hlo_modules(*profile_);
  }

  // Returns the modules whose names contain the text.
  std::vector<HloModuleLine> lines(const std::string& name) const {
    std::vector<HloModuleLine> lines;
    for (std::size_t h = 0; h < by_host_.size(); ++h) {
      for (const hlo::ProgramModule& program : by_host_[h]) {
        if (holds(program.name, name)) lines.push_back({profile_->hosts[h], program});
      }
    }
    return lines;
  }
  // Returns the instructions of these modules.
  std::vector<HloInstructionLine> instructions(const std::string& name) const {
    std::vector<HloInstructionLine> all;
    for (const auto& [host, program] : lines(name)) {
      if (!program.module) continue;
      for (const hlo::Computation& computation : program.module->computations) {
        for (const hlo::Instruction& instruction : program.module->instructions_of(computation))
          all.push_back({host, program, *program.module, computation, instruction});
      }
    }
    return all;
  }

 private:
  const XlaProfile* profile_;
  std::vector<hlo::HostModules> by_host_;
};

void print_modules(const std::vector<HloModuleLine>& lines, bool as_json) {
  if (as_json) return print_json_rows(hlo_module_fields(), lines);
  if (lines.empty()) return;
  print_answer("\n");
  constexpr std::string_view kShown =
      "host program_id computations instructions fusions with_source dot_flop bytes bad module";
  shown_records(choose_fields(hlo_module_fields(), kShown), lines).print(stdout, false);
}

void print_instructions(const std::vector<HloInstructionLine>& lines, bool as_json) {
  if (as_json) return print_json_rows(hlo_instruction_fields(), lines);
  if (lines.empty()) return print_answer("It holds no module of XLA whose instructions could be listed.\n");
  constexpr std::string_view kShown =
      "program_id computation name opcode shape fusion_kind dot_flop root op_name source";
  shown_records(choose_fields(hlo_instruction_fields(), kShown), lines).print(stdout, false);
}

}  // namespace

int run_ls(int argc, const char* const* argv) {
  CommandLine line(
      "vizd ls",
      "Lists what is in a capture: one record of counts, then its contexts, then its tracks, runs and facts. Lanes "
      "are\ntracks with events; a begin and its end are one event; instants are counted separately; counters are the "
      "series,\nnot their values; skipped counts the records that were left out, by reason. Modules of an XLA profile "
      "come "
      "last.");
  CommonArguments common;
  std::string name;
  bool instructions = false;
  common.describe(line);
  line.option("--name TEXT", name, "Only contexts, tracks, runs, facts and modules whose name contains this text");
  line.flag("--instructions", instructions, "Only the instructions of XLA's modules");
  if (const auto code = line.parse(argc, argv)) return *code;
  const auto input = open_input(common);
  if (!input) return kExitFailure;
  const ListedModules modules(input->capture);
  if (instructions) {
    print_instructions(modules.instructions(name), common.json);
    return kExitOk;
  }
  print_counts(input->capture, common.json);
  const RowIds ids(input->set);
  std::pair<std::string, Records> parts[] = {{"context", context_records(input->capture, name, ids)},
                                             {"track", track_records(input->capture, name, ids)},
                                             {"run", run_records(input->capture, name, ids)},
                                             {"fact", fact_records(input->capture, name, ids)}};
  for (auto& [kind, records] : parts) {
    if (records.empty()) continue;
    // Programs tell the records apart by this word; people see it in the headings.
    common.json ? records.add_column("record", kind) : print_answer("\n");
    records.print(stdout, common.json);
  }
  print_modules(modules.lines(name), common.json);
  return kExitOk;
}

}  // namespace vizd
