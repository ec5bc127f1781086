// Hot reload: what the session shows while its files are written, replaced, removed, broken and mended.
#include "session/session.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <vector>

#include "formats/native/capture_encoder.h"
#include "http/raw_client.h"
#include "support/catch.h"
#include "support/made_profile.h"
#include "support/named_sets.h"
#include "support/places.h"
#include "support/served_capture.h"
#include "support/temporary_folder.h"

namespace vizd::session_test {

namespace {

namespace fs = std::filesystem;

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  REQUIRE(in);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_file(const std::string& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  REQUIRE(out.write(bytes.data(), static_cast<std::streamsize>(bytes.size())));
}

// 11 contexts.
std::string ramp() { return read_file(test_data("tinygrad-2025-09/ramp.rewrites.pkl")); }
// A capture without contexts: pickle.dumps([([], [], {})], protocol=4).
std::string empty_capture() {
  constexpr std::array<unsigned char, 23> kBytes{0x80, 4,   0x95, 12,  0,    0,   0,    0,    0,    0,   0,  ']',
                                                 0x94, ']', 0x94, ']', 0x94, '}', 0x94, 0x87, 0x94, 'a', '.'};
  return {kBytes.begin(), kBytes.end()};
}

// What is up for a capture of the session's: its contexts, or -1 where there is none.
int contexts(const Session& session, std::size_t place = 0) {
  const auto captures = session.captures();
  if (captures.size() <= place || !captures[place].loaded) return -1;
  return static_cast<int>(captures[place].loaded->capture.rewrites.contexts.size());
}
FileState state(const Session& session) { return session.captures()[0].files[0].state; }

SessionInputs watching(const std::string& path) { return {.sets = named_sets({path}), .folders = {}}; }

}  // namespace

TEST_CASE("a capture that appears is opened, and one that is replaced by rename is read again") {
  const TemporaryFolder folder;
  const std::string path = folder / "rewrites.pkl";
  const Session session(watching(path));
  REQUIRE(session.wait_until_opened(kTestDeadline));
  CHECK(contexts(session) == -1);
  CHECK(state(session) == FileState::kMissing);

  write_file(path, ramp());
  REQUIRE(wait_until([&] { return contexts(session) == 11; }));
  const auto old = session.captures()[0].loaded;

  write_file(folder / "next", empty_capture());
  fs::rename(folder / "next", path);
  REQUIRE(wait_until([&] { return contexts(session) == 0; }));
  CHECK(session.captures()[0].loaded->revision > old->revision);
  CHECK(session.captures()[0].loaded->id == old->id);
  CHECK(old->capture.rewrites.contexts.size() == 11);
}

TEST_CASE("a capture written in place is read again") {
  const TemporaryFolder folder;
  const std::string path = folder / "rewrites.pkl";
  write_file(path, ramp());
  const Session session(watching(path));
  REQUIRE(session.wait_until_opened(kTestDeadline));
  REQUIRE(contexts(session) == 11);
  write_file(path, empty_capture());
  CHECK(wait_until([&] { return contexts(session) == 0; }));
}

TEST_CASE("a capture that is written slowly keeps the old one up until it is whole") {
  const TemporaryFolder folder;
  const std::string path = folder / "rewrites.pkl";
  write_file(path, empty_capture());
  const Session session(watching(path));
  REQUIRE(session.wait_until_opened(kTestDeadline));
  REQUIRE(contexts(session) == 0);
  const std::string whole = ramp();
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(whole.data(), static_cast<std::streamsize>(whole.size() / 2)).flush();
  // The writer pauses for longer than the session waits: the half is read, and found wanting.
  REQUIRE(wait_until([&] { return state(session) == FileState::kBroken; }));
  CHECK(contexts(session) == 0);
  CHECK_FALSE(session.captures()[0].files[0].error.empty());
  out.write(whole.data() + whole.size() / 2, static_cast<std::streamsize>(whole.size() - whole.size() / 2)).flush();
  out.close();
  REQUIRE(wait_until([&] { return contexts(session) == 11; }));
  CHECK(state(session) == FileState::kReady);
  CHECK(session.captures()[0].files[0].error.empty());
}

TEST_CASE("a capture that is removed the version read before is kept, and is read again when it is back") {
  const TemporaryFolder folder;
  const std::string path = folder / "rewrites.pkl";
  write_file(path, ramp());
  const Session session(watching(path));
  REQUIRE(session.wait_until_opened(kTestDeadline));
  fs::remove(path);
  REQUIRE(wait_until([&] { return state(session) == FileState::kMissing; }));
  CHECK(contexts(session) == 11);
  write_file(path, empty_capture());
  CHECK(wait_until([&] { return contexts(session) == 0; }));
}

TEST_CASE("of a large capture a beginning is shown while the rest is read") {
  const TemporaryFolder folder;
  const std::string path = folder / "large.bin";
  Capture made;
  fill_profile({.events = 800'000, .lanes = 4}, made);
  std::string bytes;
  native::encode_capture(made, {.source_line = {}, .level = 1}, [&](std::string_view part) { bytes += part; });
  write_file(path, bytes);

  const auto beginning = load_beginning(named_sets({path})[0], 8);
  REQUIRE(beginning);
  std::size_t events = 0;
  for (std::size_t lane = 0; lane < made.profile.tracks.size(); ++lane) {
    const std::size_t there = beginning->capture.profile.tracks[lane].events.size();
    CHECK(there <= made.profile.tracks[lane].events.size());
    events += there;
  }
  CHECK(events > 0);
  CHECK(events <= 2 * 800'000 / 8);
  CHECK(beginning->capture.profile.start_ns == made.profile.start_ns);
  CHECK(beginning->capture.warnings.empty());

  const Session session({.sets = named_sets({path}), .folders = {}});
  REQUIRE(session.wait_until_opened(kTestDeadline));
  const auto changes = session.changes_after(0, std::chrono::seconds(0));
  CHECK(changes.size() >= 2);
  for (std::size_t i = 1; i < changes.size(); ++i) CHECK(changes[i].revision > changes[i - 1].revision);
  const CaptureStatus status = session.captures()[0];
  REQUIRE(status.loaded);
  CHECK(status.loaded->revision == changes.back().revision);
  CHECK(status.progress->read_bytes == bytes.size());
  CHECK(status.progress->events == 800'000);
}

TEST_CASE("a file that has no beginning of its own is shown as a whole only") {
  CHECK_FALSE(load_beginning(named_sets({test_data("tinygrad-2025-09/ramp.profile.pkl")})[0], 8));
  CHECK_FALSE(load_beginning(named_sets({"/nowhere"})[0], 8));
}

TEST_CASE("one file of a pair that is removed does not take the other's capture down") {
  const TemporaryFolder folder;
  const std::string data = test_data("tinygrad-2025-09/ramp");
  const std::string kernels = folder / "ramp.rewrites.pkl";
  const std::string profile = folder / "ramp.profile.pkl";
  fs::copy_file(data + ".rewrites.pkl", kernels);
  fs::copy_file(data + ".profile.pkl", profile);
  const Session session({.sets = named_sets({kernels, profile}), .folders = {}});
  REQUIRE(session.wait_until_opened(kTestDeadline));
  const auto before = session.captures()[0].loaded;
  REQUIRE(before);
  fs::remove(kernels);
  REQUIRE(wait_until([&] { return state(session) == FileState::kMissing; }));
  CHECK(session.captures()[0].loaded == before);
}

TEST_CASE("a broken capture becomes a good one, and the page hears of both") {
  const TemporaryFolder folder;
  const std::string path = folder / "rewrites.pkl";
  write_file(path, ramp());
  const Session session(watching(path));
  REQUIRE(session.wait_until_opened(kTestDeadline));
  std::uint64_t heard = session.last_change();
  const auto hear = [&](SessionChange::Kind kind) {
    return wait_until([&] {
      for (const SessionChange& change : session.changes_after(heard, std::chrono::milliseconds(100))) {
        heard = change.number;
        if (change.kind == kind) return true;
      }
      return false;
    });
  };
  write_file(path, "no capture at all");
  REQUIRE(hear(SessionChange::Kind::kBroken));
  CHECK(contexts(session) == 11);
  write_file(path, empty_capture());
  REQUIRE(hear(SessionChange::Kind::kChanged));
  CHECK(wait_until([&] { return contexts(session) == 0; }));
}

TEST_CASE("a capture that is broken from the start says why, and waits for a better one") {
  const TemporaryFolder folder;
  const std::string path = folder / "rewrites.pkl";
  write_file(path, ramp().substr(0, 1000));
  const Session session(watching(path));
  REQUIRE(session.wait_until_opened(kTestDeadline));
  const auto capture = session.capture("", std::chrono::milliseconds(0));
  REQUIRE_FALSE(capture);
  CHECK(capture.error().text().find(path) != std::string::npos);
  write_file(path, ramp());
  CHECK(wait_until([&] { return contexts(session) == 11; }));
}

TEST_CASE("a folder shows its captures, also those that come later, and nothing else") {
  const TemporaryFolder folder;
  write_file(folder / "a.rewrites.pkl", ramp());
  write_file(folder / "notes.txt", "not a capture");
  fs::create_symlink("/nowhere/at/all", folder / "dangling.pkl");
  const Session session({.sets = {}, .folders = {folder.path()}});
  REQUIRE(session.wait_until_opened(kTestDeadline));
  REQUIRE(session.captures().size() == 1);
  write_file(folder / "b", empty_capture());
  REQUIRE(wait_until([&] { return session.captures().size() == 2; }));
  CHECK(session.captures()[1].name == "b");
  CHECK(wait_until([&] { return session.captures()[1].loaded != nullptr; }));

  // A pair's second file joins the first.
  fs::copy_file(test_data("tinygrad-2025-09/ramp.profile.pkl"), folder / "a.profile.pkl");
  CHECK(wait_until([&] { return session.captures()[0].loaded->capture.has_profile; }));
  CHECK(session.captures()[0].loaded->capture.has_rewrites);
  CHECK(session.captures().size() == 2);

  // What was no capture may become one.
  write_file(folder / "notes.txt", empty_capture());
  CHECK(wait_until([&] { return session.captures().size() == 3; }));
}

TEST_CASE("waiting for a capture ends when the server does") {
  const TemporaryFolder folder;
  Session session(watching(folder / "rewrites.pkl"));
  session.end_waiting();
  CHECK_FALSE(session.capture("", kTestDeadline));
  CHECK(session.changes_after(session.last_change(), kTestDeadline).empty());
}

TEST_CASE("a pair that is swapped file by file is never shown half swapped") {
  const TemporaryFolder folder;
  const std::string kernels = folder / "a.rewrites.pkl", profile = folder / "a.profile.pkl";
  const std::string data = test_data("tinygrad-2025-09/ramp");
  const std::string old_profile = read_file(data + ".profile.pkl");
  write_file(kernels, empty_capture());
  write_file(profile, old_profile);
  const std::string other = folder / "other.pkl";
  write_file(other, empty_capture());
  std::vector<InputSet> sets = named_sets({kernels, profile});
  sets.push_back(named_sets({other}).at(0));
  const Session session({.sets = std::move(sets), .folders = {}});
  REQUIRE(session.wait_until_opened(kTestDeadline));
  REQUIRE(contexts(session) == 0);
  const auto before = session.captures()[0].loaded;
  const auto swap = [&](const std::string& path, std::string_view bytes) {
    write_file(folder / "next", bytes);
    fs::rename(folder / "next", path);
  };
  swap(kernels, ramp());
  // A capture of one file that changed after it has been read: files are not left alone for longer otherwise.
  swap(other, ramp());
  REQUIRE(wait_until([&] { return contexts(session, 1) == 11; }));
  CHECK(session.captures()[0].loaded == before);
  swap(profile, old_profile);
  REQUIRE(wait_until([&] { return contexts(session) == 11; }));
  const auto after = session.captures()[0].loaded;
  CHECK(after->capture.has_profile);
  // One reading brought both, the next after the other capture's.
  CHECK(after->revision == session.captures()[1].loaded->revision + 1);
}

TEST_CASE("a capture that is cut to less of it keeps the old one up, and says so") {
  const TemporaryFolder folder;
  const std::string path = folder / "run.bin";
  Capture made;
  fill_profile({.events = 200'000, .lanes = 2}, made);
  std::string bytes;
  native::encode_capture(made, {.source_line = {}, .level = 1}, [&](std::string_view part) { bytes += part; });
  write_file(path, bytes);
  const Session session(watching(path));
  REQUIRE(session.wait_until_opened(kTestDeadline));
  const auto before = session.captures()[0].loaded;
  REQUIRE(before);
  fs::resize_file(path, bytes.size() - 100);
  REQUIRE(wait_until([&] { return state(session) == FileState::kBroken; }));
  CHECK(session.captures()[0].loaded == before);
  CHECK(session.captures()[0].files[0].error.find("the version read before is kept") != std::string::npos);
  write_file(path, bytes);
  CHECK(wait_until([&] { return state(session) == FileState::kReady; }));
}

TEST_CASE("a small capture does not wait until a large one is read") {
  const TemporaryFolder folder;
  const std::string large = folder / "a.bin", small = folder / "b.pkl";
  Capture made;
  fill_profile({.events = 1'000'000, .lanes = 4}, made);
  std::string bytes;
  native::encode_capture(made, {.source_line = {}, .level = 1}, [&](std::string_view part) { bytes += part; });
  write_file(large, bytes);
  write_file(small, empty_capture());
  const Session session({.sets = named_sets({large, small}), .folders = {}});
  REQUIRE(session.wait_until_opened(kTestDeadline));
  const auto captures = session.captures();
  REQUIRE(captures.size() == 2);
  CHECK(captures[1].loaded->revision < captures[0].loaded->revision);
}

TEST_CASE("the event stream begins with the change that the session has, so that a page sees whether it missed one") {
  ServedCapture served;
  served.loaded();
  const auto change = served.json("/api/v1/session")["change"].get<std::uint64_t>();
  CHECK(change == served.services().session.last_change());
  const Response response = served.answer("/api/v1/events");
  REQUIRE(response.events);
  std::string text;
  EventStream stream({[&](std::string_view bytes) { return text += bytes, true; }, [&] { return text.empty(); }},
                     Encoding::kIdentity);
  response.events(stream);
  CHECK(text == "event: opened\ndata: {\"change\":" + std::to_string(change) + "}\n\n");
}

}  // namespace vizd::session_test
