// A native capture that grows while vizd has it open: what is whole shows at once, what is added shows without a
// request for it, and what is not whole yet is named.
#include <filesystem>
#include <fstream>

#include "http/raw_client.h"
#include "session/session.h"
#include "support/catch.h"
#include "support/named_sets.h"
#include "support/temporary_folder.h"
#include "vizd/capture_writer.h"

namespace vizd::growing_file_test {

namespace {

using capture::CaptureWriter;

std::shared_ptr<const LoadedCapture> loaded(const Session& session) { return session.captures().at(0).loaded; }

std::size_t matches(const Session& session) {
  const auto capture = loaded(session);
  return capture ? capture->capture.rewrites.matches.size() : 0;
}
std::size_t events(const Session& session) {
  const auto capture = loaded(session);
  return capture && !capture->capture.profile.tracks.empty() ? capture->capture.profile.tracks[0].events.size() : 0;
}

// A pass of one op that is replaced by the next, over and over, and an event for each time.
struct Recorder {
  explicit Recorder(const std::string& path) : writer(path, {.interval = std::chrono::hours(1)}) {}

  void record(int count) {
    for (int i = 0; i < count; ++i) {
      const auto next = writer.op({kind, "int", std::to_string(++made)}, {});
      writer.match(pass, last, next, rule);
      writer.event(lane, "rewrite", made * 10, 5);
      last = next;
    }
    writer.flush();
  }

  CaptureWriter writer;
  const capture::KindId kind = writer.kind("CONST", "#e0e0e0");
  const capture::LocationId rule = writer.location("rules.cpp", 3, "n -> n + 1");
  const capture::LaneId lane = writer.lane("host");
  int made = 0;
  capture::OpId last = writer.op({kind, "int", "0"}, {});
  const capture::PassId pass = writer.pass(writer.context("count"), "up", last, rule);
};

}  // namespace

TEST_CASE("a file that grows shows its new matches and events, in a new revision each time") {
  const TemporaryFolder folder;
  const std::string path = folder / "run.bin";
  Recorder recorder(path);
  recorder.record(3);
  const Session session({.sets = named_sets({path}), .folders = {}});
  REQUIRE(session.wait_until_opened(kTestDeadline));
  REQUIRE(wait_until([&] { return matches(session) == 3 && events(session) == 3; }));
  const auto first = loaded(session);
  for (std::uint32_t more = 1; more <= 3; ++more) {
    const auto before = loaded(session);
    recorder.record(100);
    REQUIRE(wait_until([&] { return matches(session) == 3 + 100u * more && events(session) == 3 + 100u * more; }));
    CHECK(loaded(session)->revision > before->revision);
    CHECK(loaded(session)->id == first->id);
  }
  // Whoever holds the first reading keeps it.
  CHECK(first->capture.rewrites.matches.size() == 3);
  CHECK(session.captures()[0].files[0].state == FileState::kReady);
}

TEST_CASE("a file whose last chunk is half written shows all before it and names the rest, until it is whole") {
  const TemporaryFolder folder;
  const std::string path = folder / "run.bin", whole_path = folder / "whole.bin";
  std::uintmax_t whole_chunks = 0;
  {
    Recorder recorder(whole_path);
    recorder.record(50);
    whole_chunks = std::filesystem::file_size(whole_path);
    recorder.record(50);
  }
  std::ifstream in(whole_path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  REQUIRE(bytes.size() > whole_chunks + 100);
  std::ofstream out(path, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(whole_chunks + 50)).flush();

  const Session session({.sets = named_sets({path}), .folders = {}});
  REQUIRE(session.wait_until_opened(kTestDeadline));
  REQUIRE(wait_until([&] { return matches(session) == 50 && events(session) == 50; }));
  const auto& warnings = loaded(session)->capture.warnings;
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0] ==
        path + ":" + std::to_string(whole_chunks) +
            ": the last 50 bytes are not a complete chunk (still being written, or cut off); their contents are "
            "left out");
  out.write(bytes.data() + whole_chunks + 50, static_cast<std::streamsize>(bytes.size() - whole_chunks - 50)).flush();
  REQUIRE(wait_until([&] { return matches(session) == 100 && events(session) == 100; }));
  CHECK(loaded(session)->capture.warnings.empty());
}

TEST_CASE("a recording that is begun anew over a longer one is shown from its beginning, and told of as not ended") {
  const TemporaryFolder folder;
  const std::string path = folder / "run.bin";
  { Recorder(path).record(500); }
  const Session session({.sets = named_sets({path}), .folders = {}});
  REQUIRE(session.wait_until_opened(kTestDeadline));
  REQUIRE(wait_until([&] { return matches(session) == 500; }));
  CHECK(loaded(session)->capture.warnings.empty());
  {
    Recorder recorder(path);
    recorder.record(10);
    REQUIRE(wait_until([&] { return matches(session) == 10; }));
    CHECK(session.captures()[0].files[0].state == FileState::kReady);
    REQUIRE(loaded(session)->capture.warnings.size() == 1);
    CHECK(loaded(session)->capture.warnings[0].find("ends here without an end mark") != std::string::npos);
  }
  CHECK(wait_until([&] { return loaded(session)->capture.warnings.empty(); }));
  CHECK(matches(session) == 10);
}

}  // namespace vizd::growing_file_test
