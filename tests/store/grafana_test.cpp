// Each query of docs/grafana/fleet.json, asked of a store as Grafana would: what its panel shows is what the job has.
#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "formats/native/capture_encoder.h"
#include "http/child_process.h"
#include "store/answer.h"
#include "store/fleet.h"
#include "store/job_check.h"
#include "store/quote.h"
#include "support/catch.h"
#include "support/made_job.h"
#include "support/places.h"
#include "support/store_server.h"

namespace vizd::grafana_test {
namespace {

constexpr std::uint32_t kRanks = 4, kSlowRank = 2;

nlohmann::json dashboard() {
  std::ifstream file(test_data("../../docs/grafana/fleet.json"));
  REQUIRE(file);
  return nlohmann::json::parse(file);
}

void push_job(const StoreServer& server, const std::string& name) {
  const TemporaryFolder folder;
  for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
    Capture capture;
    RankMaker({.ranks = kRanks, .events = 600, .slow_rank = kSlowRank}, rank, capture).fill();
    std::string bytes;
    native::encode_capture(capture, {.source_line = {}, .level = 1}, [&](std::string_view part) { bytes += part; });
    folder.write(fmt::format("rank_{}.bin", rank), bytes);
  }
  ChildProcess pushing({"push", folder.path(), "--store", server.url(), "--job", name, "--at-once", "4"}, {});
  REQUIRE(pushing.wait_for_end() == 0);
}

// As Grafana puts a variable into a query.
std::string with_job(std::string sql, const std::string& job) {
  constexpr std::string_view kVariable = "${job:sqlstring}";
  for (auto at = sql.find(kVariable); at != std::string::npos; at = sql.find(kVariable))
    sql.replace(at, kVariable.size(), store::sql_text(job));
  CHECK(sql.find("${") == std::string::npos);
  return sql;
}

}  // namespace

TEST_CASE("each panel of the dashboard for Grafana shows what the job has") {
  if (clickhouse_program().empty()) {
    WARN("skipped: there is no clickhouse-server here; scripts/install test installs it");
    return;
  }
  const StoreServer server;
  const std::string job = "it's a job";
  push_job(server, job);
  push_job(server, "other");
  const nlohmann::json board = dashboard();
  store::Client client = server.client();
  const auto ask = [&](const std::string& sql) {
    INFO(sql);
    auto answer = store::ask_rows(client, sql, {.is_read_only = true});
    if (!answer) FAIL(answer.error().text());
    CHECK_FALSE(answer->rows.empty());
    return *std::move(answer);
  };
  REQUIRE(board["panels"].size() == 6);
  std::vector<store::Answer> answers;
  for (const auto& panel : board["panels"]) {
    INFO(panel["title"].get<std::string>());
    REQUIRE(panel["targets"].size() == 1);
    answers.push_back(ask(with_job(panel["targets"][0]["rawSql"], job)));
    // What a panel draws by is a column of its answer.
    const std::string field = panel["options"].value("xField", answers.back().columns.front().name);
    CHECK(std::ranges::count(answers.back().columns, field, &store::AnswerColumn::name) == 1);
  }
  const store::Store fleet({server.address()}, {});

  const auto waits = store::made_waits(fleet, job);
  REQUIRE(waits);
  CHECK(answers[0].rows.front()[0] == std::to_string(kSlowRank));
  CHECK(answers[0].rows.front()[1].get<double>() == Approx(waits->front().percent()));
  CHECK(answers[0].rows.size() == waits->size());

  CHECK(answers[1].rows.size() == MadeJob().steps);
  for (const auto& row : answers[1].rows) {
    CHECK(row[1] <= row[2]);
    CHECK(row[2] <= row[3]);
  }
  CHECK(answers[1].rows[3][0] == 3);

  CHECK(answers[2].rows.size() == kRanks);
  for (const auto& row : answers[2].rows) CHECK((row[1].get<double>() > 0 && row[1].get<double>() <= 100));

  const auto kernels = store::kernels(fleet, job);
  REQUIRE(kernels);
  CHECK(answers[3].rows.size() == std::min<std::size_t>(kernels->rows.size(), 30));
  CHECK(answers[3].rows.front()[0] == kernels->rows.front()[0]);

  const auto times = store::step_times(fleet, job);
  REQUIRE(times);
  CHECK(answers[4].rows.size() == 2);
  for (const auto& row : answers[4].rows) {
    if (row[2] == job) CHECK(row[1] == times->median_ns);
  }

  CHECK(answers[5].rows.size() == 2);
  for (const auto& row : answers[5].rows) CHECK((row[1] == kRanks && row[2] == kRanks));

  // The jobs to choose from.
  CHECK(ask(board["templating"]["list"][1]["query"]).rows.size() == 2);
}

}  // namespace vizd::grafana_test
