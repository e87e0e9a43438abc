-- What a chip can do at most: a run or stated time beyond it is set aside, with the reason.
CREATE TABLE drv_limit (
    seq INTEGER PRIMARY KEY NOT NULL,                     -- order of the last change
    workload TEXT NOT NULL REFERENCES fact_workload (id), -- what is computed
    chip TEXT NOT NULL REFERENCES cat_chip (name),        -- where
    peak_ns REAL NOT NULL,                                -- shortest time at the peak rates in force; 0: unknown
    floor_ns REAL NOT NULL,                               -- no honest run is faster; 0: unknown
    memory INTEGER NOT NULL,                              -- whether the rate of the memory makes peak_ns, else that of operations
    why TEXT NOT NULL                                     -- the rate behind floor_ns, with its source
) STRICT;
CREATE UNIQUE INDEX drv_limit_place ON drv_limit (workload, chip);

-- A time that is shorter than the limit is impossible.
ALTER TABLE drv_curated ADD COLUMN beyond TEXT; -- why the record does not count; NULL: its time is possible
-- The board shows what limits its best version.
ALTER TABLE drv_run_entry ADD COLUMN labels_derived INTEGER NOT NULL DEFAULT 0; -- the labels were inferred from metrics
-- A bare failure about a version of others disputes it and does not fail it.
ALTER TABLE drv_run_entry ADD COLUMN disputes INTEGER NOT NULL DEFAULT 0; -- it is one; correctness is then not_checked
-- The same for the verdict on an experiment of others.
ALTER TABLE drv_experiment ADD COLUMN disputes INTEGER NOT NULL DEFAULT 0; -- its failed verdict is about a version of others
