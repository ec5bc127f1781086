// vizd check-job: a slow rank is the one that made others wait, steps that take longer are told of, ties blame nobody.
#include "store/job_check.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "formats/native/capture_encoder.h"
#include "http/child_process.h"
#include "support/catch.h"
#include "support/made_job.h"
#include "support/store_server.h"

namespace vizd::job_check_test {
namespace {

constexpr std::uint32_t kRanks = 4, kNoSlowRank = 99;

void push_job(const StoreServer& server, const std::string& name, std::size_t events, std::uint32_t slow_rank) {
  const TemporaryFolder folder;
  for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
    Capture capture;
    RankMaker({.ranks = kRanks, .events = events, .slow_rank = slow_rank}, rank, capture).fill();
    std::string bytes;
    native::encode_capture(capture, {.source_line = {}, .level = 1}, [&](std::string_view part) { bytes += part; });
    folder.write(fmt::format("rank_{}.bin", rank), bytes);
  }
  ChildProcess pushing({"push", folder.path(), "--store", server.url(), "--job", name, "--at-once", "4"}, {});
  REQUIRE(pushing.wait_for_end() == 0);
}

struct Checked {
  int code = 0;
  nlohmann::json line;
  std::string error;
};

Checked check_job(const StoreServer& server, const std::string& job, const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"check-job", "--store", server.url(), "--job", job};
  arguments.insert(arguments.end(), more.begin(), more.end());
  ChildProcess checking(std::move(arguments), {});
  Checked checked{.code = checking.wait_for_end(), .line = {}, .error = checking.standard_error};
  const std::string& text = checking.standard_output;
  CHECK(std::ranges::count(text, '\n') == (text.empty() ? 0 : 1));
  if (!text.empty()) checked.line = nlohmann::json::parse(text);
  return checked;
}

}  // namespace

TEST_CASE("a job is checked for a rank that makes others wait and for steps that got slower") {
  if (clickhouse_program().empty()) {
    WARN("skipped: there is no clickhouse-server here; scripts/install test installs it");
    return;
  }
  const StoreServer server;
  push_job(server, "train step 100", 600, kNoSlowRank);
  push_job(server, "train step 1000", 900, 2);

  // The latest step of the job, against the one before it.
  const Checked both = check_job(server, "train", {"--slow-rank", "5%", "--regress", "3"});
  CHECK(both.code == 3);
  CHECK(both.line["job"] == "train step 1000");
  CHECK(both.line["ranks"] == kRanks);
  CHECK(both.line["whole_ranks"] == kRanks);
  CHECK(both.line["slow_rank_count"] == 1);
  CHECK(both.line["slow_ranks"][0]["rank"] == 2);
  CHECK(both.line["slow_ranks"][0]["collectives"] == 12);
  CHECK(both.line["against"] == "train step 100");
  CHECK(both.line["regress_percent"] > 30);
  CHECK(both.line["found"] == true);

  const Checked even = check_job(server, "train step 100", {"--slow-rank", "5%", "--regress", "3%"});
  CHECK(even.code == 0);
  CHECK(even.line["slow_ranks"].empty());
  CHECK(even.line["against"].is_null());
  CHECK(even.line["found"] == false);
  const Checked faster =
      check_job(server, "train step 100", {"--regress", "3%", "--against", "train step 1000", "--slow-rank", "90"});
  CHECK(faster.code == 0);
  CHECK(faster.line["regress_percent"] < 0);

  CHECK(check_job(server, "none", {"--slow-rank", "5%"}).code == 1);
  CHECK(check_job(server, "train step 100", {"--regress", "3%", "--against", "none"}).code == 1);
  CHECK(check_job(server, "train", {}).code == 2);
  CHECK(check_job(server, "train", {"--slow-rank", "5x"}).code == 2);

  // By hand: three collectives, one even, one in which two are late, one in which one is.
  store::Client client = server.client();
  REQUIRE(client.ask("INSERT INTO kernel (job, rank, name, is_communication) VALUES ('hand', 0, 'reduce', 1)"));
  const std::vector<std::vector<int>> durs{{10, 10, 10, 10}, {2, 100, 4, 100}, {50, 50, 50, 20}};
  for (std::size_t i = 0; i < durs.size(); ++i) {
    for (std::size_t rank = 0; rank < kRanks; ++rank)
      REQUIRE(
          client.ask(fmt::format("INSERT INTO slice (job, rank, id, ts, dur, name) VALUES ('hand', {}, {}, {}, {}, "
                                 "'reduce')",
                                 rank, i, 1000 * i, durs[i][rank])));
  }
  REQUIRE(
      client.ask("INSERT INTO push (job, rank, state, end_ns) SELECT 'hand', number, 'done', 1000 FROM "
                 "system.numbers LIMIT 4"));
  const auto waits = store::made_waits(store::Store({server.address()}, {}), "hand");
  REQUIRE(waits);
  REQUIRE(waits->size() == 3);
  const auto is = [&](std::size_t place, std::uint32_t rank, std::uint64_t wait_ns) {
    const store::MadeWait& wait = (*waits)[place];
    return wait.rank == rank && wait.wait_ns == wait_ns && wait.collectives == 1 && wait.recorded_ns == 1000;
  };
  CHECK(is(0, 0, 98));
  CHECK(is(1, 2, 96));
  CHECK(is(2, 3, 30));
}

}  // namespace vizd::job_check_test
