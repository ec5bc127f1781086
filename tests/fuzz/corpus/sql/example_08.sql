-- Which passes make the most matches?
SELECT p.name, count(*) AS passes, sum(p.match_count) AS matches, max(p.match_count) AS most
FROM pass p
GROUP BY p.name
ORDER BY matches DESC
LIMIT 20
