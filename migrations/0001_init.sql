-- The first schema. fact_*: append-only, never rewritten. drv_*: derived, can be dropped and
-- rebuilt. cat_*: catalogues, filled from the tables in collectors/wire and by use.
-- Every comment after a table's or column's name ends up in docs/schema.md.

-- Operators: what is computed. Filled from the catalogue; a new name is registered by use.
CREATE TABLE cat_operator (
    name TEXT NOT NULL PRIMARY KEY, -- canonical slug: gemm, topk_softmax
    family TEXT NOT NULL,           -- moe, norm, attention …; 'unclassified' until someone says
    summary TEXT NOT NULL,          -- one sentence; empty when nobody wrote one
    known INTEGER NOT NULL          -- 1: from the built-in catalogue; 0: registered by a submission
) STRICT;

-- Other names of an operator.
CREATE TABLE cat_operator_alias (
    alias TEXT NOT NULL PRIMARY KEY,                   -- slug
    operator TEXT NOT NULL REFERENCES cat_operator (name) -- canonical name
) STRICT;

-- Chips: products and, where only that is known, bare ISA targets.
CREATE TABLE cat_chip (
    name TEXT NOT NULL PRIMARY KEY, -- mi300x, h200, sm_86
    title TEXT NOT NULL,            -- AMD Instinct MI300X
    vendor TEXT NOT NULL,           -- amd, nvidia
    arch TEXT NOT NULL,             -- cdna3, hopper
    isa TEXT NOT NULL,              -- gfx942, sm_90
    unit TEXT NOT NULL,             -- CU or SM
    product INTEGER NOT NULL        -- 0: only the ISA is known
) STRICT;

-- Techniques: catalogued changes; a free-text name becomes a slug of its own.
CREATE TABLE cat_technique (
    slug TEXT NOT NULL PRIMARY KEY, -- memory.vectorized_access
    title TEXT NOT NULL,            -- how people say it
    axis TEXT NOT NULL,             -- memory, compute, latency, sync, launch; empty when unknown
    layer TEXT NOT NULL,            -- structural, sync, instruction, resource; empty when unknown
    summary TEXT NOT NULL,          -- what it does
    known INTEGER NOT NULL          -- 1: from the built-in catalogue; 0: registered by a submission
) STRICT;

-- Metric definitions: the vendor's name verbatim.
CREATE TABLE cat_metric (
    id INTEGER PRIMARY KEY NOT NULL, -- used inside packed metric values
    name TEXT NOT NULL,              -- dram__throughput.avg.pct_of_peak_sustained_elapsed
    vendor TEXT NOT NULL,            -- nvidia, amd; empty when unknown
    unit TEXT NOT NULL,              -- %, byte, ns …; empty when unknown; another unit is another row
    kind TEXT NOT NULL,              -- pct, ratio, count …; empty when unknown
    direction TEXT NOT NULL,         -- higher, lower, neutral; empty when unknown
    canonical TEXT,                  -- canonical metric it maps to, when one exists
    title TEXT NOT NULL,             -- how people say it
    UNIQUE (name, unit)
) STRICT;

-- Bytes by content: sources, imported files, submitted documents.
CREATE TABLE fact_blob (
    hash TEXT NOT NULL PRIMARY KEY, -- BLAKE2b-256 of the plain bytes, hex
    bytes INTEGER NOT NULL,         -- plain size
    media_type TEXT NOT NULL,       -- text/x-cuda, application/json …
    zstd BLOB NOT NULL              -- the bytes, zstd
) STRICT;

-- Submitted documents, each with its exact bytes.
CREATE TABLE fact_document (
    seq INTEGER PRIMARY KEY NOT NULL, -- order of arrival
    id TEXT NOT NULL UNIQUE,          -- ULID given by the client
    hash TEXT NOT NULL,               -- BLAKE2b-256 of the bytes as received, which hold the id
    zstd BLOB NOT NULL,               -- the bytes as received, zstd
    bytes INTEGER NOT NULL,           -- their plain size
    received_us INTEGER NOT NULL,     -- service time
    created_us INTEGER,               -- client time, when given
    actor TEXT NOT NULL,              -- label of the token
    author TEXT,                      -- who made it, as the document says
    author_kind TEXT,                 -- human, agent, collector, importer, planner, validator
    author_model TEXT                 -- model name of an agent
) STRICT;

-- Files that came with a document.
CREATE TABLE fact_artifact (
    seq INTEGER PRIMARY KEY NOT NULL,                       -- order of arrival
    document INTEGER NOT NULL REFERENCES fact_document (seq), -- the document that brought it
    name TEXT NOT NULL,                                     -- file name as given
    blob TEXT NOT NULL REFERENCES fact_blob (hash)          -- its bytes
) STRICT;
CREATE INDEX fact_artifact_document ON fact_artifact (document);

