// Toolchain: which programs that vizd can make use of are installed, and which Debian package brings those that are
// not. Nothing here is needed to show a capture. Looked up once, at start; plain data from then on.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace vizd {

enum class Tool { kClang, kGcc, kLlvmMca, kLlvmObjdump, kNvdisasm };
inline constexpr std::size_t kTools = 5;

struct MissingTool {
  std::string_view program;
  std::string_view package;  // of Debian
  std::string_view brings;   // "the machine-code analysis"
};

class Toolchain {
 public:
  // Looks for each program in the folders of a PATH, also under the names that carry a version ("clang-14").
  explicit Toolchain(std::string_view search_path);

  // "" where it is not installed.
  const std::string& path(Tool tool) const { return paths_[static_cast<std::size_t>(tool)]; }
  bool has(Tool tool) const { return !path(tool).empty(); }

 private:
  std::array<std::string, kTools> paths_;
};

MissingTool describe_missing(Tool tool);

}  // namespace vizd
