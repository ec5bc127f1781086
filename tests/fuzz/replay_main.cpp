// Runs one fuzz target once over every file of the folders given: the corpus as a plain test, with any compiler.
//   vizd_fuzz_replay TARGET FOLDER ...
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <vector>

// fuzz_targets.inc has VIZD_FUZZ_TARGET(target, its function) for each; CMake writes it.
#define VIZD_FUZZ_TARGET(target, function) extern "C" int function(const std::uint8_t*, std::size_t);
#include "fuzz_targets.inc"
#undef VIZD_FUZZ_TARGET

namespace {

struct Target {
  std::string_view name;
  int (*run)(const std::uint8_t*, std::size_t);
};

constexpr Target kTargets[] = {
#define VIZD_FUZZ_TARGET(target, function) {#target, function},
#include "fuzz_targets.inc"
#undef VIZD_FUZZ_TARGET
};

const Target* find_target(std::string_view name) {
  for (const Target& target : kTargets) {
    if (target.name == name) return &target;
  }
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  const Target* const target = argc > 1 ? find_target(argv[1]) : nullptr;
  if (target == nullptr) {
    std::fprintf(stderr, "usage: vizd_fuzz_replay TARGET FOLDER ...; there is no such target\n");
    return 2;
  }
  int files = 0;
  for (int i = 2; i < argc; ++i) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i])) {
      if (!entry.is_regular_file()) continue;
      std::ifstream in(entry.path(), std::ios::binary);
      const std::vector<char> bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
      target->run(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
      ++files;
    }
  }
  std::printf("%d inputs replayed\n", files);
  return files == 0 ? 1 : 0;
}
