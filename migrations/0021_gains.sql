-- A gain counts against the best version before it in its line: to undo one's own regression is no gain.
ALTER TABLE drv_outcome ADD COLUMN gain REAL; -- what counts of the speedup: over the best version before it, or the middle of a stated range; NULL: all of it

-- Versions that were slower than the best before them in their line, on a workload and a chip.
CREATE TABLE drv_behind (
    experiment INTEGER PRIMARY KEY NOT NULL REFERENCES fact_experiment (seq), -- shows it
    version TEXT NOT NULL,                                                    -- id
    workload TEXT,                                                            -- id; NULL: not recorded
    chip TEXT,                                                                -- NULL: not recorded
    share REAL NOT NULL                                                       -- time of the best before it / its time
) STRICT;
CREATE INDEX drv_behind_version ON drv_behind (version);

-- A record that states no date says nothing of its age.
ALTER TABLE drv_experiment_entry ADD COLUMN dated INTEGER NOT NULL DEFAULT 1; -- 0: at_us is only when it arrived

-- The same times stated in two files are one measurement.
CREATE INDEX fact_experiment_stated ON fact_experiment (claimed_after_ns) WHERE claimed_after_ns IS NOT NULL;

-- The service derives everything again when it finds no limits.
DELETE FROM drv_limit;
