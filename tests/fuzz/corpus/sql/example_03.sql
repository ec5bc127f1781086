-- Where does each stream wait longest?
WITH pause AS (
  SELECT s.track_id, s.name, s.ts AS end_ts,
         lag(s.ts + s.dur) OVER (PARTITION BY s.track_id ORDER BY s.ts) AS ts
  FROM track t JOIN slice s ON s.track_id = t.id
  WHERE t.type IN ('device', 'engine', 'stream') AND s.depth = 0)
SELECT t.path, pause.ts, end_ts - pause.ts AS dur, pause.name AS next
FROM pause JOIN track t ON t.id = track_id
WHERE end_ts > pause.ts
ORDER BY dur DESC
LIMIT 20
