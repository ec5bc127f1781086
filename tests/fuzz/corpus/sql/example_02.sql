-- How long are the devices idle between one step and the next?
WITH work AS (
  SELECT s.ts, s.ts + s.dur AS end_ts
  FROM track t JOIN slice s ON s.track_id = t.id
  WHERE t.type IN ('device', 'engine', 'stream') AND s.depth = 0),
gap AS (
  SELECT max(end_ts) OVER (ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS ts, ts AS end_ts
  FROM work)
SELECT r.name AS after_step, gap.ts, gap.end_ts - gap.ts AS dur
FROM run r JOIN gap ON gap.ts <= r.ts + r.dur AND gap.end_ts > r.ts + r.dur
ORDER BY gap.ts
