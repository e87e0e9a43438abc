-- What each version has by its own source, its parameters and its summary.
CREATE TABLE drv_version_shown (
    version INTEGER PRIMARY KEY NOT NULL, -- seq in fact_version; 0: rows are to be derived again
    rules INTEGER NOT NULL,               -- number of the rules that derived the row
    source TEXT,                          -- techniques that the source shows, comma-separated; NULL: no kernel was read
    lacks TEXT,                           -- techniques that the source certainly lacks, comma-separated
    moot TEXT,                            -- techniques that are pointless in this source, comma-separated
    params TEXT,                          -- techniques that the parameters state, comma-separated
    words TEXT                            -- techniques that the summary names, comma-separated
) STRICT;
-- A database that has versions derives these rows when it is opened next.
INSERT INTO drv_version_shown (version, rules) SELECT 0, 0 WHERE EXISTS (SELECT 1 FROM fact_version);
