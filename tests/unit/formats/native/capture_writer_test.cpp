// What the capture writer records is what vizd reads: ops, matches, whole graphs, events and memory, from one thread
// and from several, in a file that is done, cut, or still growing.
#include "vizd/capture_writer.h"

#include <filesystem>
#include <thread>

#include "base/mapped_file.h"
#include "formats/registry.h"
#include "rewrite/history.h"
#include "rewrite/match_detail.h"
#include "support/catch.h"
#include "support/temporary_folder.h"

namespace vizd::capture_writer_test {
namespace {

using capture::CaptureWriter;

Result<void> read_file(const std::string& path, Capture& capture) {
  const auto file = MappedFile::open(path);
  if (!file) return file.error();
  return read_capture({path, file->bytes()}, capture);
}

std::string_view text(const Capture& capture, StringId id) { return capture.strings.get(id); }

TEST_CASE("a recorded match draws, prints and says its rule", "[capture_writer]") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/a.bin";
  {
    CaptureWriter writer(path);
    const auto constant = writer.kind("CONST", "#eeeeee", true);
    const auto leaf = writer.op({writer.kind("LEAF", "#00ff00"), "int", "x", "(4,)"}, {});
    const auto two = writer.op({constant, "int", "2"}, {});
    const auto product = writer.op({writer.kind("MUL"), "int"}, {leaf, two});
    const auto shifted = writer.op({writer.kind("SHL"), "int"}, {leaf, writer.op({constant, "int", "1"}, {})});
    const auto sink = writer.op({writer.kind("SINK")}, {product});
    const auto context = writer.context("kernel");
    const auto pass = writer.pass(context, "strength", sink, writer.location("passes.cpp", 3), 1);
    writer.match(pass, product, shifted, writer.location("rules.cpp", 7, "x * 2 -> x << 1"), 0.5f);
    writer.program(context, "kernel", "out[i] = x[i] << 1;", "CPU", std::string_view("\x00\xFF\x90", 3));
    writer.close();
    CHECK(writer.error().empty());
  }
  Capture capture;
  REQUIRE(read_file(path, capture));
  CHECK(capture.format == "vizd");
  CHECK(capture.warnings.empty());
  CHECK(capture.skipped.empty());
  const Rewrites& r = capture.rewrites;
  REQUIRE(r.contexts.size() == 1);
  const Program& program = r.programs[index(r.contexts[0].program)];
  CHECK(text(capture, program.source) == "out[i] = x[i] << 1;");
  CHECK(text(capture, program.binary) == std::string_view("\x00\xFF\x90", 3));
  REQUIRE(r.passes.size() == 1);
  CHECK(r.passes[0].depth == 1);
  REQUIRE(r.matches.size() == 1);
  CHECK(r.matches[0].dur_s == 0.5f);
  const Location& rule = r.locations[index(r.matches[0].rule)];
  CHECK(text(capture, rule.file) == "rules.cpp");
  CHECK(rule.line == 7);
  CHECK(text(capture, rule.code) == "x * 2 -> x << 1");
  const auto history = build_history(capture, r.passes[0], {});
  REQUIRE(history);
  REQUIRE(history->labels.size() >= 3);
  CHECK(history->labels[0] == "LEAF\nx\nint\n(4,)");
  CHECK(*state_text(capture, *history, 1) == "SINK\n  SHL : int\n    LEAF x : int (4,)\n    CONST 1 : int");
  const auto detail = match_detail(capture, r.passes[0], *history, 1);
  REQUIRE(detail);
  CHECK(detail->before == "MUL : int\n  LEAF x : int (4,)\n  CONST 2 : int");
}

TEST_CASE("ops of whole graphs go on by identity, and else by what they are and read", "[capture_writer]") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/a.bin";
  const bool has_identities = GENERATE(false, true);
  {
    CaptureWriter writer(path);
    const auto make = [&](const char* kind, std::string_view argument, std::uint64_t identity,
                          std::vector<capture::OpId> sources) {
      capture::OpInfo info;
      info.kind = writer.kind(kind);
      info.argument = argument;
      info.identity = has_identities ? identity : 0;
      return writer.op(info, sources);
    };
    const auto a = make("LOAD", "a", 1, {}), b = make("LOAD", "b", 2, {});
    const auto first = make("RETURN", "", 4, {make("ADD", "", 3, {a, b})});
    // A pass puts a CAST between; another takes it out again.
    const auto cast = make("CAST", "", 5, {a});
    const auto second = make("RETURN", "", 4, {make("ADD", "", 3, {cast, b})});
    const auto here = writer.location("passes.cpp", 1);
    const auto pass = writer.graph_pass(writer.context("function"), "passes", first, here);
    writer.graph(pass, second, here);
    writer.graph(pass, first, here);
  }
  Capture capture;
  REQUIRE(read_file(path, capture));
  const auto history = build_history(capture, capture.rewrites.passes[0], {});
  REQUIRE(history);
  CHECK(history->state_count == 3);
  CHECK(history->errors.empty());
  // LOAD a, LOAD b, ADD and RETURN for ever, CAST for one state.
  REQUIRE(history->nodes.size() == 5);
  std::size_t forever = 0;
  for (const HistoryNode& node : history->nodes) forever += node.born == 0 && node.died == kForever ? 1 : 0;
  CHECK(forever == 4);
  CHECK(history->nodes[4].born == 1);
  CHECK(history->nodes[4].died == 2);
  CHECK(*state_text(capture, *history, 0) == *state_text(capture, *history, 2));
  const auto detail = match_detail(capture, capture.rewrites.passes[0], *history, 1);
  REQUIRE(detail);
  CHECK(detail->changed.size() == 3);  // not the loads, which were there before
}

