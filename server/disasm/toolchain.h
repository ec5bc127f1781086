// Toolchain: which programs that vizd can make use of are installed, and which Debian package brings those that are
// not; and the children that they run as. Nothing here is needed to show a capture. Looked up once, at start.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "disasm/child_program.h"

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
  explicit Toolchain(std::string_view search_path,
                     ChildPrograms::Sandboxing sandboxing = ChildPrograms::Sandboxing::kAsKernelCan);

  // "" where it is not installed.
  const std::string& path(Tool tool) const { return paths_[static_cast<std::size_t>(tool)]; }
  bool has(Tool tool) const { return !path(tool).empty(); }

  // As which the programs are run; copies of this share them.
  ChildPrograms& children() const { return *children_; }

 private:
  std::array<std::string, kTools> paths_;
  std::shared_ptr<ChildPrograms> children_;
};

MissingTool describe_missing(Tool tool);

}  // namespace vizd
