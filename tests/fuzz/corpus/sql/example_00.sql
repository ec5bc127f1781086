-- Which kernels take the most time?
SELECT name, device, launches, total_ns,
       round(100.0 * total_ns / sum(total_ns) OVER (), 1) AS percent, longest_slice_id
FROM kernel
ORDER BY total_ns DESC
LIMIT 20
