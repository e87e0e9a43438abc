-- What the memory learned about itself. Made from facts by `warplored retrain`; a row is never
-- changed, the newest of a name counts.
CREATE TABLE drv_model (
    seq INTEGER PRIMARY KEY NOT NULL, -- order
    name TEXT NOT NULL,               -- moves@1, evidence@1
    numbers TEXT NOT NULL,            -- JSON: what was learned
    basis TEXT NOT NULL,              -- JSON: from how much, and how good it was where it was held out
    trained_us INTEGER NOT NULL       -- when
) STRICT;
CREATE INDEX drv_model_name ON drv_model (name, seq);
