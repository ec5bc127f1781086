#include "disasm/toolchain.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>

namespace vizd {
namespace {

constexpr std::array<MissingTool, kTools> kDescriptions{{
    {"clang", "clang", "machine code of programs that the capture has only as source"},
    {"gcc", "gcc", "machine code of programs that the capture has only as C, where clang is not installed"},
    {"llvm-mca", "llvm", "latency, throughput and bottlenecks"},
    {"llvm-objdump", "llvm", "disassembly of AMDGPU and RISC-V programs, and instructions that capstone does not know"},
    {"nvdisasm", "nvidia-cuda-toolkit", "disassembly of NVIDIA programs"},
}};

constexpr int kNewestLlvm = 25, kOldestLlvm = 13;

std::string find_in(std::string_view folder, std::string_view name) {
  const auto usable = [](const std::string& path) { return ::access(path.c_str(), X_OK) == 0; };
  std::string path = fmt::format("{}/{}", folder, name);
  if (usable(path)) return path;
  if (name == "nvdisasm" || name == "gcc") return "";
  for (int version = kNewestLlvm; version >= kOldestLlvm; --version) {
    if (std::string with_version = fmt::format("{}-{}", path, version); usable(with_version)) return with_version;
  }
  return "";
}

}  // namespace

Toolchain::Toolchain(std::string_view search_path, ChildPrograms::Sandboxing sandboxing)
    : children_(std::make_shared<ChildPrograms>(sandboxing)) {
  while (!search_path.empty()) {
    const auto end = std::min(search_path.find(':'), search_path.size());
    const std::string_view folder = search_path.substr(0, end);
    search_path.remove_prefix(std::min(end + 1, search_path.size()));
    if (!folder.starts_with('/')) continue;  // never from where vizd happens to be started
    for (std::size_t i = 0; i < kTools; ++i) {
      if (paths_[i].empty()) paths_[i] = find_in(folder, kDescriptions[i].program);
    }
  }
}

MissingTool describe_missing(Tool tool) { return kDescriptions[static_cast<std::size_t>(tool)]; }

}  // namespace vizd
