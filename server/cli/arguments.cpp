#include "cli/arguments.h"

#include <fmt/core.h>

#include "cli/command.h"

namespace vizd {

void CommonArguments::describe(CLI::App& app) {
  app.add_option("files", paths, "The capture: one file, or a tinygrad pair of rewrites and profile")
      ->option_text("FILE ...");
  app.add_option("--kernels", kernels, "A tinygrad rewrites.pkl")->option_text("FILE");
  app.add_option("--profile", profile, "The profile.pkl that belongs to it")->option_text("FILE");
  app.final_callback([this] {
    if (paths.empty() && kernels.empty() && profile.empty()) throw CLI::RequiredError("files");
  });
  app.add_flag("--json", json, "Print JSON, one record a line");
}

std::vector<CaptureFiles> CommonArguments::captures() const {
  std::vector<CaptureFiles> all = group_files(paths);
  if (!kernels.empty() || !profile.empty()) all.insert(all.begin(), pair_files(kernels, profile));
  return all;
}

std::optional<int> parse_arguments(CLI::App& app, int argc, const char* const* argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {  // --help
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    return refuse_usage(app, e.what());
  }
  return std::nullopt;
}

int refuse_usage(const CLI::App& app, const std::string& problem) {
  fmt::print(stderr, "{}: {}; {} --help tells more\n", app.get_name(), problem, app.get_name());
  return kExitUsage;
}

}  // namespace vizd