TEST_CASE("events, counters, memory, markers and flows come back", "[capture_writer]") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/a.bin";
  {
    CaptureWriter writer(path);
    const auto host = writer.lane("host"), device = writer.lane("device");
    writer.event(host, "launch", 100, 10);
    writer.event(device, "kernel", 150, 200, "12 GB/s");
    writer.flow(host, 105, device, 150);
    writer.sample(writer.counter(device, "power", "W"), 150, 42.5);
    writer.allocation(device, 7, 90, 4096, "weights");
    writer.free(device, 7, 400);
    writer.marker("here", 95, "red");
  }
  Capture capture;
  REQUIRE(read_file(path, capture));
  const Profile& profile = capture.profile;
  REQUIRE(profile.tracks.size() == 2);
  CHECK(profile.start_ns == 90);
  CHECK(profile.end_ns == 400);
  REQUIRE(profile.tracks[1].events.size() == 1);
  const Event event = profile.tracks[1].events[0];
  CHECK(text(capture, event.name) == "kernel");
  const ArgumentColumn* info = find_argument(profile.tracks[1].arguments, capture.strings.find(argument::kInfo));
  REQUIRE(info != nullptr);
  CHECK(info->of(0) == ArgumentValue(capture.strings.find("12 GB/s")));
  CHECK(event.dur_ns == 200);
  REQUIRE(profile.flows.size() == 1);
  CHECK(profile.flows[0].to_track == 1);
  REQUIRE(profile.tracks[1].counters.size() == 1);
  CHECK(profile.tracks[1].counters[0].value[0] == 42.5);
  REQUIRE(profile.tracks[1].allocations.size() == 1);
  const Allocation& allocation = profile.tracks[1].allocations[0];
  CHECK(allocation.freed);
  CHECK(allocation.size_bytes() == 4096);
  CHECK(allocation.death_order > allocation.birth_order);
  REQUIRE(profile.markers.size() == 1);
  CHECK(text(capture, profile.markers[0].colour) == "red");
}

