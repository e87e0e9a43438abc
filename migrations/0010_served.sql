-- How often a technique was advised: counted when an answer is remembered, and kept when it is
-- forgotten, so that nobody has to count all answers to say how often it was.
CREATE TABLE log_advice_served (
    operator TEXT NOT NULL,  -- asked about; empty: any
    chip TEXT NOT NULL,      -- asked about; empty: any
    technique TEXT NOT NULL, -- slug
    list TEXT NOT NULL,      -- advice, avoid, untried …
    served INTEGER NOT NULL, -- answers that listed it
    PRIMARY KEY (operator, chip, technique, list)
) STRICT, WITHOUT ROWID;
