// vizd cut IN OUT: a stretch of a profile's time, or a step, as a file of its own.
#include <fmt/core.h>

#include <limits>

#include "analysis/devices/cut.h"
#include "base/standard_streams.h"
#include "cli/captures/profile_file.h"
#include "cli/command_line/command.h"
#include "cli/command_line/command_line.h"
#include "formats/claims.h"

namespace vizd {
namespace {

struct CutArguments {
  ProfileFileArguments files;
  std::int64_t from_ns = 0, to_ns = std::numeric_limits<std::int64_t>::max(), step = 0;
};

int fail_cut(const std::string& what) {
  print_error("vizd cut: {}\n", what);
  return kExitFailure;
}

}  // namespace

int run_cut(int argc, const char* const* argv) {
  CommandLine line("vizd cut",
                   "Writes what a profile holds of a stretch of time, or of a step: events whole, the work that was\n"
                   "launched in it, flows and what is known of the tracks. OUT is of the format that its name ends in\n"
                   "(.json, .pftrace, .bin), else of that of IN.");
  CutArguments arguments;
  arguments.files.describe(line, "cut");
  line.option("--from NS", arguments.from_ns, "Nanoseconds after the profile's start");
  line.option("--to NS", arguments.to_ns, "Likewise");
  const Argument step = line.option("--step N", arguments.step, "The step of that number, in place of times");
  line.check([&]() -> std::string { return arguments.from_ns > arguments.to_ns ? "--from lies after --to" : ""; });
  if (const auto code = line.parse(argc, argv)) return *code;
  Sniffer sniffer;
  const std::vector<InputSet> sets = arguments.files.inputs().all_sets(sniffer);
  if (sets.size() != 1) return fail_cut(fmt::format("these files are {} captures; name those of one", sets.size()));
  const auto file = arguments.files.create_output();
  if (!file) return fail_cut(file.error().text());
  const auto capture = read_profile(sets[0]);
  if (!capture) return kExitFailure;
  WorkScope scope{.from_ns = arguments.from_ns, .to_ns = arguments.to_ns};
  if (step.is_given()) scope = {.step = arguments.step};
  const std::vector<CutRange> ranges = cut_ranges(*capture, scope);
  if (ranges.empty()) return fail_cut(fmt::format("there is no step {}", arguments.step));
  cut_profile(*capture, ranges);
  const std::string& output = arguments.files.output();
  return write_profile("cut", *capture, format_to_write(output, sets[0].format), **file, output, arguments.files.json);
}

}  // namespace vizd
