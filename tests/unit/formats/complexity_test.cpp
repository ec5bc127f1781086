// Twice the input costs at most 2.5 times the processor time, for every reader, whatever the input is made of: 8 MB of
// hostile bytes must not cost what 8 GB should. A reader that is quadratic needs four times as long at every try, one
// that is not is let try again where the machine is busy.
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>

#include "base/mapped_file.h"
#include "formats/registry.h"
#include "support/catch.h"
#include "support/packed.h"
#include "support/pickle_writer.h"
#include "support/temporary_folder.h"
#include "vizd/capture_writer.h"

namespace vizd {
namespace {

using Make = std::function<std::string(std::size_t)>;
using capture::CaptureWriter;

// Of the process itself: what the kernel does meanwhile (pages, mostly) says more of the machine than of the reader.
double cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_utime.tv_sec) + static_cast<double>(used.ru_utime.tv_usec) * 1e-6;
}

// The least of several tries: what the work itself costs.
double seconds_to_read(const std::string& bytes) {
  double least = std::numeric_limits<double>::max();
  for (int i = 0; i < 3; ++i) {
    const double start = cpu_seconds();
    Capture capture;
    static_cast<void>(read_capture({"f", std::as_bytes(std::span(bytes))}, capture));
    // What every viewer asks of the tracks at once.
    static_cast<void>(track_paths(capture.profile.tracks, capture.strings));
    least = std::min(least, cpu_seconds() - start);
  }
  return least;
}

void check_linear(const Make& make, std::size_t n) {
  constexpr double kLongEnough = 0.005, kMostGrowth = 2.5;
  double once = seconds_to_read(make(n));
  while (once < kLongEnough && n < (std::size_t{1} << 20)) once = seconds_to_read(make(n *= 2));
  double growth = 0;
  const std::string small = make(n), large = make(2 * n);
  for (int attempt = 0; attempt < 5; ++attempt) {
    growth = seconds_to_read(large) / std::max(seconds_to_read(small), 1e-3);
    if (growth <= kMostGrowth) break;
  }
  INFO("of " << n << ": " << once << " s");
  CHECK(growth <= kMostGrowth);
}

std::string written(const std::function<void(CaptureWriter&)>& write) {
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

std::string one_event() {
  return written([](CaptureWriter& w) { w.event(w.lane("lane"), "event", 0, 5); });
}

std::string repeated(std::string_view part, std::size_t n) {
  std::string text;
  text.reserve(part.size() * n);
  for (std::size_t i = 0; i < n; ++i) text += part;
  return text;
}

TEST_CASE("complexity: bytes of a native capture that look like chunks and are none") {
  const std::string good = one_event();
  check_linear([&](std::size_t n) { return good + repeated("vzCk.....", n); }, 10'000);
  // Each claims to reach to the end of the file.
  check_linear(
      [&](std::size_t n) {
        capture::ChunkHeader header{};
        header.marker = capture::kChunkMarker;
        std::string bytes = good;
        for (std::size_t i = 0; i < n; ++i) {
          header.stored_bytes = (n - 1 - i) * sizeof header;
          bytes.append(reinterpret_cast<const char*>(&header), sizeof header);
        }
        return bytes;
      },
      10'000);
}

TEST_CASE("complexity: many tracks, side by side and one in the other") {
  for (const bool is_nested : {false, true}) {
    check_linear(
        [&](std::size_t n) {
          return written([&](CaptureWriter& w) {
            auto parent = capture::kNoTrack;
            for (std::size_t i = 0; i < std::min<std::size_t>(n, 60'000); ++i) {
              const auto track = w.track({"t" + std::to_string(i), "", parent});
              if (is_nested) parent = track;
              w.event(track, "event", static_cast<std::int64_t>(i), 5);
            }
          });
        },
        10'000);
  }
}

TEST_CASE("complexity: a native capture that was appended to many times") {
  const std::string tracks = written([](CaptureWriter& w) {
    for (int i = 0; i < 5000; ++i) w.event(w.lane("l" + std::to_string(i)), "event", 0, 5);
  });
  const std::string part = one_event();
  check_linear([&](std::size_t n) { return tracks + repeated(part, std::min<std::size_t>(n, 4000)); }, 1000);
}

TEST_CASE("complexity: events with many different arguments") {
  check_linear(
      [](std::size_t n) {
        return written([&](CaptureWriter& w) {
          std::vector<capture::ArgumentId> arguments;
          for (int i = 0; i < 4000; ++i)
            arguments.push_back(w.argument("a" + std::to_string(i), "", capture::ArgumentType::kInteger));
          std::vector<capture::LaneId> lanes;
          for (int i = 0; i < 100; ++i) lanes.push_back(w.lane("l" + std::to_string(i)));
          for (std::size_t i = 0; i < n; ++i)
            w.event(lanes[i % lanes.size()], "event", static_cast<std::int64_t>(i), 5, {{arguments[i * 7 % 4000], 1}});
        });
      },
      20'000);
}

TEST_CASE("complexity: a chain of packed parts that hold nothing") {
  const std::string good = one_event();
  check_linear([&](std::size_t n) { return gzipped(good) + repeated(gzipped(""), n); }, 20'000);
  check_linear([&](std::size_t n) { return zstd_packed(good) + repeated(zstd_packed(""), n); }, 20'000);
}

TEST_CASE("complexity: pickles of many values") {
  // Each item is kept in the memo, and the list asks for it again.
  check_linear(
      [](std::size_t n) {
        PickleWriter writer;
        writer.list().memoize().mark();
        for (std::size_t i = 0; i < n; ++i) writer.text("t" + std::to_string(i)).memoize().mark().tuple();
        return writer.appends().finish();
      },
      20'000);
  check_linear([](std::size_t n) { return "\x80\x04" + repeated("]", n) + repeated("a", n - 1) + "."; }, 20'000);
  check_linear([](std::size_t n) { return "\x80\x04" + repeated("(", n) + repeated("t", n) + "."; }, 20'000);
}

TEST_CASE("complexity: speedscope's files of many frames and of deep stacks") {
  const auto file = [](std::size_t n, bool is_deep) {
    std::string frames, events;
    for (std::size_t i = 0; i < n; ++i) {
      frames += (i == 0 ? "{\"name\":\"f" : ",{\"name\":\"f") + std::to_string(i) + "\"}";
      const std::string at = std::to_string(is_deep ? i : 2 * i), end = std::to_string(2 * i + 1);
      events += (i == 0 ? "{\"type\":\"O\",\"frame\":" : ",{\"type\":\"O\",\"frame\":") + std::to_string(i) +
                ",\"at\":" + at + "}";
      if (!is_deep) events += ",{\"type\":\"C\",\"frame\":" + std::to_string(i) + ",\"at\":" + end + "}";
    }
    for (std::size_t i = n; is_deep && i-- > 0;)
      events += ",{\"type\":\"C\",\"frame\":" + std::to_string(i) + ",\"at\":" + std::to_string(2 * n - i) + "}";
    return "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"shared\":{\"frames\":[" + frames +
           "]},\"profiles\":[{\"type\":\"evented\",\"name\":\"p\",\"unit\":\"none\",\"startValue\":0,\"endValue\":" +
           std::to_string(2 * n) + ",\"events\":[" + events + "]}]}";
  };
  check_linear([&](std::size_t n) { return file(n, false); }, 5'000);
  check_linear([&](std::size_t n) { return file(n, true); }, 5'000);
}

}  // namespace
}  // namespace vizd
