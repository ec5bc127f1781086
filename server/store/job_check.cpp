#include "store/job_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "store/late_ranks.h"
#include "store/quote.h"

namespace vizd::store {
namespace {

constexpr std::string_view kStepWord = " step ";

Limits check_limits() {
  return {.time = std::chrono::seconds(120), .is_read_only = true, .answer_bytes = std::size_t{64} << 20};
}

// The number of "NAME step N".
std::optional<std::uint64_t> step_of(std::string_view job, std::string_view name) {
  if (!job.starts_with(name) || !job.substr(name.size()).starts_with(kStepWord)) return std::nullopt;
  const std::string_view number = job.substr(name.size() + kStepWord.size());
  std::uint64_t step = 0;
  const auto [end, failed] = std::from_chars(number.data(), number.data() + number.size(), step);
  return failed == std::errc() && end == number.data() + number.size() ? std::optional(step) : std::nullopt;
}

// Finds, among the jobs NAME step N, the one with the greatest N below that; "" if there is none.
Result<std::string> greatest_step(const Store& store, const std::string& name, std::uint64_t below) {
  Client client = store.connect();
  const auto jobs = ask_rows_of<std::string>(
      client,
      fmt::format("SELECT DISTINCT job FROM push WHERE startsWith(job, {})", sql_text(name + std::string(kStepWord))),
      check_limits());
  if (!jobs) return jobs.error();
  std::string latest;
  std::uint64_t latest_step = 0;
  for (const auto& [job] : *jobs) {
    const auto step = step_of(job, name);
    if (!step || *step >= below || (!latest.empty() && *step < latest_step)) continue;
    latest = job;
    latest_step = *step;
  }
  return latest;
}

}  // namespace

Result<std::vector<MadeWait>> made_waits(const Store& store, const std::string& job) {
  Client client = store.connect();
  const auto rows = ask_rows_of<std::uint32_t, std::uint64_t, std::uint64_t, std::uint64_t>(
      client,
      fmt::format("SELECT rank, wait_ns, recorded_ns, collectives FROM ({}) AS w ALL INNER JOIN (SELECT rank, "
                  "toUInt64(max(end_ns) - max(start_ns)) AS recorded_ns FROM push WHERE {} AND state = 'done' GROUP BY "
                  "rank) AS p USING rank ORDER BY wait_ns DESC, rank",
                  late_ranks_query(job), is_of_job(job)),
      check_limits());
  if (!rows) return rows.error();
  std::vector<MadeWait> waits;
  for (const auto& [rank, wait_ns, recorded_ns, collectives] : *rows)
    waits.push_back({rank, wait_ns, recorded_ns, collectives});
  return waits;
}

Result<StepTimes> step_times(const Store& store, const std::string& job) {
  Client client = store.connect();
  const auto rows = ask_rows_of<std::uint64_t, std::uint64_t>(
      client,
      fmt::format(
          "SELECT count() AS steps, toUInt64(quantileExact(0.5)(dur)) AS median_ns FROM run WHERE {} AND kind = "
          "'step'",
          is_of_listed_ranks(job)),
      check_limits());
  if (!rows) return rows.error();
  if (rows->empty()) return StepTimes();
  const auto& [steps, median_ns] = rows->front();
  return StepTimes{steps, median_ns};
}

Result<JobRanks> job_ranks(const Store& store, const std::string& job) {
  Client client = store.connect();
  const auto rows = ask_rows_of<std::uint64_t, std::uint64_t>(
      client,
      fmt::format(
          "SELECT count() AS ranks, toUInt64(sum(is_whole)) AS whole FROM (SELECT rank, {} AS is_whole FROM push "
          "WHERE {} GROUP BY rank HAVING {})",
          kIsWhole, is_of_job(job), kIsListed),
      check_limits());
  if (!rows) return rows.error();
  if (rows->empty()) return JobRanks();
  const auto& [ranks, whole] = rows->front();
  return JobRanks{ranks, whole};
}

Result<std::string> find_job(const Store& store, const std::string& name) {
  const auto ranks = job_ranks(store, name);
  if (!ranks) return ranks.error();
  if (ranks->ranks > 0) return name;
  auto latest = greatest_step(store, name, ~std::uint64_t{0});
  if (latest && latest->empty())
    return Error{ErrorKind::kNotFound, fmt::format("there is no job {}, nor a step of it", name),
                 store.address().text()};
  return latest;
}

Result<std::optional<std::string>> step_before(const Store& store, const std::string& job) {
  const auto word = job.rfind(kStepWord);
  if (word == std::string::npos) return std::optional<std::string>();
  const std::string name = job.substr(0, word);
  const auto step = step_of(job, name);
  if (!step) return std::optional<std::string>();
  const auto before = greatest_step(store, name, *step);
  if (!before) return before.error();
  return before->empty() ? std::optional<std::string>() : std::optional(*before);
}

}  // namespace vizd::store
