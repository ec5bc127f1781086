// The rewrites behind kernels of real captures, compared: what changed adds up to the difference of the passes'
// matches, turned round it has the other sign, and a capture differs in nothing from itself.
#include <filesystem>
#include <map>
#include <memory>
#include <numeric>
#include <string>

#include "analysis/devices/kernel_rewrites.h"
#include "base/mapped_file.h"
#include "formats/registry.h"
#include "support/catch.h"
#include "support/places.h"

namespace vizd::kernel_rewrites_golden_test {
namespace {

std::unique_ptr<Capture> open_rewrites(const std::string& path) {
  const auto file = MappedFile::open(path);
  REQUIRE(file.has_value());
  auto capture = std::make_unique<Capture>();
  REQUIRE(read_capture({path, file->bytes()}, *capture).has_value());
  return capture;
}

std::int64_t matches_of(const Capture& capture, std::uint32_t context) {
  const auto passes = capture.rewrites.passes_of(capture.rewrites.contexts[context]);
  return std::accumulate(passes.begin(), passes.end(), std::int64_t{0},
                         [](std::int64_t sum, const Pass& pass) { return sum + pass.match_count; });
}

std::int64_t sum_of(const std::vector<ChangedRule>& rules) {
  return std::accumulate(rules.begin(), rules.end(), std::int64_t{0}, [](std::int64_t sum, const ChangedRule& rule) {
    return sum + rule.b_matches - rule.a_matches;
  });
}

// The kernels of a capture by what the device calls them, with the contexts that made them.
std::map<std::string, std::uint32_t> kernels_of(const Capture& capture) {
  std::map<std::string, std::uint32_t> kernels;
  for (const Context& context : capture.rewrites.contexts) {
    if (context.program == ProgramId{kNoId}) continue;
    const std::string name(capture.strings.get(capture.rewrites.programs[index(context.program)].name));
    if (const auto found = find_kernel_context(capture, name)) kernels.emplace(name, *found);
  }
  return kernels;
}

struct Pair {
  const char *folder, *a, *b;
  std::size_t kernels;  // that both have, and whose rules matched otherwise
};

TEST_CASE("what changed behind kernels of two real captures adds up") {
  // How many, as counting the matches of the pickles by context, pass and rule in Python has it: 18 of 27.
  const Pair pair = GENERATE(Pair{"tinygrad-2025-09", "gpt", "multi", 18}, Pair{"tinygrad-2026-08", "gpt", "gpt", 0});
  const std::string folder = shared_data("samples/") + pair.folder + "/";
  if (!std::filesystem::exists(folder)) {
    WARN("skipped: " << folder << " is not here");
    return;
  }
  const auto a = open_rewrites(folder + pair.a + ".rewrites.pkl"), b = open_rewrites(folder + pair.b + ".rewrites.pkl");
  const auto a_kernels = kernels_of(*a), b_kernels = kernels_of(*b);
  REQUIRE_FALSE(a_kernels.empty());
  std::size_t changed = 0;
  for (const auto& [name, a_context] : a_kernels) {
    INFO(name);
    CHECK(compare_kernel_rewrites(*a, a_context, *a, a_context).empty());
    const auto found = b_kernels.find(name);
    if (found == b_kernels.end()) continue;
    const auto rules = compare_kernel_rewrites(*a, a_context, *b, found->second);
    CHECK(sum_of(rules) == matches_of(*b, found->second) - matches_of(*a, a_context));
    const auto turned = compare_kernel_rewrites(*b, found->second, *a, a_context);
    CHECK(turned.size() == rules.size());
    CHECK(sum_of(turned) == -sum_of(rules));
    changed += rules.empty() ? 0 : 1;
  }
  CHECK(changed == pair.kernels);
}

}  // namespace
}  // namespace vizd::kernel_rewrites_golden_test
