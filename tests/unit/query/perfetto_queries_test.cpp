// Queries as people write them for Perfetto, those of its documentation among them, on a small trace: that they run,
// and what they answer. The answers are those that trace_processor's definitions of the same tables give, worked out by
// hand.
#include "formats/registry.h"
#include "support/catch.h"
#include "timeline/timeline.h"
#include "unit/query/asked.h"

namespace vizd::sql::perfetto_queries_test {
namespace {

// A thread with three slices in one another and one beside; work on a stream that it launched; a second thread.
constexpr std::string_view kTrace =
    R"({"traceEvents":[)"
    R"({"ph":"M","name":"process_name","pid":9,"args":{"name":"python"}},)"
    R"({"ph":"M","name":"thread_name","pid":9,"tid":9,"args":{"name":"main"}},)"
    R"({"ph":"M","name":"thread_name","pid":9,"tid":10,"args":{"name":"autograd"}},)"
    R"({"ph":"X","cat":"user","name":"step","pid":9,"tid":9,"ts":10,"dur":80,"tdur":60,"tts":5},)"
    R"({"ph":"X","cat":"cpu_op","name":"aten::mm","pid":9,"tid":9,"ts":12,"dur":20,"args":{"External id":7}},)"
    R"({"ph":"X","cat":"cuda_runtime","name":"launch","pid":9,"tid":9,"ts":14,"dur":5,"args":{"correlation":4}},)"
    R"({"ph":"X","cat":"cpu_op","name":"aten::add","pid":9,"tid":9,"ts":40,"dur":10},)"
    R"({"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":21,"dur":10,"args":{"correlation":4}},)"
    R"({"ph":"X","cat":"cpu_op","name":"backward","pid":9,"tid":10,"ts":50,"dur":9},)"
    R"({"ph":"s","cat":"fwdbwd","name":"fwdbwd","id":1,"pid":9,"tid":9,"ts":14},)"
    R"({"ph":"f","bp":"e","cat":"fwdbwd","name":"fwdbwd","id":1,"pid":9,"tid":10,"ts":50},)"
    R"({"ph":"C","name":"mem.swap","pid":9,"ts":12,"args":{"value":500}},)"
    R"({"ph":"C","name":"mem.swap","pid":9,"ts":30,"args":{"value":2000}}]})";

struct ReadTrace {
  ReadTrace() {
    REQUIRE(read_capture({"trace.json", std::as_bytes(std::span(kTrace))}, capture));
    timeline = prepare_timeline(capture, 1);
  }
  Capture capture;
  Timeline timeline;
};

Asked ask(std::string_view query) {
  static const ReadTrace trace;
  Asked asked({{&trace.capture, &trace.timeline, "trace.json"}}, query);
  INFO(query);
  if (asked.error) FAIL_CHECK(asked.error->text());
  return asked;
}

std::string wrong(std::string_view query) {
  static const ReadTrace trace;
  const Asked asked({{&trace.capture, &trace.timeline, "trace.json"}}, query);
  return asked.error ? asked.error->text() : "it ran";
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST_CASE("queries of Perfetto's documentation run on what is recorded", "[perfetto-sql]") {
  struct Documented {
    const char *query, *answer;
  };
  const Documented queries[] = {
      {"SELECT ts, dur, name FROM slice ORDER BY ts LIMIT 2", "10000 80000 step\n12000 20000 aten::mm\n"},
      {"SELECT name FROM slice ORDER BY ts", "step\naten::mm\nlaunch\ngemm\naten::add\nbackward\n"},
      {"SELECT ts, value FROM counter LIMIT 10", "12000 500\n30000 2000\n"},
      {"SELECT count(*) FROM slice WHERE dur > 1000000", "0\n"},
      {"SELECT tid, name FROM thread WHERE utid = (SELECT utid FROM thread WHERE tid = 10)", "10 autograd\n"},
      {"SELECT upid = (SELECT upid FROM process WHERE pid = 9) FROM counter JOIN process_counter_track ON "
       "process_counter_track.id = counter.track_id WHERE process_counter_track.name = 'mem.swap' AND value > 1000",
       "1\n"},
      {"SELECT thread.name AS thread_name FROM slice JOIN thread_track ON slice.track_id = thread_track.id "
       "JOIN thread USING(utid) WHERE slice.name = 'backward' GROUP BY thread_name",
       "autograd\n"},
      {"INCLUDE PERFETTO MODULE slices.with_context;\nSELECT ts, dur, name, thread_name, process_name, tid, pid "
       "FROM thread_slice WHERE name = 'launch';",
       "14000 5000 launch main python 9 9 9\n"},
      {"INCLUDE PERFETTO MODULE slices.with_context; SELECT count(*) FROM process_slice WHERE name LIKE 'MyEvent%'",
       "0\n"},
      {"INCLUDE PERFETTO MODULE slices.with_context; SELECT ts, dur, name, thread_name, process_name "
       "FROM thread_or_process_slice WHERE dur > 15000 ORDER BY ts",
       "10000 80000 step main python 9\n12000 20000 aten::mm main python 9\n"},
      {"INCLUDE PERFETTO MODULE time.conversion; SELECT name, time_to_us(dur) AS dur_us FROM slice "
       "WHERE dur > time_from_us(10) ORDER BY ts",
       "step 80\naten::mm 20\n"},
      {"SELECT EXTRACT_ARG(arg_set_id, 'args.correlation') FROM slice WHERE name = 'gemm'", "4\n"},
      {"SELECT (SELECT int_value FROM args WHERE key = 'args.correlation' AND args.arg_set_id = slice.arg_set_id) "
       "FROM slice WHERE name = 'launch'",
       "4\n"},
      {"SELECT ts, dur, utid FROM sched WHERE cpu = 0 LIMIT 10", ""},
      {"INCLUDE PERFETTO MODULE sched.with_context; SELECT ts, dur, cpu, thread_name, process_name "
       "FROM sched_with_thread_process WHERE thread_name = 'RenderThread' LIMIT 10",
       ""},
      {"CREATE VIEW interesting_slices AS SELECT id, ts, dur, track_id FROM slice WHERE name LIKE \"%launch%\";\n"
       "SELECT ancestor.name FROM interesting_slices LEFT JOIN ancestor_slice(interesting_slices.id) AS ancestor "
       "ON ancestor.depth = 0",
       "step\n"},
      {"CREATE VIEW interesting_slices AS SELECT id, ts, dur, track_id FROM slice WHERE name LIKE '%step%';"
       "SELECT interesting_slices.ts, (SELECT COUNT(*) FROM descendant_slice(interesting_slices.id)) "
       "AS total_descendants FROM interesting_slices",
       "10000 3\n"},
      {"SELECT (SELECT COUNT(*) FROM FOLLOWING_FLOW(slice_id)) as following FROM slice ORDER BY ts",
       "2\n2\n2\n0\n0\n0\n"},
      {"SELECT (SELECT COUNT(*) FROM PRECEDING_FLOW(slice_id)) FROM slice ORDER BY ts", "0\n0\n0\n1\n0\n1\n"},
      {"SELECT (SELECT COUNT(*) FROM DIRECTLY_CONNECTED_FLOW(slice_id)) FROM slice ORDER BY ts", "0\n0\n2\n1\n0\n1\n"},
      {"CREATE PERFETTO FUNCTION constant_fn() RETURNS LONG AS SELECT 1; SELECT constant_fn()", "1\n"},
      {"CREATE PERFETTO FUNCTION add(x LONG, y LONG) RETURNS LONG AS SELECT $x + $y; SELECT add(add(1, 2), 3)", "6\n"},
      {"CREATE PERFETTO FUNCTION constant_tab_fn() RETURNS TABLE(ts LONG, dur LONG) AS "
       "SELECT column1 as ts, column2 as dur FROM (VALUES (100, 10), (200, 20)); SELECT * FROM constant_tab_fn()",
       "100 10\n200 20\n"},
      {"CREATE PERFETTO FUNCTION by_category(category STRING) RETURNS TABLE(ts LONG, name STRING) AS "
       "SELECT ts, name FROM slice WHERE category = $category; SELECT * FROM by_category('cpu_op') ORDER BY ts",
       "12000 aten::mm\n40000 aten::add\n50000 backward\n"},
      {"CREATE PERFETTO TABLE constant_table AS SELECT column1 as ts, column2 as dur FROM "
       "(VALUES (100, 10), (200, 20)); SELECT sum(dur) FROM constant_table",
       "30\n"},
      {"CREATE PERFETTO TABLE slice_sub_table AS SELECT * FROM slice WHERE name = 'gemm'; "
       "SELECT dur FROM slice_sub_table",
       "10000\n"},
      {"CREATE PERFETTO TABLE foo(x LONG, y STRING) AS SELECT 1 as x, 'test' as y; SELECT x, y FROM foo", "1 test\n"},
      {"CREATE PERFETTO TABLE foo AS SELECT * FROM slice; CREATE PERFETTO INDEX foo_track ON foo(track_id); "
       "SELECT count(*) FROM foo JOIN track WHERE foo.track_id = track.id",
       "6\n"},
      {"CREATE PERFETTO VIEW foo(x LONG, y STRING) AS SELECT 1 as a, 'test' as b; SELECT x, y FROM foo", "1 test\n"},
      {"CREATE PERFETTO MACRO constant_macro() RETURNS Expr AS (SELECT 1); SELECT constant_macro!()", "1\n"},
      {"CREATE PERFETTO MACRO single_arg_macro(x Expr) RETURNS Expr AS (SELECT $x); SELECT 1 + single_arg_macro!(100)",
       "101\n"},
      {"CREATE PERFETTO MACRO multi_arg_macro(x TableOrSubquery, y Expr) RETURNS TableOrSubquery AS\n"
       "(\n  SELECT input_tab.input_col + $y\n  FROM $x AS input_tab;\n);\n"
       "SELECT * FROM multi_arg_macro!((SELECT 5 AS input_col), 2)",
       "7\n"},
      {"SELECT name, count(*) FROM slice WHERE name REGEXP '^aten::(mm|add)$' GROUP BY name",
       "aten::add 1\naten::mm 1\n"},
      {"SELECT name, cat, thread_dur, thread_ts FROM slice WHERE cat = 'user'", "step user 60000 5000\n"},
      {"SELECT count(DISTINCT stack_id), min(parent_stack_id) FROM slice", "6 0\n"},
      {"SELECT s.name FROM slice s JOIN slice p ON p.stack_id = s.parent_stack_id WHERE p.name = 'step' ORDER BY s.ts",
       "aten::mm\naten::add\n"},
      {"SELECT slice_is_ancestor((SELECT id FROM slice WHERE name = 'step'), "
       "(SELECT id FROM slice WHERE name = 'launch'))",
       "1\n"},
      {"INCLUDE PERFETTO MODULE slices.self_dur; SELECT self_dur FROM slice_self_dur JOIN slice USING (id) "
       "WHERE name = 'step'",
       "50000\n"},
      {"SELECT count(*) > 0 FROM metadata WHERE name IS NOT NULL", "1\n"},
      {"SELECT name, unit FROM counter_track", "mem.swap null\n"},
      {"SELECT key, count(*) FROM args GROUP BY 1", "args.External id 1\nargs.correlation 2\n"},
  };
  for (const auto& [query, answer] : queries) {
    INFO(query);
    CHECK(ask(query).text() == answer);
  }
}

TEST_CASE("span joins give the times that two tables have in common, or one alone", "[perfetto-sql]") {
  const std::string tables =
      "CREATE VIEW a AS SELECT column1 AS ts, column2 AS dur, column3 AS cpu, column4 AS x FROM "
      "(VALUES (0, 10, 0, 'a0'), (20, 10, 0, 'a1'), (0, 100, 1, 'a2'), (0, 5, NULL, 'none'));\n"
      "CREATE VIEW b AS SELECT column1 AS ts, column2 AS dur, column3 AS cpu, column4 AS y FROM "
      "(VALUES (5, 20, 0, 'b0'), (40, 5, 0, 'b1'), (90, 20, 1, 'b2'));\n"
      "CREATE VIEW c AS SELECT 8 AS ts, 4 AS dur, 'c' AS z;\n";
  const auto joined = [&](const std::string& join) {
    return ask(tables + "CREATE VIRTUAL TABLE j USING " + join + ";\nSELECT * FROM j ORDER BY cpu, ts").text();
  };
  CHECK(joined("SPAN_JOIN(a PARTITIONED cpu, b PARTITIONED cpu)") == "5 5 0 a0 b0\n20 5 0 a1 b0\n90 10 1 a2 b2\n");
  CHECK(joined("span_left_join(a PARTITIONED cpu, b PARTITIONED cpu)") ==
        "0 5 0 a0 null\n5 5 0 a0 b0\n20 5 0 a1 b0\n25 5 0 a1 null\n0 90 1 a2 null\n90 10 1 a2 b2\n");
  CHECK(joined("SPAN_OUTER_JOIN(a PARTITIONED cpu, b PARTITIONED cpu)") ==
        "0 5 0 a0 null\n5 5 0 a0 b0\n10 10 0 null b0\n20 5 0 a1 b0\n25 5 0 a1 null\n40 5 0 null b1\n"
        "0 90 1 a2 null\n90 10 1 a2 b2\n100 10 1 null b2\n");
  CHECK(joined("SPAN_JOIN(a PARTITIONED cpu, c)") == "8 2 0 a0 c\n8 4 1 a2 c\n");
  CHECK(ask(tables + "SELECT sum(dur) FROM SPAN_JOIN(a PARTITIONED cpu, b PARTITIONED cpu) WHERE cpu = 0").text() ==
        "10\n");
  CHECK(has(wrong(tables + "CREATE VIRTUAL TABLE j USING SPAN_JOIN(a, a); SELECT 1"), "both sides have a column cpu"));
  CHECK(has(wrong(tables + "CREATE VIRTUAL TABLE j USING SPAN_JOIN(a); SELECT 1"), "two tables"));
}

TEST_CASE("what a query makes is its own, in memory, and asked for in SELECTs alone", "[perfetto-sql]") {
  CHECK(ask("CREATE TABLE t AS SELECT 1 AS a; DROP TABLE t; CREATE TEMP TABLE t AS SELECT 2 AS a; SELECT a FROM t")
            .text() == "2\n");
  CHECK(ask("DROP VIEW IF EXISTS v; CREATE VIEW v AS SELECT 3 AS a; CREATE OR REPLACE PERFETTO VIEW v AS "
            "SELECT 4 AS a; SELECT a FROM v")
            .text() == "4\n");
  CHECK(ask("CREATE VIEW thread_slice AS SELECT 'mine' AS name; SELECT name FROM thread_slice").text() == "mine\n");
  CHECK(has(wrong("CREATE TABLE t AS SELECT 1"), "selects nothing"));
  CHECK(has(wrong("CREATE TABLE t(a); SELECT 1"), "AS SELECT"));
  CHECK(has(wrong("DROP TABLE slice; SELECT 1"), "that it created itself"));
  CHECK(has(wrong("CREATE TABLE t AS SELECT 1; INSERT INTO t VALUES (2)"), "not allowed"));
  CHECK(has(wrong("CREATE TABLE t AS SELECT load_extension('x'); SELECT 1"), "load_extension"));
  CHECK(has(wrong("CREATE TABLE t AS SELECT * FROM pragma_database_list; SELECT 1"), "not allowed"));
  CHECK(has(wrong("CREATE PERFETTO FUNCTION f() RETURNS LONG AS DELETE FROM slice; SELECT f()"), "f: "));
  CHECK(has(wrong("CREATE PERFETTO FUNCTION f(x LONG) RETURNS LONG AS SELECT f($x + 1); SELECT f(1)"), "f"));
  CHECK(has(wrong("CREATE PERFETTO MACRO m() RETURNS Expr AS m!() + m!(); SELECT m!()"), "too much"));
  CHECK(has(wrong("SELECT m!()"), "no macro m!"));
  CHECK(has(wrong("INCLUDE PERFETTO MODULE android.startup.startups; SELECT 1"), "android.startup.startups"));
  CHECK(has(wrong("SELECT * FROM ancestor_slice"), ""));
  CHECK(has(wrong("SELECT 1; SELECT 2"), "more than one"));
  CHECK(ask("SELECT 'a;b', \"x;y\" FROM (SELECT 1 AS \"x;y\") -- ; a comment").text() == "a;b 1\n");
}

TEST_CASE("REGEXP finds what POSIX's extended expressions find, in time of text and expression", "[perfetto-sql]") {
  const auto matches = [](const char* text, const char* expression) {
    return ask("SELECT '" + std::string(text) + "' REGEXP '" + expression + "'").text() == "1\n";
  };
  CHECK(matches("aten::mm", "mm"));
  CHECK(matches("aten::mm", "^aten::.m$"));
  CHECK_FALSE(matches("aten::mm", "^mm"));
  CHECK(matches("ab12", "^[a-z]+[0-9]{2}$"));
  CHECK_FALSE(matches("ab123", "^[a-z]+[0-9]{1,2}$"));
  CHECK(matches("ab123", "^(ab|cd)(1|2|3){3,}$"));
  CHECK(matches("", "^$"));
  CHECK(matches("a.b", "a\\.b"));
  CHECK_FALSE(matches("axb", "a\\.b"));
  CHECK(matches("x y", "\\bx\\s\\w\\b"));
  CHECK(matches("ÄÖ", "^[Ä-Ü]{2}$"));
  CHECK(matches("-]", "^[]-]+$"));
  CHECK(matches("[[:alpha:]]", "^[[:punct:][:alpha:]]+$"));
  CHECK(matches("aaa", "(a*)*$"));
  CHECK(matches("c", "^(a|b|c|d)$"));
  CHECK(has(wrong("SELECT 'a' REGEXP '('"), "not closed"));
  CHECK(has(wrong("SELECT 'a' REGEXP 'a{2,1}'"), "number of repetitions"));
  CHECK(has(wrong("SELECT 'a' REGEXP '((((a{900}){900})'"), "too"));
  // Expressions that go back take centuries for this.
  CHECK(ask("SELECT replace(hex(zeroblob(20000)), '0', 'a') REGEXP '(a|a)*(a|a)*(a|a)*b'").text() == "0\n");
}

}  // namespace
}  // namespace vizd::sql::perfetto_queries_test
