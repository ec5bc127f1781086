// What a reader costs grows as its input does, whatever that is made of: 8 MB of hostile bytes must not cost what 8 GB
// should.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "base/mapped_file.h"
#include "formats/bigtpu/format.h"
#include "formats/perfetto/format.h"
#include "formats/registry.h"
#include "support/catch.h"
#include "support/examples.h"
#include "support/failing_allocation.h"
#include "support/packed.h"
#include "support/pickle_writer.h"
#include "support/temporary_folder.h"
#include "vizd/capture_writer.h"

namespace vizd::complexity_test {
namespace {

using Make = std::function<std::string(std::size_t)>;
using Read = std::function<void(const std::string&)>;
using capture::CaptureWriter;

// The CPU time of this process; counted, where getrusage() divides by samples.
double cpu_seconds() {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

void read_as_capture(const std::string& bytes) {
  Capture capture;
  static_cast<void>(read_capture({"f", std::as_bytes(std::span(bytes))}, capture));
  // What every viewer asks of the tracks at once.
  static_cast<void>(track_paths(capture.profile.tracks, capture.strings));
}

// The least of several tries: what the work itself costs.
double seconds_to_read(const std::string& bytes, const Read& read) {
  double least = std::numeric_limits<double>::max();
  for (int i = 0; i < 2; ++i) {
    const double start = cpu_seconds();
    read(bytes);
    least = std::min(least, cpu_seconds() - start);
  }
  return least;
}

// A linear reader takes 8 to 20 times as long for eight times the input (it no longer fits into caches, and takes pages
// from the system), a quadratic one 64 times.
void check_linear(const Make& make, std::size_t n, const Read& read = read_as_capture,
                  std::size_t most_n = std::size_t{1} << 18) {
  constexpr std::size_t kTimes = 8;
  constexpr double kLongEnough = 0.003, kMostGrowth = 32;
  double of_small = seconds_to_read(make(n), read);
  while (of_small < kLongEnough && n < most_n) of_small = seconds_to_read(make(n *= 2), read);
  const std::string small = make(n), large = make(kTimes * n);
  double of_large = seconds_to_read(large, read);
  for (int attempt = 0; attempt < 4 && of_large > kMostGrowth * of_small; ++attempt) {
    of_large = std::min(of_large, seconds_to_read(large, read));
    of_small = std::min(of_small, seconds_to_read(small, read));
  }
  INFO("of " << n << ": " << of_small << " s, of " << kTimes * n << ": " << of_large << " s");
  CHECK(of_large <= kMostGrowth * std::max(of_small, 1e-3));
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
        5'000);
  }
}

TEST_CASE("complexity: a native capture that was appended to many times") {
  const std::string tracks = written([](CaptureWriter& w) {
    for (int i = 0; i < 5000; ++i) w.event(w.lane("l" + std::to_string(i)), "event", 0, 5);
  });
  const std::string part = one_event();
  check_linear([&](std::size_t n) { return tracks + repeated(part, std::min<std::size_t>(n, 4000)); }, 250);
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
  const auto pickle = [](const std::string& opcodes) {
    // Something of tinygrad's, so that it is looked into.
    return "\x80\x04\x8c\x09tinygrad." + ("0" + opcodes) + ".";
  };
  // Each item is kept in the memo, and the list asks for it again.
  check_linear(
      [&](std::size_t n) {
        PickleWriter writer;
        writer.list().memoize().mark();
        for (std::size_t i = 0; i < n; ++i) writer.text("t" + std::to_string(i)).memoize().mark().tuple();
        const std::string whole = writer.appends().finish();
        return pickle(whole.substr(2, whole.size() - 3));
      },
      10'000);
  check_linear([&](std::size_t n) { return pickle(repeated("]", n) + repeated("a", n - 1)); }, 20'000);
  check_linear([&](std::size_t n) { return pickle(repeated("(", n) + repeated("t", n)); }, 20'000);
  check_linear([&](std::size_t n) { return pickle("]\x94" + repeated("h\0a", n)); }, 20'000);
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

// A trace of n such lines, each made of its number.
using Line = std::function<std::string(std::size_t)>;

std::string chrome_trace(std::size_t n, const Line& line) {
  std::string text = "{\"traceEvents\":[";
  for (std::size_t i = 0; i < n; ++i) text += (i == 0 ? "" : ",\n") + line(i);
  return text + "]}";
}

const std::pair<std::string_view, Line> kChromeLines[] = {
    {"spans side by side",
     [](std::size_t i) {
       return fmt::format(R"({{"ph":"X","name":"k{}","pid":1,"tid":1,"ts":{},"dur":1}})", i, 2 * i);
     }},
    {"many threads",
     [](std::size_t i) {
       return fmt::format(R"({{"ph":"X","name":"k","pid":1,"tid":{},"ts":1,"dur":1}})", i % 60'000);
     }},
    {"many processes",
     [](std::size_t i) {
       return fmt::format(R"({{"ph":"M","name":"process_name","pid":{0},"args":{{"name":"p{0}"}}}})", i % 60'000);
     }},
    {"spans in spans that never end",
     [](std::size_t i) { return fmt::format(R"({{"ph":"B","name":"k","pid":1,"tid":1,"ts":{}}})", i); }},
    {"ends without a beginning",
     [](std::size_t i) { return fmt::format(R"({{"ph":"E","pid":1,"tid":1,"ts":{}}})", i); }},
    {"arrows",
     [](std::size_t i) {
       return fmt::format(
           R"({{"ph":"X","name":"k","pid":1,"tid":1,"ts":{1},"dur":1}},{{"ph":"{0}","id":{2},"name":"f","cat":"c","pid":1,"tid":1,"ts":{1}}})",
           i % 2 == 0 ? 's' : 'f', i, i / 2);
     }},
    {"arrows of one number",
     [](std::size_t i) {
       return fmt::format(R"({{"ph":"{}","id":1,"name":"f","cat":"c","pid":1,"tid":1,"ts":{}}})",
                          i % 2 == 0 ? 's' : 'f', i);
     }},
    {"asynchronous events that overlap",
     [](std::size_t i) {
       return fmt::format(R"({{"ph":"b","id":{},"name":"k","cat":"c","pid":1,"tid":1,"ts":{}}})", i, i);
     }},
    {"counters of many names",
     [](std::size_t i) { return fmt::format(R"({{"ph":"C","name":"n{0}","pid":1,"ts":{0},"args":{{"a":1}}}})", i); }},
    {"one argument each of another name",
     [](std::size_t i) {
       return fmt::format(R"({{"ph":"X","name":"k","pid":1,"tid":1,"ts":{0},"dur":1,"args":{{"a{0}":1}}}})", i);
     }},
    {"launches and kernels",
     [](std::size_t i) {
       return fmt::format(
           R"({{"ph":"X","cat":"{0}","name":"k","pid":{1},"tid":1,"ts":{2},"dur":1,"args":{{"correlation":{3}}}}})",
           i % 2 == 0 ? "cuda_runtime" : "kernel", i % 2, i, i / 2);
     }},
};

TEST_CASE("complexity: Chrome's traces of many events of every kind") {
  for (const auto& [what, line] : kChromeLines) {
    CAPTURE(what);
    check_linear([&](std::size_t n) { return chrome_trace(n, line); }, 2'000);
  }
  // One event with many arguments, one of them deep.
  check_linear(
      [](std::size_t n) {
        std::string arguments;
        for (std::size_t i = 0; i < n; ++i) arguments += fmt::format("\"a{}\":1,", i);
        return fmt::format(R"({{"traceEvents":[{{"ph":"X","name":"k","pid":1,"tid":1,"ts":1,"dur":1,"args":{{{}"z":)"
                           R"({}1{}}}}}]}})",
                           arguments, repeated("[", n), repeated("]", n));
      },
      2'000);
}

TEST_CASE("complexity: every format's example, many times over") {
  for (const Example& example : all_examples()) {
    for (const std::string& path : example.paths) {
      CAPTURE(path);
      const auto file = MappedFile::open(path);
      REQUIRE(file);
      if (find_format(file->bytes(), path) != example.format) continue;
      const std::string_view bytes(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size());
      constexpr std::size_t kMostBytes = std::size_t{1} << 20;
      check_linear([&](std::size_t n) { return repeated(bytes, n); }, 4, read_as_capture, kMostBytes / bytes.size());
    }
  }
}

std::string written_as_perfetto(const std::string& chrome_trace) {
  Capture capture;
  REQUIRE(read_capture({"f", std::as_bytes(std::span(chrome_trace))}, capture));
  std::string bytes;
  perfetto::write(capture, {}, [&](std::string_view part) { bytes += part; });
  return bytes;
}

TEST_CASE("complexity: Perfetto's traces of many events of every kind") {
  for (const auto& [what, line] : kChromeLines) {
    CAPTURE(what);
    check_linear([&](std::size_t n) { return written_as_perfetto(chrome_trace(n, line)); }, 2'000);
  }
  // Packets that hold nothing, and one that claims the rest each time.
  const std::string good = written_as_perfetto(chrome_trace(1, kChromeLines[0].second));
  check_linear([&](std::size_t n) { return good + repeated(std::string_view("\x0a\x00", 2), n); }, 20'000);
  check_linear([&](std::size_t n) { return good + repeated("\x0a\xff\xff\x03", n); }, 20'000);
}

TEST_CASE("complexity: every writer, of events of many kinds") {
  const std::pair<std::string_view, Line> kOverlapping{
      "spans that overlap", [](std::size_t i) {
        return fmt::format(R"({{"ph":"X","name":"k","pid":1,"tid":1,"ts":{},"dur":100000000}})", i);
      }};
  std::vector<std::pair<std::string_view, Line>> lines{kOverlapping};
  for (const auto& named : kChromeLines) {
    constexpr std::string_view kWritten[] = {"spans side by side", "arrows"};
    if (std::ranges::find(kWritten, named.first) != std::end(kWritten)) lines.push_back(named);
  }
  for (const auto& [what, line] : lines) {
    for (const Format* format : formats()) {
      if (format->writer == nullptr) continue;
      INFO(what << ", " << format->name);
      // The capture is read once, and its reading not counted.
      std::unique_ptr<Capture> capture;
      std::string of_which;
      check_linear([&](std::size_t n) { return chrome_trace(n, line); }, 1'000,
                   [&](const std::string& trace) {
                     if (of_which != trace) {
                       capture = std::make_unique<Capture>();
                       REQUIRE(read_capture({"f", std::as_bytes(std::span(trace))}, *capture));
                       of_which = trace;
                     }
                     format->writer->write(*capture, {.level = 1}, [](std::string_view) {});
                   });
    }
  }
}

// As check_linear, of the memory that is held at once. Large columns come from the system beside it, and are as long as
// what is in them.
void check_memory(const Make& make, std::size_t n) {
  const auto most_bytes_of = [](const std::string& bytes) {
    const HeldMemory held;
    read_as_capture(bytes);
    return held.most_bytes();
  };
  constexpr std::int64_t kMostGrowth = 16, kMostPerByte = 400;
  const std::string small = make(n), large = make(8 * n);
  const std::int64_t of_small = most_bytes_of(small), of_large = most_bytes_of(large);
  INFO("of " << small.size() << " bytes: " << of_small << " bytes, of " << large.size() << ": " << of_large);
  CHECK(of_large <= kMostGrowth * std::max<std::int64_t>(of_small, 1 << 20));
  CHECK(of_large <= kMostPerByte * static_cast<std::int64_t>(large.size()) + (std::int64_t{64} << 20));
}

TEST_CASE("complexity: the memory of reading grows as what is read") {
  for (const auto& [what, line] : kChromeLines) {
    CAPTURE(what);
    check_memory([&](std::size_t n) { return chrome_trace(n, line); }, 4'000);
    check_memory([&](std::size_t n) { return written_as_perfetto(chrome_trace(n, line)); }, 4'000);
  }
  for (const Example& example : all_examples()) {
    const std::string& path = example.paths.front();
    CAPTURE(path);
    const auto file = MappedFile::open(path);
    REQUIRE(file);
    const std::string_view bytes(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size());
    check_memory([&](std::size_t n) { return repeated(bytes, n); }, 8);
  }
}

TEST_CASE("complexity: a TPU's records that belong together and that do not") {
  const auto words = [](std::initializer_list<std::uint32_t> values) {
    return std::string(reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(std::uint32_t));
  };
  const auto block = [&](bigtpu::BlockType type, const std::string& content) {
    return words({static_cast<std::uint32_t>(type), static_cast<std::uint32_t>(content.size())}) + content;
  };
  const Read read = [](const std::string& file) {
    bigtpu::ProfileFolder folder{.name = "f", .global = {}, .cores = {}, .ports = {}};
    folder.chip = &bigtpu::kAks;
    folder.cores.push_back({"cdmlib0_0.profile", 0, bigtpu::read_blocks(std::as_bytes(std::span(file)))});
    Capture capture;
    static_cast<void>(bigtpu::read_folders({folder}, std::nullopt, capture));
  };
  for (const bool is_paired : {true, false}) {
    check_linear(
        [&](std::size_t n) {
          std::string records, items;
          for (std::uint32_t i = 0; i < n; ++i) {
            records += words({100 * i, 100 * i + 50, is_paired ? i : 7, 0});
            items += words({1, i, 0, 0});
          }
          return block(bigtpu::BlockType::kMonitorTiu, records) + block(bigtpu::BlockType::kDynamicData, items);
        },
        20'000, read);  // beyond what is aligned section by section: that costs their product, so it is limited
  }
  // Blocks of nothing.
  check_linear([&](std::size_t n) { return repeated(block(bigtpu::BlockType::kDynamicData, ""), n); }, 20'000, read);
}

}  // namespace
}  // namespace vizd::complexity_test
