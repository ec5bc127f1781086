// The rules' table from the cache folder: what was kept is what was made, and nothing else is believed.
#include "derived/kept_rules.h"

#include <filesystem>

#include "session/kept_capture.h"
#include "support/catch.h"
#include "support/named_sets.h"
#include "support/places.h"
#include "support/temporary_folder.h"

namespace vizd::kept_rules_test {
namespace {

namespace fs = std::filesystem;

const std::string kFile = test_data("tinygrad-2025-09/ramp.rewrites.pkl");

Reading read_capture() {
  Reading reading = load(named_sets({kFile})[0]);
  REQUIRE(reading.loaded);
  return reading;
}

RuleTable made_table(const LoadedCapture& loaded) {
  auto table = make_rule_table(loaded.capture, {});
  REQUIRE(table);
  return *std::move(table);
}

std::vector<fs::path> files_in(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  return files;
}

}  // namespace

TEST_CASE("the table of rules is kept, and taken by whoever opens the same files again", "[kept]") {
  const TemporaryFolder folder;
  const CacheOptions cache{.folder = folder.path(), .least_matches = 1};
  const Reading reading = read_capture();
  const RuleTable made = made_table(*reading.loaded);
  CHECK_FALSE(load_kept_rules(*reading.loaded, cache));
  keep_rules(*reading.loaded, cache, made, {});
  REQUIRE(files_in(folder.path()).size() == 1);

  const Reading again = read_capture();
  const auto kept = load_kept_rules(*again.loaded, cache);
  REQUIRE(kept);
  REQUIRE(kept->effects.size() == made.effects.size());
  for (std::size_t i = 0; i < made.effects.size(); ++i) {
    CHECK(kept->effects[i].added == made.effects[i].added);
    CHECK(kept->effects[i].removed == made.effects[i].removed);
    CHECK(kept->effects[i].undone_at == made.effects[i].undone_at);
    CHECK(kept->effects[i].changed == made.effects[i].changed);
  }
  REQUIRE(kept->rows.size() == made.rows.size());
  for (std::size_t i = 0; i < made.rows.size(); ++i) CHECK(kept->rows[i].rule == made.rows[i].rule);
  CHECK(kept->by_rule == made.by_rule);

  // Kept rules do not fit other matches than those that they were made from.
  again.loaded->capture.rewrites.matches[0].rule = LocationId{1};
  again.loaded->capture.rewrites.matches[1].rule = LocationId{0};
  CHECK_FALSE(load_kept_rules(*again.loaded, cache));
}

TEST_CASE("a small capture's rules are not kept, and a folder keeps to its size", "[kept]") {
  const TemporaryFolder folder;
  const Reading reading = read_capture();
  const RuleTable made = made_table(*reading.loaded);
  keep_rules(*reading.loaded, {.folder = folder.path()}, made, {});
  CHECK(files_in(folder.path()).empty());
  keep_rules(*reading.loaded, {.folder = folder.path(), .least_matches = 1, .most_bytes = 1}, made, {});
  CHECK(files_in(folder.path()).empty());
}

TEST_CASE("a kept table that is cut or changed is made again", "[kept]") {
  const TemporaryFolder folder;
  const CacheOptions cache{.folder = folder.path(), .least_matches = 1};
  const Reading reading = read_capture();
  keep_rules(*reading.loaded, cache, made_table(*reading.loaded), {});
  const fs::path file = files_in(folder.path()).at(0);
  fs::resize_file(file, fs::file_size(file) / 2);
  CHECK_FALSE(load_kept_rules(*reading.loaded, cache));
}

}  // namespace vizd::kept_rules_test
