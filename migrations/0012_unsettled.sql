-- A run that passed bears on older verdicts only when its version has a run that did not: asked with every run,
-- and a version may have thousands that passed.

CREATE INDEX fact_run_unsettled ON fact_run (version) WHERE correctness IS NULL OR correctness <> 'pass';
