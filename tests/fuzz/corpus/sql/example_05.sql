-- How much memory is in use over time?
WITH change AS (
  SELECT ts, size FROM allocation
  UNION ALL
  SELECT ts + dur, -size FROM allocation WHERE is_freed)
SELECT ts, sum(sum(size)) OVER (ORDER BY ts) AS bytes
FROM change
GROUP BY ts
ORDER BY ts
