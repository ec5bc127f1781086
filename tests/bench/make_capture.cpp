// Writes a made-up capture like real ones (tests/support/made_profile.h), of any size, for measuring vizd with:
// vizd_make_capture EVENTS OUT.bin [ALLOCATIONS]. 10^8 events take about five gigabytes of memory while it runs.
#include <fmt/core.h>

#include <charconv>
#include <cstdio>
#include <memory>
#include <optional>
#include <string_view>

#include "base/parallel.h"
#include "formats/native/capture_encoder.h"
#include "support/made_profile.h"

namespace vizd {
namespace {

constexpr std::int64_t kStep_ns = 100'000'000;
constexpr int kSteps = 8;
constexpr std::size_t kLanes = 25;  // about a hundred rows

std::optional<std::size_t> parse_count(std::string_view text) {
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return count;
}

// Spread over the time of the events, in three categories.
void add_allocations(std::size_t count, Capture& capture) {
  const StringId weights = capture.strings.add("weights"), activations = capture.strings.add("activations"),
                 scratch = capture.strings.add("scratch"), dtype = capture.strings.add("float");
  std::vector<Allocation> allocations = made_allocations(count);
  const std::int64_t factor =
      std::max<std::int64_t>(capture.profile.end_ns / static_cast<std::int64_t>(200 * count), 1);
  for (Allocation& allocation : allocations) {
    allocation.category = !allocation.freed ? weights : allocation.key % 3 == 0 ? scratch : activations;
    allocation.dtype = dtype;
    allocation.birth_ns *= factor;
    allocation.death_ns *= factor;
  }
  capture.profile.tracks.front().allocations = std::move(allocations);
}

bool write_capture(std::size_t events, std::size_t allocations, const char* path) {
  Capture capture;
  fill_profile({.events = events, .lanes = kLanes}, capture, core_count());
  if (allocations > 0) add_allocations(allocations, capture);
  for (int step = 0; step < kSteps; ++step)
    capture.profile.markers.push_back({.at_ns = kStep_ns * step,
                                       .name = capture.strings.add("step " + std::to_string(step)),
                                       .colour = capture.strings.add("orange")});
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path, "wb"), std::fclose);
  if (!file) return false;
  native::encode_capture(capture, {.source_line = {}, .level = 1},
                         [&](std::string_view part) { std::fwrite(part.data(), 1, part.size(), file.get()); });
  return std::fflush(file.get()) == 0 && std::ferror(file.get()) == 0;
}

}  // namespace
}  // namespace vizd

int main(int argc, char** argv) {
  const auto events = argc > 2 ? vizd::parse_count(argv[1]) : std::nullopt;
  const auto allocations = argc > 3 ? vizd::parse_count(argv[3]) : std::size_t{0};
  if (!events || !allocations) {
    fmt::print(stderr, "usage: vizd_make_capture EVENTS OUT.bin [ALLOCATIONS]\n");
    return 2;
  }
  if (!vizd::write_capture(*events, *allocations, argv[2])) {
    std::perror(argv[2]);
    return 1;
  }
}
