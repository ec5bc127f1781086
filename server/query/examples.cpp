#include "query/examples.h"

#include <array>

namespace vizd::sql {
namespace {

constexpr std::array kExamples{
    Example{"Which kernels take the most time?",
            R"(SELECT name, device, launches, total_ns,
       round(100.0 * total_ns / sum(total_ns) OVER (), 1) AS percent, longest_slice_id
FROM kernel
ORDER BY total_ns DESC
LIMIT 20)"},
    Example{"Which kernels are sometimes ten times slower than usual?",
            R"(SELECT name, launches, median_ns, p99_ns, round(p99_ns / median_ns, 1) AS times, longest_slice_id
FROM kernel
WHERE p99_ns >= 10 * median_ns AND median_ns > 0
ORDER BY times DESC)"},
    Example{"How long are the devices idle between one step and the next?",
            R"(WITH work AS (
  SELECT s.ts, s.ts + s.dur AS end_ts
  FROM track t JOIN slice s ON s.track_id = t.id
  WHERE t.type IN ('device', 'engine', 'stream') AND s.depth = 0),
gap AS (
  SELECT max(end_ts) OVER (ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS ts, ts AS end_ts
  FROM work)
SELECT r.name AS after_step, gap.ts, gap.end_ts - gap.ts AS dur
FROM run r JOIN gap ON gap.ts <= r.ts + r.dur AND gap.end_ts > r.ts + r.dur
ORDER BY gap.ts)"},
    Example{"Where does each stream wait longest?",
            R"(WITH pause AS (
  SELECT s.track_id, s.name, s.ts AS end_ts,
         lag(s.ts + s.dur) OVER (PARTITION BY s.track_id ORDER BY s.ts) AS ts
  FROM track t JOIN slice s ON s.track_id = t.id
  WHERE t.type IN ('device', 'engine', 'stream') AND s.depth = 0)
SELECT t.path, pause.ts, end_ts - pause.ts AS dur, pause.name AS next
FROM pause JOIN track t ON t.id = track_id
WHERE end_ts > pause.ts
ORDER BY dur DESC
LIMIT 20)"},
    Example{"Which allocations are alive when most memory is in use?",
            R"(WITH change AS (
  SELECT track_id, ts, size FROM allocation
  UNION ALL
  SELECT track_id, ts + dur, -size FROM allocation WHERE is_freed),
live AS (
  SELECT track_id, ts, sum(size) OVER (PARTITION BY track_id ORDER BY ts) AS bytes FROM change),
peak AS (
  SELECT track_id, ts AS peak_ts, max(bytes) FROM live GROUP BY track_id)
SELECT a.id, a.ts, a.dur, a.size, coalesce(a.category, a.dtype) AS category, a.track_id
FROM peak JOIN allocation a ON a.track_id = peak.track_id
WHERE a.ts <= peak_ts AND (a.ts + a.dur > peak_ts OR NOT a.is_freed)
ORDER BY a.size DESC
LIMIT 100)"},
    Example{"How much memory is in use over time?",
            R"(WITH change AS (
  SELECT ts, size FROM allocation
  UNION ALL
  SELECT ts + dur, -size FROM allocation WHERE is_freed)
SELECT ts, sum(sum(size)) OVER (ORDER BY ts) AS bytes
FROM change
GROUP BY ts
ORDER BY ts)"},
    Example{"Which rules matched and never changed anything?",
            R"(SELECT id AS rule_id, name, matches, contexts, code
FROM rule
WHERE unchanged = matches
ORDER BY matches DESC)"},
    Example{"Which matches were undone later, and where?",
            R"(SELECT m.id, m.rule, m.state, m.undone_at, p.name AS pass, c.name AS context
FROM match m
JOIN pass p ON p.id = m.pass_id
JOIN context c ON c.id = m.context_id
WHERE m.undone_at IS NOT NULL
LIMIT 100)"},
    Example{"Which passes make the most matches?",
            R"(SELECT p.name, count(*) AS passes, sum(p.match_count) AS matches, max(p.match_count) AS most
FROM pass p
GROUP BY p.name
ORDER BY matches DESC
LIMIT 20)"},
    Example{"Which kernels took the compiler many rewrites, and how fast are they?",
            R"(SELECT c.id AS context_id, c.name, c.match_count, k.launches, k.total_ns
FROM kernel k JOIN context c ON c.id = k.context_id
ORDER BY k.total_ns DESC
LIMIT 50)"},
    Example{"How long does work wait between its launch and its start?",
            R"(SELECT o.name AS launch, i.name AS work, i.id AS slice_id, i.ts - o.ts AS wait_ns
FROM flow f
JOIN slice o ON o.id = f.slice_out
JOIN slice i ON i.id = f.slice_in
ORDER BY wait_ns DESC
LIMIT 20)"},
    Example{"What is the self time of slices, without those inside them?",
            R"(WITH inner_time AS (
  SELECT parent_id, sum(dur) AS dur FROM slice WHERE depth > 0 GROUP BY parent_id)
