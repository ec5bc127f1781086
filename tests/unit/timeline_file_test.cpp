// The timeline's cache: what comes out of it is what went in, and nothing that is damaged is believed.
#include "session/timeline_file.h"

#include <filesystem>
#include <fstream>

#include "formats/sniffer.h"
#include "session/loaded_capture.h"
#include "support/catch.h"
#include "support/made_profile.h"
#include "support/named_sets.h"
#include "support/places.h"
#include "support/temporary_folder.h"
#include "timeline/tiles.h"

namespace vizd {
namespace {

namespace fs = std::filesystem;

struct Made {
  std::unique_ptr<Capture> capture = std::make_unique<Capture>();
  explicit Made(std::uint64_t seed = 1) {
    fill_profile({.events = 20'000, .lanes = 4, .seed = seed}, *capture);
    Profile& profile = capture->profile;
    profile.tracks[1].events.push_back(
        {.start_ns = 5, .dur_ns = 5'000'000'000, .name = profile.tracks[1].events.name(0)});
    profile.tracks[2].events.push_back(
        {.start_ns = 5, .dur_ns = 7, .name = profile.tracks[1].events.name(0), .category = StringId{1}});
    profile.flows.push_back({1, 0, 2, 0});
    const StringId name = capture->strings.add("bytes");
    ArgumentColumn& bytes = find_or_add_argument(profile.tracks[2].arguments, name, StringId{}, ArgumentType::kInteger);
    for (std::uint32_t i = 0; i < 1000; ++i) bytes.push_back(3 * i, std::int64_t{i});
  }
};

std::string all_tiles(const Capture& capture, const Timeline& timeline) {
  TileQuery query{16, 0, 63, {}, {}};
  for (std::uint32_t lane = 0; lane < timeline.lanes.size(); ++lane) {
    for (std::uint32_t row = 0; row < timeline.lanes[lane].row_count(); ++row) query.rows.push_back({lane, row});
  }
  return tiles(capture.profile, timeline, query, nullptr, 1);
}

std::vector<fs::path> files_in(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  return files;
}

TimelineCacheOptions keeping_in(const TemporaryFolder& folder) { return {.folder = folder.path(), .least_events = 1}; }

std::string read_bytes(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void write_bytes(const fs::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

TEST_CASE("a timeline from the cache is the one that was prepared, to the byte", "[timeline]") {
  const TemporaryFolder folder;
  const Made fresh, first, second;
  const Timeline wanted = prepare_timeline(*fresh.capture, 2);
  const Timeline kept = prepare_cached(*first.capture, keeping_in(folder), 2);
  REQUIRE(files_in(folder.path()).size() == 1);
  const Timeline mapped = prepare_cached(*second.capture, keeping_in(folder), 2);
  CHECK(files_in(folder.path()).size() == 1);
  for (const auto& [made, timeline] : {std::pair(&first, &kept), std::pair(&second, &mapped)}) {
    CHECK(timeline->key == wanted.key);
    CHECK(all_tiles(*made->capture, *timeline) == all_tiles(*fresh.capture, wanted));
    CHECK(made->capture->profile.flows[0].from_event == fresh.capture->profile.flows[0].from_event);
    for (std::size_t i = 0; i < wanted.lanes.size(); ++i) {
      CHECK(timeline->lanes[i].relaned == wanted.lanes[i].relaned);
      CHECK(timeline->lanes[i].busy_ns == wanted.lanes[i].busy_ns);
    }
  }
}

TEST_CASE("another profile finds nothing of its own in the cache", "[timeline]") {
  const TemporaryFolder folder;
  const Made one, other(2), fresh(2);
  prepare_cached(*one.capture, keeping_in(folder), 1);
  const Timeline found = prepare_cached(*other.capture, keeping_in(folder), 1);
  CHECK(files_in(folder.path()).size() == 2);
  CHECK(found.key == prepare_timeline(*fresh.capture, 1).key);
}

TEST_CASE("a file that is cut, changed anywhere or of another version is not believed, and is replaced", "[timeline]") {
  const TemporaryFolder folder;
  const Made first, fresh;
  const Timeline wanted = prepare_timeline(*fresh.capture, 1);
  prepare_cached(*first.capture, keeping_in(folder), 1);
  const fs::path path = files_in(folder.path()).front();
  const std::string good = read_bytes(path);
  const std::uint64_t key = std::stoull(path.stem().string(), nullptr, 16);
  std::vector<std::string> damaged{"", "vizd", good.substr(0, good.size() / 2), good.substr(0, good.size() - 64),
                                   good + "x"};
  for (std::size_t at = 0; at < good.size(); at += at < 600 ? 1 : 9973) {
    damaged.push_back(good);
    damaged.back()[at] = static_cast<char>(damaged.back()[at] ^ 0x40);
  }
  std::size_t believed = 0;
  for (const std::string& bytes : damaged) {
    const fs::path copy = folder / "copy";
    write_bytes(copy, bytes);
    Made again;
    PreparedLanes prepared;
    if (!load_prepared(copy.string(), key, again.capture->profile, prepared)) continue;
    // Bytes between the sections say nothing.
    ++believed;
    CHECK(all_tiles(*again.capture, finish_timeline(*again.capture, std::move(prepared), 1)) ==
          all_tiles(*fresh.capture, wanted));
  }
  CHECK(believed < damaged.size() / 4);
  fs::remove(folder / "copy");

  write_bytes(path, good.substr(0, good.size() / 2));
  Made again;
  CHECK(prepare_cached(*again.capture, keeping_in(folder), 1).key == wanted.key);
  CHECK(read_bytes(path) == good);
}

TEST_CASE("small profiles are not kept, nor is anything without a folder or where it cannot be written", "[timeline]") {
  const TemporaryFolder folder;
  const Made small, nowhere, unwritable, fresh;
  const Timeline wanted = prepare_timeline(*fresh.capture, 1);
  CHECK(prepare_cached(*small.capture, {.folder = folder.path()}, 1).key == wanted.key);
  CHECK(prepare_cached(*nowhere.capture, {.folder = "", .least_events = 1}, 1).key == wanted.key);
  write_bytes(folder / "file", "");
  CHECK(prepare_cached(*unwritable.capture, {.folder = folder / "file", .least_events = 1}, 1).key == wanted.key);
  CHECK(files_in(folder.path()).size() == 1);
}

TEST_CASE("reading a capture tells how many events it has and that all are prepared", "[timeline]") {
  const std::string path = test_data("tinygrad-2025-09/ramp.profile.pkl");
  ReadProgress progress;
  const Reading reading = load(named_sets({path})[0], {}, &progress);
  REQUIRE(reading.loaded);
  std::uint64_t events = 0;
  for (const Track& lane : reading.loaded->capture.profile.tracks) events += lane.events.size();
  CHECK(progress.events == events);
  CHECK(progress.prepared == events);
  CHECK(reading.loaded->timeline.lanes.size() == reading.loaded->capture.profile.tracks.size());
}

TEST_CASE("the cache keeps to its size: what was longest not used goes", "[timeline]") {
  const TemporaryFolder folder;
  TimelineCacheOptions options = keeping_in(folder);
  const Made one, two, three(3);
  prepare_cached(*one.capture, options, 1);
  const fs::path first = files_in(folder.path()).front();
  fs::last_write_time(first, fs::file_time_type::clock::now() - std::chrono::hours(1));
  options.most_bytes = fs::file_size(first) + fs::file_size(first) / 2;
  prepare_cached(*three.capture, options, 1);
  REQUIRE(files_in(folder.path()).size() == 1);
  CHECK(files_in(folder.path()).front() != first);
}

}  // namespace
}  // namespace vizd
