// The twelve questions of `vizd sql --examples`, asked of the store too: the answers are the same. Where 18.16 has no
// words for a question as it stands (window functions, joins of three tables, sums over windows), it is asked in
// others.
#include <map>

#include "formats/native/capture_encoder.h"
#include "http/child_process.h"
#include "query/examples.h"
#include "session/loaded_capture.h"
#include "store/fleet.h"
#include "support/catch.h"
#include "support/made_job.h"
#include "support/named_sets.h"
#include "support/store_server.h"
#include "unit/query/asked.h"

namespace vizd {
namespace {

// By the example's place; the others are asked as they stand.
const std::
    map<std::size_t, std::string>
        kInOtherWords{
            {0,
             R"(SELECT name, device, launches, total_ns, round(100 * total_ns / (SELECT sum(total_ns) FROM kernel), 1) AS percent, longest_slice_id FROM kernel ORDER BY total_ns DESC LIMIT 20)"},
            {2,
             R"(SELECT step, gap_ts, gap_end - gap_ts AS dur FROM (SELECT tupleElement(gap, 1) AS gap_ts, tupleElement(gap, 2) AS gap_end, 1 AS one FROM (SELECT groupArray(t) AS times, arrayCumSum(groupArray(change)) AS running, arrayFilter(x -> tupleElement(x, 3) = 0 AND tupleElement(x, 2) > tupleElement(x, 1), arrayMap((a, b, r) -> tuple(a, b, r), arrayPopBack(times), arrayPopFront(times), arrayPopBack(running))) AS gaps FROM (SELECT t, sum(c) AS change FROM (SELECT ts AS t, toInt64(1) AS c, track_id FROM slice WHERE depth = 0 UNION ALL SELECT ts + dur AS t, toInt64(-1) AS c, track_id FROM slice WHERE depth = 0) WHERE track_id IN (SELECT id FROM track WHERE type IN ('device', 'engine', 'stream')) GROUP BY t ORDER BY t)) ARRAY JOIN gaps AS gap) AS g ALL INNER JOIN (SELECT name AS step, ts + dur AS step_end, 1 AS one FROM run) AS r USING one WHERE gap_ts <= step_end AND gap_end > step_end ORDER BY gap_ts)"},
            {3,
             R"(SELECT path, ts, dur, next FROM (SELECT id AS track_id, path FROM track) AS t ALL INNER JOIN (SELECT track_id, tupleElement(pause, 1) AS ts, tupleElement(pause, 2) - tupleElement(pause, 1) AS dur, tupleElement(pause, 3) AS next FROM (SELECT track_id, groupArray(ts + dur) AS ends, groupArray(ts) AS starts, groupArray(name) AS names, arrayMap((a, b, n) -> tuple(a, b, n), arrayPopBack(ends), arrayPopFront(starts), arrayPopFront(names)) AS pauses FROM (SELECT track_id, ts, dur, name FROM slice WHERE depth = 0 AND track_id IN (SELECT id FROM track WHERE type IN ('device', 'engine', 'stream')) ORDER BY track_id, ts) GROUP BY track_id) ARRAY JOIN pauses AS pause) AS p USING track_id WHERE dur > 0 ORDER BY dur DESC LIMIT 20)"},
            {4,
             R"(SELECT id, ts, dur, size, category, track_id FROM (SELECT id, ts, dur, size, is_freed, coalesce(category, dtype) AS category, track_id FROM allocation) AS a ALL INNER JOIN (SELECT track_id, times[indexOf(live, arrayReduce('max', live))] AS peak_ts FROM (SELECT track_id, groupArray(ts) AS times, arrayCumSum(groupArray(change)) AS live FROM (SELECT track_id, ts, sum(c) AS change FROM (SELECT track_id, ts, size AS c FROM allocation UNION ALL SELECT track_id, ts + dur AS ts, -size AS c FROM allocation WHERE is_freed = 1) GROUP BY track_id, ts ORDER BY track_id, ts) GROUP BY track_id)) AS p USING track_id WHERE ts <= peak_ts AND (ts + dur > peak_ts OR is_freed = 0) ORDER BY size DESC LIMIT 100)"},
            {5,
             R"(SELECT ts, bytes FROM (SELECT groupArray(ts) AS times, arrayCumSum(groupArray(change)) AS live FROM (SELECT ts, sum(c) AS change FROM (SELECT ts, size AS c FROM allocation UNION ALL SELECT ts + dur AS ts, -size AS c FROM allocation WHERE is_freed = 1) GROUP BY ts ORDER BY ts)) ARRAY JOIN times AS ts, live AS bytes)"},
            {7,
             R"(SELECT id, rule, state, undone_at, pass, context FROM (SELECT id, rule, state, undone_at, pass, context_id FROM (SELECT id, rule, state, undone_at, pass_id, context_id FROM match WHERE isNotNull(undone_at)) AS m ALL INNER JOIN (SELECT id AS pass_id, name AS pass FROM pass) AS p USING pass_id) AS mp ALL INNER JOIN (SELECT id AS context_id, name AS context FROM context) AS c USING context_id ORDER BY id LIMIT 100)"},
            {9,
             R"(SELECT context_id, name, match_count, launches, total_ns FROM (SELECT ifNull(context_id, -1) AS context_id, launches, total_ns FROM kernel) AS k ALL INNER JOIN (SELECT id AS context_id, name, match_count FROM context) AS c USING context_id ORDER BY total_ns DESC LIMIT 50)"},
            {10,
             R"(SELECT launch, work, slice_id, ts - launch_ts AS wait_ns FROM (SELECT slice_in AS slice_id, launch, launch_ts FROM (SELECT slice_out, slice_in FROM flow) AS f ALL INNER JOIN (SELECT id AS slice_out, name AS launch, ts AS launch_ts FROM slice) AS o USING slice_out) AS fo ALL INNER JOIN (SELECT id AS slice_id, name AS work, ts FROM slice) AS i USING slice_id ORDER BY wait_ns DESC LIMIT 20)"},
            {11,
             R"(SELECT name, count() AS slices, sum(dur) AS total_ns, sum(dur - inner_ns) AS self_ns FROM (SELECT id, name, dur FROM slice) AS s ALL LEFT JOIN (SELECT ifNull(parent_id, -1) AS id, sum(dur) AS inner_ns FROM slice WHERE depth > 0 GROUP BY id) AS i USING id GROUP BY name ORDER BY self_ns DESC LIMIT 20)"},
        };

// Rows that are equal in what they are sorted by come in any order, and LIMIT takes any of them: all are compared.
std::string without_limit(std::string query) {
  const auto limit = query.rfind("LIMIT ");
  return limit == std::string::npos ? query : query.substr(0, limit);
}

std::string text_of(const std::string& value) {
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  return !value.empty() && *end == '\0' ? fmt::format("{:.6g}", number) : value;
}

std::vector<std::vector<std::string>> embedded_rows(const LoadedCapture& loaded, const std::string& query) {
  const sql::Asked asked({{.capture = &loaded.capture, .timeline = &loaded.timeline, .name = loaded.set.name}}, query);
  INFO(query);
  if (asked.error) FAIL(asked.error->text());
  auto rows = asked.rows;
  for (auto& row : rows) {
    for (std::string& value : row) value = text_of(value);
  }
  std::ranges::sort(rows);
  return rows;
}

std::vector<std::vector<std::string>> stored_rows(store::Client& client, const std::string& query) {
  const auto answer = store::ask_rows(client, query);
  INFO(query);
  if (!answer) FAIL(answer.error().text());
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : answer->rows) {
    auto& texts = rows.emplace_back();
    for (const auto& value : row)
      texts.push_back(value.is_null() ? "null" : text_of(value.is_string() ? value.get<std::string>() : value.dump()));
  }
  std::ranges::sort(rows);
  return rows;
}

// Pushes the files as the one rank of a database of their own, and asks both.
void check_questions(const StoreServer& server, const std::string& database, const std::vector<std::string>& files) {
  store::StoreAddress address = server.address();
  address.database = database;
  std::vector<std::string> arguments{"push", "--store", address.text(), "--job", "job"};
  arguments.insert(arguments.end(), files.begin(), files.end());
  ChildProcess pushing(std::move(arguments), {});
  REQUIRE(pushing.wait_for_end() == 0);
  const Reading reading = load(named_sets(files).at(0));
  REQUIRE(reading.loaded);
  store::Client client(address, {});
  std::size_t rows = 0;
  const auto examples = sql::examples();
  REQUIRE(examples.size() == 12);
  for (std::size_t i = 0; i < examples.size(); ++i) {
    CAPTURE(examples[i].question);
    const std::string own(examples[i].query);
    const auto words = kInOtherWords.find(i);
    const auto expected = embedded_rows(*reading.loaded, without_limit(own));
    CHECK(stored_rows(client, without_limit(words == kInOtherWords.end() ? own : words->second)) == expected);
    rows += expected.size();
  }
  CHECK(rows > 0);
}

}  // namespace