TEST_CASE("lanes of one name are told apart by their groups, and allocations have categories", "[capture_writer]") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/a.bin";
  {
    CaptureWriter writer(path);
    const capture::LaneInfo one{"stream 7", "rank 0", "python 12", "GPU 0", "7", 1'000'000'000};
    capture::LaneInfo other = one;
    other.rank = "rank 1";
    const auto lane = writer.lane(one);
    CHECK(writer.lane(one) == lane);
    CHECK(writer.lane(other) != lane);
    writer.allocation(lane, 1, 10, 64, capture::AllocationInfo{"float", "weights", 0x1000});
    writer.allocation(lane, 2, 20, 32, "int");
  }
  Capture capture;
  REQUIRE(read_file(path, capture));
  const std::vector<Track>& tracks = capture.profile.tracks;
  const std::vector<std::string> paths = track_paths(tracks, capture.strings);
  const auto at = [&](std::string_view wanted) {
    return static_cast<std::size_t>(std::ranges::find(paths, wanted) - paths.begin());
  };
  const std::size_t one = at("rank 0/python 12/GPU 0/stream 7"), other = at("rank 1/python 12/GPU 0/stream 7");
  REQUIRE(one < tracks.size());
  REQUIRE(other < tracks.size());
  const Track& lane = tracks[one];
  CHECK(lane.kind == TrackKind::kStream);
  CHECK(tracks[lane.parent].kind == TrackKind::kDevice);
  CHECK(lane.cycles_per_second == 1e9);
  REQUIRE(lane.allocations.size() == 2);
  CHECK(text(capture, lane.allocations[0].category) == "weights");
  CHECK(lane.allocations[0].address == 0x1000);
  CHECK(text(capture, lane.allocations[1].dtype) == "int");
  CHECK(lane.allocations[1].address == Allocation::kNoAddress);
}

TEST_CASE("eight threads record into one file, and hand ops on to each other", "[capture_writer]") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/a.bin";
  constexpr std::size_t kThreads = 8, kEvents = 20'000;
  {
    CaptureWriter writer(path, {.level = 1, .interval = std::chrono::milliseconds(1)});
    const auto leaf = writer.op({writer.kind("LEAF")}, {});
    const auto pass = writer.pass(writer.context("c"), "s", leaf, writer.location("f", 1));
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        const auto lane = writer.lane("lane " + std::to_string(t));
        const auto kind = writer.kind("USE");
        for (std::size_t i = 0; i < kEvents; ++i) {
          writer.event(lane, i % 2 == 0 ? "even" : "odd", static_cast<std::int64_t>(i) * 10, 5);
          if (i % 100 == 0) {
            const auto use = writer.op({kind, {}, std::to_string(t * kEvents + i)}, {leaf});
            writer.match(pass, use, leaf, writer.location("f", 2));
          }
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  Capture capture;
  REQUIRE(read_file(path, capture));
  CHECK(capture.skipped.empty());
  REQUIRE(capture.profile.tracks.size() == kThreads);
  for (const Track& lane : capture.profile.tracks) CHECK(lane.events.size() == kEvents);
  CHECK(capture.rewrites.matches.size() == kThreads * kEvents / 100);
}

TEST_CASE("what was flushed is read while the writer goes on, and appending continues a file", "[capture_writer]") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/a.bin";
  bool is_open = true;
  const auto events = [&] {
    Capture capture;
    if (!read_file(path, capture)) return std::size_t{0};
    std::size_t count = 0;
    for (const Track& lane : capture.profile.tracks) count += lane.events.size();
    // Until the writer has closed it, nobody knows whether more was recorded.
    CHECK(capture.warnings.size() == (is_open ? 1 : 0));
    return count;
  };
  {
    CaptureWriter writer(path, {.level = 3, .interval = std::chrono::hours(1)});
    const auto lane = writer.lane("lane");
    for (std::size_t i = 1; i <= 3; ++i) {
      writer.event(lane, "event", static_cast<std::int64_t>(i), 1);
      writer.flush();
      CHECK(events() == i);
    }
  }
  {
    CaptureWriter writer(path, {.level = 3, .interval = std::chrono::hours(1), .append = true});
    writer.event(writer.lane("lane"), "event", 4, 1);
  }
  is_open = false;
  CHECK(events() == 4);
  Capture capture;
  REQUIRE(read_file(path, capture));
  CHECK(capture.profile.tracks.size() == 1);
}

TEST_CASE("a file that cannot be written says so", "[capture_writer]") {
  CaptureWriter writer("/nonexistent/folder/a.bin");
  writer.event(writer.lane("lane"), "event", 0, 1);
  writer.close();
  CHECK_FALSE(writer.error().empty());
}

}  // namespace
}  // namespace vizd::capture_writer_test
