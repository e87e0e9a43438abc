-- Sweeps: one search of a tuner over the parameters of a kernel. Thousands of configurations are one
-- row, because nobody reads them one by one and as runs they take fifty times the space.
CREATE TABLE fact_sweep (
    seq INTEGER PRIMARY KEY NOT NULL,                   -- order of arrival
    id TEXT NOT NULL UNIQUE,                            -- ULID
    digest BLOB NOT NULL,                               -- BLAKE2b-256 of the record
    document INTEGER NOT NULL REFERENCES fact_document (seq), -- submission
    kernel TEXT NOT NULL REFERENCES fact_kernel (id),   -- what was tuned
    workload TEXT REFERENCES fact_workload (id),        -- of every configuration; NULL: not recorded
    chip TEXT REFERENCES cat_chip (name),               -- NULL: not recorded
    environment TEXT REFERENCES fact_environment (id),  -- NULL: not recorded
    campaign TEXT REFERENCES fact_campaign (id),        -- NULL: none
    tool TEXT,                                          -- kernel-tuner
    author TEXT,                                        -- who searched
    evidence TEXT NOT NULL,                             -- confirmed, measured, imported, claimed
    searched_us INTEGER,                                -- when the search began; NULL: not recorded
    configurations INTEGER NOT NULL,                    -- number of them
    packed BLOB NOT NULL,                               -- parameters, times, failures, samples and other values, by columns
    rest TEXT                                           -- JSON: the record without its configurations
) STRICT;
CREATE INDEX fact_sweep_kernel ON fact_sweep (kernel);

-- What lists and indexes need of a sweep without unpacking it.
CREATE TABLE drv_sweep (
    seq INTEGER PRIMARY KEY NOT NULL REFERENCES fact_sweep (seq), -- the sweep
    timed INTEGER NOT NULL,    -- configurations with a time
    failed INTEGER NOT NULL,   -- configurations that failed
    best_ns REAL,              -- the smallest time; NULL: none ran
    median_ns REAL,            -- the median time; NULL: none ran
    print TEXT NOT NULL        -- hash of what was searched and measured: equal for two records of one search
) STRICT;
CREATE INDEX drv_sweep_print ON drv_sweep (print);

-- What a sweep says of a technique: one witness, however many configurations.
CREATE TABLE drv_sweep_witness (
    sweep INTEGER NOT NULL REFERENCES fact_sweep (seq), -- the sweep
    technique TEXT NOT NULL,   -- slug, or the parameter's name
    parameter TEXT NOT NULL,   -- the parameter that stands for it
    speedup REAL NOT NULL,     -- best time without over best time with it
    PRIMARY KEY (sweep, technique)
) STRICT, WITHOUT ROWID;
