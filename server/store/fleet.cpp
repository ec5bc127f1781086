#include "store/fleet.h"

#include <fmt/format.h>

#include "store/late_ranks.h"
#include "store/quote.h"

namespace vizd::store {
namespace {

constexpr std::uint64_t kMostRanks = 100'000, kMostKernels = 1000, kMostJobs = 1000;
// Beyond so many ranks an overview has no more room for the finest pieces of time.
constexpr std::size_t kMostFineRanks = 128;

Limits overview_limits() {
  return {.time = std::chrono::seconds(20), .is_read_only = true, .answer_bytes = std::size_t{64} << 20};
}

Result<Answer> ask_store(const Store& store, const std::string& sql) {
  Client client = store.connect();
  return ask_rows(client, sql, overview_limits());
}

}  // namespace

Result<Answer> jobs(const Store& store) {
  return ask_store(store,
                   fmt::format("SELECT job, count() AS ranks, sum(is_done) AS whole, sum(rank_slices) AS slices, "
                               "sum(rank_rows) AS stored_rows, max(rank_at_s) AS at_s, any(rank_format) AS format "
                               "FROM (SELECT job, rank, {} AS is_done, max(slices) AS rank_slices, "
                               "max(stored_rows) AS rank_rows, max(at_s) AS rank_at_s, max(format) AS rank_format "
                               "FROM push GROUP BY job, rank HAVING {}) GROUP BY job ORDER BY at_s DESC, job LIMIT {}",
                               kIsWhole, kIsListed, kMostJobs));
}

Result<Answer> ranks_of_job(const Store& store, const std::string& job) {
  return ask_store(store,
                   fmt::format("SELECT rank, max(capture) AS capture, max(format) AS format, max(start_ns) AS "
                               "start_ns, max(end_ns) AS end_ns, max(slices) AS slices, {} AS is_whole FROM push "
                               "WHERE {} GROUP BY rank HAVING {} ORDER BY rank LIMIT {}",
                               kIsWhole, is_of_job(job), kIsListed, kMostRanks));
}

Result<Answer> busy_ranks(const Store& store, const std::string& job) {
  const auto ranks = store.ranks(job);
  if (!ranks) return ranks.error();
  return ask_store(store,
                   fmt::format("SELECT rank, any(dur) AS dur, groupArray(place) AS places, groupArray(busy_ns) AS "
                               "busy_ns FROM tile WHERE {} AND level = {} AND track_id = -1 GROUP BY rank ORDER BY "
                               "rank",
                               is_of_listed_ranks(job), ranks->size() <= kMostFineRanks ? 0 : 1));
}

Result<Answer> steps(const Store& store, const std::string& job) {
  Client client = store.connect();
  const auto kinds = ask_rows_of<std::string>(
      client,
      fmt::format("SELECT kind FROM run WHERE {} AND isNotNull(kind) GROUP BY kind ORDER BY kind = 'step' DESC, "
                  "count() DESC LIMIT 1",
                  is_of_job(job)),
      overview_limits());
  if (!kinds) return kinds.error();
  const std::string kind = kinds->empty() ? "" : std::get<0>(kinds->front());
  return ask_store(store,
                   fmt::format("SELECT rank, groupArray(step) AS numbers, groupArray(ts) AS starts_ns, "
                               "groupArray(dur) AS durs_ns FROM (SELECT rank, ifNull(number, 0) AS step, ts, dur "
                               "FROM run WHERE {} AND kind = {} ORDER BY rank, ts LIMIT 2000000) GROUP BY rank "
                               "ORDER BY rank",
                               is_of_listed_ranks(job), sql_text(kind)));
}

Result<Answer> kernels(const Store& store, const std::string& job) {
  return ask_store(
      store,
      fmt::format("SELECT name, max(communicates) AS is_communication, count() AS ranks, sum(rank_launches) AS "
                  "launches, sum(rank_ns) AS total_ns, min(rank_ns) AS least_ns, quantileExact(0.5)(rank_ns) AS "
                  "median_ns, max(rank_ns) AS most_ns, argMax(rank, rank_ns) AS most_rank FROM (SELECT rank, name, "
                  "max(ifNull(is_communication, 0)) AS communicates, sum(launches) AS rank_launches, sum(total_ns) "
                  "AS rank_ns FROM kernel WHERE {} GROUP BY rank, name) GROUP BY name ORDER BY total_ns DESC, name "
                  "LIMIT {}",
                  is_of_listed_ranks(job), kMostKernels));
}

Result<Answer> late_to_collectives(const Store& store, const std::string& job) {
  return ask_store(store, late_ranks_query(job) + " ORDER BY wait_ns DESC, rank");
}

Result<Answer> compare_jobs(const Store& store, const std::string& before, const std::string& after) {
  const auto of_one = [](const std::string& job, std::string_view column, std::string_view name) {
    return fmt::format("sumIf({}, {}) AS {}", column, is_of_job(job), name);
  };
  return ask_store(
      store,
      fmt::format("SELECT name, before_all / before_ranks AS before_ns, after_all / after_ranks AS after_ns, "
                  "before_launches, after_launches FROM (SELECT name, 1 AS one, {}, {}, {}, {} FROM kernel WHERE {} "
                  "OR {} GROUP BY name) AS k ALL INNER JOIN (SELECT 1 AS one, greatest(uniqExactIf(rank, {}), 1) AS "
                  "before_ranks, greatest(uniqExactIf(rank, {}), 1) AS after_ranks FROM push) AS p USING one ORDER BY "
                  "abs(after_ns - before_ns) DESC, name LIMIT {}",
                  of_one(before, "total_ns", "before_all"), of_one(after, "total_ns", "after_all"),
                  of_one(before, "launches", "before_launches"), of_one(after, "launches", "after_launches"),
                  is_of_listed_ranks(before), is_of_listed_ranks(after), is_of_job(before), is_of_job(after),
                  kMostKernels));
}

Result<QueryAnswer> ask_query(const Store& store, std::string_view sql, std::uint64_t most_rows) {
  while (!sql.empty() && (sql.back() == ';' || sql.back() == ' ' || sql.back() == '\n')) sql.remove_suffix(1);
  Limits limits = overview_limits();
  limits.rows = most_rows + 1;
  Client client = store.connect();
  auto answer = ask_rows(client, sql, limits);
  if (!answer) return std::move(answer).error();
  QueryAnswer result{*std::move(answer)};
  result.is_whole = result.answer.rows.size() <= most_rows;
  // The store stops at a block's end, which is later.
  if (!result.is_whole)
    result.answer.rows.erase(result.answer.rows.begin() + static_cast<std::ptrdiff_t>(most_rows),
                             result.answer.rows.end());
  return result;
}

}  // namespace vizd::store
