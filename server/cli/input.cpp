#include "cli/input.h"

#include <fmt/core.h>

#include "session/capture_files.h"

namespace vizd {
namespace {

void print_warnings(const Capture& capture) {
  for (const std::string& warning : capture.warnings) fmt::print(stderr, "vizd: {}\n", warning);
  for (const auto& [reason, count] : capture.skipped) fmt::print(stderr, "vizd: skipped {}: {}\n", count, reason);
}

}  // namespace

std::shared_ptr<const LoadedCapture> open_input(const CommonArguments& arguments) {
  const std::vector<CaptureFiles> captures = arguments.captures();
  if (captures.size() != 1) {
    fmt::print(stderr, "vizd: these files are {} captures; name those of one\n", captures.size());
    return nullptr;
  }
  bool failed = false;
  for (const CaptureFile& file : captures[0].files) {
    if (file_signature(file.path)) continue;
    fmt::print(stderr, "vizd: {}: there is no such file; check the path\n", file.path);
    failed = true;
  }
  if (failed) return nullptr;
  Reading reading = read_files(captures[0]);
  for (const auto& error : reading.errors) {
    if (!error) continue;
    fmt::print(stderr, "vizd: {}\n", error->text());
    failed = true;
  }
  if (failed || !reading.loaded) return nullptr;
  print_warnings(reading.loaded->capture);
  return std::move(reading.loaded);
}

}  // namespace vizd
