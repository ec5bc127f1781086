// Questions in SQL over HTTP, and `vizd sql`.
#include "http/command_run.h"
#include "support/places.h"
#include "support/served_capture.h"

namespace vizd::sql_routes_test {
using nlohmann::json;

namespace {

const std::string kRamp = test_data("tinygrad-2026-08/ramp");
const std::string kKernelFile = kRamp + ".rewrites.pkl", kProfileFile = kRamp + ".profile.pkl";

}  // namespace

TEST_CASE("a query is answered with columns, rows, and where each row leads") {
  ServedCapture served(kKernelFile, kProfileFile);
  const auto loaded = served.loaded();
  const json matches = served.json("/api/v1/sql?q=SELECT id, state, pass_id FROM match LIMIT 3&limit=2");
  CHECK(matches["columns"] == json{"id", "state", "pass_id"});
  CHECK(matches["rows"].size() == 2);
  CHECK(matches["whole"] == false);
  REQUIRE(matches["links"].size() == 2);
  CHECK(matches["links"][0]["match"] == matches["rows"][0][1]);
  CHECK(matches["links"][0]["pass"].size() == 2);

  const json slices = served.json("/api/v1/sql?q=SELECT id, ts, dur, name FROM slice WHERE dur > 0 LIMIT 5");
  CHECK(slices["whole"] == true);
  const json& slice = slices["links"][0]["slice"];
  const json& ts = slices["rows"][0][1];
  const std::int64_t ts_ns = ts.is_array() ? std::stoll(ts[0].get<std::string>()) : ts.get<std::int64_t>();
  CHECK(slice["start_ns"] == ts_ns - loaded->capture.profile.start_ns);
  CHECK(slice["name"] == slices["rows"][0][3]);
  CHECK(slice["dur_ns"] == slices["rows"][0][2]);
  const json rule = served.json("/api/v1/sql?q=SELECT id, file, line FROM rule LIMIT 1");
  CHECK(rule["links"][0]["rule"] == json{rule["rows"][0][1], rule["rows"][0][2]});
  const json nodes = served.json("/api/v1/sql?q=SELECT id, place FROM node WHERE pass_id BETWEEN 0 AND 20 LIMIT 3");
  REQUIRE(nodes["links"].size() == 3);
  CHECK(nodes["links"][2]["node"] == nodes["rows"][2][1]);
  const json large = served.json("/api/v1/sql?q=SELECT 9007199254740993, -9007199254740993, 5, NULL, 'x'");
  CHECK(large["rows"][0] == json{{"9007199254740993"}, {"-9007199254740993"}, 5, nullptr, "x"});
  CHECK(large["links"][0] == nullptr);
  CHECK(served.json("/api/v1/sql?q=SELECT 99999 AS slice_id")["links"][0] == nullptr);
  CHECK(served.json("/api/v1/sql?q=SELECT 99999 AS match_id, 1 AS ts")["links"][0] == nullptr);
}

TEST_CASE("several captures are asked as one, and links say which they lead into") {
  ServedCapture served(kKernelFile, test_data("tinygrad-2025-09/ramp.rewrites.pkl"));
  served.loaded();
  const json session = served.json("/api/v1/session");
  REQUIRE(session["captures"].size() == 2);
  const std::string first = session["captures"][0]["id"], second = session["captures"][1]["id"];
  const std::string both = "/api/v1/sql?capture=" + first + "&with=" + second + "&q=";
  const json names = served.json(both + "SELECT id, name FROM capture");
  REQUIRE(names["rows"].size() == 2);
  CHECK(names["rows"][1][1] == session["captures"][1]["name"]);
  // A capture that is named twice is asked once.
  CHECK(served.json("/api/v1/sql?capture=" + first + "&with=" + first + ",&q=SELECT id FROM capture")["rows"].size() ==
        1);
  const auto of_first = [&](const std::string& query) {
    return served.json("/api/v1/sql?capture=" + first + "&q=" + query);
  };
  const json last = served.json(both + "SELECT max(id) AS match_id FROM match");
  CHECK(last["links"][0]["capture"] == second);
  CHECK(of_first("SELECT max(id) AS match_id FROM match")["links"][0].contains("capture") == false);
  const json rule = served.json(both + "SELECT id AS rule_id, file, line FROM rule ORDER BY id DESC LIMIT 1");
  CHECK(rule["links"][0]["capture"] == second);
  CHECK(rule["links"][0]["rule"] == json{rule["rows"][0][1], rule["rows"][0][2]});
  CHECK(served.status("/api/v1/sql?q=SELECT 1&with=c99") == 404);
}

TEST_CASE("a time leads into the capture whose clock it is on, where the row says which") {
  ServedCapture served(kProfileFile, test_data("tinygrad-2025-09/ramp.profile.pkl"));
  served.loaded();
  const json session = served.json("/api/v1/session");
  REQUIRE(session["captures"].size() == 2);
  const std::string first = session["captures"][0]["id"], second = session["captures"][1]["id"];
  const std::string both = "/api/v1/sql?capture=" + first + "&with=" + second + "&q=";
  const json by_track = served.json(both + "SELECT ts, dur, track_id FROM slice ORDER BY id DESC LIMIT 1");
  REQUIRE(by_track["links"][0].contains("time"));
  CHECK(by_track["links"][0]["capture"] == second);
  const json by_capture = served.json(
      both + "SELECT s.ts, t.capture_id FROM slice s JOIN track t ON t.id = s.track_id ORDER BY s.id DESC LIMIT 1");
  CHECK(by_capture["links"][0]["capture"] == second);
  CHECK(served.json(both + "SELECT ts, dur FROM slice LIMIT 1")["links"][0] == nullptr);
  CHECK(served.json(both + "SELECT ts, 9 AS capture_id FROM slice LIMIT 1")["links"][0] == nullptr);
}

TEST_CASE("a result comes as CSV, TSV and JSON too") {
  ServedCapture served(kKernelFile);
  served.loaded();
  const Response csv = served.answer("/api/v1/sql?q=SELECT 1 AS a, 'x' AS b&format=csv");
  CHECK(csv.content_type.starts_with("text/csv"));
  CHECK(csv.body->bytes() == "a,b\n1,x\n");
  CHECK(served.answer("/api/v1/sql?q=SELECT 1 AS a, 'x' AS b&format=tsv").body->bytes() == "a\tb\n1\tx\n");
  CHECK(served.json("/api/v1/sql?q=SELECT 1 AS a&format=json") == json{{{"a", 1}}});
  CHECK(served.status("/api/v1/sql?q=SELECT 1&format=xml") == 400);
}

TEST_CASE("a query that makes no sense, or wants to do something, is refused") {
  ServedCapture served(kKernelFile);
  served.loaded();
  CHECK(served.status("/api/v1/sql") == 400);
  CHECK(served.status("/api/v1/sql?q=SELEC") == 400);
  CHECK(served.status("/api/v1/sql?q=ATTACH 'x' AS y") == 403);
  CHECK(served.status("/api/v1/sql?q=SELECT 1&limit=0") == 400);
  CHECK(served.status("/api/v1/sql?q=SELECT 1&capture=c77") == 404);
  const json schema = served.json("/api/v1/sql/schema");
  CHECK(schema["examples"].size() == 21);
  CHECK(schema["tables"][0]["name"] == "slice");
  CHECK(schema["tables"][0]["columns"][0]["name"] == "id");
  CHECK(schema["functions"].size() > 3);
}

TEST_CASE("vizd sql prints tables, CSV, TSV and JSON, and says what is wrong") {
  const std::string count = "SELECT count(*) AS contexts FROM context";
  const CommandRun table({"sql", count, kKernelFile});
  CHECK(table.code == 0);
  CHECK(table.out.starts_with("contexts\n"));
  CHECK(CommandRun({"sql", "SELECT 1 AS a, NULL AS b", kKernelFile, "--csv"}).out == "a,b\n1,\n");
  CHECK(CommandRun({"sql", "SELECT 1 AS a, NULL AS b", kKernelFile, "--tsv"}).out == "a\tb\n1\t\n");
  CHECK(CommandRun({"sql", "SELECT 1 AS a, NULL AS b", kKernelFile, "--json"}).out == "{\"a\":1,\"b\":null}\n");
  const CommandRun cut({"sql", "SELECT id FROM match", kKernelFile, "--limit", "2"});
  CHECK(cut.code == 0);
  CHECK(cut.warns("only the first 2 rows"));
  const CommandRun wrong({"sql", "SELECT * FROM slices", kKernelFile});
  CHECK(wrong.code == 1);
  CHECK(wrong.warns("no such table"));
  CHECK(CommandRun({"sql", "DROP TABLE slice", kKernelFile}).code == 1);
  CHECK(CommandRun({"sql", count}).code == 2);
  CHECK(CommandRun({"sql"}).code == 2);
  CHECK(CommandRun({"sql", count, kKernelFile, "--csv", "--tsv"}).code == 2);
  CHECK(CommandRun({"sql", count, "/nowhere"}).code == 1);
  const CommandRun endless({"sql", "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT count(*) FROM n",
                            kKernelFile, "--time", "1"});
  CHECK(endless.code == 1);
  CHECK(endless.warns("takes longer"));
  const CommandRun schema({"sql", "--schema"});
  CHECK(schema.out.starts_with("slice: "));
  CHECK(schema.out.find("  algorithm_bytes_per_s  ") != std::string::npos);
  for (const std::string& line : schema.lines()) {
    // A name, two blanks and more, and its meaning: also of the longest name.
    if (line.starts_with("  ")) CHECK(line.find("  ", 2) < line.size() - 3);
  }
  CHECK(CommandRun({"sql", "--examples"}).out.starts_with("-- Which kernels"));
}

TEST_CASE("tables of which nothing is recorded are named, and so is all that a capture tells nothing of") {
  ServedCapture served(kKernelFile, kProfileFile);
  const json counted = served.json("/api/v1/sql?q=SELECT count(*) FROM oom");
  REQUIRE(counted["unrecorded"].size() == 1);
  CHECK(counted["unrecorded"][0].get<std::string>().starts_with("oom: not recorded: "));
  CHECK(served.json("/api/v1/sql?q=SELECT count(*) FROM slice")["unrecorded"].empty());
  const json recorded = served.json("/api/v1/recorded")["not_recorded"];
  CHECK(recorded.contains("allocator"));
  CHECK(!recorded["allocator"]["how"].get<std::string>().empty());
  CHECK(!recorded.contains("rewrites"));

  const CommandRun empty({"sql", "SELECT * FROM oom", kProfileFile});
  CHECK(empty.out.find("oom: not recorded: ") != std::string::npos);
  const CommandRun rows({"sql", "SELECT count(*) AS n FROM oom", kProfileFile, "--json"});
  CHECK(rows.out == "{\"n\":0}\n");
  CHECK(rows.warns("oom: not recorded: "));
  CHECK(CommandRun({"kernels", kKernelFile, "--json"}).warns("not recorded"));
}

}  // namespace vizd::sql_routes_test
