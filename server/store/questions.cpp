#include "store/questions.h"

#include <array>

#include "query/examples.h"
#include "store/store.h"

namespace vizd::store {
namespace {

// Stands for the rows of the job in question: job = 'NAME'.
constexpr std::string_view kOfJob = "OF_JOB";

// Busy and idle are found in arrays: of a rank's times in order, each with the one after it.
constexpr std::array<std::string_view, 12> kQueries{
    R"(SELECT rank, name, device, launches, total_ns, round(100 * total_ns / rank_ns, 1) AS percent, longest_slice_id
FROM (SELECT * FROM kernel WHERE OF_JOB) AS k
ALL INNER JOIN (SELECT rank, sum(total_ns) AS rank_ns FROM kernel WHERE OF_JOB GROUP BY rank) AS r USING rank
ORDER BY total_ns DESC
LIMIT 20)",
    R"(SELECT rank, name, launches, median_ns, p99_ns, round(p99_ns / median_ns, 1) AS times, longest_slice_id
FROM kernel
WHERE OF_JOB AND p99_ns >= 10 * median_ns AND median_ns > 0
ORDER BY times DESC)",
    R"(SELECT rank, after_step, ts, gap_end - ts AS dur
FROM (
  SELECT rank, tupleElement(gap, 1) AS ts, tupleElement(gap, 2) AS gap_end
  FROM (
    SELECT rank, groupArray(t) AS times, arrayCumSum(groupArray(change)) AS running,
           arrayFilter(g -> tupleElement(g, 3) = 0 AND tupleElement(g, 2) > tupleElement(g, 1),
                       arrayMap((a, b, r) -> tuple(a, b, r),
                                arrayPopBack(times), arrayPopFront(times), arrayPopBack(running))) AS gaps
    FROM (
      SELECT rank, t, sum(c) AS change
      FROM (
        SELECT rank, track_id, ts AS t, toInt64(1) AS c FROM slice WHERE OF_JOB AND depth = 0
        UNION ALL
        SELECT rank, track_id, ts + dur AS t, toInt64(-1) AS c FROM slice WHERE OF_JOB AND depth = 0)
      WHERE (rank, track_id) IN (
        SELECT rank, id FROM track WHERE OF_JOB AND type IN ('device', 'engine', 'stream'))
      GROUP BY rank, t
      ORDER BY rank, t)
    GROUP BY rank)
  ARRAY JOIN gaps AS gap) AS g
ALL INNER JOIN (SELECT rank, name AS after_step, ts + dur AS step_end FROM run WHERE OF_JOB) AS r USING rank
WHERE ts <= step_end AND gap_end > step_end
ORDER BY rank, ts)",
    R"(SELECT rank, path, ts, dur, next
FROM (SELECT rank, id AS track_id, path FROM track WHERE OF_JOB) AS t
ALL INNER JOIN (
  SELECT rank, track_id, tupleElement(pause, 1) AS ts, tupleElement(pause, 2) - tupleElement(pause, 1) AS dur,
         tupleElement(pause, 3) AS next
  FROM (
    SELECT rank, track_id, groupArray(ts + dur) AS ends, groupArray(ts) AS starts, groupArray(name) AS names,
           arrayMap((a, b, n) -> tuple(a, b, n),
                    arrayPopBack(ends), arrayPopFront(starts), arrayPopFront(names)) AS pauses
    FROM (
      SELECT rank, track_id, ts, dur, name
      FROM slice
      WHERE OF_JOB AND depth = 0 AND (rank, track_id) IN (
        SELECT rank, id FROM track WHERE OF_JOB AND type IN ('device', 'engine', 'stream'))
      ORDER BY rank, track_id, ts)
    GROUP BY rank, track_id)
  ARRAY JOIN pauses AS pause) AS p USING (rank, track_id)
WHERE dur > 0
ORDER BY dur DESC
LIMIT 20)",
    R"(SELECT rank, id, ts, dur, size, category, track_id
FROM (
  SELECT rank, id, ts, dur, size, is_freed, coalesce(category, dtype) AS category, track_id
  FROM allocation
  WHERE OF_JOB) AS a
ALL INNER JOIN (
  SELECT rank, track_id, times[indexOf(live, arrayReduce('max', live))] AS peak_ts
  FROM (
    SELECT rank, track_id, groupArray(ts) AS times, arrayCumSum(groupArray(change)) AS live
    FROM (
      SELECT rank, track_id, ts, sum(c) AS change
      FROM (
        SELECT rank, track_id, ts, size AS c FROM allocation WHERE OF_JOB
        UNION ALL
        SELECT rank, track_id, ts + dur AS ts, -size AS c FROM allocation WHERE OF_JOB AND is_freed = 1)
      GROUP BY rank, track_id, ts
      ORDER BY rank, track_id, ts)
    GROUP BY rank, track_id)) AS p USING (rank, track_id)
