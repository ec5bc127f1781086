#include "cli/command_line/version.h"

#include <fmt/core.h>

#include <string_view>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include "base/version.h"

namespace vizd {
namespace {

// By scripts/configure, where it makes a build for users; empty elsewhere.
constexpr std::string_view kCommit = VIZD_COMMIT;
constexpr std::string_view kPreset = VIZD_PRESET;

#ifdef __clang__
constexpr std::string_view kCompiler = __VERSION__;
#else
constexpr std::string_view kCompiler = "GCC " __VERSION__;
#endif

#if defined(__x86_64__)
constexpr std::string_view kMachine = "x86-64";
#elif defined(__aarch64__)
constexpr std::string_view kMachine = "aarch64";
#else
constexpr std::string_view kMachine = "another machine";
#endif

#ifdef VIZD_STATIC
constexpr std::string_view kLinking = ", linked statically";
#else
constexpr std::string_view kLinking;
#endif

std::string c_library() {
#ifdef __GLIBC__
  return fmt::format("glibc {}", ::gnu_get_libc_version());
#else
  return "another C library";
#endif
}

}  // namespace

std::string version_text() {
  return fmt::format("vizd {}\ncommit {}\nbuild {}: {}, {}, {}{}", kVersion, kCommit.empty() ? "not recorded" : kCommit,
                     kPreset.empty() ? "without a preset" : kPreset, kCompiler, kMachine, c_library(), kLinking);
}

}  // namespace vizd