-- Kernels: one implementation line of an operator in one language.
CREATE TABLE fact_kernel (
    seq INTEGER PRIMARY KEY NOT NULL,                         -- order of arrival
    id TEXT NOT NULL UNIQUE,                                  -- ULID
    digest BLOB NOT NULL,                                     -- BLAKE2b-256 of the record as submitted
    document INTEGER NOT NULL REFERENCES fact_document (seq), -- where it came from
    operator TEXT NOT NULL REFERENCES cat_operator (name),    -- what it computes
    name TEXT NOT NULL,                                       -- topk_softmax fallback
    language TEXT NOT NULL,                                   -- hip, cuda, triton …
    origin TEXT,                                              -- where the code lives
    entry_symbol TEXT,                                        -- function name
    goal TEXT,                                                -- latency
    rest TEXT NOT NULL                                        -- JSON: the whole record
) STRICT;
CREATE INDEX fact_kernel_operator ON fact_kernel (operator, language);

-- Versions: immutable nodes of the lineage graph.
CREATE TABLE fact_version (
    seq INTEGER PRIMARY KEY NOT NULL,                         -- order of arrival
    id TEXT NOT NULL UNIQUE,                                  -- ULID
    digest BLOB NOT NULL,                                     -- BLAKE2b-256 of the record as submitted
    document INTEGER NOT NULL REFERENCES fact_document (seq), -- where it came from
    kernel TEXT NOT NULL REFERENCES fact_kernel (id),         -- its kernel
    kind TEXT NOT NULL,                                       -- baseline, candidate, branch, ablation, revert, library
    ordinal INTEGER,                                          -- N of v{N}
    tag TEXT,                                                 -- persistent_radix10
    label TEXT,                                               -- v4
    summary TEXT,                                             -- one sentence
    git_commit TEXT,                                          -- commit of the source
    created_us INTEGER,                                       -- client time
    rest TEXT NOT NULL                                        -- JSON: the whole record without the texts of its sources
) STRICT;
CREATE INDEX fact_version_kernel ON fact_version (kernel, seq);

-- Lineage: which version came from which.
CREATE TABLE fact_lineage (
    child TEXT NOT NULL REFERENCES fact_version (id),  -- the newer version
    parent TEXT NOT NULL REFERENCES fact_version (id), -- the older version
    kind TEXT NOT NULL,                                -- derived_from, ablation_of, branch_of, revert_of, merged_from, restart_from
    position INTEGER NOT NULL,                         -- 0: the primary parent
    PRIMARY KEY (child, position)
) STRICT;
CREATE INDEX fact_lineage_parent ON fact_lineage (parent);

-- Source files of a version.
CREATE TABLE fact_source (
    version TEXT NOT NULL REFERENCES fact_version (id), -- whose source
    position INTEGER NOT NULL,                          -- order as submitted
    file TEXT NOT NULL,                                 -- file name
    blob TEXT NOT NULL REFERENCES fact_blob (hash),     -- its bytes
    PRIMARY KEY (version, position)
) STRICT;
CREATE INDEX fact_source_blob ON fact_source (blob);

-- Environments: what surrounded a run.
CREATE TABLE fact_environment (
    seq INTEGER PRIMARY KEY NOT NULL,                         -- order of arrival
    id TEXT NOT NULL UNIQUE,                                  -- ULID
    digest BLOB NOT NULL,                                     -- BLAKE2b-256 of the record as submitted
    document INTEGER NOT NULL REFERENCES fact_document (seq), -- where it came from
    chip TEXT REFERENCES cat_chip (name),                     -- NULL: not recorded
    hard_hash TEXT NOT NULL,                                  -- equal: measurements are comparable
    soft_hash TEXT NOT NULL,                                  -- equal: nothing at all differs
    captured_us INTEGER,                                      -- client time
    rest TEXT NOT NULL                                        -- JSON: the whole record
) STRICT;
CREATE INDEX fact_environment_hard ON fact_environment (hard_hash);

-- Workloads: operator + dims + dtype + layout. Equal id: comparable numbers.
CREATE TABLE fact_workload (
    id TEXT NOT NULL PRIMARY KEY,                          -- BLAKE2b of the canonical text, 32 hex digits
    operator TEXT NOT NULL REFERENCES cat_operator (name), -- what is computed
    canonical TEXT NOT NULL,                               -- gemm|K=4096,M=4096,N=4096|f32|row
    label TEXT NOT NULL,                                   -- M=4096 N=4096 K=4096 f32
    dims TEXT NOT NULL,                                    -- JSON object as first submitted
    dtype TEXT,                                            -- f32; NULL: not recorded
    layout TEXT                                            -- NULL: not recorded
) STRICT;
CREATE INDEX fact_workload_operator ON fact_workload (operator);

