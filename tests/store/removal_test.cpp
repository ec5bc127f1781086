// What is removed of a store is gone to the last row, what lies beside it stays, and ranks share their parts.
#include "store/removal.h"

#include "cli/query/sql_source.h"
#include "formats/native/capture_encoder.h"
#include "http/child_process.h"
#include "store/fleet.h"
#include "store/pull.h"
#include "store/push.h"
#include "support/catch.h"
#include "support/made_job.h"
#include "support/named_sets.h"
#include "support/store_server.h"

namespace vizd::removal_test {
namespace {

constexpr std::uint32_t kRanks = 4;

// A store with a job of small ranks.
struct Fleet {
  StoreServer server;
  TemporaryFolder folder;
  store::Store store{{server.address()}, {}};

  Fleet() {
    for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
      Capture capture;
      RankMaker({.ranks = kRanks, .events = 300}, rank, capture).fill();
      std::string bytes;
      native::encode_capture(capture, {.source_line = {}, .level = 1}, [&](std::string_view part) { bytes += part; });
      folder.write(fmt::format("rank_{:02}.bin", rank), bytes);
    }
  }
  int push(const std::string& job = "job", std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{"push", folder.path(), "--store", server.url(), "--job", job};
    arguments.insert(arguments.end(), more.begin(), more.end());
    ChildProcess pushing(std::move(arguments), {});
    const int code = pushing.wait_for_end();
    INFO(pushing.standard_error);
    CHECK(code == 0);
    return code;
  }
  std::string ask(const std::string& sql) const {
    const auto answer = server.client().ask(sql + " FORMAT TabSeparated");
    INFO(sql);
    if (!answer) FAIL(answer.error().text());
    return answer->substr(0, answer->find_last_not_of('\n') + 1);
  }
  // Rows by table, of those that fit.
  std::string counts(const std::string& condition) const {
    std::string sql;
    for (const store::StoredTable& table : store::stored_tables())
      sql += fmt::format("{}SELECT '{}' AS name, count() AS row_count FROM `{}` WHERE {}",
                         sql.empty() ? "" : " UNION ALL ", table.name, table.name, condition);
    return ask(fmt::format("SELECT name, row_count FROM ({}) WHERE row_count > 0 ORDER BY name", sql));
  }
};

bool has_no_server() {
  if (!clickhouse_program().empty()) return false;
  WARN("skipped: there is no clickhouse-server here; scripts/install test installs it");
  return true;
}

}  // namespace

TEST_CASE("small ranks lie in parts together, and one of them is removed without the others") {
  if (has_no_server()) return;
  const Fleet fleet;
  REQUIRE(fleet.push() == 0);
  CHECK(fleet.ask("SELECT uniqExact(partition) FROM system.parts WHERE database = 'fleet' AND active") == "1");
  const std::string others = fleet.counts("rank != 3"), of_one = fleet.counts("rank = 3");
  REQUIRE(store::remove_rank(fleet.store, "job", 3, store::Deletion::kAwaited));
  CHECK(fleet.counts("rank = 3") == "");
  CHECK(fleet.counts("rank != 3") == others);
  CHECK(fleet.store.ranks("job")->size() == kRanks - 1);
  // It is pushed again as if it had never been there.
  REQUIRE(fleet.push() == 0);
  CHECK(fleet.counts("rank = 3") == of_one);
  CHECK(fleet.counts("rank != 3") == others);
  REQUIRE(store::remove_job(fleet.store, "job"));
  CHECK(fleet.counts("1") == "");
}

TEST_CASE("a rank that is being removed is there for nobody, and is pushed again from its first row") {
  if (has_no_server()) return;
  const Fleet fleet;
  REQUIRE(fleet.push() == 0);
  const std::string all = fleet.counts("1");
  // As far as a removal that was killed may have come.
  REQUIRE(fleet.server.client().ask("INSERT INTO push (job, rank, state) VALUES ('job', 2, 'removing')"));
  REQUIRE(fleet.server.client().ask("ALTER TABLE kernel DELETE WHERE job = 'job' AND rank = 2"));
  const auto ranks = store::ranks_of_job(fleet.store, "job");
  REQUIRE(ranks);
  CHECK(ranks->rows.size() == kRanks - 1);
  CHECK_FALSE(store::pull(fleet.store, "job", 2, store::kMostRankBytes, [](std::string_view) {}));
  CHECK(store::pull(fleet.store, "job", 3, store::kMostRankBytes, [](std::string_view) {}));
  REQUIRE(fleet.push() == 0);
  CHECK(fleet.counts("1") == all);
}

