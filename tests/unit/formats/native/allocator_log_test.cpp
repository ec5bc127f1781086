// What an allocator told of itself comes through a conversion; a log that does not fit its track is left out.
#include "base/mapped_file.h"
#include "formats/native/capture_encoder.h"
#include "formats/registry.h"
#include "support/allocator_text.h"
#include "support/catch.h"
#include "support/places.h"

namespace vizd::allocator_log_test {
namespace {

std::string converted(const Capture& capture) {
  std::string bytes;
  for (const Format* format : formats()) {
    if (format->name == "vizd") format->writer->write(capture, {}, [&](std::string_view part) { bytes += part; });
  }
  return bytes;
}

TEST_CASE("an allocator's log comes through a conversion whole") {
  for (const std::string_view name : {"train/input/train", "cpp/input/cpp", "expandable/input/expandable"}) {
    CAPTURE(name);
    const std::string path = test_data("../golden/torch_memory/" + std::string(name) + ".pickle");
    const auto file = MappedFile::open(path);
    REQUIRE(file);
    Capture capture, again;
    REQUIRE(read_capture({.name = path, .bytes = file->bytes()}, capture));
    const std::string bytes = converted(capture);
    REQUIRE(read_capture({.name = "again.bin", .bytes = std::as_bytes(std::span(bytes))}, again));
    CHECK(again.skipped.empty());
    REQUIRE(again.profile.tracks.size() == capture.profile.tracks.size());
    for (std::size_t i = 0; i < capture.profile.tracks.size(); ++i)
      CHECK(allocator_text(again, again.profile.tracks[i]) == allocator_text(capture, capture.profile.tracks[i]));
  }
}

TEST_CASE("an allocator's log that refers to what is missing, or has lives too few, is left out and counted") {
  const auto read_with = [](const auto& change) {
    Capture capture, again;
    Track& track = capture.profile.tracks.emplace_back();
    track.name = capture.strings.add("memory");
    track.allocations.push_back({.count = 8, .item_size_bytes = 1, .address = 4096});
    auto log = std::make_shared<AllocatorLog>();
    log->pools.emplace_back(), log->sites.emplace_back();
    log->entries.action.push_back({}), log->entries.at_ns.push_back(5);
    log->entries.address.push_back(4096), log->entries.size_bytes.push_back(8);
    log->lives.requested_bytes.push_back(8), log->lives.born.push_back(1), log->lives.freed.push_back(kNeverDone);
    log->lives.completed.push_back(kNeverDone), log->lives.pool.push_back(0), log->lives.site.push_back(0);
    log->lives.flags.push_back(0);
    change(*log);
    track.allocator = log;
    capture.has_profile = true;
    const std::string bytes = converted(capture);
    REQUIRE(read_capture({.name = "a.bin", .bytes = std::as_bytes(std::span(bytes))}, again));
    REQUIRE(again.profile.tracks.size() == 1);
    CHECK((again.profile.tracks[0].allocator == nullptr) == (again.skipped.size() == 1));
    return again.profile.tracks[0].allocator != nullptr;
  };
  CHECK(read_with([](AllocatorLog&) {}));
  CHECK_FALSE(read_with([](AllocatorLog& log) { log.lives.pool.set(0, 1); }));
  CHECK_FALSE(read_with([](AllocatorLog& log) { log.lives.site.set(0, 7); }));
  CHECK_FALSE(read_with([](AllocatorLog& log) { log.lives.completed.set(0, 2); }));
  CHECK_FALSE(read_with([](AllocatorLog& log) { log.segments.push_back({.from = 2}); }));
  CHECK_FALSE(read_with([](AllocatorLog& log) { log.lives = {}; }));
}

}  // namespace
}  // namespace vizd::allocator_log_test
