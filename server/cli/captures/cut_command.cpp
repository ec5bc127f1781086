// vizd cut IN OUT: a stretch of a profile's time, or a step, as a file of its own.
#include <fmt/core.h>

#include <limits>

#include "analysis/devices/cut.h"
#include "base/standard_streams.h"
#include "cli/captures/profile_file.h"
#include "cli/command_line/command.h"
#include "cli/command_line/command_line.h"
#include "cli/command_line/input.h"
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
                   "Writes a time range, or one step, of a profile: whole events, the work launched in the range, "
                   "flows, and the\ndata of the tracks. The suffix of OUT chooses its format (.json, .pftrace, .bin); "
                   "without one it is the\nformat of IN.");
  CutArguments arguments;
  arguments.files.describe(line, "cut");
  line.time("--from TIME", arguments.from_ns,
            "Start of the range, from the profile's start: 5ms, 1.5s, 200us, or a number of nanoseconds");
  line.time("--to TIME", arguments.to_ns, "End of the range");
  const Argument step = line.option("--step N", arguments.step, "The step with this number, instead of times");
  line.check([&]() -> std::string { return arguments.from_ns > arguments.to_ns ? "--from is after --to" : ""; });
  if (const auto code = line.parse(argc, argv)) return *code;
  Sniffer sniffer;
  const std::vector<InputSet> sets = arguments.files.inputs().all_sets(sniffer);
  if (sets.empty()) return fail_cut("no capture found that vizd reads; name a file or a folder with one");
  if (sets.size() != 1) return fail_cut(several_captures_text(sets));
  const auto file = arguments.files.create_output();
  if (!file) return fail_cut(file.error().text());
  const auto capture = read_profile(sets[0]);
  if (!capture) return kExitFailure;
  WorkScope scope{.from_ns = arguments.from_ns, .to_ns = arguments.to_ns};
  if (step.is_given()) scope = {.step = arguments.step};
  const std::vector<CutRange> ranges = cut_ranges(*capture, scope);
  if (ranges.empty()) return fail_cut(fmt::format("no step {}", arguments.step));
  cut_profile(*capture, ranges);
  const std::string& output = arguments.files.output();
  return write_profile("cut", *capture, format_to_write(output, sets[0].format), **file, output, arguments.files.json);
}

}  // namespace vizd
