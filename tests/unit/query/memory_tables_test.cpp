// What queries say of an allocator: allocations with who asked, stacks, segments, entries, and where memory ran out.
#include <fmt/format.h>

#include "base/mapped_file.h"
#include "formats/registry.h"
#include "query/examples.h"
#include "support/catch.h"
#include "support/made_snapshot.h"
#include "support/places.h"
#include "unit/query/asked.h"

namespace vizd::sql::memory_tables_test {
namespace {

struct Nowhere : ResultSink {
  void begin(const std::vector<ResultColumn>&) override {}
  bool add(const std::vector<Value>&) override { return true; }
};

struct Read {
  explicit Read(const FormatInput& input) {
    REQUIRE(read_capture(input, capture));
    timeline = prepare_timeline(capture, 1);
  }
  std::string ask(std::string_view query) const {
    INFO(query);
    const Asked asked({{.capture = &capture, .timeline = &timeline, .name = "memory"}}, query);
    CHECK_FALSE(asked.error);
    if (asked.error) WARN(asked.error->text());
    return asked.text();
  }

  // Whether the query reads the table's groups in its place.
  bool asks_groups(std::string_view query, const std::string& table) const {
    Catalog catalog({{.capture = &capture, .timeline = &timeline, .name = "memory"}}, {});
    Database database(catalog);
    Nowhere nowhere;
    REQUIRE(database.run(query, nowhere));
    return database.tables_read().contains(table + " groups") && !database.tables_read().contains(table);
  }

