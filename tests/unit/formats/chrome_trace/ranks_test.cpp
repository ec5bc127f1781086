// The ranks of a job: which files they are, and how they come on one clock.
#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "formats/claims.h"
#include "formats/open_set.h"
#include "formats/sniffer.h"
#include "formats/trace_words.h"
#include "model/argument_json.h"
#include "support/catch.h"
#include "support/temporary_folder.h"

namespace vizd::ranks_test {
namespace {

// A rank's trace: collectives that end at these times, in nanoseconds of its clock, which begins at base_ns.
std::string trace_of_rank(int rank, std::int64_t base_ns, const std::vector<std::int64_t>& ends_ns) {
  std::string events;
  for (std::size_t i = 0; i < ends_ns.size(); ++i) {
    const std::int64_t start_ns = ends_ns[i] - 500 - rank;
    events += fmt::format(
        R"({}{{"ph":"X","cat":"kernel","name":"ncclDevKernel_AllReduce","pid":0,"tid":7,"ts":{}.{:03},"dur":0.{:03},)"
        R"("args":{{"Collective name":"allreduce","Process Group Name":"0","Seq":{}}}}})",
        i == 0 ? "" : ",", start_ns / 1000, start_ns % 1000, 500 + rank, i);
  }
  return fmt::format(
      R"({{"distributedInfo":{{"rank":{},"world_size":2}},"baseTimeNanoseconds":{},"traceEvents":[{}]}})", rank,
      base_ns, events);
}

struct ReadSet {
  explicit ReadSet(const InputSet& set) {
    FileErrors errors(set.files.size());
    REQUIRE(read_set(set, errors, capture));
  }
  // The ends of what is on the stream of each rank.
  std::vector<std::vector<std::int64_t>> ends() const {
    std::vector<std::vector<std::int64_t>> ends;
    for (const Track& track : capture.profile.tracks) {
      if (track.events.empty()) continue;
      ends.emplace_back();
      for (std::size_t i = 0; i < track.events.size(); ++i) ends.back().push_back(track.events.end_ns(i));
    }
    return ends;
  }
  std::string said_of_clock() const {
    for (const Fact& fact : capture.facts) {
      if (capture.strings.get(fact.name) == trace::kClockAlignment) return value_text(fact.value, capture.strings);
    }
    return "";
  }
  Capture capture;
};

std::vector<InputSet> sets_of(const TemporaryFolder& folder) {
  Sniffer sniffer;
  return claim_sets(list_folder(folder.path(), sniffer), Listing::kFolder);
}

void write_in_folder(const TemporaryFolder& folder, const std::string& name, const std::string& text) {
  std::filesystem::create_directories(folder / name);
  folder.write(name + "/trace.json", text);
}

constexpr std::int64_t kBase_ns = 1'700'000'000'000'000'000;

TEST_CASE("ranks in folders of their own are one capture", "[chrome]") {
  const TemporaryFolder folder;
  for (const int rank : {1, 0})
    write_in_folder(folder, fmt::format("rank_{}", rank), trace_of_rank(rank, kBase_ns, {1000}));
  write_in_folder(folder, "notes", trace_of_rank(0, kBase_ns, {1000}));
  const auto sets = sets_of(folder);
  REQUIRE(sets.size() == 1);
  REQUIRE(sets[0].files.size() == 2);
  CHECK(sets[0].files[0].role == "rank 0");
  CHECK(sets[0].files[1].path == folder / "rank_1/trace.json");
}

TEST_CASE("traces in folders of steps are found, each step's ranks as one capture", "[chrome]") {
  const TemporaryFolder folder;
  for (const char* const step : {"step_000000000014", "iteration_200"}) {
    for (const int rank : {0, 1})
      write_in_folder(folder, fmt::format("{}/rank{}", step, rank), trace_of_rank(rank, kBase_ns, {1000}));
  }
  write_in_folder(folder, "Iter-7", trace_of_rank(0, kBase_ns, {1000}));
  write_in_folder(folder, "steps", trace_of_rank(0, kBase_ns, {1000}));
  const auto sets = sets_of(folder);
  REQUIRE(sets.size() == 3);
  CHECK(sets[0].files.size() == 1);
  CHECK(sets[0].files[0].path == folder / "Iter-7/trace.json");
  CHECK(sets[1].files.size() == 2);
  CHECK(sets[2].files.size() == 2);
  CHECK(sets[2].files[1].path == folder / "step_000000000014/rank1/trace.json");
}

TEST_CASE("ranks whose clocks differ are shifted so that their collectives end together", "[chrome]") {
  const TemporaryFolder folder;
  constexpr std::int64_t kBase1_ns = kBase_ns + 40'000, kOff_ns = 7'300;
  std::vector<std::int64_t> first, second;
  for (std::int64_t i = 0; i < 5; ++i) {
    first.push_back(100'000 + i * 10'000);
    second.push_back(first.back() - 40'000 + kOff_ns + (i == 2 ? 20 : 0));
  }
  folder.write("a.json", trace_of_rank(0, kBase_ns, first));
  folder.write("b.json", trace_of_rank(1, kBase1_ns, second));
  const auto sets = sets_of(folder);
  REQUIRE(sets.size() == 1);
  const ReadSet read(sets[0]);
  const auto ends = read.ends();
  REQUIRE(ends.size() == 2);
  CHECK(ends[0] == first);
  first[2] += 20;
  CHECK(ends[1] == first);
  CHECK(read.said_of_clock() ==
        "shifted by -7300 ns, so that 5 collectives end together with those of rank 0, within 20 ns");
}

TEST_CASE("ranks without enough collectives stand by the times that their traces count from", "[chrome]") {
  const TemporaryFolder folder;
  folder.write("a.json", trace_of_rank(0, kBase_ns, {50'000, 60'000}));
  folder.write("b.json", trace_of_rank(1, kBase_ns + 40'000, {50'000, 60'000}));
  const auto sets = sets_of(folder);
  REQUIRE(sets.size() == 1);
  const ReadSet read(sets[0]);
  CHECK(read.ends() == std::vector<std::vector<std::int64_t>>{{50'000, 60'000}, {90'000, 100'000}});
  CHECK(read.said_of_clock() == "by the start time that its trace gives");
}

}  // namespace
}  // namespace vizd::ranks_test
