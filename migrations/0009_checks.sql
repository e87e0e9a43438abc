-- A verdict looks for the checks of the version after the change. A version may have thousands of runs that
-- nobody checked (one solver of a library on every shape), so what was checked has indexes of its own.

CREATE INDEX fact_run_failed ON fact_run (version) WHERE correctness IN ('fail', 'timeout');
CREATE INDEX fact_run_passed ON fact_run (version) WHERE correctness = 'pass';
DROP INDEX fact_run_unsettled;
