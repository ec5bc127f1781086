// Queries over VIZD_BENCH_EVENTS events (10 million where it is not set), each beside SQLite's own over the same rows,
// imported into its table. What importing takes is a line of its own.
#include <benchmark/benchmark.h>
#include <sqlite3.h>

#include <cstdlib>
#include <memory>

#include "query/database.h"
#include "support/made_profile.h"
#include "timeline/timeline.h"

namespace vizd::sql {
namespace {

constexpr const char* kQueries[] = {
    "SELECT count(*) FROM slice",
    "SELECT sum(dur) FROM slice",
    "SELECT track_id, count(*), sum(dur) FROM slice GROUP BY track_id",
    "SELECT name, count(*), sum(dur) FROM slice GROUP BY name",
    "SELECT DISTINCT name FROM slice",
    "SELECT * FROM slice ORDER BY dur DESC LIMIT 10",
    "SELECT count(*) FROM slice WHERE name = 'kernel_7'",
};

struct Made {
  Made() {
    const char* events = std::getenv("VIZD_BENCH_EVENTS");
    fill_profile({.events = events != nullptr ? std::strtoull(events, nullptr, 10) : 10'000'000, .lanes = 100}, capture,
                 2);
    timeline = prepare_timeline(capture, 2);
  }
  Capture capture;
  Timeline timeline;
};

const Made& made() {
  static const Made made;
  return made;
}

struct CountRows : ResultSink {
  void begin(const std::vector<ResultColumn>&) override {}
  bool add(const std::vector<Value>&) override { return ++rows > 0; }
  std::size_t rows = 0;
};

void BM_query(benchmark::State& state) {
  const char* const query = kQueries[state.range(0)];
  state.SetLabel(query);
  for (auto _ : state) {
    Catalog catalog({{.capture = &made().capture, .timeline = &made().timeline, .name = "made"}}, {});
    Database database(catalog);
    CountRows sink;
    if (!database.run(query, sink)) state.SkipWithError("the query is refused");
    benchmark::DoNotOptimize(sink.rows);
  }
}

using Connection = std::unique_ptr<sqlite3, int (*)(sqlite3*)>;

// A table slice with the columns that the queries ask for.
Connection import(const Capture& capture) {
  sqlite3* opened = nullptr;
  sqlite3_open(":memory:", &opened);
  Connection connection(opened, sqlite3_close);
  sqlite3_hard_heap_limit64(0);  // that of the queries would not do for a copy
  sqlite3_exec(
      opened, "CREATE TABLE slice(id INTEGER PRIMARY KEY, ts INTEGER, dur INTEGER, track_id INTEGER, name TEXT); BEGIN",
      nullptr, nullptr, nullptr);
  sqlite3_stmt* insert = nullptr;
  sqlite3_prepare_v2(opened, "INSERT INTO slice(ts, dur, track_id, name) VALUES(?, ?, ?, ?)", -1, &insert, nullptr);
  for (std::size_t t = 0; t < capture.profile.tracks.size(); ++t) {
    for (const Event& event : capture.profile.tracks[t].events) {
      const std::string_view name = capture.strings.get(event.name);
      sqlite3_bind_int64(insert, 1, event.start_ns);
      sqlite3_bind_int64(insert, 2, event.dur_ns);
      sqlite3_bind_int64(insert, 3, static_cast<std::int64_t>(t));
      sqlite3_bind_text(insert, 4, name.data(), static_cast<int>(name.size()), SQLITE_STATIC);
      sqlite3_step(insert);
      sqlite3_reset(insert);
    }
  }
  sqlite3_finalize(insert);
  sqlite3_exec(opened, "COMMIT", nullptr, nullptr, nullptr);
  return connection;
}

const Connection& imported() {
  static const Connection connection = import(made().capture);
  return connection;
}

void BM_sqlite_import(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(import(made().capture));
}

void BM_sqlite_query(benchmark::State& state) {
  const char* const query = kQueries[state.range(0)];
  state.SetLabel(query);
  sqlite3_hard_heap_limit64(0);
  sqlite3* const connection = imported().get();
  for (auto _ : state) sqlite3_exec(connection, query, nullptr, nullptr, nullptr);
}

constexpr std::int64_t kLast = std::size(kQueries) - 1;
BENCHMARK(BM_query)->DenseRange(0, kLast)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_sqlite_import)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_sqlite_query)->DenseRange(0, kLast)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace vizd::sql