-- Runs: one execution of a version on a workload, with samples in order.
CREATE TABLE fact_run (
    seq INTEGER PRIMARY KEY NOT NULL,                         -- order of arrival
    id TEXT NOT NULL UNIQUE,                                  -- ULID
    digest BLOB NOT NULL,                                     -- BLAKE2b-256 of the record as submitted
    document INTEGER NOT NULL REFERENCES fact_document (seq), -- where it came from
    version TEXT NOT NULL REFERENCES fact_version (id),       -- what ran
    workload TEXT REFERENCES fact_workload (id),              -- on what; NULL: not recorded
    chip TEXT REFERENCES cat_chip (name),                     -- where; NULL: not recorded
    environment TEXT REFERENCES fact_environment (id),        -- NULL: not recorded
    role TEXT NOT NULL,                                       -- candidate, baseline, reference, ablation, branch
    evidence TEXT NOT NULL,                                   -- confirmed, measured, imported, claimed
    measured_us INTEGER,                                      -- client time
    tool TEXT,                                                -- what measured
    n_samples INTEGER NOT NULL,                               -- how many samples follow; 0: none
    samples_ns BLOB,                                          -- little-endian int64 each, in order
    first_ns INTEGER,                                         -- the first launch, kept apart
    stated_n INTEGER,                                         -- summary as stated: how many samples
    stated_median_ns REAL,                                    -- summary as stated; NULL: not stated
    stated_mean_ns REAL,                                      -- summary as stated
    stated_min_ns REAL,                                       -- summary as stated
    stated_max_ns REAL,                                       -- summary as stated
    stated_std_ns REAL,                                       -- summary as stated
    stated_p10_ns REAL,                                       -- summary as stated
    stated_p90_ns REAL,                                       -- summary as stated
    metrics BLOB,                                             -- packed values, layout in db/metrics.h; NULL: none
    correctness TEXT,                                         -- pass, fail, timeout, not_checked; NULL: not stated
    error_type TEXT,                                          -- compilation, runtime …; NULL: it ran
    rest TEXT                                                 -- JSON: the members no column took (method, launch, correctness with details, error, provenance, extra)
) STRICT;
CREATE INDEX fact_run_version ON fact_run (version);
CREATE INDEX fact_run_cell ON fact_run (workload, chip);

-- Diagnoses: bottleneck labels of a run.
CREATE TABLE fact_diagnosis (
    run TEXT NOT NULL REFERENCES fact_run (id), -- diagnosed run
    position INTEGER NOT NULL,                  -- order as submitted
    labels TEXT NOT NULL,                       -- canonical set: memory+sync
    raw_label TEXT,                             -- as given
    rule_set TEXT,                              -- speed-of-light@1; NULL: someone said so
    evidence TEXT,                              -- metric values in words
    PRIMARY KEY (run, position)
) STRICT;

-- Hypotheses: claims made before the run.
CREATE TABLE fact_hypothesis (
    seq INTEGER PRIMARY KEY NOT NULL,                         -- order of arrival
    id TEXT NOT NULL UNIQUE,                                  -- ULID
    digest BLOB NOT NULL,                                     -- BLAKE2b-256 of the record as submitted
    document INTEGER NOT NULL REFERENCES fact_document (seq), -- where it came from
    from_version TEXT REFERENCES fact_version (id),           -- before
    to_version TEXT,                                          -- after; may not exist yet
    claim TEXT NOT NULL,                                      -- the one change and why it should help
    author TEXT,                                              -- who claims it
    claimed_us INTEGER,                                       -- client time
    rest TEXT NOT NULL                                        -- JSON: the whole record
) STRICT;

