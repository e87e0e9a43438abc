-- Profiles of programs whose kernels nobody named: one record for each execution.
CREATE TABLE fact_profile (
    seq INTEGER PRIMARY KEY NOT NULL,                   -- order of arrival
    id TEXT NOT NULL UNIQUE,                            -- ULID
    digest BLOB NOT NULL,                               -- BLAKE2b-256 of the record
    document INTEGER NOT NULL REFERENCES fact_document (seq), -- submission
    program TEXT NOT NULL,                              -- train.py
    author TEXT,                                        -- who ran it; NULL: not recorded
    chip TEXT REFERENCES cat_chip (name),               -- with the most time; NULL: not known
    environment TEXT REFERENCES fact_environment (id),  -- NULL: not recorded
    measured_us INTEGER,                                -- when the program started; NULL: not recorded
    processes INTEGER NOT NULL,                         -- number of them
    kernels INTEGER NOT NULL,                           -- number of them
    launches INTEGER NOT NULL,                          -- of all kernels
    total_ns INTEGER NOT NULL,                          -- sum of the durations of all launches
    idle_pct REAL,                                      -- of the processes' spans; NULL: not known
    rest TEXT                                           -- JSON: the whole record
) STRICT;
CREATE INDEX fact_profile_chip ON fact_profile (chip);
