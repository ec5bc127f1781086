// Captures pushed into a real ClickHouse: what the store then has is what the files have, whoever is killed meanwhile.
#include "store/push.h"

#include <nlohmann/json.hpp>

#include "cli/query/sql_source.h"
#include "formats/native/capture_encoder.h"
#include "http/child_process.h"
#include "store/fleet.h"
#include "store/pull.h"
#include "store/quote.h"
#include "support/catch.h"
#include "support/made_job.h"
#include "support/named_sets.h"
#include "support/places.h"
#include "support/store_server.h"
#include "unit/query/asked.h"

namespace vizd::push_test {
namespace {

bool has_no_server() {
  if (!clickhouse_program().empty()) return false;
  WARN("skipped: there is no clickhouse-server here; scripts/install test installs it");
  return true;
}

std::string write_rank(const TemporaryFolder& folder, const MadeJob& job, std::uint32_t rank) {
  Capture capture;
  RankMaker(job, rank, capture).fill();
  std::string bytes;
  native::encode_capture(capture, {.source_line = {}, .level = 1}, [&](std::string_view part) { bytes += part; });
  const std::string name = fmt::format("rank_{}.bin", rank);
  folder.write(name, bytes);
  return folder / name;
}

// Events with numbers, texts long and short, and JSON: more than a row of `argument` takes.
std::string write_arguments(const TemporaryFolder& folder) {
  Capture capture;
  capture.has_profile = true;
  capture.format = "vizd";
  StringTable& s = capture.strings;
  Track& track = capture.profile.tracks.emplace_back();
  track.name = s.add("lane");
  const auto add = [&](const char* name, const char* unit, ArgumentType type, std::uint32_t event,
                       const ArgumentValue& value) {
    find_or_add_argument(track.arguments, s.add(name), s.add(unit), type).push_back(event, value);
  };
  for (std::uint32_t i = 0; i < 3000; ++i) {
    track.events.push_back({.start_ns = i * 10, .dur_ns = 5, .name = s.add("event")});
    add("number", "B", ArgumentType::kInteger, i, std::int64_t{i} - 7);
    if (i % 3 == 0) add("real", "", ArgumentType::kReal, i, i / 4.0);
    if (i < 400) add("long", "", ArgumentType::kText, i, s.add(std::string(2000, static_cast<char>('a' + i % 5))));
    if (i % 500 == 0) add("nested", "json", ArgumentType::kText, i, s.add("[1,\x1b[31m2]\n"));
  }
  capture.profile.end_ns = 30'000;
  std::string bytes;
  native::encode_capture(capture, {.source_line = {}, .level = 1}, [&](std::string_view part) { bytes += part; });
  folder.write("arguments.bin", bytes);
  return folder / "arguments.bin";
}

// One value that the store answers with, as text.
std::string ask(const StoreServer& server, const std::string& sql) {
  store::Client client = server.client();
  const auto answer = client.ask(sql + " FORMAT TabSeparated");
  INFO(sql);
  if (!answer) FAIL(answer.error().text());
  return answer->substr(0, answer->find_last_not_of('\n') + 1);
}

std::unique_ptr<LoadedCapture> load_files(const std::vector<std::string>& paths) {
  Reading reading = load(named_sets(paths).at(0));
  REQUIRE(reading.loaded);
  return std::move(reading.loaded);
}

// As vizd sql does.
std::string ask_capture(const LoadedCapture& loaded, const std::string& sql) {
  SourceLines lines({});
  const sql::Asked asked({sql_source(loaded, lines)}, sql);
  INFO(sql);
  if (asked.error) FAIL(asked.error->text());
  std::string text = asked.text();
  text.pop_back();
  std::ranges::replace(text, ' ', '\t');
  return text;
}

// Holds every table's count, and sums over all its columns of numbers, against the capture's own.
void check_same(const StoreServer& server, const LoadedCapture& loaded, const std::string& where) {
  for (const store::StoredTable& table : store::stored_tables()) {
    if (!table.is_of_query()) continue;
    std::string own = "count(*)", stored = "count()";
    for (const store::StoredColumn& column : table.columns) {
      if (column.type == store::StoredType::kInteger) {
        own += fmt::format(", coalesce(sum(\"{0}\" % 1000003), 0), count(\"{0}\")", column.name);
        stored += fmt::format(", sum(ifNull(`{0}`, 0) % 1000003), count(`{0}`)", column.name);
      } else if (column.type == store::StoredType::kText) {
        own += fmt::format(", count(distinct coalesce(\"{0}\", '')), coalesce(sum(length(cast(\"{0}\" as blob))), 0)",
                           column.name);
        stored += fmt::format(", uniqExact(ifNull(`{0}`, '')), sum(length(ifNull(`{0}`, '')))", column.name);
      }
    }
    CAPTURE(table.name);
    CHECK(ask_capture(loaded, fmt::format("SELECT {} FROM \"{}\"", own, table.name)) ==
          ask(server, fmt::format("SELECT {} FROM `{}` WHERE {}", stored, table.name, where)));
  }
}

ChildProcess push(const StoreServer& server, std::vector<std::string> files, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments{"push", "--store", server.url(), "--job", "job"};
  arguments.insert(arguments.end(), files.begin(), files.end());
  arguments.insert(arguments.end(), more.begin(), more.end());
  return ChildProcess(std::move(arguments), {});
}

void wait_for_blocks(const StoreServer& server, const std::string& at_least) {
  REQUIRE(wait_until([&] {
    const auto blocks = server.client().ask("SELECT uniqExact(block) >= " + at_least + " FROM slice");
    return blocks && blocks->starts_with("1");
  }));
}

}  // namespace

TEST_CASE("what is pushed is in the store to the last row, once, and comes back as it was") {
  if (has_no_server()) return;
  const StoreServer server;
  const TemporaryFolder folder;
  const std::string profile = write_rank(folder, {.events = 20'000}, 3);
  const std::vector<std::string> rewrites{test_data("tinygrad-2026-08/ramp.rewrites.pkl"),
                                          test_data("tinygrad-2026-08/ramp.profile.pkl")};
  for (int again = 0; again < 2; ++again) {
    ChildProcess first = push(server, {profile}, {"--rank", "3"});
    ChildProcess second = push(server, rewrites, {"--rank", "4"});
    CHECK(first.wait_for_end() == 0);
    CHECK(second.wait_for_end() == 0);
    CHECK(first.standard_error == "");
    CHECK((first.standard_output.find("already there") != std::string::npos) == (again == 1));
  }
  const auto loaded = load_files({profile});
  check_same(server, *loaded, "rank = 3");
  check_same(server, *load_files(rewrites), "rank = 4");
  // Tiles tell the busy time exactly.
  CHECK(ask(server, "SELECT sum(slices) FROM tile WHERE rank = 3 AND level = 0 AND track_id >= 0") ==
        ask(server, "SELECT count() FROM slice WHERE rank = 3"));
  CHECK(ask(server,
            "SELECT uniqExact(sums) FROM (SELECT level, sum(busy_ns) AS sums FROM tile WHERE rank = 3 GROUP BY "
            "level)") == "1");

  const store::Store store({server.address()}, {});
  std::string pulled;
  REQUIRE(store::pull(store, "job", 3, store::kMostRankBytes, [&](std::string_view part) { pulled += part; }));
  folder.write("pulled.bin", pulled);
  CHECK(load_files({folder / "pulled.bin"})->timeline.key == loaded->timeline.key);
  CHECK_FALSE(store::pull(store, "job", 5, store::kMostRankBytes, [](std::string_view) {}));

  // Another capture as the same rank: only when that is asked for.
  ChildProcess other = push(server, {write_rank(folder, {.events = 500}, 7)}, {"--rank", "3"});
  CHECK(other.wait_for_end() == 1);
  CHECK(other.standard_error.find("is another capture") != std::string::npos);
  check_same(server, *loaded, "rank = 3");
  ChildProcess replacing = push(server, {folder / "rank_7.bin"}, {"--rank", "3", "--replace"});
  CHECK(replacing.wait_for_end() == 0);
  check_same(server, *load_files({folder / "rank_7.bin"}), "rank = 3");

  ChildProcess removing = push(server, {}, {"--remove"});
  CHECK(removing.wait_for_end() == 0);
  for (const store::StoredTable& table : store::stored_tables())
    CHECK(ask(server, fmt::format("SELECT count() FROM `{}`", table.name)) == "0");
}

TEST_CASE("what an allocator told of a device's memory is in the store as SQL has it of the file") {
  if (has_no_server()) return;
  const StoreServer server;
  std::uint32_t rank = 0;
  for (const char* const name : {"train/input/train.pickle", "expandable/input/expandable.pickle"}) {
    const std::string snapshot = test_data("../golden/torch_memory/" + std::string(name));
    ChildProcess pushing = push(server, {snapshot}, {"--rank", std::to_string(rank)});
    REQUIRE(pushing.wait_for_end() == 0);
    const std::string where = fmt::format("rank = {}", rank++);
    check_same(server, *load_files({snapshot}), where);
    for (const char* const table : {"allocation", "segment", "memory_event"})
      CHECK(ask(server, fmt::format("SELECT count() > 0 FROM {} WHERE {}", table, where)) == "1");
  }
  // Rows are read with their columns, and lead to their stacks.
  CHECK(ask(server,
            "SELECT count() > 0 FROM allocation ALL INNER JOIN (SELECT rank, id AS stack_id, file FROM stack) AS s "
            "USING (rank, stack_id) WHERE requested_bytes <= block_bytes AND born_event >= 0 AND freed_ts >= ts AND "
            "isNotNull(pool) AND isNotNull(stream) AND isNotNull(frame) AND isNotNull(phase)") == "1");
  CHECK(ask(server, "SELECT count() FROM allocation WHERE isNotNull(operator) OR isNotNull(metadata)") != "0");
}

TEST_CASE("arguments come out of the store one by one as they went into it many in a row") {
  if (has_no_server()) return;
  const StoreServer server;
  const TemporaryFolder folder;
  const std::string file = write_arguments(folder);
  ChildProcess pushing = push(server, {file});
  const int ended = pushing.wait_for_end();
  INFO(pushing.standard_error);
  CHECK(ended == 0);
  check_same(server, *load_files({file}), "rank = 0");
  CHECK(ask(server, "SELECT name, count(), max(length(arg_set_ids)) FROM argument GROUP BY name ORDER BY name") ==
        "long\t4\t132\nnested\t1\t6\nnumber\t3\t1024\nreal\t1\t1000");
  CHECK(
      ask(server,
          "SELECT flat_key, arg_set_id, int_value, length(string_value), real_value, value_type, "
          "substring(display_value, 1, 5), unit FROM args WHERE (name, arg_set_id) IN (('number', 1500), ('real', 3), "
          "('long', 399), ('nested', 500)) ORDER BY name") ==
      "debug.long\t399\t\\N\t2000\t\\N\tstring\teeeee\t\\N\n"
      "debug.nested\t500\t\\N\t6\t\\N\tjson\t[1,2]\tjson\n"
      "debug.number\t1500\t1493\t\\N\t\\N\tint\t1493\tB\n"
      "debug.real\t3\t\\N\t\\N\t0.75\treal\t0.75\t\\N");
}

TEST_CASE("a store whose making was cut is made whole") {
  if (has_no_server()) return;
  const StoreServer server;
  const TemporaryFolder folder;
  const std::string file = write_arguments(folder);
  const auto tables = store::stored_tables();
  // Cut after each table in turn, of which push is the last: where that is, nothing else is looked for.
  CHECK(tables.back().name == "push");
  for (const std::size_t made : {std::size_t{1}, tables.size() / 2, tables.size() - 1}) {
    INFO(made << " of " << tables.size());
    store::Client client = server.client();
    REQUIRE(client.ask_server("CREATE DATABASE IF NOT EXISTS fleet"));
    for (std::size_t i = 0; i < made; ++i) {
      for (const std::string& statement : store::creation_of(tables[i], "fleet", "", {}))
        REQUIRE(client.ask_server(statement));
    }
    REQUIRE(push(server, {file}).wait_for_end() == 0);
    check_same(server, *load_files({file}), "rank = 0");
    REQUIRE(client.ask_server("DROP DATABASE fleet"));
  }
}

TEST_CASE("nothing is pushed among the tables of another version, which is named") {
  if (has_no_server()) return;
  const StoreServer server;
  const TemporaryFolder folder;
  const std::string file = write_rank(folder, {.events = 500}, 0);
  REQUIRE(push(server, {file}).wait_for_end() == 0);
  store::Client client = server.client();
  REQUIRE(client.ask("DROP TABLE schema"));
  for (const char* const version : {"4 or older", "7"}) {
    INFO(version);
    if (version[0] == '7') REQUIRE(client.ask("CREATE VIEW schema AS SELECT '7' AS version"));
    ChildProcess pushing = push(server, {file});
    CHECK(pushing.wait_for_end() == 1);
    CHECK(pushing.standard_error.find(fmt::format("their version is {}, and this vizd's 6", version)) !=
          std::string::npos);
  }
}

TEST_CASE("a push that is killed, and one whose store is killed, loses and doubles nothing") {
  if (has_no_server()) return;
  StoreServer server;
  const TemporaryFolder folder;
  const std::string file = write_rank(folder, {.events = 900'000}, 0);
  const auto loaded = load_files({file});
  // The client, again and again, each time a little further.
  for (const char* blocks : {"1", "2"}) {
    const ChildProcess cut = push(server, {file});
    wait_for_blocks(server, blocks);
    cut.send_signal(SIGKILL);
  }
  CHECK(ask(server, "SELECT count() FROM push WHERE state = 'done'") == "0");
  // Then the server, under a client that waits for it.
  ChildProcess last = push(server, {file});
  wait_for_blocks(server, "3");
  server.kill();
  CHECK(last.wait_for_log("retrying"));
  server.start();
  CHECK(last.wait_for_end() == 0);
  INFO(last.standard_error);
  CHECK(last.standard_output.find("rows were already there") != std::string::npos);
  check_same(server, *loaded, "rank = 0");
  CHECK(ask(server, "SELECT count() = uniqExact(id) FROM slice") == "1");
}

TEST_CASE("two servers hold a job's ranks between them") {
  if (has_no_server()) return;
  const StoreServer::Ports first_ports, second_ports;
  const std::vector<int> natives{first_ports.native, second_ports.native};
  const StoreServer first(first_ports, natives), second(second_ports, natives);
  const TemporaryFolder folder;
  for (std::uint32_t rank = 0; rank < 4; ++rank) write_rank(folder, {.events = 2000}, rank);
  for (int again = 0; again < 2; ++again) {
    ChildProcess pushing = push(first, {folder.path()}, {"--store", second.url(), "--cluster", "all"});
    CHECK(pushing.wait_for_end() == 0);
    CHECK(pushing.standard_error == "");
  }
  for (const StoreServer* server : {&first, &second}) {
    CHECK(ask(*server, "SELECT uniqExact(rank), count() = uniqExact(rank, id) FROM slice") == "4\t1");
    CHECK(ask(*server, "SELECT uniqExact(rank) FROM slice_shard") == "2");
    const auto last = store::late_to_collectives(store::Store({server->address()}, {}), "job");
    REQUIRE(last);
    CHECK(last->rows == store::late_to_collectives(store::Store({first.address()}, {}), "job")->rows);
    CHECK_FALSE(last->rows.empty());
  }
  for (const std::uint32_t rank : {0u, 1u})
    check_same(second, *load_files({folder / fmt::format("rank_{}.bin", rank)}), fmt::format("rank = {}", rank));
  // Half of a cluster cannot drop what lies on the other half.
  ChildProcess half = push(first, {}, {"--remove"});
  CHECK(half.wait_for_end() == 1);
  CHECK(half.standard_error.find("servers that are not named") != std::string::npos);
  ChildProcess whole = push(first, {}, {"--remove", "--store", second.url()});
  CHECK(whole.wait_for_end() == 0);
  CHECK(ask(second, "SELECT count() FROM slice") == "0");
}

TEST_CASE("a store that is not there, lets nobody in, or is asked by a hostile name says what is wrong") {
  if (has_no_server()) return;
  const StoreServer server;
  const TemporaryFolder folder;
  const std::string file = write_rank(folder, {.events = 500}, 0);
  ChildProcess dead(
      {"push", file, "--store", fmt::format("http://127.0.0.1:{}/fleet", free_port()), "--job", "x", "--patience", "0"},
      {});
  CHECK(dead.wait_for_end() == 1);
  CHECK(dead.standard_error.find("nothing answers there") != std::string::npos);

  ChildProcess stranger({"push", file, "--store", server.url(), "--job", "x"},
                        {"VIZD_STORE_USER=reader", "VIZD_STORE_PASSWORD=wrong"});
  CHECK(stranger.wait_for_end() == 1);
  CHECK(stranger.standard_error.find("does not let this user in") != std::string::npos);
  CHECK(stranger.standard_error.find("wrong") == std::string::npos);
  ChildProcess reader({"push", file, "--store", server.url(), "--job", "x"},
                      {"VIZD_STORE_USER=reader", "VIZD_STORE_PASSWORD=pass'word"});
  CHECK(reader.wait_for_end() == 0);

  const std::string hostile = "'; DROP TABLE slice; --\\' \n\t`\"\xC3\xA9\xFF$(x)";
  ChildProcess named({"push", file, "--store", server.url(), "--job", hostile}, {});
  CHECK(named.wait_for_end() == 0);
  CHECK(ask(server, "SELECT count() FROM push WHERE job = " + store::sql_text(hostile)) == "2");
  CHECK(ask(server, "SELECT uniqExact(job) FROM slice") == "2");
  ChildProcess removing({"push", "--remove", "--store", server.url(), "--job", hostile}, {});
  CHECK(removing.wait_for_end() == 0);
  CHECK(ask(server, "SELECT uniqExact(job) FROM slice") == "1");
}

}  // namespace vizd::push_test
