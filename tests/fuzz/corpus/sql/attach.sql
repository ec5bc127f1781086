ATTACH '/tmp/x' AS y
