-- How long does work wait between its launch and its start?
SELECT o.name AS launch, i.name AS work, i.id AS slice_id, i.ts - o.ts AS wait_ns
FROM flow f
JOIN slice o ON o.id = f.slice_out
JOIN slice i ON i.id = f.slice_in
ORDER BY wait_ns DESC
LIMIT 20
