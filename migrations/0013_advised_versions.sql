-- Versions that answers proposed: to start from, to change one parameter to, to measure next
-- (docs/feedback.md).
CREATE TABLE log_advice_version (
    advice INTEGER NOT NULL REFERENCES log_advice (seq), -- of which answer
    list TEXT NOT NULL,                                  -- start, moves, next
    rank INTEGER NOT NULL,                               -- 1: the first of its list
    version TEXT NOT NULL,                               -- id of the version proposed
    from_version TEXT,                                   -- a change of this one; NULL: a version to start from
    technique TEXT,                                      -- slug of the change; NULL: a version to start from
    chip TEXT NOT NULL,                                  -- where it was proposed for
    workload TEXT,                                       -- and on what; NULL: none is known
    value REAL NOT NULL,                                 -- stated fraction of the optimum; of a change: probability that it gains more than 5 %
    low REAL NOT NULL,                                   -- its 90 % interval
    high REAL NOT NULL,                                  -- its 90 % interval
    p_fail REAL NOT NULL,                                -- stated probability that it fails
    after_run INTEGER NOT NULL,                          -- seq of the last run that was stored before
    PRIMARY KEY (advice, list, rank)
) STRICT, WITHOUT ROWID;
CREATE INDEX log_advice_version_tried ON log_advice_version (version, chip, advice);

-- Runs that are outcomes of a version to start from, experiments that are outcomes of a change: each
-- of one proposal at most. What the outcome is, the record says.
CREATE TABLE drv_advice_trial (
    advice INTEGER NOT NULL REFERENCES log_advice (seq), -- that proposed the version
    list TEXT NOT NULL,                                  -- in which list
    rank INTEGER NOT NULL,                               -- at which place
    record INTEGER NOT NULL,                             -- seq of the run; of a change: of the experiment
    PRIMARY KEY (advice, list, rank, record)
) STRICT, WITHOUT ROWID;
