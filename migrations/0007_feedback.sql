-- What the service advised, and what came of it. log_*: an operating record of the service, kept for
-- a while and then pruned; no fact of the memory, and not part of an export (docs/feedback.md).

-- Answers to /api/v1/recommend that are remembered.
CREATE TABLE log_advice (
    seq INTEGER PRIMARY KEY NOT NULL,  -- order; never used again
    id TEXT NOT NULL UNIQUE,           -- ULID: advice_id of the answer
    served_us INTEGER NOT NULL,        -- when it was answered
    until_us INTEGER NOT NULL,         -- an experiment that arrives later is not taken for an outcome
    after_experiment INTEGER NOT NULL, -- seq of the last experiment that was stored before
    caller TEXT NOT NULL,              -- label of the token
    operator TEXT,                     -- asked about, canonical; NULL: any
    chip TEXT,                         -- asked about; NULL: any
    isa TEXT,                          -- of that chip
    language TEXT,                     -- asked about; NULL: any
    labels TEXT NOT NULL,              -- bottleneck asked about: memory+sync; empty: not said
    workload TEXT,                     -- asked about; NULL: any
    version TEXT                       -- asked about: improve this one; NULL: none
) STRICT;

-- What such an answer listed.
CREATE TABLE log_advice_item (
    advice INTEGER NOT NULL REFERENCES log_advice (seq), -- of which answer
    list TEXT NOT NULL,                                  -- advice, avoid, untried …
    rank INTEGER NOT NULL,                               -- 1: the first of its list
    technique TEXT NOT NULL,                             -- slug
    p_win REAL,                                          -- stated probability that it wins; NULL: none stated
    low REAL,                                            -- its 90 % interval
    high REAL,                                           -- its 90 % interval
    gain REAL,                                           -- expected speedup; NULL: none stated
    operator TEXT NOT NULL,                              -- as asked; empty: any
    context TEXT NOT NULL,                               -- ISA|language|workload as asked, each empty: any
    PRIMARY KEY (advice, list, rank)
) STRICT, WITHOUT ROWID;
CREATE INDEX log_advice_item_technique ON log_advice_item (technique, operator, context, advice);

-- What people and agents said they did with it.
CREATE TABLE log_advice_event (
    seq INTEGER PRIMARY KEY NOT NULL,                    -- order
    advice INTEGER NOT NULL REFERENCES log_advice (seq), -- which answer
    event TEXT NOT NULL,                                 -- opened, applied, dismissed
    technique TEXT,                                      -- which of it; NULL: the answer as a whole
    note TEXT,                                           -- why, in words
    caller TEXT NOT NULL,                                -- label of the token
    at_us INTEGER NOT NULL,                              -- service time
    after_experiment INTEGER NOT NULL                    -- seq of the last experiment that was stored before
) STRICT;
CREATE INDEX log_advice_event_advice ON log_advice_event (advice, technique);
CREATE INDEX log_advice_event_technique ON log_advice_event (technique, event, advice);

-- Experiments that are outcomes of advice: each technique of an experiment of one item at most. What
-- the outcome is, the verdict in force says.
CREATE TABLE drv_advice_outcome (
    experiment INTEGER NOT NULL REFERENCES fact_experiment (seq), -- that came later
    technique TEXT NOT NULL,                                      -- of it
    advice INTEGER NOT NULL REFERENCES log_advice (seq),          -- that listed the technique
    list TEXT NOT NULL,                                           -- in which list
    rank INTEGER NOT NULL,                                        -- at which place
    how TEXT NOT NULL,                                            -- named: the experiment says so; applied: somebody said so; context: same question
    PRIMARY KEY (experiment, technique)
) STRICT, WITHOUT ROWID;
CREATE INDEX drv_advice_outcome_advice ON drv_advice_outcome (advice, list, rank);
