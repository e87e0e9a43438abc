-- Bottlenecks of experiments that say none, from the metrics of what they started from. What an
-- experiment says itself stays in fact_experiment and is never here.

-- One row per experiment whose bottleneck a rule set found.
CREATE TABLE drv_bottleneck (
    experiment INTEGER PRIMARY KEY NOT NULL REFERENCES fact_experiment (seq), -- which
    labels TEXT NOT NULL,                                                     -- memory+occupancy
    rule_set TEXT NOT NULL,                                                   -- that named them: speed-of-light@1
    basis TEXT NOT NULL,                                                      -- whose metrics: run_before, stated, earlier_run of the same version, workload and environment
    run TEXT REFERENCES fact_run (id)                                         -- the run; NULL: metrics that the experiment states
) STRICT;
