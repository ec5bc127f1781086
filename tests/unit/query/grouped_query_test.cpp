// Totals of slices and arguments are asked of their groups: that this answers as asking every row does, names of
// columns too, and which queries are left as they are.
#include <algorithm>

#include "query/slice_groups.h"
#include "support/catch.h"
#include "support/made_profile.h"
#include "unit/query/asked.h"

namespace vizd::sql::grouped_query_test {
namespace {

// Two captures of many slices, some of them with categories, errors, lengths beyond 32 bits, and arguments.
struct TwoCaptures {
  TwoCaptures() {
    for (std::size_t i = 0; i < 2; ++i) {
      Capture& capture = captures[i];
      fill_profile({.events = 3000 + 500 * i, .lanes = 5, .names = 9, .seed = 4 + i}, capture);
      const StringId op = capture.strings.add("cpu_op"), kernel = capture.strings.add("kernel");
      const StringId bytes = capture.strings.add("bytes"), stream = capture.strings.add("stream");
      for (Track& track : capture.profile.tracks) {
        std::vector<Event> events;
        for (const Event& event : track.events) events.push_back(event);
        for (std::size_t e = 0; e < events.size(); ++e) {
          if (e % 3 != 0) events[e].category = e % 3 == 1 ? op : kernel;
          events[e].is_error = e % 100 == 7;
          if (e % 50 == 9) events[e].kind = EventKind::kInstant;
          if (e + 1 == events.size()) events[e].dur_ns = std::int64_t{1} << 33;
        }
        track.events = EventColumns(events);
        if (events.empty()) continue;
        find_or_add_argument(track.arguments, bytes, capture.strings.add("B"), ArgumentType::kInteger)
            .push_back(1, std::int64_t{4});
        find_or_add_argument(track.arguments, stream, {}, ArgumentType::kReal).push_back(0, 7.5);
      }
      timelines[i] = prepare_timeline(capture, 1);
    }
  }

  Asked ask(std::string_view query) const {
    return {{{.capture = &captures[0], .timeline = &timelines[0], .name = "one"},
             {.capture = &captures[1], .timeline = &timelines[1], .name = "two"}},
            query};
  }

