// vizd augment IN OUT: a trace written back with the arithmetic and the bytes of its kernels and operators.
#include <fmt/core.h>

#include "base/standard_streams.h"
#include "cli/captures/profile_file.h"
#include "cli/command_line/command.h"
#include "cli/command_line/command_line.h"
#include "cli/command_line/input.h"
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
  CommandLine line(
      "vizd augment",
      "Writes a trace of PyTorch's profiler back with kernel_flop and kernel_num_gb on its kernels and operators, "
      "where\nshapes are recorded. Existing figures are kept; an operator's figures are divided among its kernels. The "
      "suffix of\nOUT chooses its format (.json, .pftrace, .bin); without one it is the format of IN.");
  ProfileFileArguments arguments;
  arguments.describe(line, "augment");
  if (const auto code = line.parse(argc, argv)) return *code;
  const std::string& output = arguments.output();
  Sniffer sniffer;
  const std::vector<InputSet> sets = arguments.inputs().all_sets(sniffer);
  if (sets.empty()) return fail_augment("no capture found that vizd reads; name a file or a folder with one");
  if (sets.size() != 1) return fail_augment(several_captures_text(sets));
  const auto file = arguments.create_output();
  if (!file) return fail_augment(file.error().text());
  const auto capture = read_profile(sets[0]);
  if (!capture) return kExitFailure;
  if (!capture->profile.is_trace)
    return fail_augment(sets[0].name + ": is not a trace of PyTorch's profiler: it has no operators with shapes");
  const Augmented augmented = augment_trace(*capture);
  if (!arguments.json)
    print_error("{} kernels and {} operators have figures\n", augmented.kernels, augmented.operators);
  return write_profile("augment", *capture, format_to_write(output, sets[0].format), **file, output, arguments.json);
}

}  // namespace vizd