TEST_CASE("the twelve questions have the same answers in the store") {
  if (clickhouse_program().empty()) {
    WARN("skipped: there is no clickhouse-server here; scripts/install test installs it");
    return;
  }
  const StoreServer server;
  const TemporaryFolder folder;
  Capture capture;
  const MadeJob job{.events = 2000};
  RankMaker(job, 1, capture).fill();
  std::string bytes;
  native::encode_capture(capture, {.source_line = {}, .level = 1}, [&](std::string_view part) { bytes += part; });
  folder.write("rank.bin", bytes);
  check_questions(server, "profile", {folder / "rank.bin"});
  check_questions(
      server, "rewrites",
      {VIZD_TEST_DATA "/tinygrad-2026-08/ramp.rewrites.pkl", VIZD_TEST_DATA "/tinygrad-2026-08/ramp.profile.pkl"});
}

TEST_CASE("a job is told as its ranks' files tell it, and a store that is away is said") {
  if (clickhouse_program().empty()) {
    WARN("skipped: there is no clickhouse-server here; scripts/install test installs it");
    return;
  }
  StoreServer server;
  const TemporaryFolder folder;
  const MadeJob job{.ranks = 4, .events = 1000, .slow_rank = 2};
  for (std::uint32_t rank = 0; rank < job.ranks; ++rank) {
    Capture capture;
    RankMaker(job, rank, capture).fill();
    std::string bytes;
    native::encode_capture(capture, {.source_line = {}, .level = 1}, [&](std::string_view part) { bytes += part; });
    folder.write(fmt::format("rank_{}.bin", rank), bytes);
  }
  for (const char* const name : {"it's A", "B"}) {
    ChildProcess pushing({"push", folder.path(), "--store", server.url(), "--job", name}, {});
    REQUIRE(pushing.wait_for_end() == 0);
  }
  const store::Store store({server.address()}, {});
  const auto jobs = store::jobs(store);
  REQUIRE(jobs);
  CHECK(jobs->rows.size() == 2);
  CHECK(store::ranks_of_job(store, "it's A")->rows.size() == 4);
  CHECK(store::ranks_of_job(store, "none")->rows.empty());
  const auto steps = store::steps(store, "it's A");
  REQUIRE(steps);
  REQUIRE(steps->rows.size() == 4);
  CHECK(steps->rows[0][1].size() == job.steps);
  const auto kernels = store::kernels(store, "it's A");
  REQUIRE(kernels);
  CHECK(kernels->rows.size() == 41);
  CHECK(kernels->rows[0][0] == "ncclDevKernel_AllReduce_Sum_f16");
  CHECK(kernels->rows[1][8] == job.slow_rank);
  const auto last = store::last_to_collectives(store, "it's A");
  REQUIRE(last);
  CHECK(last->rows == nlohmann::json::parse(fmt::format("[[{}, {}]]", job.slow_rank, job.steps)));
  const auto compared = store::compare_jobs(store, "it's A", "B");
  REQUIRE(compared);
  CHECK(compared->rows.size() == 41);
  CHECK(compared->rows[0][1] == compared->rows[0][2]);

  const auto some = store::ask_query(store, "SELECT id FROM slice; \n", 10);
  REQUIRE(some);
  CHECK(some->answer.rows.size() == 10);
  CHECK_FALSE(some->is_whole);
  for (const char* const refused :
       {"DROP TABLE slice", "INSERT INTO slice (id) VALUES (1)", "SELECT 1 SETTINGS max_execution_time = 1000",
        "SELECT * FROM url('http://127.0.0.1/', 'TSV', 'a String')", "SELECT", "SELECT 1 FORMAT TSV", ""})
    CHECK_FALSE(store::ask_query(store, refused, 10));
  server.kill();
  const auto away = store::jobs(store);
  REQUIRE_FALSE(away);
  CHECK(away.error().kind == ErrorKind::kBusy);
  server.start();
  CHECK(store::jobs(store));
}

}  // namespace vizd
