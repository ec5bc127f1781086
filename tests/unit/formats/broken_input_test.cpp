// Broken captures of every kind end in an error that names its place, or open with what is whole in them, and what is
// read is consistent in itself. Nothing of a capture is run.
#include <algorithm>
#include <filesystem>
#include <map>
#include <string>

#include "base/mapped_file.h"
#include "formats/registry.h"
#include "support/catch.h"
#include "support/examples.h"
#include "support/named_sets.h"
#include "support/places.h"
#include "support/read_outcome.h"
#include "support/temporary_folder.h"
#include "support/tiny_capture.h"

namespace vizd::broken_input_test {
namespace {

Outcome read_bytes(std::string_view bytes) {
  const ReadOutcome read = outcome_of(bytes);
  if (!read.is_consistent) FAIL("inconsistent capture");
  if (read.outcome == Outcome::kRefused && (!read.error.starts_with("f") || read.error.size() < 12)) FAIL(read.error);
  return read.outcome;
}
bool opens(std::string_view bytes) { return read_bytes(bytes) != Outcome::kRefused; }

// The files of all formats' examples that are captures by themselves, by their paths. A TPU's global.profile, for
// example, opens by itself and only describes the other files of its folder.
std::map<std::string, std::string> example_files() {
  std::map<std::string, std::string> files;
  for (const Example& example : all_examples()) {
    for (const std::string& path : example.paths) {
      const std::string bytes = file_text(path);
      if (find_format(as_bytes(bytes), path) == example.format && outcome_of(bytes).counts.holds_something())
        files.emplace(path, bytes);
    }
  }
  return files;
}

std::string sample(const std::string& name) {
  const auto file = MappedFile::open(test_data("tinygrad-2025-09/") + name);
  if (!file) FAIL(file.error().text());
  return {reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size()};
}

TEST_CASE("broken: cut off at every eighth", "[broken]") {
  for (const char* name : {"ramp.rewrites.pkl", "ramp.profile.pkl"}) {
    const std::string whole = sample(name);
    CHECK(opens(whole));
    for (std::size_t eighth = 0; eighth < 8; ++eighth) CHECK_FALSE(opens(whole.substr(0, whole.size() * eighth / 8)));
    CHECK_FALSE(opens(whole.substr(0, whole.size() - 1)));
  }
}

TEST_CASE("broken: one byte flipped at a hundred places", "[broken]") {
  for (const char* name : {"ramp.rewrites.pkl", "ramp.profile.pkl"}) {
    const std::string whole = sample(name);
    int refused = 0;
    for (std::size_t i = 0; i < 100; ++i) {
      for (const char flip : {'\x01', '\x80', '\xff'}) {
        std::string bytes = whole;
        const std::size_t at = (i * 2 + 1) * whole.size() / 200;
        bytes[at] = static_cast<char>(bytes[at] ^ flip);
        refused += opens(bytes) ? 0 : 1;
      }
    }
    CHECK(refused > 50);  // the others changed a text, a number or one record
  }
}

TEST_CASE("broken: every format's example, cut off, is refused or its damage is told", "[broken]") {
  for (const auto& [path, whole] : example_files()) {
    CAPTURE(path);
    for (std::size_t part = 0; part < 32; ++part)
      CHECK(read_bytes(whole.substr(0, whole.size() * part / 32)) != Outcome::kWhole);
  }
}

TEST_CASE("broken: every format's example with a byte flipped, twice over, and in the middle of others", "[broken]") {
  for (const auto& [path, whole] : example_files()) {
    CAPTURE(path);
    for (std::size_t i = 0; i < 100; ++i) {
      for (const char flip : {'\x01', '\x80', '\xff'}) {
        std::string bytes = whole;
        const std::size_t at = (i * 2 + 1) * whole.size() / 200;
        bytes[at] = static_cast<char>(bytes[at] ^ flip);
        static_cast<void>(read_bytes(bytes));
      }
    }
    static_cast<void>(read_bytes(whole + whole));
    for (const auto& [other_path, other] : example_files()) static_cast<void>(read_bytes(whole.substr(0, 64) + other));
  }
}

// How much is read of a capture's files, and whether anything is told of them.
struct FilesOutcome {
  CaptureCounts counts;
  bool is_told = false;

