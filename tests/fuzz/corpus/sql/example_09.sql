-- Which kernels took the compiler many rewrites, and what are they worth?
SELECT c.id AS context_id, c.name, c.match_count, k.launches, k.total_ns
FROM kernel k JOIN context c ON c.id = k.context_id
ORDER BY k.total_ns DESC
LIMIT 50
