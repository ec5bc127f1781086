// vizd events FILE: what happened, by time, or summed up by name; of one lane, between two markers, with what the
// compiler did for it; the counters and thread traces of GPUs. The options and words are those of tinygrad's own
// command line, python -m tinygrad.viz.cli.
#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <unordered_set>

#include "base/clean_text.h"
#include "base/close_match.h"
#include "base/standard_streams.h"
#include "cli/command_line/arguments.h"
#include "cli/command_line/command.h"
#include "cli/command_line/input.h"
#include "cli/reference/hardware_printer.h"
#include "reference/tinygrad/event_rows.h"
#include "reference/tinygrad/lanes.h"
#include "reference/tinygrad/step_printer.h"

namespace vizd {
namespace {

constexpr std::int64_t kUsualTop = 20;

struct EventsArguments {
  CommonArguments common;
  std::vector<std::string> source;  // a lane, then names of events and steps
  bool list = false;
  bool packets = false;
  std::vector<std::string> interval;
  std::string top;
  int debug = 0;
};

std::string plain_line(std::string_view text) { return one_line(text, false); }

// more: what else goes by a name.
Result<const ReferenceLane*> find_lane(const ReferenceProfile& profile, std::span<const HardwareSource> more,
                                       const std::string& name) {
  std::vector<std::string> names;
  for (const ReferenceLane& lane : profile.lanes) {
    if (plain_line(lane.name) == name) return &lane;
    names.push_back(plain_line(lane.name));
  }
  for (const HardwareSource& source : more) names.push_back(plain_line(source.name));
  const std::string close = close_match(name, names);
  const std::string question = close.empty() ? "" : fmt::format(", did you mean '{}'?", close);
  return Error{ErrorKind::kNotFound, fmt::format("item \"{}\" not found in list{}", name, question), ""};
}

Result<std::uint32_t> find_marker(const ReferenceProfile& profile, const std::string& name) {
  for (const ReferenceMarker& marker : profile.markers) {
    if (marker.name == name) return marker.at_us;
  }
  return Error{ErrorKind::kNotFound, "marker not found: " + name, ""};
}

// Python's str() of what is told of a buffer.
std::string change_text(const ReferenceChange& change) {
  constexpr std::array<std::string_view, 3> kModes{"read", "write", "write+read"};
  if (change.is_alloc) return fmt::format("{{'dtype': '{}', 'sz': {}}}", change.dtype, change.count);
  std::string text;
  for (const ReferenceUser& user : change.users) {
    text += fmt::format("{}{} {}@data{}", text.empty() ? "" : ", ", user.name, kModes[user.mode], user.argument);
  }
  return text;
}

void print_change(std::string_view event, std::uint32_t at_us, const nlohmann::ordered_json& number, bool is_line,
                  const std::string& about, const EventsArguments& arguments, bool colour) {
  if (arguments.common.json) {
    nlohmann::ordered_json json{{"event", event}, {"ts", at_us}, {is_line ? "value" : "key", number}};
    json["info"] = plain_line(about);
    print_answer("{}\n", json_line(json));
  } else {
    print_answer("{:<10}  {:<6}  {:>8}  {}\n", at_us, event, is_line ? "" : number.dump(), one_line(about, colour));
  }
}

void print_memory(const ReferenceLane& lane, const EventsArguments& arguments, bool colour) {
  if (arguments.common.json) {
    print_answer("{}\n", json_line({{"peak", lane.peak}}));
  } else {
    print_answer("Peak: {}\n{:<10}  {:<6}  {:>8}  Info\n", lane.peak, "TS", "Event", "Key");
  }
  for (const ReferenceChange& change : lane.changes) {
    print_change(change.is_alloc ? "alloc" : "free", change.at_us, change.key, false, change_text(change), arguments,
                 colour);
  }
  for (const auto& [at_us, value] : lane.points) print_change("freq", at_us, value, true, "{}", arguments, colour);
}

// Prints the rows, and once for each context that they lead to what the arguments want of it.
class RowPrinter {
 public:
  RowPrinter(const std::shared_ptr<const LoadedCapture>& loaded, const EventsArguments& arguments, bool colour)
      : arguments_(arguments), colour_(colour), steps_(loaded, arguments.common.json, colour) {
    detail_ = {.level = arguments.debug, .lists = arguments.list, .wanted = arguments.source};
  }

  template <typename Row>
  void print(const Row& row) {
    const auto& names = arguments_.source;
    if (names.size() > 1 && std::ranges::find(names, plain_line(row.name)) == names.end()) return;
    print_answer("{}\n", arguments_.common.json ? row_json(row) : row_text(row, colour_));
    if (row.context && seen_.insert(*row.context).second) {
      steps_.print(*row.context, detail_);
    } else if constexpr (requires { row.stack; }) {
      if (arguments_.debug >= 3 && !row.stack.empty()) steps_.print_value(row.stack);
    }
  }

