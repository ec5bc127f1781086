-- Which rules matched and never changed anything?
SELECT id AS rule_id, name, matches, contexts, code
FROM rule
WHERE unchanged = matches
ORDER BY matches DESC
