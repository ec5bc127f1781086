-- Which kernels are ten times slower now and then than usually?
SELECT name, launches, median_ns, p99_ns, round(p99_ns / median_ns, 1) AS times, longest_slice_id
FROM kernel
WHERE p99_ns >= 10 * median_ns AND median_ns > 0
ORDER BY times DESC