  Capture captures[2];
  Timeline timelines[2];
};

// The query with a table of the same rows in its place that SQLite itself has to count.
std::string row_by_row(std::string query, const std::string& table) {
  const std::size_t at = query.find(" " + table + (query.ends_with(" " + table) ? "" : " ")) + 1;
  REQUIRE(at != 0);
  const std::string_view behind = std::string_view(query).substr(at + table.size());
  const bool has_alias = behind.starts_with(" s ") || behind.starts_with(" AS s ");
  return query.replace(at, table.size(), "(SELECT * FROM " + table + ")" + (has_alias ? "" : " AS " + table));
}

}  // namespace

TEST_CASE("totals of groups are those of rows") {
  const TwoCaptures two;
  Catalog nothing({}, {});
  const Tables tables(nothing);
  SliceGroups groups(*tables.slices);
  for (const std::string& query : std::vector<std::string>{
           "SELECT count(*) FROM slice",
           "SELECT count(*), sum(dur), total(dur), min(ts), max(ts), max(ts + dur) FROM slice WHERE name = 'none'",
           "SELECT name, count(*), sum(dur), min(dur), max(dur) FROM slice GROUP BY name",
           "SELECT name, round(avg(dur), 3) FROM slice GROUP BY 1 HAVING count(*) > 100 ORDER BY 2 DESC LIMIT 4",
           "SELECT category, count(1) AS n, sum(slice.dur) / 1e6 ms FROM slice GROUP BY category ORDER BY n DESC, 1",
           "SELECT track_id, depth, count(id), max(ts), max(ts + dur) FROM slice GROUP BY track_id, depth",
           "SELECT kind, is_error, count(*) FROM slice WHERE category = 'kernel' AND NOT is_error GROUP BY 1, 2",
           "SELECT sum(dur) * 100 / count(*), max(dur) > 5 FROM slice WHERE track_id BETWEEN 2 AND 4",
           "SELECT CASE WHEN name LIKE '%1' THEN 'one' ELSE category END, count(*) FROM slice GROUP BY 1 ORDER BY 1",
           "SELECT DISTINCT category, name FROM slice ORDER BY 1, 2",
           "SELECT count(DISTINCT name), max(name), min(depth) FROM slice",
           "SELECT t.capture_id, t.name, count(*), sum(s.dur) FROM slice s JOIN track t ON t.id = s.track_id "
           "GROUP BY t.capture_id, t.name",
           "SELECT t.id, count(*) FROM track t JOIN slice AS s ON s.track_id = t.id WHERE s.name = 'kernel_1' GROUP BY "
           "1",
           "SELECT sum(dur) AS \"it's\", count(*) FROM /* all */ slice WHERE name IN ('kernel_1', 'kernel_2');"}) {
    INFO(query);
    CHECK(grouped_query(query, groups.grouping()));
    const Asked grouped = two.ask(query), plain = two.ask(row_by_row(query, "slice"));
    REQUIRE_FALSE(grouped.error);
    CHECK(!grouped.rows.empty());
    CHECK(grouped.text() == plain.text());
    CHECK(std::ranges::equal(grouped.columns, plain.columns, {}, &ResultColumn::name, &ResultColumn::name));
  }
  for (const std::string& query :
       std::vector<std::string>{"SELECT key, count(*) FROM args GROUP BY 1",
                                "SELECT value_type, unit, name, count(id) FROM args WHERE key LIKE '%b%' GROUP BY 1",
                                "SELECT count(*) FROM args WHERE name = 'none'"})
    CHECK(two.ask(query).text() == two.ask(row_by_row(query, "args")).text());
}

TEST_CASE("totals that are a table to the query are those of groups too") {
  const TwoCaptures two;
  Catalog nothing({}, {});
  const Tables tables(nothing);
  SliceGroups groups(*tables.slices);
  for (const std::string& query : std::vector<std::string>{
           "WITH t AS (SELECT name, sum(dur) AS total FROM slice GROUP BY name) SELECT name, total * 100.0 / (SELECT "
           "sum(total) FROM t) FROM t ORDER BY 2 DESC",
           "WITH a(x) AS MATERIALIZED (SELECT 1), b AS (SELECT category, count(*) FROM slice GROUP BY 1) "
           "SELECT * FROM a JOIN b ORDER BY 2",
           "SELECT max(n) FROM (SELECT count(*) AS n FROM slice GROUP BY track_id, depth)",
           "SELECT t.name, g.n FROM track t JOIN (SELECT track_id, count(*) n FROM slice GROUP BY 1) g ON g.track_id = "
           "t.id ORDER BY 2, 1"}) {
    INFO(query);
    CHECK(grouped_query(query, groups.grouping()));
    const Asked grouped = two.ask(query), plain = two.ask(row_by_row(query, "slice"));
    REQUIRE_FALSE(grouped.error);
    CHECK(!grouped.rows.empty());
    CHECK(grouped.text() == plain.text());
    CHECK(std::ranges::equal(grouped.columns, plain.columns, {}, &ResultColumn::name, &ResultColumn::name));
  }
  // The column belongs to another table of that name, or to one row of the query around.
  for (const char* const query :
       {"WITH slice AS (SELECT 'a' AS name), t AS (SELECT name, count(*) FROM slice GROUP BY name) SELECT * FROM t",
        "WITH slice(name) AS (SELECT 'a'), t AS (SELECT name, count(*) FROM slice GROUP BY name) SELECT * FROM t",
        "SELECT id, (SELECT count(*) FROM slice WHERE track_id = track.id) FROM track",
        "SELECT count(*) FROM (SELECT name FROM slice UNION SELECT name FROM slice GROUP BY name)"}) {
    INFO(query);
    CHECK_FALSE(grouped_query(query, groups.grouping()));
  }
}

TEST_CASE("what may mean something else of groups is asked of rows") {
  Catalog nothing({}, {});
  const Tables tables(nothing);
  SliceGroups groups(*tables.slices);
  for (const char* const query : {"SELECT name FROM slice",
                                  "SELECT * FROM slice",
                                  "SELECT slice.*, count(*) FROM slice GROUP BY name",
                                  "SELECT max(depth, 3) FROM slice",
                                  "SELECT count(*) FROM slice WHERE dur > 5",
                                  "SELECT sum(ts) FROM slice",
                                  "SELECT name, ts, max(dur) FROM slice GROUP BY name",
                                  "SELECT sum(DISTINCT dur) FROM slice",
                                  "SELECT count(category) FROM slice",
                                  "SELECT group_concat(name) FROM slice",
                                  "SELECT count(*) FROM track",
                                  "SELECT count(*) OVER () FROM slice",
                                  "SELECT count(*) FILTER (WHERE depth = 0) FROM slice",
                                  "SELECT count(*) FROM track t LEFT JOIN slice s ON s.track_id = t.id",
                                  "SELECT count(*) FROM slice s JOIN slice p ON p.track_id = s.track_id",
                                  "SELECT sum(t.id) FROM slice, track t",
                                  "SELECT count(*) FROM slice NATURAL JOIN track",
                                  "SELECT count(*) FROM slice WHERE rowid = 3",
                                  "SELECT count(*) FROM (SELECT name FROM slice)",
                                  "WITH a AS (SELECT 1) SELECT count(*) FROM slice",
                                  "SELECT count(*) FROM slice UNION SELECT 1",
                                  "SELECT count(*) FROM slice WHERE track_id = $a",
                                  "SELECT avg(t.number) FROM slice JOIN track t ON t.id = track_id",
                                  "SELECT count(* FROM slice"}) {
    INFO(query);
    CHECK_FALSE(grouped_query(query, groups.grouping()));
  }
}

}  // namespace vizd::sql::grouped_query_test
