-- What is known beside runs and experiments, decisions about records, and verdicts that need them.
-- Same conventions as 0001.

-- Documents that state facts; their words are kept, so that quotes can be checked.
CREATE TABLE fact_source_document (
    seq INTEGER PRIMARY KEY NOT NULL,                         -- order of arrival
    id TEXT NOT NULL UNIQUE,                                  -- ULID
    digest BLOB NOT NULL,                                     -- BLAKE2b-256 of the record as submitted
    document INTEGER NOT NULL REFERENCES fact_document (seq), -- the submission it came with
    title TEXT NOT NULL,                                      -- what it is called
    path TEXT NOT NULL,                                       -- in its repository; citations print it
    git_commit TEXT,                                          -- commit of the file
    blob TEXT NOT NULL REFERENCES fact_blob (hash),           -- its words
    rest TEXT NOT NULL                                        -- JSON: the whole record without its words
) STRICT;
CREATE INDEX fact_source_document_path ON fact_source_document (path);

-- Hardware numbers, each with its source. Several per chip and metric may stand side by side.
CREATE TABLE fact_spec (
    seq INTEGER PRIMARY KEY NOT NULL,                          -- order of arrival
    id TEXT NOT NULL UNIQUE,                                   -- ULID
    digest BLOB NOT NULL,                                      -- BLAKE2b-256 of the record as submitted
    document INTEGER NOT NULL REFERENCES fact_document (seq),  -- the submission it came with
    chip TEXT NOT NULL REFERENCES cat_chip (name),             -- whose number
    metric TEXT NOT NULL,                                      -- hbm_bandwidth, peak_tflops.bf16.matrix.dense
    qualifier TEXT,                                            -- NULL: none
    value REAL,                                                -- NULL: UNKNOWN
    unit TEXT,                                                 -- TB/s
    unknown TEXT,                                              -- why there is no value; NULL: there is one
    evidence_class TEXT NOT NULL,                              -- vendor_published, derived, measured …
    source_document TEXT REFERENCES fact_source_document (id), -- NULL: a device said it
    line INTEGER,                                              -- of the source document, from 1
    environment TEXT REFERENCES fact_environment (id),         -- the device that said it
    rest TEXT NOT NULL                                         -- JSON: the whole record
) STRICT;
CREATE INDEX fact_spec_chip ON fact_spec (chip, metric);

-- Techniques as catalogues describe them.
CREATE TABLE fact_technique (
    seq INTEGER PRIMARY KEY NOT NULL,                         -- order of arrival
    id TEXT NOT NULL UNIQUE,                                  -- ULID
    digest BLOB NOT NULL,                                     -- BLAKE2b-256 of the record as submitted
    document INTEGER NOT NULL REFERENCES fact_document (seq), -- the submission it came with
    technique TEXT NOT NULL REFERENCES cat_technique (slug),  -- canonical slug
    slug TEXT,                                                -- as its catalogue names it
    rest TEXT NOT NULL                                        -- JSON: the whole record
) STRICT;
CREATE INDEX fact_technique_slug ON fact_technique (technique);

-- Whether the compiled code of a version shows a technique.
CREATE TABLE fact_verification (
    seq INTEGER PRIMARY KEY NOT NULL,                         -- order of arrival
    id TEXT NOT NULL UNIQUE,                                  -- ULID
    digest BLOB NOT NULL,                                     -- BLAKE2b-256 of the record as submitted
    document INTEGER NOT NULL REFERENCES fact_document (seq), -- the submission it came with
    version TEXT NOT NULL REFERENCES fact_version (id),       -- whose code
    technique TEXT NOT NULL REFERENCES cat_technique (slug),  -- what was looked for
    status TEXT NOT NULL,                                     -- verified, missing, not_applicable, unavailable, inconclusive
    rest TEXT NOT NULL                                        -- JSON: the whole record
) STRICT;
CREATE INDEX fact_verification_version ON fact_verification (version);

-- Campaigns: series of experiments with a goal.
CREATE TABLE fact_campaign (
    seq INTEGER PRIMARY KEY NOT NULL,                         -- order of arrival
    id TEXT NOT NULL UNIQUE,                                  -- ULID
    digest BLOB NOT NULL,                                     -- BLAKE2b-256 of the record as submitted
    document INTEGER NOT NULL REFERENCES fact_document (seq), -- the submission it came with
    label TEXT NOT NULL,                                      -- run_20260510_091500
    kernel TEXT REFERENCES fact_kernel (id),                  -- NULL: not one kernel
    expected_records INTEGER,                                 -- experiments that must arrive; NULL: not said
    ended_us INTEGER,                                         -- client time; NULL: not ended when recorded
    rest TEXT NOT NULL                                        -- JSON: the whole record
) STRICT;
CREATE INDEX fact_campaign_kernel ON fact_campaign (kernel);

-- The campaign of an experiment.
CREATE TABLE fact_experiment_campaign (
    experiment INTEGER PRIMARY KEY NOT NULL REFERENCES fact_experiment (seq), -- whose
    campaign TEXT NOT NULL REFERENCES fact_campaign (id),                     -- which
    iteration INTEGER                                                         -- its number there; NULL: not said
) STRICT;
CREATE INDEX fact_experiment_campaign_campaign ON fact_experiment_campaign (campaign);

