// The rules of a whole capture and their matches, page by page.
#include <future>
#include <numeric>

#include "rewrite/rule_table.h"
#include "support/served_capture.h"

namespace vizd::rules_test {
using nlohmann::json;

namespace {

// Asks until the table is there, as the page does.
json settled(const ServedCapture& served, const std::string& url) {
  for (int i = 0; i < 500; ++i) {
    const Response response = served.answer(url);
    if (response.status != 202) return served.json(url);
    const json progress = json::parse(response.body->bytes())["progress"];
    CHECK(progress["done"] <= progress["of"]);
  }
  FAIL("the table of rules is never there");
  return {};
}

}  // namespace

TEST_CASE("the rules' matches are all of the capture's, and what they added and removed is what the passes tell") {
  ServedCapture served;
  const json answer = settled(served, "/api/v1/rules");
  const json& rules = answer["rules"];
  const auto sum = [&](const char* column) {
    return std::accumulate(rules[column].begin(), rules[column].end(), 0,
                           [](int a, const json& b) { return a + b.get<int>(); });
  };
  CHECK(sum("matches") == answer["matches"].get<int>());
  CHECK(answer["matches"].get<std::size_t>() == served.loaded()->capture.rewrites.matches.size());
  CHECK(sum("added") > 0);
  CHECK(sum("removed") > 0);
  CHECK(sum("undone") == sum("undoing"));
  for (std::size_t i = 1; i < rules["matches"].size(); ++i) CHECK(rules["matches"][i - 1] >= rules["matches"][i]);

  const std::string first = std::to_string(rules["location"][0].get<int>());
  const json matches = settled(served, "/api/v1/rules/" + first + "/matches");
  CHECK(matches["total"] == rules["matches"][0]);
  const json& columns = matches["matches"];
  int added = 0;
  for (std::size_t i = 0; i < columns["state"].size(); ++i) {
    CHECK(columns["location"][i] == rules["location"][0]);
    CHECK(columns["state"][i] >= 1);
    added += columns["added"][i].get<int>();
  }
  CHECK(added == rules["added"][0].get<int>());
}

TEST_CASE("matches come page by page, and are narrowed by text, place and effect") {
  ServedCapture served;
  const json all = settled(served, "/api/v1/matches");
  const auto total = all["total"].get<std::size_t>();
  CHECK(total == served.loaded()->capture.rewrites.matches.size());
  const json page = settled(served, "/api/v1/matches?offset=3&limit=2");
  CHECK(page["total"] == all["total"]);
  REQUIRE(page["matches"]["state"].size() == 2);
  for (const char* column : {"context", "pass", "state", "location", "before", "after"})
    CHECK(page["matches"][column][0] == all["matches"][column][3]);
  CHECK(settled(served, "/api/v1/matches?offset=4000000000")["matches"]["state"].empty());

  const json changed = settled(served, "/api/v1/matches?effect=changed");
  const json unchanged = settled(served, "/api/v1/matches?effect=unchanged");
  CHECK(changed["total"].get<std::size_t>() + unchanged["total"].get<std::size_t>() == total);
  for (const json& flag : unchanged["matches"]["changed"]) CHECK(flag == 0);

  const json one_context = settled(served, "/api/v1/matches?context=2&limit=10000");
  for (const json& context : one_context["matches"]["context"]) CHECK(context == 2);
  const json symbolic = settled(served, "/api/v1/matches?rule=SYMBOLIC.py");
  const json rules = settled(served, "/api/v1/rules?q=symbolic.py");
  int sum = 0;
  for (std::size_t i = 0; i < rules["rules"]["matches"].size(); ++i) {
    CHECK(rules["rules"]["file"][i].get<std::string>().find("symbolic.py") != std::string::npos);
    sum += rules["rules"]["matches"][i].get<int>();
  }
  CHECK(symbolic["total"] == sum);
  CHECK(sum > 0);
  CHECK(settled(served, "/api/v1/rules?q=no such rule")["rules"]["matches"].empty());
}

TEST_CASE("rules that are not there, and bad numbers, are refused") {
  ServedCapture served;
  settled(served, "/api/v1/rules");
  CHECK(served.status("/api/v1/rules/999999/matches") == 404);
  CHECK(served.status("/api/v1/rules/-1/matches") == 400);
  CHECK(served.status("/api/v1/matches?context=999") == 404);
  CHECK(served.status("/api/v1/matches?context=0&pass=99999") == 404);
  CHECK(served.status("/api/v1/matches?pass=1") == 404);  // a pass of no context
  CHECK(served.status("/api/v1/matches?effect=loud") == 400);
  CHECK(served.status("/api/v1/matches?offset=x") == 400);
  CHECK(served.status("/api/v1/matches?limit=99999999999") == 400);
  CHECK(served.status("/api/v1/rules?capture=nope") == 404);
}

TEST_CASE("while passes are replayed, the rules of those that are done are told") {
  ServedCapture served;
  const auto loaded = served.loaded();
  const auto whole = make_rule_table(loaded->capture, {});
  REQUIRE(whole);
  auto some = std::make_shared<RuleTable>();
  some->rows.assign(whole->rows.begin(), whole->rows.begin() + 2);
  std::promise<void> told, may_end;
  const auto slowly = [&](const ReportProgress& report,
                          const std::stop_token&) -> Result<std::shared_ptr<const RuleTable>> {
    report({7, 0, "replaying", some});
    told.set_value();
    may_end.get_future().wait();
    return std::make_shared<const RuleTable>(*whole);
  };
  {
    const auto ticket = served.services().tables.get<RuleTable>(loaded, "rules", slowly);
    told.get_future().wait();
    const json so_far = served.json("/api/v1/rules", 202);
    CHECK(so_far["progress"] == json{{"done", 7}, {"of", loaded->capture.rewrites.matches.size()}});
    CHECK(so_far["rules"]["matches"] == json{whole->rows[0].matches, whole->rows[1].matches});
    // Matches are listed when all are known.
    CHECK_FALSE(served.json("/api/v1/matches", 202).contains("matches"));
    may_end.set_value();
  }
  CHECK(settled(served, "/api/v1/rules")["rules"]["matches"].size() == whole->rows.size());
}

TEST_CASE("who asks for rules when the server ends is told so") {
  ServedCapture served;
  served.loaded();
  served.services().tables.end();
  CHECK(served.status("/api/v1/rules") == 503);
}

}  // namespace vizd::rules_test
