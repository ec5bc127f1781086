// Which files make one capture: pairs, whole folders and companions, as the formats claim them from a listing; and how
// files are sniffed and opened for that.
#include "formats/claims.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "formats/sniffer.h"
#include "support/catch.h"
#include "support/named_sets.h"
#include "support/packed.h"
#include "support/places.h"
#include "support/temporary_folder.h"
#include "support/test_data.h"

namespace vizd::claims_test {
namespace {

using Strings = std::vector<std::string>;

const std::string kRamp = test_data("tinygrad-2025-09/ramp");

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  REQUIRE(in);
  return {std::istreambuf_iterator<char>(in), {}};
}

const Format* format_named(std::string_view name) {
  const auto found = std::ranges::find(formats(), name, &Format::name);
  REQUIRE(found != formats().end());
  return *found;
}

// "NAME: ROLE PATH, ROLE PATH".
Strings texts(const std::vector<InputSet>& sets) {
  Strings all;
  for (const InputSet& set : sets) {
    std::string text = set.name + ":";
    for (const InputFile& file : set.files) text += (text.ends_with(":") ? " " : ", ") + file.role + " " + file.path;
    all.push_back(text);
  }
  return all;
}

// A format of folders: "main.engine" with every "*.core" beside it is one capture, and what a core holds says nothing
// of itself.
bool sniff_engine(const FileBeginning& beginning) { return beginning.text().starts_with("engine"); }
std::vector<InputSet> claim_folders(std::span<const ListedFile> listing);
Result<void> read_engine(OpenSet& set, Capture& capture) {
  const auto engine = set.open(0);
  if (!engine) return engine.error();
  for (std::size_t i = 1; i < set.size(); ++i) {
    const auto core = set.open(i);
    if (!core) return core.error();
    // Both are there at once.
    if (core->bytes[0] != engine->bytes[6])
      return set.blame(i, {ErrorKind::kBadInput, "is of another run", core->name});
    capture.warnings.push_back(core->role);
  }
  capture.has_profile = true;
  return {};
}
const Format kEngine{.name = "engine", .sniff = sniff_engine, .claim = claim_folders, .read = read_engine};

std::vector<InputSet> claim_folders(std::span<const ListedFile> listing) {
  std::vector<InputSet> sets;
  for (const ListedFile& main : listing) {
    if (main.format != &kEngine) continue;
    const std::string folder = main.path.substr(0, main.path.rfind('/') + 1);
    InputSet set{&kEngine, set_name(folder + "."), {{"main", main.path}}};
    for (const ListedFile& file : listing) {
      if (file.path.starts_with(folder) && file.path.ends_with(".core")) set.files.push_back({"core", file.path});
    }
    sets.push_back(std::move(set));
  }
  return sets;
}

TEST_CASE("a tinygrad pair is one set, in one folder only, and keeps its place among the others", "[claims]") {
  const auto sets = named_sets({"d/a.rewrites.pkl", "x.json", "d/a.profile.pkl", "e/a.profile.pkl", "profile.pkl.me",
                                "rewrites.pkl.me", "x.json", "my_profile.txt", "my_rewrites.txt"});
  CHECK(texts(sets) == Strings{"a: rewrites d/a.rewrites.pkl, profile d/a.profile.pkl", "x: capture x.json",
                               "a.profile: capture e/a.profile.pkl",
                               "me: rewrites rewrites.pkl.me, profile profile.pkl.me",
                               "my_profile.txt: capture my_profile.txt", "my_rewrites.txt: capture my_rewrites.txt"});
  CHECK(sets[0].format == format_named("tinygrad"));
  CHECK(sets[1].format == nullptr);

  CHECK(texts(named_sets({kRamp + ".profile.pkl"})) == Strings{"ramp: profile " + kRamp + ".profile.pkl"});
}

TEST_CASE("of a folder only what a format knows is a set, and with it what belongs to it", "[claims]") {
  const TemporaryFolder folder;
  folder.write("a.rewrites.pkl", bytes_of(kRamp + ".rewrites.pkl"));
  folder.write("a.profile.pkl", "");  // just begun
  folder.write("plain", bytes_of(kRamp + ".profile.pkl"));
  folder.write("notes.txt", "not a capture");
  Sniffer sniffer;
  CHECK(texts(claim_sets(list_folder(folder.path(), sniffer), Listing::kFolder)) ==
        Strings{"a: rewrites " + folder / "a.rewrites.pkl" + ", profile " + folder / "a.profile.pkl",
                "plain: capture " + folder / "plain"});
}

TEST_CASE("what options name is a set by itself, whatever its name, unless it is another format's", "[claims]") {
  const Format* tinygrad = format_named("tinygrad");
  const Format* native = format_named("vizd");
  const auto claim = [&](std::vector<ListedFile> files) { return texts(claim_sets(files, Listing::kNamed)); };
  CHECK(claim({{"/1/one", tinygrad, "profile"}, {"/1/two", tinygrad, "rewrites"}, {"/1/three", tinygrad}}) ==
        Strings{"two: rewrites /1/two, profile /1/one", "three: capture /1/three"});
  CHECK(claim({{"/1/run.bin", native, "rewrites"}}) == Strings{"run: capture /1/run.bin"});
}

TEST_CASE("packed files are known by what is inside, each looked at once until it is written again", "[claims]") {
  const TemporaryFolder folder;
  const std::string rewrites = bytes_of(kRamp + ".rewrites.pkl");
  folder.write("a.rewrites.pkl.gz", gzipped(rewrites));
  // Its first block is more than what is looked at of a plain file.
  std::string noise(1 << 18, '\0');
  std::uint32_t x = 1;
  for (char& c : noise) c = static_cast<char>((x = x * 1664525 + 1013904223) >> 24);
  folder.write("b.pkl.zst", zstd_packed(rewrites + noise));
  folder.write("notes.gz", gzipped("not a capture"));
  folder.write("cut.gz", gzipped(rewrites).substr(0, 5));
  Sniffer sniffer;
  CHECK(texts(claim_sets(list_folder(folder.path(), sniffer), Listing::kFolder)) ==
        Strings{"a: rewrites " + folder / "a.rewrites.pkl.gz", "b: capture " + folder / "b.pkl.zst"});

  CHECK(sniffer.format_of(folder / "notes.gz") == nullptr);
  CHECK(sniffer.format_of(folder / "none") == nullptr);
  folder.write("notes.gz", gzipped(rewrites));
  folder.write("none", rewrites);
  CHECK(sniffer.format_of(folder / "notes.gz") == format_named("tinygrad"));
  CHECK(sniffer.format_of(folder / "none") == format_named("tinygrad"));
}

TEST_CASE("a format may claim a folder with files that nobody knows, and reads them together", "[claims]") {
  const TemporaryFolder folder;
  folder.write("main.engine", "engine7");
  for (const char* core : {"0.core", "1.core", "2.core"}) folder.write(core, "7");
  folder.write("1.core", "8");
  std::vector<ListedFile> listing;
  for (const std::string& path : files_in(folder.path())) listing.push_back({path});
  listing[3].format = &kEngine;
  const std::array<const Format*, 1> known{&kEngine};
  const auto sets = claim_sets(listing, Listing::kFolder, known);
  REQUIRE(sets.size() == 1);
  CHECK(sets[0].name == folder.path().substr(folder.path().rfind('/') + 1));
  REQUIRE(sets[0].files.size() == 4);
  CHECK(sets[0].files[0].role == "main");

  // The one that is not of this run is named, and the others are read without it.
  FileErrors errors(4);
  {
    Capture capture;
    CHECK_FALSE(read_set(sets[0], errors, capture));
  }
  REQUIRE(errors[2]);
  CHECK(errors[2]->text() == folder / "1.core" + ": is of another run");
  CHECK(std::ranges::count_if(errors, [](const auto& error) { return error.has_value(); }) == 1);
  Capture capture;
  CHECK(read_set(sets[0], errors, capture));
  CHECK(capture.warnings == Strings{"core", "core"});
}

TEST_CASE("a set tells how much of all its files is read, and which of them cannot be", "[claims]") {
  const TemporaryFolder folder;
  const std::string rewrites = bytes_of(kRamp + ".rewrites.pkl"), profile = bytes_of(kRamp + ".profile.pkl");
  folder.write("a.rewrites.pkl", rewrites);
  folder.write("a.profile.pkl", profile);
  const auto sets = named_sets({folder / "a.rewrites.pkl", folder / "a.profile.pkl"});
  REQUIRE(sets.size() == 1);
  std::vector<std::uint64_t> told;
  FileErrors errors(2);
  {
    Capture capture;
    CHECK(read_set(sets[0], errors, capture, [&](std::uint64_t done) { told.push_back(done); }));
    CHECK(capture.has_rewrites);
    CHECK(capture.has_profile);
  }
  CHECK(std::ranges::is_sorted(told));
  CHECK(told.back() == rewrites.size() + profile.size());

  const auto error_of = [&](std::string_view bytes) {
    folder.write("a.rewrites.pkl", bytes);
    FileErrors found(2);
    Capture capture;
    CHECK_FALSE(read_set(sets[0], found, capture));
    CHECK_FALSE(found[1]);
    return found[0] ? found[0]->text() : "";
  };
  CHECK(error_of("").ends_with("a.rewrites.pkl: is empty; is it still being written?"));
  CHECK(error_of("hello").find("a.rewrites.pkl: is of no format that vizd reads; give it ") != std::string::npos);
  CHECK(error_of(gzipped(rewrites).substr(0, 2000)).find("ends in the middle") != std::string::npos);
  CHECK(error_of(rewrites.substr(0, 2000)).find("a.rewrites.pkl:2: a frame of ") != std::string::npos);
}

TEST_CASE("the formats' own words are what people are told", "[claims]") {
  const std::string text = unknown_format("x").text();
  CHECK(text.size() < 240);  // two lines of a wide terminal
  for (const Format* format : formats()) {
    CHECK((format->read != nullptr) == (text.find(format->name) != std::string::npos));
    CHECK((format->sniff != nullptr) == (format->read != nullptr));
    CHECK((format->read != nullptr) == !format->hint.files.empty());
    CHECK(format->hint.how_to_make.empty() == format->hint.command.empty());
    CHECK((format->default_set != nullptr) == !format->hint.default_files.empty());
  }
}

TEST_CASE("an XPlane profile is known by its content, packed or not") {
  // A space of one plane: number 2, "/host:CPU", and a line without a name.
  constexpr std::string_view kSpace("\x0A\x0F\x08\x02\x12\x09/host:CPU\x1A\x00", 17);
  const TemporaryFolder folder;
  folder.write("run.pb", kSpace);
  folder.write("run.pb.gz", gzipped(std::string(kSpace)));
  for (const std::string_view name : {"run.pb", "run.pb.gz"}) {
    const InputSet set = named_sets({folder / std::string(name)})[0];
    CHECK(set.format == format_named("xplane"));
    FileErrors found(1);
    Capture capture;
    CHECK(read_set(set, found, capture));
  }
}

TEST_CASE("limits: of a folder with more than 4,096 files so many are looked at") {
  const TemporaryFolder folder;
  for (std::size_t i = 0; i < kMostFolderFiles + 10; ++i) std::ofstream(folder / std::to_string(i)) << "";
  CHECK(files_in(folder.path()).size() == kMostFolderFiles);
  Sniffer sniffer;
  CHECK(list_folder(folder.path(), sniffer).size() == kMostFolderFiles);
  CHECK(sniffer.left_out().at(folder.path()) == 10);
}

}  // namespace
}  // namespace vizd::claims_test
