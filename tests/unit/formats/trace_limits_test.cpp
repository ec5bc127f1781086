// The limits of traces' readers: so much is read, and what is beyond that is counted.
#include <fmt/format.h>

#include <string>

#include "formats/perfetto/format.h"
#include "formats/registry.h"
#include "support/catch.h"
#include "support/packed.h"

namespace vizd::trace_limits_test {
namespace {

constexpr std::size_t kMostTracks = 65'536, kMore = 10;

std::string trace_of_threads(std::size_t count) {
  std::string text = "{\"traceEvents\":[";
  for (std::size_t i = 0; i < count; ++i)
    text += fmt::format(R"({}{{"ph":"X","name":"k","pid":{},"tid":1,"ts":{},"dur":1}})", i == 0 ? "" : ",", i + 1, i);
  return text + "]}";
}

std::size_t event_count(const Capture& capture) {
  std::size_t count = 0;
  for (const Track& track : capture.profile.tracks) count += track.events.size();
  return count;
}

void append_bytes(std::string& out, char tag, const std::string& content) {
  out += tag;
  for (std::size_t size = content.size();; size >>= 7) {
    if (size < 128) {
      out += static_cast<char>(size);
      break;
    }
    out += static_cast<char>(size % 128 + 128);
  }
  out += content;
}

TEST_CASE("limits: threads of a Chrome trace beyond 65,536 are left out with their events, and counted", "[chrome]") {
  const std::string trace = trace_of_threads(kMostTracks + kMore);
  Capture capture;
  REQUIRE(read_capture({"f", std::as_bytes(std::span(trace))}, capture));
  CHECK(event_count(capture) == kMostTracks);
  REQUIRE(capture.skipped.size() == 1);
  CHECK(capture.skipped.begin()->first == "events of threads beyond 65,536");
  CHECK(capture.skipped.begin()->second == kMore);
}

TEST_CASE("limits: tracks of a Perfetto trace beyond 65,536 are left out with their events, and counted",
          "[perfetto]") {
  std::string trace;
  for (std::size_t i = 0; i < kMostTracks + kMore; ++i) {
    std::string event("\x48\x03\x58", 3);  // an instant of a track that nothing describes
    for (std::size_t uuid = i + 1;; uuid >>= 7) {
      if (uuid < 128) {
        event += static_cast<char>(uuid);
        break;
      }
      event += static_cast<char>(uuid % 128 + 128);
    }
    std::string packet("\x40\x05", 2);
    append_bytes(packet, '\x5a', event);
    append_bytes(trace, '\x0a', packet);
  }
  Capture capture;
  REQUIRE(read_capture({"f", std::as_bytes(std::span(trace))}, capture));
  CHECK(capture.profile.tracks.size() == kMostTracks);
  CHECK(event_count(capture) == kMostTracks);
  CHECK(capture.skipped["tracks beyond 65,536"] == kMore);
  CHECK(capture.skipped["events of tracks beyond 65,536"] == kMore);
}

TEST_CASE("a packed file of no known format is unpacked no further than to see that", "[formats]") {
  const std::string whole = gzipped(std::string(std::size_t{32} << 20, 'x'));
  for (const std::string& packed : {whole, whole.substr(0, whole.size() - 100)}) {
    Capture capture;
    const auto read = read_capture({"f", std::as_bytes(std::span(packed))}, capture);
    REQUIRE_FALSE(read);
    CHECK(read.error().message.starts_with("is of no format"));
  }
  // Damage at its beginning is told.
  const std::string cut = gzipped("no trace").substr(0, 12);
  Capture capture;
  const auto read = read_capture({"f", std::as_bytes(std::span(cut))}, capture);
  REQUIRE_FALSE(read);
  CHECK(read.error().message.find("was the file cut?") != std::string::npos);
}

}  // namespace
}  // namespace vizd::trace_limits_test
