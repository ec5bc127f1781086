// vizd ls FILE: what is in a capture: one record of counts, then its contexts and its lanes.
#include <fmt/core.h>

#include <algorithm>

#include "base/json_writer.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/records.h"
#include "cli/terminal.h"

namespace vizd {
namespace {

struct Counts {
  std::size_t events = 0, counters = 0, allocations = 0, markers = 0;
};

// Events are those with a duration; an instant is a marker of its lane.
Counts count_profile(const Profile& profile) {
  Counts counts{.markers = profile.markers.size()};
  for (const Lane& lane : profile.lanes) {
    std::size_t instants = 0;
    for (const Event& event : lane.events) instants += event.dur_ns == 0 && event.dur_ps == 0 ? 1 : 0;
    counts.events += lane.events.size() - instants;
    counts.markers += instants;
    counts.counters += lane.counters.size();
    counts.allocations += lane.allocations.size();
  }
  return counts;
}

void print_counts(const Capture& capture, bool as_json) {
  const Counts counts = count_profile(capture.profile);
  const Rewrites& rewrites = capture.rewrites;
  const std::pair<std::string_view, std::size_t> numbers[] = {{"contexts", rewrites.contexts.size()},
                                                              {"passes", rewrites.passes.size()},
                                                              {"matches", rewrites.matches.size()},
                                                              {"lanes", capture.profile.lanes.size()},
                                                              {"events", counts.events},
                                                              {"counters", counts.counters},
                                                              {"allocations", counts.allocations},
                                                              {"markers", counts.markers},
                                                              {"flows", capture.profile.flows.size()}};
  std::string text;
  if (as_json) {
    JsonWriter json(text);
    json.begin_object().key("format").text(capture.format);
    for (const auto& [name, count] : numbers) json.key(name).number(count);
    json.key("skipped").begin_object();
    for (const auto& [reason, count] : capture.skipped) json.key(reason).number(count);
    json.end_object().end_object();
  } else {
    text = capture.format + ":";
    for (const auto& [name, count] : numbers) text += fmt::format(" {} {}", count, name);
  }
  fmt::print("{}\n", text);
}

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

Records context_records(const Capture& capture, const std::string& name) {
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
                             : std::string()});
  }
  return records;
}

Records lane_records(const Capture& capture, const std::string& name) {
  Records records({"lane", "name", "events", "counters", "allocations"});
  for (std::size_t i = 0; i < capture.profile.lanes.size(); ++i) {
    const Lane& lane = capture.profile.lanes[i];
    if (!holds(capture.strings.get(lane.name), name)) continue;
    records.add({static_cast<std::int64_t>(i), std::string(capture.strings.get(lane.name)),
                 static_cast<std::int64_t>(lane.events.size()), static_cast<std::int64_t>(lane.counters.size()),
                 static_cast<std::int64_t>(lane.allocations.size())});
  }
  return records;
}

}  // namespace

int run_ls(int argc, const char* const* argv) {
  CommandLine line(
      "vizd ls",
      "Lists what is in a capture: one record of counts, then its contexts, then its lanes. Events are those with a\n"
      "duration, where a begin and its end are one; instants are counted with the markers; counters are the series,\n"
      "not their samples; skipped says how many records were left out, by reason.");
  CommonArguments common;
  std::string name;
  common.describe(line);
  line.option("--name TEXT", name, "Only contexts and lanes whose name holds this");
  if (const auto code = line.parse(argc, argv)) return *code;
  const auto input = open_input(common);
  if (!input) return kExitFailure;
  print_counts(input->capture, common.json);
  for (const Records& records : {context_records(input->capture, name), lane_records(input->capture, name)}) {
    if (records.empty()) continue;
    if (!common.json) fmt::print("\n");
    records.print(stdout, common.json);
  }
  return kExitOk;
}

}  // namespace vizd