 private:
  const EventsArguments& arguments_;
  const bool colour_;
  StepPrinter steps_;
  StepDetail detail_;
  std::unordered_set<std::uint32_t> seen_;
};

Result<EventSelection> select(const ReferenceProfile& profile, std::span<const HardwareSource> more,
                              const EventsArguments& arguments) {
  EventSelection selection;
  if (!arguments.source.empty()) {
    const auto lane = find_lane(profile, more, arguments.source[0]);
    if (!lane) return lane.error();
    selection.lane = *lane;
  }
  if (!arguments.interval.empty()) {
    const auto from = find_marker(profile, arguments.interval[0]);
    if (!from) return from.error();
    selection.between_us = {*from, profile.dur_us};
    if (arguments.interval.size() > 1) {
      const auto to = find_marker(profile, arguments.interval[1]);
      if (!to) return to.error();
      selection.between_us->second = *to;
    }
  }
  return selection;
}

void print_events(const std::shared_ptr<const LoadedCapture>& loaded, const ReferenceProfile& profile,
                  const EventSelection& selection, const EventsArguments& arguments, std::int64_t top) {
  const bool colour = wants_colour(stdout);
  if (selection.lane != nullptr && selection.lane->kind != ReferenceLane::Kind::kEvents)
    return print_memory(*selection.lane, arguments, colour);
  RowPrinter rows(loaded, arguments, colour);
  if (top != 0) {
    for (const TopRow& row : top_rows(profile, selection, top)) rows.print(row);
  } else {
    for (const EventRow& row : event_rows(profile, selection)) rows.print(row);
  }
}

int level_of_environment() {
  const char* const debug = std::getenv("DEBUG");
  return debug == nullptr ? 0 : std::atoi(debug);
}

}  // namespace

int run_events(int argc, const char* const* argv) {
  CommandLine line("vizd events",
                   "Lists events by time; with -t the names that took the longest. Name the capture before options "
                   "that take several words.");
  EventsArguments arguments;
  arguments.debug = level_of_environment();
  arguments.common.describe(line);
  line.option("-s,--src NAME...", arguments.source, "Only this lane; only its events with the names that follow")
      .words(1, 1000);
  line.flag("--ls,--list", arguments.list, "List the lanes; with -s the steps of what its events belong to");
  line.flag("--packets", arguments.packets,
            "All packets of the thread traces of AMD GPUs, by program, run and shader engine, as JSON");
  line.option("--interval START [END]", arguments.interval, "Only between these markers").words(1, 2);
  const Argument top =
      line.option("-t [COUNT]", arguments.top, "Sum by name: the 20, or COUNT, that took the longest; -1 for all")
          .words(0, 1);
  line.option("--debug LEVEL [$DEBUG or 0]", arguments.debug,
              "Also print for each event: 3 the AST, 4 the source, 5 the steps and the kernel graph, 6 all graphs, 7 "
              "all matches");
  if (const auto code = line.parse(argc, argv)) return *code;
  std::int64_t count = top.is_given() ? kUsualTop : 0;
  if (const std::string& text = arguments.top; !text.empty()) {
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (problem != std::errc() || end != text.data() + text.size()) return line.refuse("-t takes a number");
  }
  const auto input = open_input(arguments.common);
  if (!input) return kExitFailure;
  const HardwareSteps hardware(input->capture);
  if (arguments.packets) {
    print_packets(hardware.records());
    return kExitOk;
  }
  const auto sources = hardware_sources(hardware);
  const auto profile = reference_lanes(input->capture);
  const auto fail = [](const std::string& problem) {
    print_error("vizd events: {}\n", problem);
    return kExitFailure;
  };
  if (!profile) return fail(profile.error().text());
  if (profile->lanes.empty()) return fail("the capture has no events");
  if (arguments.list && arguments.source.empty()) {
    const StepPrinter names(input, arguments.common.json, wants_colour(stdout));
    names.print_value("ALL");
    for (const ReferenceLane& lane : profile->lanes) names.print_value(lane.name);
    for (const HardwareSource& source : sources) names.print_value(source.name);
    return kExitOk;
  }
  for (const HardwareSource& source : sources) {
    if (arguments.source.empty() || plain_line(source.name) != arguments.source[0]) continue;
    const auto printed = print_source(hardware, *source.step, arguments.common.json);
    return printed ? kExitOk : fail(printed.error().text());
  }
  const auto selection = select(*profile, sources, arguments);
  if (!selection) return fail(selection.error().text());
  print_events(input, *profile, *selection, arguments, count);
  return kExitOk;
}

}  // namespace vizd