  Capture capture;
  Timeline timeline;
};

// A segment of 20 MiB, of which 3 and then 17 are taken; a request for 4 more fails; the first is freed, and another
// one for 4 fails again.
std::string made_bytes() {
  using made_snapshot::Document, made_snapshot::entry;
  constexpr std::int64_t kMiB = std::int64_t{1} << 20;
  constexpr std::uint64_t kBase = std::uint64_t{1} << 40;
  const auto oom = [](std::int64_t size, std::int64_t time_us) {
    Document failed{{"action", "oom"}, {"size", size}, {"stream", 0}, {"time_us", time_us}};
    return failed;
  };
  Document entries = Document::array();
  entries.push_back(entry("segment_alloc", kBase, 20 * kMiB, 10));
  entries.push_back(entry("alloc", kBase, 3 * kMiB, 11));
  entries.push_back(entry("alloc", kBase + 3 * kMiB, 16 * kMiB, 12));
  entries.back()["forward_frames"] = Document::array({"  File \"/app/model.py\", line 33, in forward\n"});
  entries.push_back(oom(4 * kMiB, 13));
  entries.back()["device_free"] = 512;
  entries.push_back(entry("free_requested", kBase, 3 * kMiB, 14));
  entries.push_back(entry("free_completed", kBase, 3 * kMiB, 15));
  entries.push_back(oom(2 * kMiB, 16));
  Document top;
  top["segments"] = Document::array();
  top["segments"].push_back(
      made_snapshot::segment(kBase, {{3 * kMiB, 0, "inactive"}, {17 * kMiB, 16 * kMiB, "active_allocated"}}));
  top["device_traces"] = Document::array();
  top["device_traces"].push_back(entries);
  return made_snapshot::pickled(top);
}

TEST_CASE("allocations say what was asked for, which entries made them, and whose they are") {
  const std::string bytes = made_bytes();
  const Read made({.name = "made", .bytes = std::as_bytes(std::span(bytes))});
  CHECK(made.ask("SELECT requested_bytes, block_bytes, born_event, freed_ts, completed_event, completed_ts, is_lost, "
                 "stream, pool, frame, stack_id FROM allocation") ==
        "3145728 3145728 1 4000 5 5000 0 0 [0,0] null null\n"
        "16777216 17825792 2 null null null 0 0 [0,0] null null\n");
  CHECK(made.ask("SELECT forward_frame, name, line FROM allocation JOIN stack ON stack.id = forward_stack_id") ==
        "/app/model.py:33:forward forward 33\n");
  CHECK(made.ask("SELECT allocation_id, size FROM live_at_peak ORDER BY size") == "0 3145728\n1 17825792\n");
  CHECK(made.ask("SELECT device, size, from_event, to_event, from_ts, to_ts, pool, stream, expandable FROM segment") ==
        "0 20971520 0 null 0 null [0,0] 0 0\n");
  CHECK(made.ask("SELECT entry, action, size, ts FROM memory_event WHERE entry IN (0, 3, 5)") ==
        "0 segment_alloc 20971520 0\n3 oom 4194304 3000\n5 free_completed 3145728 5000\n");
}

TEST_CASE("totals of allocations and entries by groups are those of rows") {
  const std::string bytes = made_bytes(), path = test_data("../golden/torch_memory/train/input/train.pickle");
  const auto file = MappedFile::open(path);
  REQUIRE(file);
  const Read captures[]{Read({.name = "made", .bytes = std::as_bytes(std::span(bytes))}),
                        Read({.name = path, .bytes = file->bytes()})};
  const std::string sums =
      "count(*), count(block_bytes), sum(size), avg(size), min(requested_bytes), "
      "max(requested_bytes), sum(requested_bytes), total(block_bytes)";
  std::vector<std::pair<std::string, std::string>> asked{
      {sums, ""}, {sums, "WHERE phase = 'backward'"}, {sums, "WHERE frame = 'none'"}, {sums, "WHERE track_id > 0"}};
  for (const char* const key : {"frame", "file", "forward_frame", "operator", "phase", "metadata", "compile_context",
                                "stack_id", "forward_stack_id", "stream", "pool", "is_freed", "is_lost", "dtype",
                                "category", "track_id", "phase, stream, is_freed", "operator, pool, frame"})
    asked.emplace_back(std::string(key) + ", " + sums, std::string("GROUP BY ") + key);
  const auto compare = [&](const std::string& what, const std::string& table, const std::string& rest) {
    for (const Read& read : captures) {
      const std::string query = "SELECT " + what + " FROM " + table + " " + rest;
      CHECK(read.asks_groups(query, table));
      CHECK(read.ask(query) == read.ask("SELECT " + what + " FROM (SELECT * FROM " + table + ") " + rest));
    }
  };
  for (const auto& [what, rest] : asked) compare(what, "allocation", rest);
  compare("frame, count(*), sum(size)", "allocation", "GROUP BY frame ORDER BY 3 DESC, 1 LIMIT 5");
  for (const char* const key : {"action", "device", "track_id, action"})
    compare(std::string(key) + ", count(*), sum(size), max(size)", "memory_event", std::string("GROUP BY ") + key);
  CHECK_FALSE(
      captures[0].asks_groups("SELECT frame, count(*) FROM allocation WHERE size > 5 GROUP BY 1", "allocation"));
  // What is no total of groups comes in the order of the column; a plus before it has SQLite sort the rows.
  for (const char* const key : {"frame", "file", "forward_frame", "operator", "phase", "metadata", "compile_context"}) {
    for (const char* const order : {"", " ORDER BY 1", " ORDER BY 1 DESC", " ORDER BY 3, 1"}) {
      const auto query = [&](const char* plus) {
        return fmt::format("SELECT {0}, min(id), max(ts), count(*) FROM allocation WHERE size > 512 GROUP BY {1}{0}{2}",
                           key, plus, order);
      };
      for (const Read& read : captures) CHECK(read.ask(query("")) == read.ask(query("+")));
    }
  }
}

TEST_CASE("where memory ran out the table says whether it was too much or in pieces") {
  const std::string bytes = made_bytes();
  const Read made({.name = "made", .bytes = std::as_bytes(std::span(bytes))});
  CHECK(made.ask("SELECT entry, asked_bytes, device_free_bytes, reserved_bytes, allocated_bytes, inactive_bytes, "
                 "largest_free_bytes, is_fragmented FROM oom") ==
        "3 4194304 512 20971520 20971520 0 0 0\n"
        "6 2097152 null 20971520 17825792 3145728 3145728 0\n");
}

TEST_CASE("stacks are joined by allocations, and led up to their outermost frame") {
  const std::string path = test_data("../golden/torch_memory/train/input/train.pickle");
  const auto file = MappedFile::open(path);
  REQUIRE(file);
  const Read train({.name = path, .bytes = file->bytes()});
  CHECK(train.ask("SELECT s.name, s.line, s.depth, a.phase FROM allocation a JOIN stack s ON s.id = a.stack_id "
                  "WHERE a.frame IS NOT NULL ORDER BY a.id LIMIT 1") != "");
  CHECK(train.ask("SELECT count(*) FROM allocation a JOIN stack s ON s.id = a.stack_id "
                  "WHERE (WITH RECURSIVE up(id, n) AS (SELECT a.stack_id, 1 UNION ALL SELECT t.parent_id, n + 1 "
                  "FROM up JOIN stack t ON t.id = up.id WHERE t.parent_id IS NOT NULL) SELECT max(n) FROM up) "
                  "IS NOT s.depth") == "0\n");
  // What lies free before each segment, by the example: nothing before the first.
  for (const Example& example : examples()) CHECK(train.ask(example.query) != "?");
}

}  // namespace
}  // namespace vizd::sql::memory_tables_test