-- Experiments: the unit of experience.
CREATE TABLE fact_experiment (
    seq INTEGER PRIMARY KEY NOT NULL,                         -- order of arrival
    id TEXT NOT NULL UNIQUE,                                  -- ULID
    digest BLOB NOT NULL,                                     -- BLAKE2b-256 of the record as submitted
    document INTEGER NOT NULL REFERENCES fact_document (seq), -- where it came from
    kernel TEXT NOT NULL REFERENCES fact_kernel (id),         -- which implementation line
    hypothesis TEXT REFERENCES fact_hypothesis (id),          -- NULL: none was written
    from_version TEXT REFERENCES fact_version (id),           -- before
    to_version TEXT REFERENCES fact_version (id),             -- after
    workload TEXT REFERENCES fact_workload (id),              -- NULL: not recorded
    chip TEXT REFERENCES cat_chip (name),                     -- NULL: not recorded
    title TEXT NOT NULL,                                      -- one line
    labels TEXT NOT NULL,                                     -- bottleneck before: memory+sync; empty: not recorded
    raw_label TEXT,                                           -- as given
    evidence TEXT NOT NULL,                                   -- confirmed, measured, imported, claimed
    claimed_before_ns REAL,                                   -- stated latency before
    claimed_after_ns REAL,                                    -- stated latency after
    claimed_speedup REAL,                                     -- stated speedup
    claimed_low REAL,                                         -- stated typical range, low
    claimed_high REAL,                                        -- stated typical range, high
    base TEXT,                                                -- what the stated speedup is against
    base_name TEXT,                                           -- cuBLAS
    typed_outcome TEXT,                                       -- as typed by the author
    correctness TEXT,                                         -- as stated: pass, fail, timeout, not_checked; NULL: not stated
    violations TEXT NOT NULL,                                 -- broken process rules, comma-separated; empty: none stated
    notes TEXT,                                               -- free text
    lesson TEXT,                                              -- free text
    author TEXT,                                              -- who did it
    happened_us INTEGER,                                      -- client time
    metrics_before BLOB,                                      -- packed values
    metrics_after BLOB,                                       -- packed values
    rest TEXT                                                 -- JSON: the members no column took (techniques with params, process with details, provenance, extra)
) STRICT;
CREATE INDEX fact_experiment_kernel ON fact_experiment (kernel);
CREATE INDEX fact_experiment_workload ON fact_experiment (workload);

