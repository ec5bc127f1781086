// What a query may do and take: SELECT and nothing else, so much time and memory, so many rows; and what a result looks
// like for other programs.
#include <chrono>
#include <fstream>
#include <iterator>
#include <stop_token>

#include "query/examples.h"
#include "query/functions.h"
#include "query/perfetto_names.h"
#include "query/row_links.h"
#include "support/catch.h"
#include "support/places.h"
#include "unit/query/asked.h"

namespace vizd::sql::database_test {
namespace {

Asked ask(std::string_view query, Budget budget = {}, std::size_t most = 1000) {
  return {{}, query, std::move(budget), most};
}

constexpr std::string_view kForever =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";

// Whoever asked leaves while the query runs: at its first row, after which there is no end of them.
struct Leaver : ResultSink {
  void begin(const std::vector<ResultColumn>&) override {}
  bool add(const std::vector<Value>&) override {
    left.request_stop();
    return true;
  }
  std::stop_source left;
};

TEST_CASE("a query reads and does nothing else") {
  for (const std::string_view query : {"CREATE TABLE t(a)",
                                       "CREATE TEMP TABLE t(a)",
                                       "CREATE VIEW v AS SELECT 1",
                                       "DROP TABLE slice",
                                       "INSERT INTO slice VALUES (1)",
                                       "DELETE FROM slice",
                                       "UPDATE slice SET ts = 1",
                                       "ATTACH '/tmp/x.db' AS x",
                                       "DETACH main",
                                       "VACUUM",
                                       "VACUUM INTO '/tmp/x.db'",
                                       "PRAGMA journal_mode = WAL",
                                       "PRAGMA temp_store_directory = '/tmp'",
                                       "PRAGMA database_list",
                                       "PRAGMA hard_heap_limit = 0",
                                       "SELECT * FROM pragma_database_list",
                                       "SELECT load_extension('x')",
                                       "SELECT readfile('/etc/passwd')",
                                       "SELECT writefile('/tmp/x', 'x')",
                                       "SELECT fts3_tokenizer('simple')",
                                       "BEGIN",
                                       "SAVEPOINT a",
                                       "REINDEX",
                                       "ANALYZE",
                                       "CREATE VIRTUAL TABLE t USING fts5(a)",
                                       "SELECT * FROM sqlite_dbpage",
                                       "EXPLAIN ATTACH '/tmp/x.db' AS x",
                                       "CREATE TRIGGER t AFTER INSERT ON slice BEGIN SELECT 1; END",
                                       "SELECT edit('x')",
                                       ".shell ls"}) {
    INFO(query);
    const Asked asked = ask(query);
    REQUIRE(asked.error);
    CHECK(!asked.error->message.empty());
    CHECK(asked.rows.empty());
  }
  CHECK(ask("INSERT INTO slice VALUES (1)").error->text().find("SELECT") != std::string::npos);
  CHECK(ask("SELECT name FROM pragma_table_info('slice') LIMIT 1").text() == "id\n");
  CHECK(ask("SELECT value FROM json_each('[1,2]')").text() == "1\n2\n");
}

TEST_CASE("an error says what is wrong, where, and what there is instead") {
  CHECK(ask("SELECT *\nFORM slice").error->where == "line 2, column 1");
  CHECK(ask("SELECT * FROM slices").error->message.find("there are slice, capture, track") != std::string::npos);
  CHECK(ask("SELECT nam FROM slice").error->message.find("slice has id, ts, dur") != std::string::npos);
  CHECK(ask("").error->message.find("query is empty") != std::string::npos);
  CHECK(ask("// nothing\n  // at all").error->message.find("query is empty") != std::string::npos);
  CHECK(ask("SELECT 1; SELECT 2").error->message.find("more than one") != std::string::npos);
  CHECK(ask("SELECT 1; -- and no more\n;").text() == "1\n");
  CHECK(ask(std::string(kMostQueryBytes + 1, ' ')).error->kind == ErrorKind::kTooLarge);
  CHECK(ask(std::string("SELECT 1\0, 2", 12)).error);
  CHECK(ask("SELECT " + std::string(5000, '(') + "1").error);
  CHECK(ask("SELECT 'a//b'\n// a comment").text() == "a//b\n");
}

TEST_CASE("a query ends with its time, with whoever asked, and at its rows") {
  using namespace std::chrono_literals;
  const Asked late = ask(kForever, Budget({}, 50ms));
  REQUIRE(late.error);
  CHECK(late.error->kind == ErrorKind::kTooLarge);
  Leaver leaver;
  Catalog catalog({}, Budget(leaver.left.get_token()));
  const auto cancelled =
      Database(catalog).run("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n", leaver);
  REQUIRE_FALSE(cancelled);
  CHECK(cancelled.error().kind == ErrorKind::kBusy);

  const std::string ten = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 10) SELECT i FROM n";
  CHECK_FALSE(ask(ten, {}, 9).is_whole);
  CHECK(ask(ten, {}, 9).rows.size() == 9);
  CHECK(ask(ten, {}, 10).is_whole);
}

// Each takes minutes in SQLite's own functions, which no progress handler interrupts.
TEST_CASE("a query ends with its time whatever function it calls") {
  using namespace std::chrono_literals;
  const std::string texts =
      "WITH t(a, many) AS (SELECT replace(hex(zeroblob(400000)), '00', 'aa'), "
      "(SELECT group_concat(char(i + 1000), '') FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
      "LIMIT 100000) SELECT i FROM n)))";
  for (const std::string call :
       {"length(trim(replace(a, 'a', char(101000)), many || char(101000)))", "length(ltrim(many || many, many))",
        "length(rtrim(many, many))", "instr(a, substr(a, 1, 300000) || 'b')",
        "length(replace(a, substr(a, 1, 300000) || 'b', 'c'))", "length(replace(a, 'a', a))",
        "length(printf('%.*c', 2147483647, 'x'))", "length(format('%2147483647d', 1))",
        "length(printf(replace(a, 'aa', '%.1000000g'), 1))", "length(hex(zeroblob(2147483647)))",
        "a LIKE '%' || substr(a, 1, 900) || 'b%' OR a GLOB '*' || substr(a, 1, 900) || 'b*'",
        "length(hex(randomblob(1000000000)))"}) {
    INFO(call);
    const auto began = std::chrono::steady_clock::now();
    ask(texts + " SELECT " + call + " FROM t", Budget({}, 200ms));
    const Asked late = ask(texts +
                               ", n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000000) "
                               "SELECT count(" +
                               call + ") FROM t, n WHERE i > 0",
                           Budget({}, 100ms));
    REQUIRE(late.error);
    CHECK(std::chrono::steady_clock::now() - began < 10s);
  }
}

TEST_CASE("text functions answer as SQLite's own") {
  const auto same = [](std::string_view call, std::string_view answer) {
    INFO(call);
    const Asked asked = ask("SELECT quote(" + std::string(call) + ")");
    CHECK_FALSE(asked.error);
    CHECK(asked.text() == std::string(answer) + "\n");
  };
  same("trim('  a b ')", "'a b'");
  same("trim('xyaxyx', 'xy')", "'a'");
  same("trim('éaéè', 'èé')", "'a'");
  same("ltrim('xxa x')", "'xxa x'");
  same("rtrim('axx', 'x')", "'a'");
  same("trim('xx', 'x')", "''");
  same("trim('x', '')", "'x'");
  same("trim(NULL)", "NULL");
  same("trim('x', NULL)", "NULL");
  same("trim(120, '0')", "'12'");
  same("replace('aXbX', 'X', 'yy')", "'ayybyy'");
  same("replace(12, '', 'y')", "12");
  same("replace('aaa', 'aa', '')", "'a'");
  same("replace('a', NULL, 'b')", "NULL");
  same("instr('éab', 'b')", "3");
  same("instr('ab', '')", "1");
  same("instr('ab', 'c')", "0");
  same("instr(x'00ff01', x'01')", "3");
  same("instr(NULL, 'a')", "NULL");
  same("'Gemm_1' LIKE 'gEMM%'", "1");
  same("'a%b' LIKE 'a!%b' ESCAPE '!'", "1");
  same("'axb' LIKE 'a!%b' ESCAPE '!'", "0");
  same("'é' LIKE '_'", "1");
  same("'É' LIKE 'é'", "0");
  same("'' LIKE '%'", "1");
  same("'a' LIKE ''", "0");
  same("'abcbc' LIKE '%b_'", "1");
  same("'a' LIKE 'a!' ESCAPE '!'", "0");
  same("12 LIKE '1%'", "1");
  same("NULL LIKE 'a'", "NULL");
  same("'abc' GLOB 'a[b-d]?'", "1");
  same("'a]c' GLOB 'a[]]c'", "1");
  same("'a-' GLOB 'a[x-]'", "1");
  same("'ab' GLOB 'a[^b]'", "0");
  same("'ab' GLOB 'a[b'", "0");
  same("'aB' GLOB 'ab'", "0");
  same("'a/b/c' GLOB '*/c'", "1");
  same("printf('%d|%5d|%-5d|%05d|%+d', 1, 2, 3, 4, 5)", "'1|    2|3    |00004|+5'");
  same("printf('%,d %x %X %o', 1234567, 255, 255, 8)", "'1,234,567 ff FF 10'");
  same("printf('%.2f %e %g %!.3g', 1.006, 12345.678, 0.1, 2)", "'1.01 1.234568e+04 0.1 2.0'");
  same("printf('%s %5s|%-5s|%.2s', 'a', 'b', 'c', 'def')", "'a     b|c    |de'");
  same("printf('%q %Q %w %Q', 'it''s', 'it''s', 'a\"b', NULL)", "'it''''s ''it''''s'' a\"\"b NULL'");
  same("printf('%c%.3c%%', 'é', 'xyz')", "'éxxx%'");
  same("printf('%*d %.*f', 4, 7, 1, 2.25)", "'   7 2.3'");
  same("printf('%lld %z %s', 9007199254740993, 'z')", "'9007199254740993 z '");
  same("printf('100%')", "'100%'");
  same("printf('a%yb', 1)", "'a'");
  same("printf(NULL)", "NULL");
  same("format('%d', '12')", "'12'");
  CHECK(ask("SELECT 'a' LIKE 'b' ESCAPE 'cd'").error->message.find("single character") != std::string::npos);
  for (const std::string_view denied : {"json_patch('{}', '{}')", "changes()", "sqlite_source_id()"})
    CHECK(ask("SELECT " + std::string(denied)).error->kind == ErrorKind::kForbidden);
}

TEST_CASE("a query that wants more memory than there is for it is refused, and the next one runs") {
  const Asked large =
      ask("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000) "
          "SELECT length(group_concat(text)) FROM (SELECT i, hex(randomblob(400000)) AS text FROM n ORDER BY text)");
  REQUIRE(large.error);
  CHECK(large.error->kind == ErrorKind::kTooLarge);
  CHECK(ask("SELECT zeroblob(900000000)").error);
  CHECK(ask("SELECT length(printf('%999999999d', 1)) > 1000000").text() != "1\n");
  CHECK(ask("SELECT 1").text() == "1\n");
}

std::string text_of(std::string_view query, TextFormat format, std::uint64_t most = 100) {
  Catalog catalog({}, {});
  Database database(catalog);
  std::string text;
  TextSink sink(format, most, [&](std::string_view part) { text += part; });
  CHECK(database.run(query, sink));
  sink.end();
  return text;
}

TEST_CASE("results are CSV, TSV and JSON that other programs read") {
  const std::string_view query =
      "SELECT 1 AS a, 'x,\"y\"' AS \"b,c\", NULL AS d, '' AS e, 2.5 AS f UNION ALL "
      "SELECT 9007199254740993, char(9) || 'tab' || char(10) || char(92), 3, 'é', 1e300";
  CHECK(text_of(query, TextFormat::kCsv) ==
        "a,\"b,c\",d,e,f\n1,\"x,\"\"y\"\"\",,\"\",2.5\n9007199254740993,\"\ttab\n\\\",3,é,1e+300\n");
  CHECK(text_of(query, TextFormat::kTsv) ==
        "a\tb,c\td\te\tf\n1\tx,\"y\"\t\t\t2.5\n9007199254740993\t\\ttab\\n\\\\\t3\té\t1e+300\n");
  CHECK(text_of("SELECT 1 AS a, NULL AS b", TextFormat::kJsonLines) == "{\"a\":1,\"b\":null}\n");
  CHECK(text_of("SELECT 1 AS a UNION ALL SELECT 'x\"'", TextFormat::kJson) == "[\n{\"a\":1},\n{\"a\":\"x\\\"\"}\n]\n");
  CHECK(text_of("SELECT 1 AS a WHERE 0", TextFormat::kJson) == "[\n]\n");
  CHECK(text_of(query, TextFormat::kCsv, 1).ends_with("2.5\n"));
}

TEST_CASE("a row leads to the most particular thing that it names") {
  const auto link = [](std::vector<ResultColumn> columns, std::vector<Value> row) { return RowLinks(columns).of(row); };
  const std::int64_t five = 5, nine = 9, none = -1;
  CHECK(link({{"id", "slice", "id"}, {"context_id", "slice", "context_id"}}, {five, nine})->kind == LinkKind::kSlice);
  CHECK(link({{"id", "slice", "id"}}, {five})->id == 5);
  CHECK(link({{"id", "match", "id"}, {"ts", "", ""}}, {five, nine})->kind == LinkKind::kMatch);
  CHECK(link({{"node_id", "", ""}}, {five})->kind == LinkKind::kNode);
  CHECK(link({{"ts", "", ""}, {"dur", "", ""}, {"context_id", "", ""}}, {five, nine, five})->kind == LinkKind::kTime);
  CHECK(link({{"ts", "", ""}, {"dur", "", ""}}, {five, nine})->dur == 9);
  CHECK(link({{"ts", "", ""}, {"dur", "", ""}}, {five, none})->dur == 0);
  CHECK(link({{"Rule_ID", "", ""}}, {five})->kind == LinkKind::kRule);
  CHECK_FALSE(link({{"id", "", ""}, {"name", "slice", "name"}}, {five, std::string_view("x")}));
  CHECK_FALSE(link({{"slice_id", "", ""}}, {std::monostate()}));
  CHECK_FALSE(link({{"slice_id", "", ""}}, {none}));
}

TEST_CASE("docs/sql.md has every table, column, function and example") {
  std::ifstream file(test_data("../../docs/sql.md"));
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  Catalog catalog({}, {});
  for (const auto& table : Tables(catalog).all) {
    INFO(table->name());
    CHECK(page.find("### " + std::string(table->name()) + "\n") != std::string::npos);
    for (const ColumnInfo& column : table->columns()) {
      INFO(column.name);
      CHECK(page.find("| `" + std::string(column.name) + "` | " + std::string(column.about) + " |") !=
            std::string::npos);
    }
  }
  for (const FunctionInfo& function : functions()) {
    INFO(function.call);
    CHECK(page.find("| `" + std::string(function.call) + "` | " + std::string(function.about) + " |") !=
          std::string::npos);
  }
  for (const PerfettoName& name : perfetto_names()) {
    INFO(name.name);
    if (name.is_view())
      CHECK(page.find("| `" + std::string(name.name) + "` | " + std::string(name.about) + " |") != std::string::npos);
  }
  for (const Example& example : examples()) {
    INFO(example.question);
    CHECK(page.find(example.question) != std::string::npos);
    CHECK(page.find(example.query) != std::string::npos);
  }
}

}  // namespace
}  // namespace vizd::sql::database_test
