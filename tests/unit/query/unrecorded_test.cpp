// What SQL says of tables of which nothing is recorded.
#include "query/unrecorded.h"

#include "query/database.h"
#include "query/result_text.h"
#include "support/catch.h"

namespace vizd::unrecorded_test {
namespace {

std::vector<sql::Unrecorded> lacking(const std::vector<const Capture*>& captures, std::string_view query) {
  static const Timeline kNoTimeline;
  std::vector<sql::Source> sources;
  for (const Capture* capture : captures)
    sources.push_back({.capture = capture, .timeline = &kNoTimeline, .name = sources.empty() ? "a" : "b"});
  sql::Catalog catalog(std::move(sources), {});
  sql::Database database(catalog);
  sql::TextSink sink(sql::TextFormat::kCsv, 100, [](std::string_view) {});
  REQUIRE(database.run(query, sink));
  auto found = sql::find_unrecorded(catalog, database.tables_read(), sink.rows() > 0);
  for (const sql::Unrecorded& each : found) CHECK(each.text(catalog).find("not recorded") != std::string::npos);
  return found;
}

}  // namespace

TEST_CASE("every table says what it needs recorded, but for those that every capture has") {
  sql::Catalog nothing({}, {});
  const sql::Tables tables(nothing);
  const std::set<std::string_view> always{"capture", "track", "thread", "process", "fact", "args"};
  for (const auto& table : tables.all) {
    INFO(table->name());
    CHECK(sql::need_of_table(table->name()).has_value() != always.contains(table->name()));
  }
}

TEST_CASE("an empty result tells which of its tables nothing is recorded of, also through views and as a count") {
  const Capture empty;
  const auto found = lacking({&empty}, "SELECT * FROM oom, segment");
  REQUIRE(found.size() == 1);
  CHECK(found[0].tables == std::vector<std::string>{"oom", "segment"});
  CHECK(!found[0].absence.how.empty());
  CHECK(lacking({&empty}, "SELECT count(*) FROM slice").size() == 1);
  CHECK(lacking({&empty}, "SELECT count(*) FROM slice WHERE dur > 5 GROUP BY name").size() == 1);
  CHECK(lacking({&empty}, "SELECT count(*) FROM capture").empty());
}

TEST_CASE("of several captures those are named that tell nothing, where others do and no row is there") {
  const Capture empty;
  Capture told;
  told.profile.runs.push_back({.number = 1, .to_ns = 5});
  CHECK(lacking({&told}, "SELECT id FROM flow").front().sources.empty());
  const auto found = lacking({&told, &empty}, "SELECT name FROM run WHERE number > 1000");
  REQUIRE(found.size() == 1);
  CHECK(found[0].sources == std::vector<std::size_t>{1});
  CHECK(lacking({&told, &empty}, "SELECT count(*) FROM run").empty());
}

}  // namespace vizd::unrecorded_test
