-- Hypotheses that name an operator instead of a version, as notes have them: a brief lists those of its operator.
ALTER TABLE fact_hypothesis ADD COLUMN operator TEXT; -- canonical name of what it is about; NULL: its versions say it
CREATE INDEX fact_hypothesis_operator ON fact_hypothesis (operator) WHERE operator IS NOT NULL;
