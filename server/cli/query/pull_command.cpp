// vizd pull --store URL --job NAME --rank N -o OUT.bin: a rank back out of a store.
#include <fmt/core.h>

#include <csignal>

#include "base/standard_streams.h"
#include "cli/command_line/command.h"
#include "cli/command_line/output_file.h"
#include "cli/command_line/records.h"
#include "cli/command_line/store_arguments.h"
#include "store/pull.h"

namespace vizd {
namespace {

int pull_to(OutputFile& file, const store::Store& store, const std::string& job, std::uint32_t rank) {
  const auto pulled =
      store::pull(store, job, rank, store::kMostRankBytes, [&](std::string_view part) { file.write(part); });
  if (!pulled) {
    print_error("vizd pull: {}\n", pulled.error().text());
    return kExitFailure;
  }
  const auto written = file.finish();
  if (!written) {
    print_error("vizd pull: {}\n", written.error().text());
    return kExitFailure;
  }
  print_answer("{} bytes\n", *written);
  return kExitOk;
}

}  // namespace

int run_pull(int argc, const char* const* argv) {
  CommandLine line("vizd pull", "Writes a rank of a job from the store to a file of vizd's own.");
  StoreArguments arguments;
  OutputFile::Place output;
  std::string job;
  std::uint32_t rank = 0;
  arguments.describe(line).required();
  line.option("--job NAME", job, "The job").required();
  line.option("--rank N [0]", rank, "The rank");
  OutputFile::describe(line, output, "-o,--output OUT", "The file to write").required();
  describe_wide_tables(line);
  if (const auto code = line.parse(argc, argv)) return *code;
  std::signal(SIGPIPE, SIG_IGN);  // a store that leaves is an error to be told
  const auto store = arguments.open();
  if (!store) {
    print_error("vizd pull: {}\n", store.error().text());
    return kExitUsage;
  }
  auto file = OutputFile::create(output, {});
  if (!file) {
    print_error("vizd pull: {}\n", file.error().text());
    return kExitFailure;
  }
  return pull_to(**file, *store, job, rank);
}

}  // namespace vizd
