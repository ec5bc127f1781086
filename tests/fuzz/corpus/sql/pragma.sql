PRAGMA table_info(slice)
