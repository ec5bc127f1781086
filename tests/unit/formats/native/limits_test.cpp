// The limits of docs/limits.md that a native capture can reach: what lies beyond is left out and counted, or told.
#include <string>

#include "base/mapped_file.h"
#include "formats/registry.h"
#include "support/catch.h"
#include "support/temporary_folder.h"
#include "vizd/capture_writer.h"

namespace vizd::limits_test {
namespace {

using capture::CaptureWriter;

template <typename Write>
std::string written(const Write& write) {
  const TemporaryFolder folder;
  const std::string path = folder / "c.bin";
  {
    CaptureWriter writer(path);
    write(writer);
  }
  const auto file = MappedFile::open(path);
  REQUIRE(file);
  return {reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size()};
}

void read(const std::string& bytes, Capture& capture) {
  const auto done = read_capture({"f", std::as_bytes(std::span(bytes))}, capture);
  if (!done) FAIL(done.error().text());
}

TEST_CASE("limits: tracks beyond 65,536 are left out with their events, and counted", "[native]") {
  constexpr std::size_t kMost = 65'536, kMore = 10;
  Capture capture;
  read(written([&](CaptureWriter& w) {
         for (std::size_t i = 0; i < kMost + kMore; ++i) w.event(w.track({"t" + std::to_string(i)}), "event", 0, 5);
       }),
       capture);
  CHECK(capture.profile.tracks.size() == kMost);
  CHECK(capture.skipped.at("track beyond the number that vizd draws") >= 1);
  CHECK(capture.skipped.at("event of a track that is missing, or has too many") == kMore);
}

TEST_CASE("limits: a track nested deeper than 64 stands at the root", "[native]") {
  Capture capture;
  read(written([](CaptureWriter& w) {
         auto parent = capture::kNoTrack;
         for (int i = 0; i < 70; ++i) {
           parent = w.track({"t", "", parent});
           w.event(parent, "event", 0, 5);
         }
       }),
       capture);
  CHECK(capture.profile.tracks.size() == 70);
  CHECK(capture.skipped.at("parent of a track that is nested deeper than 64") == 1);
  for (const std::string& path : track_paths(capture.profile.tracks, capture.strings)) CHECK(path.size() < 200);
}

TEST_CASE("limits: a track's arguments beyond 4,096 are left out, and counted", "[native]") {
  Capture capture;
  read(written([](CaptureWriter& w) {
         const auto track = w.track({"t"});
         for (int i = 0; i < 4100; ++i) {
           const auto argument = w.argument("a" + std::to_string(i), "", capture::ArgumentType::kInteger);
           w.event(track, "event", i, 1, {{argument, 1}});
         }
       }),
       capture);
  CHECK(capture.profile.tracks[0].arguments.size() == 4096);
  CHECK(capture.profile.tracks[0].events.size() == 4100);
  CHECK(capture.skipped.at("argument beyond the number that vizd keeps") >= 1);
}

TEST_CASE("limits: of a capture of more than 4,096 parts the rest is left out, with a warning", "[native]") {
  const std::string part = written([](CaptureWriter& w) { w.event(w.track({"t"}), "event", 0, 5); });
  std::string bytes;
  for (int i = 0; i < 4100; ++i) bytes += part;
  Capture capture;
  read(bytes, capture);
  CHECK(capture.profile.tracks.size() == 1);
  CHECK(capture.profile.tracks[0].events.size() == 4096);
  REQUIRE(capture.warnings.size() == 1);
  CHECK(capture.warnings[0].find("4096 parts") != std::string::npos);
}

}  // namespace
}  // namespace vizd::limits_test
