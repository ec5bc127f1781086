-- What do slices take themselves, without those inside them?
WITH inner_time AS (
  SELECT parent_id, sum(dur) AS dur FROM slice WHERE depth > 0 GROUP BY parent_id)
SELECT s.name, count(*) AS slices, sum(s.dur) AS total_ns, sum(s.dur - coalesce(i.dur, 0)) AS self_ns
FROM slice s LEFT JOIN inner_time i ON i.parent_id = s.id
GROUP BY s.name
ORDER BY self_ns DESC
LIMIT 20
