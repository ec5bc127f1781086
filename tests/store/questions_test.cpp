// The twelve questions of `vizd sql --examples`, asked of the store too: the answers are the same.
#include "store/questions.h"

#include "cli/query/sql_source.h"
#include "formats/native/capture_encoder.h"
#include "http/child_process.h"
#include "query/examples.h"
#include "store/fleet.h"
#include "support/catch.h"
#include "support/made_job.h"
#include "support/named_sets.h"
#include "support/places.h"
#include "support/store_server.h"
#include "unit/query/asked.h"

namespace vizd::questions_test {
namespace {

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

struct Rows {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // sorted
};

Rows embedded_rows(const LoadedCapture& loaded, const std::string& query) {
  SourceLines lines({});
  const sql::Asked asked({sql_source(loaded, lines)}, query);
  INFO(query);
  if (asked.error) FAIL(asked.error->text());
  Rows result{.columns = {}, .rows = asked.rows};
  for (const sql::ResultColumn& column : asked.columns) result.columns.push_back(column.name);
  for (auto& row : result.rows) {
    for (std::string& value : row) value = text_of(value);
  }
  std::ranges::sort(result.rows);
  return result;
}

// The rows of the rank and of the named columns; the store may have others too.
std::vector<std::vector<std::string>> stored_rows(store::Client& client, const std::string& query, int rank,
                                                  const std::vector<std::string>& columns) {
  const auto answer = store::ask_rows(client, query);
  INFO(query);
  if (!answer) FAIL(answer.error().text());
  REQUIRE(answer->columns.front().name == "rank");
  std::vector<std::size_t> places;
  for (const std::string& name : columns) {
    const auto found = std::ranges::find(answer->columns, name, &store::AnswerColumn::name);
    INFO(name);
    REQUIRE(found != answer->columns.end());
    places.push_back(static_cast<std::size_t>(found - answer->columns.begin()));
  }
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : answer->rows) {
    if (row[0] != rank) continue;
    auto& texts = rows.emplace_back();
    for (const std::size_t place : places) {
      const auto& value = row[place];
      texts.push_back(value.is_null() ? "null" : text_of(value.is_string() ? value.get<std::string>() : value.dump()));
    }
  }
  std::ranges::sort(rows);
  return rows;
}

// Pushes the files as two ranks of a job, and as another job, in a database of their own, and asks both: each rank of
// the job has the capture's answers, whatever lies beside it.
void check_questions(const StoreServer& server, const std::string& database, const std::vector<std::string>& files) {
  store::StoreAddress address = server.address();
  address.database = database;
  constexpr std::pair<const char*, const char*> kPushed[] = {{"it's one", "0"}, {"it's one", "7"}, {"other", "0"}};
  for (const auto& [job, rank] : kPushed) {
    std::vector<std::string> arguments{"push", "--store", address.text(), "--job", job, "--rank", rank};
    arguments.insert(arguments.end(), files.begin(), files.end());
    ChildProcess pushing(std::move(arguments), {});
    REQUIRE(pushing.wait_for_end() == 0);
  }
  const Reading reading = load(named_sets(files).at(0));
  REQUIRE(reading.loaded);
  store::Client client(address, {});
  std::size_t rows = 0;
  const auto examples = sql::examples();
  const auto asked = store::questions("it's one");
  REQUIRE(asked.size() == 12);
  REQUIRE(examples.size() >= asked.size());  // those of graph replays have no tables in a store
  for (std::size_t i = 0; i < asked.size(); ++i) {
    CAPTURE(examples[i].question);
    const Rows expected = embedded_rows(*reading.loaded, without_limit(std::string(examples[i].query)));
    for (const int rank : {0, 7})
      CHECK(stored_rows(client, without_limit(asked[i].query), rank, expected.columns) == expected.rows);
    rows += expected.rows.size();
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
  check_questions(server, "rewrites",
                  {test_data("tinygrad-2026-08/ramp.rewrites.pkl"), test_data("tinygrad-2026-08/ramp.profile.pkl")});
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
  const auto last = store::late_to_collectives(store, "it's A");
  REQUIRE(last);
  REQUIRE(last->rows.size() > 1);  // it waits 20 us in each collective, the others longer, but not all alike
  CHECK(last->rows[0][0] == job.slow_rank);
  CHECK(last->rows[0][1].get<std::int64_t>() > 2 * last->rows[1][1].get<std::int64_t>());
  CHECK(last->rows[0][2] == job.steps);
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

}  // namespace vizd::questions_test