SELECT s.name, count(*) AS slices, sum(s.dur) AS total_ns, sum(s.dur - coalesce(i.dur, 0)) AS self_ns
FROM slice s LEFT JOIN inner_time i ON i.parent_id = s.id
GROUP BY s.name
ORDER BY self_ns DESC
LIMIT 20)"},
    Example{"Which layers do replays of graphs spend their time in, by the server's phase?",
            R"(WITH phased AS (
  SELECT r.capture_id, r.graph, s.phase, count(*) AS replays
  FROM replay r LEFT JOIN step s ON s.capture_id = r.capture_id AND s.step = r.step
  GROUP BY r.capture_id, r.graph, s.phase)
SELECT p.phase, n.layer, n.layer_index, n.piece, round(sum(n.mean_ns)) AS replay_ns,
       round(sum(n.mean_ns * p.replays)) AS total_ns
FROM graph_node n JOIN phased p ON p.capture_id = n.capture_id AND p.graph = n.graph
GROUP BY p.phase, n.layer, n.layer_index, n.piece
ORDER BY p.phase, n.layer_index, n.piece)"},
    Example{"Which nodes of graphs are sometimes slow?",
            R"(SELECT graph, node, name, operator_name, found, count, median_ns, p99_ns,
       round(p99_ns / median_ns, 2) AS spread, slowest_replay
FROM graph_node
WHERE median_ns > 0
ORDER BY spread DESC
LIMIT 50)"},
    Example{"Which steps of a server took more than twice the median of their phase?",
            R"(WITH ranked AS (
  SELECT capture_id, phase, period_ns,
         row_number() OVER (PARTITION BY capture_id, phase ORDER BY period_ns) AS place,
         count(*) OVER (PARTITION BY capture_id, phase) AS steps
  FROM step WHERE period_ns IS NOT NULL),
middle AS (
  SELECT capture_id, phase, period_ns AS median_ns FROM ranked WHERE place = (steps + 1) / 2)
SELECT s.step, s.phase, s.requests, s.tokens, s.period_ns, m.median_ns
FROM step s JOIN middle m ON m.capture_id = s.capture_id AND m.phase = s.phase
WHERE s.period_ns > 2 * m.median_ns
ORDER BY s.period_ns DESC)"},
    Example{"Which files hold most memory at its peak?",
            R"(SELECT coalesce(file, operator, phase, category, 'not recorded') AS owner, count(*) AS allocations,
       sum(size) AS bytes, round(100.0 * sum(size) / sum(sum(size)) OVER (), 1) AS percent
FROM live_at_peak
GROUP BY owner
ORDER BY bytes DESC)"},
    Example{"Which memory lives longest, byte by byte?",
            R"(SELECT coalesce(frame, operator, category, 'not recorded') AS owner, count(*) AS allocations,
       sum(size) AS bytes, round(sum(1.0 * size * dur) / sum(size)) AS mean_dur
FROM allocation
GROUP BY owner
HAVING bytes > 0
ORDER BY mean_dur DESC
LIMIT 50)"},
    Example{"How much was free inside segments when the allocator took another one?",
            R"(WITH change AS (
  SELECT track_id, coalesce(born_event, -1) AS entry, -block_bytes AS bytes FROM allocation
  UNION ALL
  SELECT track_id, completed_event, block_bytes FROM allocation WHERE completed_event IS NOT NULL
  UNION ALL
  SELECT track_id, coalesce(from_event, -1), size FROM segment
  UNION ALL
  SELECT track_id, to_event, -size FROM segment WHERE to_event IS NOT NULL),
inactive AS (
  SELECT track_id, entry, sum(sum(bytes)) OVER (PARTITION BY track_id ORDER BY entry) AS bytes
  FROM change
  GROUP BY track_id, entry),
earlier AS (
  SELECT track_id, entry, lag(bytes, 1, 0) OVER (PARTITION BY track_id ORDER BY entry) AS bytes FROM inactive)
SELECT e.device, e.entry, e.ts, e.action, e.size, i.bytes AS inactive_bytes
FROM memory_event e JOIN earlier i ON i.track_id = e.track_id AND i.entry = e.entry
WHERE e.action IN ('segment_alloc', 'segment_map')
ORDER BY inactive_bytes DESC)"},
    Example{"Which instructions of a GPU's programs cost their waves the most cycles, and what did these wait for?",
            R"(SELECT kernel, run, printf('0x%x', address) AS pc, text, hits, cycles, median_cycles,
       wait_cycles AS for_memory, barrier_cycles AS at_barriers
FROM instruction
ORDER BY cycles DESC
LIMIT 50)"},
    Example{"How unevenly were a run's waves distributed over the compute units?",
            R"(SELECT kernel, run, engine, unit, count(*) AS waves, sum(cycles) AS wave_cycles,
       round(sum(cycles) / avg(sum(cycles)) OVER (PARTITION BY capture_id, run_place), 2) AS of_mean
FROM wave
GROUP BY capture_id, run_place, engine, unit
ORDER BY wave_cycles DESC)"},
    Example{"What did warps wait for, program by program?",
            R"(SELECT kernel, stall, sum(samples) AS samples,
       round(100.0 * sum(samples) / sum(sum(samples)) OVER (PARTITION BY capture_id, kernel), 1) AS percent
FROM pc_sample
GROUP BY capture_id, kernel, stall
ORDER BY kernel, samples DESC)"},
};

}  // namespace

std::span<const Example> examples() { return kExamples; }

}  // namespace vizd::sql