WHERE ts <= peak_ts AND (ts + dur > peak_ts OR is_freed = 0)
ORDER BY size DESC
LIMIT 100)",
    R"(SELECT rank, ts, bytes
FROM (
  SELECT rank, groupArray(t) AS times, arrayCumSum(groupArray(change)) AS live
  FROM (
    SELECT rank, t, sum(c) AS change
    FROM (
      SELECT rank, ts AS t, size AS c FROM allocation WHERE OF_JOB
      UNION ALL
      SELECT rank, ts + dur AS t, -size AS c FROM allocation WHERE OF_JOB AND is_freed = 1)
    GROUP BY rank, t
    ORDER BY rank, t)
  GROUP BY rank)
ARRAY JOIN times AS ts, live AS bytes
ORDER BY rank, ts)",
    R"(SELECT rank, id AS rule_id, name, matches, contexts, code
FROM rule
WHERE OF_JOB AND unchanged = matches
ORDER BY matches DESC)",
    R"(SELECT rank, id, rule, state, undone_at, pass, context
FROM (
  SELECT rank, id, rule, state, undone_at, pass, context_id
  FROM (
    SELECT rank, id, rule, state, undone_at, pass_id, context_id
    FROM match
    WHERE OF_JOB AND isNotNull(undone_at)) AS m
  ALL INNER JOIN (SELECT rank, id AS pass_id, name AS pass FROM pass WHERE OF_JOB) AS p USING (rank, pass_id)) AS mp
ALL INNER JOIN (SELECT rank, id AS context_id, name AS context FROM context WHERE OF_JOB) AS c USING (rank, context_id)
ORDER BY rank, id
LIMIT 100)",
    R"(SELECT rank, name, count() AS passes, sum(match_count) AS matches, max(match_count) AS most
FROM pass
WHERE OF_JOB
GROUP BY rank, name
ORDER BY matches DESC
LIMIT 20)",
    R"(SELECT rank, context_id, name, match_count, launches, total_ns
FROM (SELECT rank, ifNull(context_id, -1) AS context_id, launches, total_ns FROM kernel WHERE OF_JOB) AS k
ALL INNER JOIN (SELECT rank, id AS context_id, name, match_count FROM context WHERE OF_JOB) AS c
USING (rank, context_id)
ORDER BY total_ns DESC
LIMIT 50)",
    R"(SELECT rank, launch, work, slice_id, ts - launch_ts AS wait_ns, ts
FROM (
  SELECT rank, slice_in AS slice_id, launch, launch_ts
  FROM (SELECT rank, slice_out, slice_in FROM flow WHERE OF_JOB) AS f
  ALL INNER JOIN (
    SELECT rank, id AS slice_out, name AS launch, ts AS launch_ts
    FROM slice
    WHERE OF_JOB AND (rank, id) IN (SELECT rank, slice_out FROM flow WHERE OF_JOB)) AS o USING (rank, slice_out)) AS fo
ALL INNER JOIN (
  SELECT rank, id AS slice_id, name AS work, ts
  FROM slice
  WHERE OF_JOB AND (rank, id) IN (SELECT rank, slice_in FROM flow WHERE OF_JOB)) AS i USING (rank, slice_id)
ORDER BY wait_ns DESC
LIMIT 20)",
    R"(SELECT rank, name, count() AS slices, sum(dur) AS total_ns, sum(dur - inner_ns) AS self_ns
FROM (SELECT rank, id, name, dur FROM slice WHERE OF_JOB) AS s
ALL LEFT JOIN (
  SELECT rank, ifNull(parent_id, -1) AS id, sum(dur) AS inner_ns
  FROM slice
  WHERE OF_JOB AND depth > 0
  GROUP BY rank, id) AS i USING (rank, id)
GROUP BY rank, name
ORDER BY self_ns DESC
LIMIT 20)",
};

std::string of_job(std::string_view query, const std::string& rows) {
  std::string text;
  for (std::size_t at = 0; at < query.size();) {
    const std::size_t next = std::min(query.find(kOfJob, at), query.size());
    text += query.substr(at, next - at);
    if (next < query.size()) text += rows;
    at = next + kOfJob.size();
  }
  return text;
}

}  // namespace

std::vector<Question> questions(const std::string& job) {
  std::vector<Question> asked;
  const auto examples = sql::examples();
  static_assert(kQueries.size() == 12);
  for (std::size_t i = 0; i < kQueries.size() && i < examples.size(); ++i)
    asked.push_back({examples[i].question, of_job(kQueries[i], is_of_job(job))});
  return asked;
}

}  // namespace vizd::store
