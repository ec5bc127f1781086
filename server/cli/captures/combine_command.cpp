// vizd combine IN .. OUT: several profiles as one file, kept apart.
#include <fmt/core.h>

#include "base/standard_streams.h"
#include "cli/captures/profile_file.h"
#include "cli/command_line/command.h"
#include "cli/command_line/command_line.h"
#include "formats/claims.h"

namespace vizd {
namespace {

int fail_combine(const std::string& what) {
  print_error("vizd combine: {}\n", what);
  return kExitFailure;
}

}  // namespace

int run_combine(int argc, const char* const* argv) {
  CommandLine line("vizd combine",
                   "Writes several traces as one, each below a track of its own: their processes, ids and clocks are\n"
                   "kept apart, so that vizd reads the ranks of it again. OUT is of the format that its name ends in\n"
                   "(.json, .pftrace, .bin), else of that of IN.");
  ProfileFileArguments arguments;
  arguments.describe(line, "combine");
  if (const auto code = line.parse(argc, argv)) return *code;
  const std::string& output = arguments.output();
  Sniffer sniffer;
  // All files are one capture here, whatever they would be by themselves.
  InputSet all;
  for (const InputSet& set : arguments.inputs().all_sets(sniffer)) {
    if (set.format == nullptr) return fail_combine(unknown_format(set.files[0].path).text());
    if (all.format != nullptr && all.format != set.format)
      return fail_combine(fmt::format("{}: is of another format than the first; convert it first", set.files[0].path));
    all.format = set.format;
    all.files.insert(all.files.end(), set.files.begin(), set.files.end());
  }
  if (all.format == nullptr) return fail_combine("these folders hold nothing that vizd reads");
  all.name = set_name(output);
  const auto file = arguments.create_output();
  if (!file) return fail_combine(file.error().text());
  const auto capture = read_profile(all);
  if (!capture) return kExitFailure;
  return write_profile("combine", *capture, format_to_write(output, all.format), **file, output, arguments.json);
}

}  // namespace vizd