  explicit FilesOutcome(const std::vector<std::string>& paths) {
    for (const InputSet& set : named_sets(paths)) {
      FileErrors errors(set.files.size());
      Capture capture;
      const bool is_read = set.format != nullptr && read_set(set, errors, capture);
      is_told = is_told || !is_read || !capture.warnings.empty() || !capture.skipped.empty();
      counts.add(capture);
    }
  }
  bool has_as_much_as(const FilesOutcome& other) const {
    return counts.missing_of(other.counts).empty() && other.counts.missing_of(counts).empty();
  }
};

std::map<std::string, std::string> damaged_ways(const std::string& whole) {
  std::map<std::string, std::string> ways = {{"empty", ""}, {"twice", whole + whole}};
  for (std::size_t eighth = 1; eighth < 8; ++eighth)
    ways["cut after eighth " + std::to_string(eighth)] = whole.substr(0, whole.size() * eighth / 8);
  ways["without its last byte"] = whole.substr(0, whole.size() - 1);
  constexpr std::size_t kZeros = 64;
  for (std::size_t sixth = 0; sixth < 6; ++sixth) {
    std::string holed = whole;
    const std::size_t at = whole.size() * (2 * sixth + 1) / 12, count = std::min(kZeros, whole.size() - at);
    holed.replace(at, count, count, '\0');
    ways["zeros in sixth " + std::to_string(sixth)] = std::move(holed);
  }
  return ways;
}

TEST_CASE("broken: an example of which one file is cut, empty, doubled or has zeros is told of, or is all there",
          "[broken]") {
  for (const Example& example : all_examples()) {
    const FilesOutcome whole(example.paths);
    const TemporaryFolder folder;
    std::vector<std::string> paths;
    for (const std::string& path : example.paths) {
      paths.push_back(folder / std::filesystem::path(path).filename().string());
      std::filesystem::copy_file(path, paths.back());
    }
    for (const std::string& path : paths) {
      const std::string bytes = file_text(path), name = std::filesystem::path(path).filename().string();
      for (const auto& [way, damaged] : damaged_ways(bytes)) {
        CAPTURE(example.paths.front(), name, way);
        folder.write(name, damaged);
        const FilesOutcome outcome(paths);
        CHECK((outcome.is_told || outcome.has_as_much_as(whole)));
      }
      folder.write(name, bytes);
    }
  }
}

TEST_CASE("every format that reads has an example, which it knows and reads whole", "[formats]") {
  for (const Format* format : formats()) {
    INFO(format->name);
    CHECK((format->read != nullptr) == !format->examples.empty());
  }
  for (const Example& example : all_examples()) {
    CAPTURE(example.paths.front());
    const std::vector<InputSet> sets = named_sets(example.paths);
    REQUIRE(sets.size() == 1);
    CHECK(sets[0].format == example.format);
    FileErrors errors(sets[0].files.size());
    Capture capture;
    REQUIRE(read_set(sets[0], errors, capture));
    // As Format::read is asked to.
    CHECK_FALSE(capture.format.empty());
    CHECK((capture.has_profile || capture.has_rewrites));
    CHECK(capture.has_rewrites == (capture.dialect != nullptr));
    CHECK(capture.has_profile == !capture.profile.tracks.empty());
    CHECK(capture.warnings == std::vector<std::string>());
    CHECK(capture.skipped.empty());
    CHECK(is_consistent(capture));
    for (const Track& track : capture.profile.tracks) {
      for (const Event event : track.events) {
        CHECK(event.start_ns >= capture.profile.start_ns);
        CHECK(event.start_ns + event.dur_ns <= capture.profile.end_ns);
      }
    }
  }
}

TEST_CASE("broken: nothing, and things that are no capture", "[broken]") {
  CHECK_FALSE(opens(""));
  CHECK_FALSE(opens("\x80"));
  CHECK_FALSE(opens("hello"));
  CHECK_FALSE(opens(std::string(100'000, '\0')));
  CHECK_FALSE(opens("\x80\x04N."));
  CHECK_FALSE(opens("\x1f\x8b\x08"));
  CHECK_FALSE(opens("\x28\xb5\x2f\xfd"));
  Capture capture;
  const std::string a_dict_of_something = "\x80\x04}\x8c\x01xK\x01s.";
  const auto result = read_capture({"other.pkl", as_bytes(a_dict_of_something)}, capture);
  REQUIRE_FALSE(result.has_value());
  CHECK(result.error().text() ==
        "other.pkl: a pickle, but neither tinygrad's rewrites nor its profile; record them with VIZ=1");
}

TEST_CASE("broken: bombs", "[broken]") {
  const std::string name = opcodes(PickleWriter().text("tinygrad.")) + "0";  // so that it is looked into
  std::string doubling = "N";
  for (int i = 0; i < 100'000; ++i) doubling += "2\x86";
  CHECK_FALSE(opens("\x80\x04" + name + doubling + "."));
  CHECK_FALSE(opens("\x80\x04" + name + "N" + std::string(1'000'000, '\x85') + "."));
  CHECK_FALSE(opens("\x80\x04" + name + std::string(1'000'000, '(') + "."));
  CHECK_FALSE(opens("\x80\x04" + name + std::string(1'000'000, ']') + "."));
  CHECK_FALSE(opens("\x80\x04" + name + "N" + std::string(1'000'000, '\x94') + "."));
  for (const char* huge :
       {"X\xff\xff\xff\xff", "\x8d\xff\xff\xff\xff\xff\xff\xff\x7f", "\x8b\xff\xff\xff\x7f", "r\xff\xff\xff\x7f",
        "\x95\xff\xff\xff\xff\xff\xff\xff\x7f", "B\xff\xff\xff\xff", "j\xff\xff\xff\xff"}) {
    CHECK_FALSE(opens("\x80\x04" + name + "N" + huge + "."));
  }
}

TEST_CASE("broken: a pickle that would run a program does not", "[broken]") {
  const TemporaryFolder folder;
  const std::string trace = folder / "was-run";
  const std::string call = opcodes(PickleWriter().global("os", "system").mark().text("touch " + trace).reduce());
  CHECK_FALSE(opens(PickleWriter().raw(call).finish()));
  CHECK_FALSE(opens(PickleWriter(2).raw("cos\nsystem\n").mark().text("touch " + trace).reduce().finish()));
  CHECK(opens(TinyRewrites{.uop_fields = uop(2, "CONST", ")", call) + uop(3, "CONST", ")", call)}.pickle()));
  CHECK(opens(TinyRewrites{.keys = tracing_key("k", call, call)}.pickle()));
  CHECK(opens(profile_pickle(range_event("CPU", call, "1", call))));
  CHECK_FALSE(std::filesystem::exists(trace));
}

TEST_CASE("broken: two files of one kind are no capture", "[broken]") {
  Capture capture;
  const std::string rewrites = TinyRewrites().pickle();
  REQUIRE(read_capture({"f", as_bytes(rewrites)}, capture).has_value());
  const auto again = read_capture({"f", as_bytes(rewrites)}, capture);
  REQUIRE_FALSE(again.has_value());
  CHECK(again.error().text().find("second file") != std::string::npos);
}

}  // namespace
}  // namespace vizd::broken_input_test