TEST_CASE("a removed rank is gone from every answer at once, and its rows soon after") {
  if (has_no_server()) return;
  const Fleet fleet;
  REQUIRE(fleet.push() == 0);
  const std::string all = fleet.counts("1");
  // Deletions stand still, as they may while the store has other work.
  REQUIRE(fleet.server.client().ask("SYSTEM STOP MERGES"));
  const auto began = store::kernels(fleet.store, "job");
  ChildProcess removing({"push", "--remove", "--store", fleet.server.url(), "--job", "job", "--rank", "1"}, {});
  CHECK(removing.wait_for_end() == 0);
  CHECK(fleet.counts("rank = 1 AND block = 0").find("slice") != std::string::npos);
  CHECK(store::ranks_of_job(fleet.store, "job")->rows.size() == kRanks - 1);
  CHECK(store::jobs(fleet.store)->rows.at(0).at(1) == kRanks - 1);
  for (const auto& answer : {store::busy_ranks(fleet.store, "job"), store::steps(fleet.store, "job"),
                             store::late_to_collectives(fleet.store, "job")}) {
    REQUIRE(answer);
    for (const auto& row : answer->rows) CHECK(row.front() != 1);
  }
  CHECK(store::kernels(fleet.store, "job")->rows.at(0).at(2) == kRanks - 1);
  CHECK(began->rows.at(0).at(2) == kRanks);
  REQUIRE(fleet.server.client().ask("SYSTEM START MERGES"));
  REQUIRE(fleet.push() == 0);
  CHECK(fleet.counts("1") == all);
}

TEST_CASE("a large rank has parts of its own, which go at once") {
  if (has_no_server()) return;
  CHECK(store::bucket_of(511, store::kLargeRankBytes - 1) == 1);
  CHECK_FALSE(store::is_of_one_rank(store::bucket_of(~0u, 0)));
  CHECK(store::is_of_one_rank(store::bucket_of(0, store::kLargeRankBytes)));
  const Fleet fleet;
  REQUIRE(fleet.push() == 0);
  const std::string before = fleet.counts("1");
  const Reading reading = load(named_sets({fleet.folder / "rank_00.bin"}).at(0));
  REQUIRE(reading.loaded);
  SourceLines lines({});
  const auto push_as = [&](std::uint32_t rank, std::uint64_t file_bytes) {
    const store::PushInput input{.source = sql_source(*reading.loaded, lines),
                                 .format = "vizd",
                                 .content = "0123456789abcdef",
                                 .file_bytes = file_bytes,
                                 .write_file = [](const auto& write) { write("bytes"); }};
    return store::push(fleet.store, input, {.job = "job", .rank = rank}, [](auto, auto) {});
  };
  REQUIRE(push_as(20, store::kLargeRankBytes));
  CHECK(fleet.ask("SELECT uniqExact(partition) FROM system.parts WHERE database = 'fleet' AND active") == "2");
  REQUIRE(store::remove_rank(fleet.store, "job", 20, store::Deletion::kBegun));
  CHECK(fleet.ask("SELECT count() FROM system.mutations WHERE database = 'fleet'") == "0");
  CHECK(fleet.counts("1") == before);
}

TEST_CASE("a job that was to be kept for some time is forgotten after it, and no other") {
  if (has_no_server()) return;
  const Fleet fleet;
  REQUIRE(fleet.push("job", {"--keep", "30d"}) == 0);
  CHECK(fleet.ask("SELECT DISTINCT round((toUInt32(keep_until) - toUInt32(now())) / 86400) FROM slice") == "30");
  CHECK(fleet.ask("SELECT uniqExact(toUInt32(keep_until)) <= 4 FROM slice") == "1");
  REQUIRE(fleet.push("kept") == 0);
  CHECK(store::remove_what_is_over(fleet.store)->empty());
  const std::string kept = fleet.counts("job = 'kept'");
  // One rank's time is over, the others' not yet; then that of all is.
  store::Client client = fleet.server.client();
  REQUIRE(client.ask("INSERT INTO push (job, rank, keep_until, state) VALUES ('job', 3, toDateTime(1000), 'begun')"));
  CHECK(store::remove_what_is_over(fleet.store)->empty());
  REQUIRE(store::remove_job(fleet.store, "job"));
  REQUIRE(client.ask("INSERT INTO push (job, rank, keep_until, state) VALUES ('job', 3, toDateTime(1000), 'done')"));
  CHECK(*store::remove_what_is_over(fleet.store) == std::vector<std::string>{"job"});
  CHECK(fleet.counts("job = 'job'") == "");
  CHECK(fleet.counts("job = 'kept'") == kept);
  for (const char* const wrong : {"0d", "30", "d", "-1d", "30m", "30dd", "99999999999999999999d"}) {
    INFO(wrong);
    ChildProcess pushing({"push", fleet.folder.path(), "--store", fleet.server.url(), "--job", "job", "--keep", wrong},
                         {});
    CHECK(pushing.wait_for_end() == 2);
    CHECK(pushing.standard_error.find("such as 30d") != std::string::npos);
  }
}

TEST_CASE("where the server can, each table says until when rows are kept and how columns are packed") {
  for (const store::StoredTable& table : store::stored_tables()) {
    const std::string with = store::creation_of(table, "fleet", "", store::skills_of_release(26)).front();
    for (const char* const word :
         {"TTL keep_until SETTINGS", "ttl_only_drop_parts = 1", "`rank` UInt32 CODEC(ZSTD(1))"})
      CHECK((with.find(word) != std::string::npos) == !table.is_view());
    const std::string without = store::creation_of(table, "fleet", "", store::skills_of_release(18)).front();
    for (const char* const word : {"TTL", "ttl", "CODEC"}) CHECK(without.find(word) == std::string::npos);
  }
}

}  // namespace vizd::removal_test