-- Directions: worth trying, and not tried yet.
CREATE TABLE fact_direction (
    seq INTEGER PRIMARY KEY NOT NULL,                         -- order of arrival
    id TEXT NOT NULL UNIQUE,                                  -- ULID
    digest BLOB NOT NULL,                                     -- BLAKE2b-256 of the record as submitted
    document INTEGER NOT NULL REFERENCES fact_document (seq), -- the submission it came with
    kernel TEXT REFERENCES fact_kernel (id),                  -- NULL: not one kernel
    text TEXT NOT NULL,                                       -- what to try
    technique TEXT,                                           -- canonical slug; NULL: none
    rank INTEGER,                                             -- 1: most promising
    rest TEXT NOT NULL                                        -- JSON: the whole record
) STRICT;
CREATE INDEX fact_direction_kernel ON fact_direction (kernel);

-- Decisions about stored records. The records stay; the last decision on a subject counts.
CREATE TABLE fact_curation (
    seq INTEGER PRIMARY KEY NOT NULL,                         -- order of arrival
    id TEXT NOT NULL UNIQUE,                                  -- ULID
    digest BLOB NOT NULL,                                     -- BLAKE2b-256 of the record as submitted
    document INTEGER NOT NULL REFERENCES fact_document (seq), -- the submission it came with
    action TEXT NOT NULL,                                     -- mask, retract, review, merge, select_spec …
    state TEXT,                                               -- review: the new state
    canonical TEXT,                                           -- merge: the member that stands for all
    reason TEXT NOT NULL,                                     -- why
    actor TEXT NOT NULL,                                      -- label of the token
    at_us INTEGER NOT NULL,                                   -- client time when given, else service time
    rest TEXT NOT NULL                                        -- JSON: the whole record
) STRICT;

-- What a curation is about.
CREATE TABLE fact_curation_subject (
    subject TEXT NOT NULL,                                  -- id of a record
    curation INTEGER NOT NULL REFERENCES fact_curation (seq), -- the decision
    position INTEGER NOT NULL,                              -- order as submitted
    PRIMARY KEY (subject, curation)
) STRICT, WITHOUT ROWID;

-- Where a mask comes from.
ALTER TABLE fact_mask ADD COLUMN curation INTEGER REFERENCES fact_curation (seq); -- the decision; NULL: made before decisions were records

-- What decisions make of a record: one row for each that was ever retracted or merged.
CREATE TABLE drv_curated (
    record TEXT NOT NULL PRIMARY KEY,                    -- its id
    retraction INTEGER REFERENCES fact_curation (seq),   -- the retraction in force; NULL: none
    merge INTEGER REFERENCES fact_curation (seq),        -- experiments: the group in force; NULL: none
    canonical TEXT                                       -- the member that stands for the group
) STRICT, WITHOUT ROWID;

-- Submissions that may not be passed on: they hold a record that forbids it, or refer to one.
CREATE TABLE drv_withheld (
    document INTEGER PRIMARY KEY NOT NULL REFERENCES fact_document (seq) -- which
) STRICT;

-- Records of those submissions: who refers to one may not be passed on either.
CREATE TABLE drv_withheld_record (
    record TEXT NOT NULL PRIMARY KEY -- its id
) STRICT, WITHOUT ROWID;

-- Flags on a verdict: what is doubtful without breaking a rule.
ALTER TABLE drv_outcome ADD COLUMN flags TEXT NOT NULL DEFAULT ''; -- comma-separated

-- Claims against measurements: one row per expectation of the hypothesis behind an experiment.
CREATE TABLE drv_judgement (
    experiment INTEGER NOT NULL REFERENCES fact_experiment (seq), -- judged
    position INTEGER NOT NULL,                                    -- of the expectation
    metric TEXT NOT NULL,                                         -- as the hypothesis names it
    verdict TEXT NOT NULL,                                        -- confirmed, contradicted, partial, not_measured
    before REAL,                                                  -- measured before; NULL: not measured
    after REAL,                                                   -- measured after; NULL: not measured
    why TEXT NOT NULL,                                            -- one sentence
    PRIMARY KEY (experiment, position)
) STRICT, WITHOUT ROWID;

-- Verdicts on the techniques of an experiment.
CREATE TABLE drv_technique_verdict (
    experiment INTEGER NOT NULL REFERENCES fact_experiment (seq), -- whose
    position INTEGER NOT NULL,                                    -- of the technique
    technique TEXT NOT NULL REFERENCES cat_technique (slug),      -- judged
    verdict TEXT NOT NULL,                                        -- effective, ineffective, implementation_failed, unattributed, not_measured
    contributed TEXT NOT NULL,                                    -- yes, no, unknown
    isa TEXT NOT NULL,                                            -- verified, missing, not_applicable, unavailable, inconclusive, not_checked
    policy TEXT NOT NULL,                                         -- the rules, with their version: technique-verdict@2
    why TEXT NOT NULL,                                            -- one sentence
    PRIMARY KEY (experiment, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX drv_technique_verdict_technique ON drv_technique_verdict (technique);
