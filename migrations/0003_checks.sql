-- Checks that come after the verdict. A verdict on an experiment looks at every check of the version
-- after the change, so it must find, among thousands of runs that passed, the few that did not.

CREATE INDEX fact_run_unsettled ON fact_run (version) WHERE correctness IS NULL OR correctness <> 'pass';
