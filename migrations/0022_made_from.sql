-- A version without parents comes from what the experiments that led to it started from (db/line.c).
-- Without this index each step back reads every experiment of the kernel.
CREATE INDEX fact_experiment_to_version ON fact_experiment (to_version);
