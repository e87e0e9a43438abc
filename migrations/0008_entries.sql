-- Runs and experiments as the memory holds them. At start the memory reads all of them; read from
-- the facts that is a dozen look-ups for each, from here it is two quick scans. Names and texts are
-- repeated so that a row needs no other; what is of few is looked up once (kernels, environments).

-- One row per run.
CREATE TABLE drv_run_entry (
    seq INTEGER PRIMARY KEY NOT NULL REFERENCES fact_run (seq), -- the run
    id TEXT NOT NULL,                                           -- its id
    kernel INTEGER NOT NULL REFERENCES fact_kernel (seq),       -- of the version that ran
    version TEXT NOT NULL,                                      -- id of the version that ran
    version_label TEXT,                                         -- what it is called: its label, tag or number
    version_kind TEXT NOT NULL,                                 -- baseline, candidate …
    workload TEXT,                                              -- id; NULL: not recorded
    chip TEXT,                                                  -- NULL: not recorded
    environment INTEGER REFERENCES fact_environment (seq),      -- NULL: not recorded
    evidence TEXT NOT NULL,                                     -- confirmed, measured, imported, claimed
    correctness TEXT NOT NULL,                                  -- pass, fail, timeout, not_checked
    failed INTEGER NOT NULL,                                    -- 1: it ended in an error
    tool TEXT,                                                  -- what measured; NULL: not recorded
    at_us INTEGER NOT NULL,                                     -- client time, else when it arrived
    labels TEXT NOT NULL,                                       -- bottlenecks of its diagnoses: memory+sync; empty: none
    n_samples INTEGER NOT NULL,                                 -- of samples; 0: the times are as stated
    time_ns REAL,                                               -- median; NULL: not timed
    low_ns REAL,                                                -- 10th percentile; NULL: not known
    high_ns REAL,                                               -- 90th percentile; NULL: not known
    median_low_ns REAL,                                         -- 95 % interval of the median; NULL: fewer than 2 samples
    median_high_ns REAL                                         -- 95 % interval of the median; NULL: fewer than 2 samples
) STRICT;

-- One row per experiment that was judged: what drv_experiment does not say.
CREATE TABLE drv_experiment_entry (
    seq INTEGER PRIMARY KEY NOT NULL REFERENCES fact_experiment (seq), -- the experiment
    id TEXT NOT NULL,                                                  -- its id
    kernel INTEGER NOT NULL REFERENCES fact_kernel (seq),              -- of the experiment
    version TEXT,                                                      -- id of the version after; NULL: none named
    version_label TEXT,                                                -- what it is called
    version_kind TEXT,                                                 -- baseline, candidate …
    workload TEXT,                                                     -- id; NULL: not recorded
    techniques TEXT,                                                   -- comma-separated slugs; -slug: as fast without it; !slug: not in the code that ran; ~ before all: a step through a searched space; NULL: none named
    labels_derived INTEGER NOT NULL,                                   -- 1: its bottleneck is from metrics, nobody said it
    typed_lost INTEGER NOT NULL,                                       -- 1: the author typed a failure
    runs_after INTEGER NOT NULL,                                       -- 0: none; 1: none was checked; 2: one was
    at_us INTEGER NOT NULL,                                            -- client time, else when it arrived
    time_ns REAL,                                                      -- stated latency after; NULL: not stated
    speedup REAL,                                                      -- stated; NULL: the verdict's counts
    low REAL,                                                          -- stated typical range, low
    high REAL,                                                         -- stated typical range, high
    base TEXT,                                                         -- what the stated speedup is against
    base_name TEXT                                                     -- cuBLAS
) STRICT;
