// The machines whose code vizd shows. x86-64 and AArch64 are disassembled here (capstone); the others by a program of
// their tool chain, where one is installed.
#pragma once

#include <cstdint>
#include <string_view>

namespace vizd {

enum class Architecture : std::uint8_t { kUnknown, kX86_64, kAarch64, kRiscv64, kAmdgpu, kNvidia };

constexpr std::string_view name_of(Architecture architecture) {
  switch (architecture) {
    case Architecture::kX86_64:
      return "x86-64";
    case Architecture::kAarch64:
      return "AArch64";
    case Architecture::kRiscv64:
      return "RISC-V 64";
    case Architecture::kAmdgpu:
      return "AMDGPU";
    case Architecture::kNvidia:
      return "NVIDIA SASS";
    case Architecture::kUnknown:
      break;
  }
  return "unknown";
}

// The architecture that vizd was built for; the reference compiles the kernels of its CPU device for it.
constexpr Architecture host_architecture() {
#if defined(__x86_64__)
  return Architecture::kX86_64;
#elif defined(__aarch64__)
  return Architecture::kAarch64;
#else
  return Architecture::kUnknown;
#endif
}

}  // namespace vizd
