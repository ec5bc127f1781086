-- Which allocations are alive when most memory is in use?
WITH change AS (
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
LIMIT 100
