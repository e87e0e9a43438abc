-- Insights by what they are on: asked with every recommendation, and a wiki brings a thousand of them, pages long.

CREATE INDEX fact_insight_operator ON fact_insight (operator);
CREATE INDEX fact_insight_family ON fact_insight (family);
CREATE INDEX fact_insight_technique ON fact_insight (technique);
