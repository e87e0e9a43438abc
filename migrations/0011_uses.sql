-- Which experiments use a run: asked of every run that failed, and when a run is retracted.

CREATE INDEX fact_experiment_run_uses ON fact_experiment_run (run);
