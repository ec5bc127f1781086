#include "cli/arguments.h"

namespace vizd {

void CommonArguments::describe(CommandLine& line) {
  line.positional("files", "FILE ...", paths, "The capture: one file, or a tinygrad pair of rewrites and profile");
  line.option("--kernels FILE", kernels, "A tinygrad rewrites.pkl");
  line.option("--profile FILE", profile, "The profile.pkl that belongs to it");
  line.flag("--json", json, "Print JSON, one record a line");
  line.check([this] { return paths.empty() && kernels.empty() && profile.empty() ? "files is required" : ""; });
}

std::vector<CaptureFiles> CommonArguments::captures() const {
  std::vector<CaptureFiles> all = group_files(paths);
  if (!kernels.empty() || !profile.empty()) all.insert(all.begin(), pair_files(kernels, profile));
  return all;
}

}  // namespace vizd
