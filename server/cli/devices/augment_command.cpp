// vizd augment IN OUT: a trace written back with the arithmetic and the bytes of its kernels and operators.
#include <fmt/core.h>

#include "base/standard_streams.h"
#include "cli/captures/profile_file.h"
#include "cli/command_line/command.h"
#include "cli/command_line/command_line.h"
#include "formats/claims.h"
#include "reference/inductor/augment.h"

namespace vizd {
namespace {

int fail_augment(const std::string& what) {
  print_error("vizd augment: {}\n", what);
  return kExitFailure;
}

}  // namespace

int run_augment(int argc, const char* const* argv) {
  CommandLine line("vizd augment",
                   "Writes a trace of PyTorch's profiler back with kernel_flop and kernel_num_gb on its kernels and\n"
                   "operators, as far as shapes tell. A figure that is there stays; an operator's kernels share its.\n"
                   "OUT is of the format that its name ends in (.json, .pftrace, .bin), else of that of IN.");
  ProfileFileArguments arguments;
  arguments.describe(line, "augment");
  if (const auto code = line.parse(argc, argv)) return *code;
  const std::string& output = arguments.output();
  Sniffer sniffer;
  const std::vector<InputSet> sets = arguments.inputs().all_sets(sniffer);
  if (sets.size() != 1) return fail_augment(fmt::format("these files are {} captures; name those of one", sets.size()));
  const auto file = arguments.create_output();
  if (!file) return fail_augment(file.error().text());
  const auto capture = read_profile(sets[0]);
  if (!capture) return kExitFailure;
  if (!capture->profile.is_trace)
    return fail_augment(sets[0].name + ": is no trace of PyTorch's profiler: there are no operators with shapes");
  const Augmented augmented = augment_trace(*capture);
  if (!arguments.json)
    print_error("{} kernels and {} operators have figures\n", augmented.kernels, augmented.operators);
  return write_profile("augment", *capture, format_to_write(output, sets[0].format), **file, output, arguments.json);
}

}  // namespace vizd
