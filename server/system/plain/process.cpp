#include "system/process.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace vizd {
namespace {

// A shell and others say by what path they start a program; else it was found on the PATH under its name.
std::string find_own_program() {
  std::error_code failed;
  if (const char* const said = std::getenv("_"); said != nullptr) {
    const std::filesystem::path path(said);
    if (path.filename().string().starts_with("vizd") && std::filesystem::exists(path, failed))
      return std::filesystem::absolute(path, failed).string();
  }
  const char* const folders = std::getenv("PATH");
  for (std::string_view left = folders == nullptr ? "" : folders; !left.empty();) {
    const std::string_view folder = left.substr(0, left.find(':'));
    left.remove_prefix(folder.size() == left.size() ? left.size() : folder.size() + 1);
    const auto path = std::filesystem::path(folder) / "vizd";
    if (!folder.empty() && ::access(path.c_str(), X_OK) == 0) return path.string();
  }
  return "";
}

}  // namespace

std::string own_program() { return find_own_program(); }

std::string way_to_own_program() { return find_own_program(); }

std::optional<std::uint64_t> resident_bytes() { return std::nullopt; }

std::optional<std::size_t> open_descriptors() {
  std::error_code failed;
  const std::filesystem::directory_iterator descriptors("/dev/fd", failed);
  if (failed) return std::nullopt;
  return static_cast<std::size_t>(std::distance(begin(descriptors), end(descriptors)));
}

void yield_to_other_threads(int) {}

void end_with_parent() {}

}  // namespace vizd
