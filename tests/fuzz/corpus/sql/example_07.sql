-- Which matches were taken back later, and where?
SELECT m.id, m.rule, m.state, m.undone_at, p.name AS pass, c.name AS context
FROM match m
JOIN pass p ON p.id = m.pass_id
JOIN context c ON c.id = m.context_id
WHERE m.undone_at IS NOT NULL
LIMIT 100
