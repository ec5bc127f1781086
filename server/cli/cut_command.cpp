// vizd cut IN OUT: a stretch of a profile's time, or a step, as a file of its own.
#include <fmt/core.h>

#include <limits>

#include "analysis/cut.h"
#include "base/standard_streams.h"
#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/inputs.h"
#include "cli/profile_file.h"
#include "formats/claims.h"

namespace vizd {
namespace {

struct CutArguments {
  std::vector<std::string> paths;
  bool overwrites = false, json = false;
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
  line.positional("files", "IN .. OUT", arguments.paths, "What to cut, and the file to write").required();
  line.option("--from NS", arguments.from_ns, "Nanoseconds after the profile's start");
  line.option("--to NS", arguments.to_ns, "Likewise");
  const Argument step = line.option("--step N", arguments.step, "The step of that number, in place of times");
  line.flag("-f,--force", arguments.overwrites, "Overwrite a file that is there");
  line.flag("--json", arguments.json, "One JSON object a line");
  line.check([&]() -> std::string {
    if (arguments.paths.size() < 2) return "name what to cut and the file to write";
    return arguments.from_ns > arguments.to_ns ? "--from lies after --to" : "";
  });
  if (const auto code = line.parse(argc, argv)) return *code;
  const std::string output = arguments.paths.back();
  InputArguments inputs;
  inputs.paths.assign(arguments.paths.begin(), arguments.paths.end() - 1);
  Sniffer sniffer;
  const std::vector<InputSet> sets = inputs.all_sets(sniffer);
  if (sets.size() != 1) return fail_cut(fmt::format("these files are {} captures; name those of one", sets.size()));
  const auto file = OutputFile::create({output, arguments.overwrites}, inputs.paths);
  if (!file) return fail_cut(file.error().text());
  const auto capture = read_profile(sets[0]);
  if (!capture) return kExitFailure;
  const Profile& profile = capture->profile;
  std::vector<CutRange> ranges{
      {kNoId, profile.start_ns + arguments.from_ns,
       arguments.to_ns > profile.end_ns - profile.start_ns ? profile.end_ns : profile.start_ns + arguments.to_ns}};
  if (step.is_given()) ranges = ranges_of_step(profile, arguments.step);
  if (ranges.empty()) return fail_cut(fmt::format("there is no step {}", arguments.step));
  cut_profile(*capture, ranges);
  return write_profile("cut", *capture, format_to_write(output, sets[0].format), **file, output, arguments.json);
}

}  // namespace vizd
