// The cache of captures: what comes out of it is what went in, and nothing that is damaged is believed.
#include "session/kept_capture.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "base/json_writer.h"
#include "formats/native/capture_encoder.h"
#include "session/loaded_capture.h"
#include "session/session.h"
#include "support/allocator_text.h"
#include "support/catch.h"
#include "support/made_profile.h"
#include "support/named_sets.h"
#include "support/places.h"
#include "support/temporary_folder.h"
#include "timeline/lanes_json.h"
#include "timeline/memory_view.h"
#include "timeline/tiles.h"

namespace vizd::kept_capture_test {
namespace {

namespace fs = std::filesystem;

struct Made {
  Capture capture;
  Timeline timeline;
  explicit Made(std::size_t events = 20'000) {
    fill_profile({.events = events, .lanes = 4}, capture);
    Profile& profile = capture.profile;
    profile.tracks[1].events.push_back(
        {.start_ns = 5, .dur_ns = 5'000'000'000, .name = profile.tracks[1].events.name(0)});
    profile.tracks[2].events.push_back(
        {.start_ns = 5, .dur_ns = 7, .name = profile.tracks[1].events.name(0), .category = StringId{1}});
    profile.flows.push_back({1, 0, 2, 0});
    const StringId name = capture.strings.add("bytes");
    ArgumentColumn& bytes = find_or_add_argument(profile.tracks[2].arguments, name, StringId{}, ArgumentType::kInteger);
    for (std::uint32_t i = 0; i < 1000; ++i) bytes.push_back(3 * i, std::int64_t{i});
    ArgumentColumn& rate = find_or_add_argument(profile.tracks[2].arguments, name, StringId{}, ArgumentType::kReal);
    for (std::uint32_t i = 0; i < 700; ++i) rate.push_back(2 * i, 0.1 * i);
    profile.tracks[0].allocations = made_allocations(3000);
    profile.tracks[0].uses.push_back({7, 1, 3});
    profile.tracks[0].launches.push_back({.number = 5, .name = name, .at_ns = 9});
    profile.tracks[0].number = name;
    profile.flow_ends.push_back({.at_ns = 3, .track = 2, .category = name, .id = 77, .kind = FlowEnd::Kind::kFinish});
    capture.facts.push_back({.name = name, .value = 1.5});
    capture.skipped["odd"] = 3;
    capture.warnings.emplace_back("careful");
    capture.has_profile = true;
    timeline = prepare_timeline(capture, 2);
  }
};

// All that can be asked of a capture, as far as the native format and the page are told of it.
std::string all_of(const Capture& capture, const Timeline& timeline) {
  std::string all;
  native::encode_capture(capture, {}, [&](std::string_view part) { all += part; });
  JsonWriter json(all);
  json.begin_object();
  write_lanes(json, capture, timeline);
  json.end_object();
  TileQuery query{16, 0, 63, {}, {}};
  for (std::uint32_t lane = 0; lane < timeline.lanes.size(); ++lane) {
    const Track& track = capture.profile.tracks[lane];
    for (std::uint32_t row = 0; row < timeline.lanes[lane].row_count(); ++row) query.rows.push_back({lane, row});
    all += allocator_text(capture, track);
    if (track.allocations.empty()) continue;
    for (const bool by_order : {false, true})
      all += whole_memory(capture.profile, track, timeline.lanes[lane].memory, by_order);
  }
  return all + tiles(capture.profile, timeline, query, nullptr, 1);
}

std::vector<fs::path> files_in(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  return files;
}

CacheOptions keeping_in(const TemporaryFolder& folder) { return {.folder = folder.path(), .least_events = 1}; }

// Reads the file, or takes what is kept of it, and keeps what was read.
Reading open_and_keep(const std::string& path, const CacheOptions& options) {
  Reading reading = load(named_sets({path})[0], options);
  REQUIRE(reading.loaded);
  if (reading.keep_at) keep(*reading.keep_at, options, reading.loaded->capture, reading.loaded->timeline, {});
  return reading;
}

std::string read_bytes(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void write_bytes(const fs::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

TEST_CASE("what is kept comes back as it was, to the byte", "[kept]") {
  const TemporaryFolder folder;
  const Made made;
  const KeptPlace place{folder / "a.timeline", 7};
  REQUIRE(save_kept(place, made.capture, made.timeline));
  Capture capture;
  Timeline timeline;
  const auto kept = load_kept(place, 2, capture, timeline);
  REQUIRE(kept);
  CHECK(timeline.key == made.timeline.key);
  CHECK(all_of(capture, timeline) == all_of(made.capture, made.timeline));
  CHECK(capture.skipped == made.capture.skipped);
  CHECK(capture.warnings == made.capture.warnings);
  CHECK(timeline.name_number == made.timeline.name_number);
  Capture other;
  CHECK(load_kept({place.path, 8}, 2, other, timeline) == nullptr);
}

TEST_CASE("files of every format are read once, and then taken from what was kept", "[kept]") {
  const TemporaryFolder folder;
  const CacheOptions options = keeping_in(folder);
  for (const char* const path : {"chrome/launches/input/trace.json", "perfetto/launches/input/trace.pftrace",
                                 "bigtpu/two_cores/input/cdmlib0_0.profile", "torch_memory/train/input/train.pickle"}) {
    CAPTURE(path);
    const std::string file = test_data("../golden/") + path;
    const Reading read = open_and_keep(file, options), again = open_and_keep(file, options);
    REQUIRE(read.loaded->kept == nullptr);
    REQUIRE(again.loaded->kept != nullptr);
    CHECK_FALSE(again.keep_at);
    CHECK(again.loaded->set.files.size() == read.loaded->set.files.size());
    CHECK(all_of(again.loaded->capture, again.loaded->timeline) == all_of(read.loaded->capture, read.loaded->timeline));
  }
  // Rewrites are not kept.
  const Reading rewrites = open_and_keep(test_data("tinygrad-2025-09/ramp.rewrites.pkl"), options);
  CHECK_FALSE(rewrites.keep_at);
}

TEST_CASE("a file that was written anew is read anew", "[kept]") {
  const TemporaryFolder folder, inputs;
  const std::string trace = test_data("../golden/chrome/launches/input/trace.json"), path = inputs / "trace.json";
  const auto write_and_wait = [&](const std::string& bytes) {
    write_bytes(path, bytes);
    while (!kept_place(named_sets({path})[0], keeping_in(folder))) std::this_thread::yield();
  };
  write_and_wait(read_bytes(trace));
  open_and_keep(path, keeping_in(folder));
  CHECK(open_and_keep(path, keeping_in(folder)).loaded->kept != nullptr);
  write_and_wait(read_bytes(trace));
  CHECK(open_and_keep(path, keeping_in(folder)).loaded->kept == nullptr);
  // What was written just now, or by its times is yet to be, might be written once more without a sign.
  fs::last_write_time(path, fs::file_time_type::clock::now() + std::chrono::hours(1));
  CHECK_FALSE(load(named_sets({path})[0], keeping_in(folder)).keep_at);
}

TEST_CASE("a file that is cut, changed anywhere or of another version is not believed, and is replaced", "[kept]") {
  const TemporaryFolder folder;
  const Made made;
  const KeptPlace place{folder / "a.timeline", 7};
  REQUIRE(save_kept(place, made.capture, made.timeline));
  const std::string good = read_bytes(place.path), wanted = all_of(made.capture, made.timeline);
  std::vector<std::string> damaged{"", "vizd", good.substr(0, good.size() / 2), good.substr(0, good.size() - 64),
                                   good + "x"};
  for (std::size_t at = 0; at < good.size(); at += at < 600 ? 1 : 9973) {
    damaged.push_back(good);
    damaged.back()[at] = static_cast<char>(damaged.back()[at] ^ 0x40);
  }
  std::size_t believed = 0;
  for (const std::string& bytes : damaged) {
    write_bytes(folder / "copy", bytes);
    Capture capture;
    Timeline timeline;
    if (load_kept({folder / "copy", 7}, 1, capture, timeline) == nullptr) continue;
    // Bytes between the sections say nothing.
    ++believed;
    CHECK(all_of(capture, timeline) == wanted);
  }
  CHECK(believed < damaged.size() / 4);

  write_bytes(place.path, good.substr(0, good.size() / 2));
  REQUIRE(save_kept(place, made.capture, made.timeline));
  Capture capture;
  Timeline timeline;
  REQUIRE(load_kept(place, 1, capture, timeline) != nullptr);
  CHECK(all_of(capture, timeline) == wanted);
}

// So many events that their columns are mapped and not copied.
constexpr std::size_t kManyEvents = 80'000;

std::int64_t sum_of_events(const Capture& capture) {
  const EventColumns& events = capture.profile.tracks[1].events;
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < events.size(); ++i) sum += events.start_ns(i) + events.length_ns(i);
  return sum;
}

TEST_CASE("what happens to a kept file once it is read changes nothing of what was read", "[kept]") {
  const TemporaryFolder folder;
  const Made made(kManyEvents);
  const KeptPlace place{folder / "a.timeline", 7};
  REQUIRE(save_kept(place, made.capture, made.timeline));
  const std::string wanted = all_of(made.capture, made.timeline), good = read_bytes(place.path);
  for (const double part : {0.0, 0.3, 0.999}) {
    write_bytes(place.path, good);
    Capture capture;
    Timeline timeline;
    REQUIRE(load_kept(place, 2, capture, timeline));
    fs::resize_file(place.path, static_cast<std::uintmax_t>(part * static_cast<double>(good.size())));
    CHECK(all_of(capture, timeline) == wanted);
    write_bytes(place.path, std::string(good.size(), '\xFF'));
    CHECK(all_of(capture, timeline) == wanted);
  }
}

TEST_CASE("a session takes what is kept, and goes on where that is emptied while it is shown", "[kept]") {
  const TemporaryFolder folder, inputs;
  const std::string path = inputs / "made.bin";
  {
    const Made made(kManyEvents);
    std::ofstream out(path, std::ios::binary);
    native::encode_capture(made.capture, {}, [&](std::string_view part) { out << part; });
  }
  const auto set = named_sets({path})[0];
  const auto wait_until = [&](const auto& is_so) {
    for (int tries = 0; tries < 4000 && !is_so(); ++tries) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return is_so();
  };
  REQUIRE(wait_until([&] { return kept_place(set, keeping_in(folder)).has_value(); }));
  SessionInputs session_inputs;
  session_inputs.sets = {set};
  session_inputs.cache = keeping_in(folder);
  std::int64_t wanted = 0;
  {
    const Session session(session_inputs);
    REQUIRE(session.wait_until_opened(std::chrono::minutes(1)));
    CHECK(session.captures()[0].loaded->kept == nullptr);
    wanted = sum_of_events(session.captures()[0].loaded->capture);
    REQUIRE(wait_until([&] { return is_kept(set, keeping_in(folder)); }));
  }
  const Session session(session_inputs);
  REQUIRE(session.wait_until_opened(std::chrono::minutes(1)));
  const auto shown = session.captures()[0].loaded;
  REQUIRE(shown->kept != nullptr);
  fs::resize_file(files_in(folder.path()).front(), 0);
  CHECK(sum_of_events(shown->capture) == wanted);
  // The next one reads the capture itself.
  const Session after(session_inputs);
  REQUIRE(after.wait_until_opened(std::chrono::minutes(1)));
  CHECK(after.captures()[0].loaded->kept == nullptr);
  CHECK(sum_of_events(after.captures()[0].loaded->capture) == wanted);
}

TEST_CASE("a kept file that others may write is not believed", "[kept]") {
  const TemporaryFolder folder;
  const Made made;
  const KeptPlace place{folder / "a.timeline", 7};
  REQUIRE(save_kept(place, made.capture, made.timeline));
  const auto is_believed = [&] {
    Capture capture;
    Timeline timeline;
    return load_kept(place, 1, capture, timeline) != nullptr;
  };
  CHECK(is_believed());
  for (const fs::perms others : {fs::perms::group_write, fs::perms::others_write}) {
    fs::permissions(place.path, fs::perms::owner_read | fs::perms::owner_write | others);
    CHECK_FALSE(is_believed());
  }
}

// A forged file with right checksums: every number that leads outside is found.
TEST_CASE("a kept capture whose numbers lead outside of it is not believed, though its checksums are right", "[kept]") {
  const TemporaryFolder folder;
  const KeptPlace place{folder / "a.timeline", 7};
  const auto is_believed = [&](const auto& forge) {
    Made made;
    forge(made);
    REQUIRE(save_kept(place, made.capture, made.timeline));
    Capture capture;
    Timeline timeline;
    return load_kept(place, 1, capture, timeline) != nullptr;
  };
  constexpr std::uint32_t kFar = 1'000'000;
  const StringId nowhere{kFar};
  CHECK(is_believed([](Made&) {}));
  const auto track = [](Made& made) -> Track& { return made.capture.profile.tracks[1]; };
  const auto lane = [](Made& made) -> LaneIndex& { return made.timeline.lanes[1]; };
  CHECK_FALSE(is_believed([&](Made& made) { track(made).name = nowhere; }));
  CHECK_FALSE(is_believed([&](Made& made) { track(made).parent = 1; }));
  CHECK_FALSE(is_believed([&](Made& made) { track(made).kind = static_cast<TrackKind>(99); }));
  CHECK_FALSE(is_believed([&](Made& made) { track(made).events.push_back({.start_ns = 1, .name = nowhere}); }));
  CHECK_FALSE(is_believed([&](Made& made) { track(made).events.push_back({.start_ns = 1}); }));
  CHECK_FALSE(is_believed([&](Made& made) { track(made).samples.push_back(1, StackId{kFar}); }));
  CHECK_FALSE(is_believed([&](Made& made) { made.capture.profile.tracks[2].arguments[0].push_number(kFar, 1); }));
  CHECK_FALSE(is_believed([&](Made& made) { made.capture.profile.tracks[0].uses.push_back({kFar, 1, 1}); }));
  CHECK_FALSE(is_believed([&](Made& made) { made.capture.profile.tracks[0].allocations[5].dtype = nowhere; }));
  CHECK_FALSE(is_believed([&](Made& made) { made.capture.profile.flows.push_back({kFar, 0, 1, 0}); }));
  CHECK_FALSE(is_believed([&](Made& made) { made.capture.profile.markers.push_back({1, nowhere, {}}); }));
  CHECK_FALSE(is_believed([&](Made& made) { made.capture.profile.end_ns = std::int64_t{1} << 62; }));
  CHECK_FALSE(is_believed([&](Made& made) { made.capture.facts.front().value = nowhere; }));
  CHECK_FALSE(is_believed([&](Made& made) { made.capture.stacks.push_back({{}, StackId{kFar}}); }));
  CHECK_FALSE(is_believed([&](Made& made) { made.timeline.names.front() = nowhere; }));
  CHECK_FALSE(is_believed([&](Made& made) { made.timeline.name_number.pop_back(); }));
  CHECK_FALSE(is_believed([&](Made& made) { made.timeline.name_number.front() = kFar; }));
  CHECK_FALSE(is_believed([&](Made& made) { made.timeline.lanes.pop_back(); }));
  CHECK_FALSE(is_believed([&](Made& made) { made.timeline.flows_by_target.set(0, kFar); }));
  CHECK_FALSE(is_believed([&](Made& made) { lane(made).row_begin.set(0, 1); }));
  CHECK_FALSE(is_believed([&](Made& made) { lane(made).row_begin.push_back(kFar); }));
  CHECK_FALSE(is_believed([&](Made& made) { lane(made).node_begin.set(1, kFar); }));
  CHECK_FALSE(is_believed([&](Made& made) { lane(made).nodes.set(0, {.name = nowhere}); }));
  CHECK_FALSE(is_believed([&](Made& made) { made.timeline.lanes[0].memory.by_birth.push_back(kFar); }));
  CHECK_FALSE(is_believed([&](Made& made) { made.timeline.lanes[0].memory.layout.changes.push_back(kFar); }));
  CHECK_FALSE(is_believed([&](Made& made) { made.timeline.lanes[0].memory.layout.at_peak.front() = kFar; }));
  CHECK_FALSE(is_believed([&](Made& made) { made.timeline.lanes[0].memory.category.front() = 200; }));
}

TEST_CASE("counts of a kept file beyond what is there cost no memory", "[kept]") {
  const TemporaryFolder folder;
  const std::string path = folder / "a.timeline";
  for (const std::uint64_t count : {std::uint64_t{1} << 61, (std::uint64_t{1} << 61) + 1, ~std::uint64_t{0}}) {
    KeptWriter file(path, 7);
    file.number(count);
    file.values(std::span<const std::uint64_t>());
    REQUIRE(file.finish());
    Capture capture;
    Timeline timeline;
    CHECK(load_kept({path, 7}, 1, capture, timeline) == nullptr);
    auto reader = KeptReader::open(path, 7, 1);
    REQUIRE(reader);
    CHECK(reader->values<std::uint64_t>().empty());
    CHECK_FALSE(reader->is_at_end());
  }
}

TEST_CASE("two that keep the same at once leave one whole file", "[kept]") {
  const TemporaryFolder folder;
  const CacheOptions options = keeping_in(folder);
  const Made made;
  const KeptPlace place{folder / "a.timeline", 7};
  const std::string wanted = all_of(made.capture, made.timeline);
  std::atomic<int> believed = 0;
  {
    std::vector<std::jthread> both;
    for (int i = 0; i < 2; ++i) {
      both.emplace_back([&] {
        for (int round = 0; round < 5; ++round) {
          keep(place, options, made.capture, made.timeline, {});
          Capture capture;
          Timeline timeline;
          if (load_kept(place, 1, capture, timeline) && all_of(capture, timeline) == wanted) ++believed;
        }
      });
    }
  }
  CHECK(believed == 10);
  CHECK(files_in(folder.path()).size() == 1);
}

TEST_CASE("small profiles are not kept, nor is anything without a folder or where it cannot be written", "[kept]") {
  const TemporaryFolder folder;
  const std::string trace = test_data("../golden/chrome/launches/input/trace.json");
  CHECK_FALSE(open_and_keep(trace, {.folder = folder.path()}).keep_at);
  CHECK_FALSE(open_and_keep(trace, {.folder = "", .least_events = 1}).keep_at);
  write_bytes(folder / "file", "");
  CHECK(open_and_keep(trace, {.folder = folder / "file", .least_events = 1}).keep_at);
  CHECK(files_in(folder.path()).size() == 1);
}

TEST_CASE("reading a capture tells how many events it has and that all are prepared", "[kept]") {
  const TemporaryFolder folder;
  for (int round = 0; round < 2; ++round) {
    const std::string path = test_data("../golden/chrome/launches/input/trace.json");
    ReadProgress progress;
    const Reading reading = load(named_sets({path})[0], keeping_in(folder), &progress);
    REQUIRE(reading.loaded);
    std::uint64_t events = 0;
    for (const Track& lane : reading.loaded->capture.profile.tracks) events += lane.events.size();
    CHECK(progress.events == events);
    CHECK(progress.prepared == events);
    CHECK(reading.loaded->timeline.lanes.size() == reading.loaded->capture.profile.tracks.size());
    open_and_keep(path, keeping_in(folder));
  }
}

TEST_CASE("the cache keeps to its size: what was longest not used goes", "[kept]") {
  const TemporaryFolder folder;
  CacheOptions options = keeping_in(folder);
  open_and_keep(test_data("../golden/chrome/launches/input/trace.json"), options);
  const fs::path first = files_in(folder.path()).front();
  fs::last_write_time(first, fs::file_time_type::clock::now() - std::chrono::hours(1));
  options.most_bytes = fs::file_size(first);
  open_and_keep(test_data("../golden/perfetto/launches/input/trace.pftrace"), options);
  for (const fs::path& file : files_in(folder.path())) CHECK(file != first);
}

TEST_CASE("the cache removes no file that it did not write", "[kept]") {
  const TemporaryFolder folder;
  CacheOptions options = keeping_in(folder);
  options.most_bytes = 0;
  for (const char* name : {"thesis.timeline", "thesis.part"}) {
    folder.write(name, "years of work");
    fs::last_write_time(folder / name, fs::file_time_type::clock::now() - std::chrono::hours(48));
  }
  open_and_keep(test_data("../golden/chrome/launches/input/trace.json"), options);
  CHECK(files_in(folder.path()).size() == 2);
}

}  // namespace
}  // namespace vizd::kept_capture_test