-- Techniques that an experiment used.
CREATE TABLE fact_experiment_technique (
    experiment INTEGER NOT NULL REFERENCES fact_experiment (seq), -- whose
    position INTEGER NOT NULL,                                    -- order as submitted
    technique TEXT NOT NULL REFERENCES cat_technique (slug),      -- canonical slug
    raw TEXT,                                                     -- as written
    PRIMARY KEY (experiment, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX fact_experiment_technique_slug ON fact_experiment_technique (technique);

-- Runs that an experiment compares.
CREATE TABLE fact_experiment_run (
    experiment INTEGER NOT NULL REFERENCES fact_experiment (seq), -- whose
    side INTEGER NOT NULL,                                        -- 0: before, 1: after
    position INTEGER NOT NULL,                                    -- order as submitted
    run TEXT NOT NULL REFERENCES fact_run (id),                   -- the run
    PRIMARY KEY (experiment, side, position)
) STRICT, WITHOUT ROWID;

-- Attributions: what ablation gives to one technique.
CREATE TABLE fact_attribution (
    seq INTEGER PRIMARY KEY NOT NULL,                         -- order of arrival
    id TEXT NOT NULL UNIQUE,                                  -- ULID
    digest BLOB NOT NULL,                                     -- BLAKE2b-256 of the record as submitted
    document INTEGER NOT NULL REFERENCES fact_document (seq), -- where it came from
    experiment TEXT NOT NULL REFERENCES fact_experiment (id), -- whose gain
    technique TEXT NOT NULL REFERENCES cat_technique (slug),  -- given to what
    ablated_version TEXT REFERENCES fact_version (id),        -- the version without it
    attribution_ns REAL,                                      -- slower by this without it; NULL: not measured
    attribution_pct REAL,                                     -- the same in percent of the champion
    contributed TEXT NOT NULL,                                -- yes, no, unknown
    rest TEXT NOT NULL                                        -- JSON: the whole record
) STRICT;
CREATE INDEX fact_attribution_experiment ON fact_attribution (experiment);

-- Insights: lessons in words.
CREATE TABLE fact_insight (
    seq INTEGER PRIMARY KEY NOT NULL,                         -- order of arrival
    id TEXT NOT NULL UNIQUE,                                  -- ULID
    digest BLOB NOT NULL,                                     -- BLAKE2b-256 of the record as submitted
    document INTEGER NOT NULL REFERENCES fact_document (seq), -- where it came from
    kind TEXT NOT NULL,                                       -- note, technique_card, anti_strategy, symptom_card, playbook
    title TEXT NOT NULL,                                      -- one line
    body TEXT NOT NULL,                                       -- the lesson
    operator TEXT,                                            -- scope; NULL: any
    family TEXT,                                              -- scope; NULL: any
    language TEXT,                                            -- scope; NULL: any
    chip TEXT REFERENCES cat_chip (name),                     -- scope; NULL: any
    technique TEXT,                                           -- scope; NULL: any
    labels TEXT NOT NULL,                                     -- scope: memory+sync; empty: any
    confidence TEXT,                                          -- verified, source_reported, inferred, experimental, documented
    author TEXT,                                              -- who wrote it
    rest TEXT NOT NULL                                        -- JSON: the whole record
) STRICT;

-- Masks: hide an experiment from recommendations; the last event wins.
CREATE TABLE fact_mask (
    seq INTEGER PRIMARY KEY NOT NULL,                             -- order
    experiment INTEGER NOT NULL REFERENCES fact_experiment (seq), -- what is hidden or shown again
    masked INTEGER NOT NULL,                                      -- 1: hidden, 0: shown again
    reason TEXT NOT NULL,                                         -- why
    actor TEXT NOT NULL,                                          -- who
    at_us INTEGER NOT NULL                                        -- when
) STRICT;
CREATE INDEX fact_mask_experiment ON fact_mask (experiment, seq);

-- The event log: every change, hash-chained.
CREATE TABLE fact_event (
    seq INTEGER PRIMARY KEY NOT NULL, -- order, from 1 without gaps
    at_us INTEGER NOT NULL,           -- service time
    actor TEXT NOT NULL,              -- label of the token; warplored: the program itself
    kind TEXT NOT NULL,               -- submission, mask, migration, rebuild
    subject TEXT NOT NULL,            -- id of what changed; name of the migration; "derived"
    detail BLOB NOT NULL,             -- BLAKE2b-256 of what was stored, of the migration, of the rebuild's counts
    hash BLOB NOT NULL                -- BLAKE2b-256 of the previous hash and this row
) STRICT;

-- Verdicts on experiments. Old verdicts stay when a policy changes.
CREATE TABLE drv_outcome (
    seq INTEGER PRIMARY KEY NOT NULL,                         -- order
    experiment INTEGER NOT NULL REFERENCES fact_experiment (seq), -- judged
    policy TEXT NOT NULL,                                     -- samples-5-2@1, claim-5-2@1
    effect TEXT NOT NULL,                                     -- win, neutral, loss, inconclusive, not_measured
    correctness TEXT NOT NULL,                                -- pass, fail, timeout, not_checked
    process TEXT NOT NULL,                                    -- clean, broken
    rules TEXT NOT NULL,                                      -- broken rules, comma-separated
    speedup REAL,                                             -- before / after; NULL: not measured
    low REAL,                                                 -- interval on the speedup; NULL: none
    high REAL,                                                -- interval on the speedup; NULL: none
    basis TEXT NOT NULL,                                      -- samples, summary, claim, none
    before_ns REAL,                                           -- latency used for before; NULL: none
    after_ns REAL,                                            -- latency used for after; NULL: none
    disagrees INTEGER NOT NULL,                               -- 1: the typed outcome says something else
    at_us INTEGER NOT NULL,                                   -- when it was derived
    superseded_us INTEGER                                     -- NULL: in force
) STRICT;
CREATE UNIQUE INDEX drv_outcome_current ON drv_outcome (experiment) WHERE superseded_us IS NULL;

-- Experiments as lists filter and count them: one narrow row each, so that a count over all of them is one quick scan.
CREATE TABLE drv_experiment (
    seq INTEGER PRIMARY KEY NOT NULL REFERENCES fact_experiment (seq), -- the experiment
    operator TEXT NOT NULL,                                            -- of its kernel
    language TEXT NOT NULL,                                            -- of its kernel
    chip TEXT,                                                         -- NULL: not recorded
    labels TEXT NOT NULL,                                              -- bottleneck before: memory+sync; empty: not recorded
    evidence TEXT NOT NULL,                                            -- confirmed, measured, imported, claimed
    effect TEXT NOT NULL,                                              -- of the verdict in force
    correctness TEXT NOT NULL,                                         -- of the verdict in force
    process TEXT NOT NULL,                                             -- of the verdict in force
    speedup REAL,                                                      -- of the verdict in force; NULL: not measured
    disagrees INTEGER NOT NULL,                                        -- 1: the typed outcome says something else
    masked INTEGER NOT NULL                                            -- 1: hidden from recommendations
) STRICT;

-- Full text over experiments, hypotheses, insights, versions.
CREATE VIRTUAL TABLE drv_search USING fts5 (
    title,          -- one line
    body,           -- all other words
    kind UNINDEXED, -- experiment, hypothesis, insight, version
    ref UNINDEXED,  -- id of the record
    tokenize = 'porter unicode61'
);
