/* The table of record kinds (kinds.h): what each stores, refers to and is found by. docs/adding.md
 * lists what a new kind needs. */
#include "db/kinds.h"

#include <stddef.h>

#include "db/knowledge.h"

#define TEXT(S, column, member)                                                                    \
    {                                                                                              \
        column, LORE_COLUMN_TEXT, offsetof(struct S, member)                                       \
    }
#define I64(S, column, member)                                                                     \
    {                                                                                              \
        column, LORE_COLUMN_I64, offsetof(struct S, member)                                        \
    }
#define F64(S, column, member)                                                                     \
    {                                                                                              \
        column, LORE_COLUMN_F64, offsetof(struct S, member)                                        \
    }
#define TIME(S, column, member)                                                                    \
    {                                                                                              \
        column, LORE_COLUMN_TIME, offsetof(struct S, member)                                       \
    }
#define COUNT(S, column, member)                                                                   \
    {                                                                                              \
        column, LORE_COLUMN_COUNT, offsetof(struct S, member)                                      \
    }
#define MADE(column, i)                                                                            \
    {                                                                                              \
        column, LORE_COLUMN_MADE_TEXT, i                                                           \
    }
#define BLOB(column, i)                                                                            \
    {                                                                                              \
        column, LORE_COLUMN_MADE_BLOB, i                                                           \
    }
/* References: without a foreign key; with one; with one, to a name that `before` resolves. */
#define REF(S, member, to)                                                                         \
    {                                                                                              \
#member, to, offsetof(struct S, member), false, false                                      \
    }
#define KEY(S, member, to)                                                                         \
    {                                                                                              \
#member, to, offsetof(struct S, member), true, false                                       \
    }
#define MADE_KEY(field, to, i)                                                                     \
    {                                                                                              \
        field, to, i, true, true                                                                   \
    }
#define WORD(S, member) offsetof(struct S, member)

static const struct lore_column kernel_columns[] = {
    MADE("operator", 0),
    TEXT(lore_kernel, "name", name),
    MADE("language", 1),
    TEXT(lore_kernel, "project", project),
    TEXT(lore_kernel, "origin", origin),
    TEXT(lore_kernel, "entry_symbol", entry_symbol),
    TEXT(lore_kernel, "goal", goal),
};

static const struct lore_column version_columns[] = {
    TEXT(lore_version, "kernel", kernel),
    MADE("kind", 0),
    I64(lore_version, "ordinal", ordinal),
    TEXT(lore_version, "tag", tag),
    TEXT(lore_version, "label", label),
    TEXT(lore_version, "summary", summary),
    TEXT(lore_version, "git_commit", git_commit),
    TIME(lore_version, "created_us", created_at),
};

static const struct lore_column environment_columns[] = {
    TEXT(lore_environment, "chip", chip),
    MADE("hard_hash", 0),
    MADE("soft_hash", 1),
    TIME(lore_environment, "captured_us", captured_at),
};
static const struct lore_record_ref environment_refs[] = {
    KEY(lore_environment, chip, LORE_REF_CHIP),
};

static const struct lore_column run_columns[] = {
    TEXT(lore_run, "version", version),
    MADE("workload", 0),
    MADE("chip", 1),
    TEXT(lore_run, "environment", environment),
    MADE("role", 2),
    MADE("evidence", 3),
    TIME(lore_run, "measured_us", measured_at),
    TEXT(lore_run, "tool", tool),
    COUNT(lore_run, "n_samples", n_samples),
    BLOB("samples_ns", 0),
    I64(lore_run, "first_ns", first_ns),
    I64(lore_run, "stated_n", summary.n),
    F64(lore_run, "stated_median_ns", summary.median_ns),
    F64(lore_run, "stated_mean_ns", summary.mean_ns),
    F64(lore_run, "stated_min_ns", summary.min_ns),
    F64(lore_run, "stated_max_ns", summary.max_ns),
    F64(lore_run, "stated_std_ns", summary.std_ns),
    F64(lore_run, "stated_p10_ns", summary.p10_ns),
    F64(lore_run, "stated_p90_ns", summary.p90_ns),
    BLOB("metrics", 1),
    MADE("correctness", 4),
    MADE("error_type", 5),
};
static const struct lore_record_ref run_refs[] = {
    KEY(lore_run, environment, LORE_K_ENVIRONMENT),
    MADE_KEY("chip", LORE_REF_CHIP, 1),
};

static const struct lore_column hypothesis_columns[] = {
    TEXT(lore_hypothesis, "from_version", from_version),
    TEXT(lore_hypothesis, "to_version", to_version),
    TEXT(lore_hypothesis, "claim", claim),
    TEXT(lore_hypothesis, "author", author),
    TIME(lore_hypothesis, "claimed_us", claimed_at),
    MADE("operator", 0),
};
static const struct lore_record_ref hypothesis_refs[] = {
    REF(lore_hypothesis, campaign, LORE_K_CAMPAIGN),
    KEY(lore_hypothesis, from_version, LORE_K_VERSION),
};
static const size_t hypothesis_words[] = {
    WORD(lore_hypothesis, change),
    WORD(lore_hypothesis, rationale),
    WORD(lore_hypothesis, risk),
    WORD(lore_hypothesis, rollback),
    WORD(lore_hypothesis, accept_if),
    WORD(lore_hypothesis, reject_if),
    WORD(lore_hypothesis, not_changed),
};

static const struct lore_column experiment_columns[] = {
    TEXT(lore_experiment, "kernel", kernel),
    TEXT(lore_experiment, "hypothesis", hypothesis),
    TEXT(lore_experiment, "from_version", from_version),
    TEXT(lore_experiment, "to_version", to_version),
    MADE("workload", 0),
    MADE("chip", 1),
    MADE("title", 2),
    MADE("labels", 3),
    TEXT(lore_experiment, "raw_label", bottleneck.raw_label),
    MADE("evidence", 4),
    F64(lore_experiment, "claimed_before_ns", claim.latency_before_ns),
    F64(lore_experiment, "claimed_after_ns", claim.latency_after_ns),
    F64(lore_experiment, "claimed_speedup", claim.speedup),
    F64(lore_experiment, "claimed_low", claim.speedup_low),
    F64(lore_experiment, "claimed_high", claim.speedup_high),
    MADE("base", 5),
    TEXT(lore_experiment, "base_name", claim.base_name),
    TEXT(lore_experiment, "typed_outcome", claim.outcome),
    MADE("correctness", 6),
    MADE("violations", 7),
    TEXT(lore_experiment, "notes", notes),
    TEXT(lore_experiment, "lesson", lesson),
    TEXT(lore_experiment, "author", author),
    TIME(lore_experiment, "happened_us", happened_at),
    BLOB("metrics_before", 0),
    BLOB("metrics_after", 1),
};
static const struct lore_record_ref experiment_refs[] = {
    KEY(lore_experiment, hypothesis, LORE_K_HYPOTHESIS),
    KEY(lore_experiment, from_version, LORE_K_VERSION),
    KEY(lore_experiment, to_version, LORE_K_VERSION),
    MADE_KEY("chip", LORE_REF_CHIP, 1),
};

static const struct lore_column attribution_columns[] = {
    TEXT(lore_attribution, "experiment", experiment),
    MADE("technique", 0),
    TEXT(lore_attribution, "ablated_version", ablated_version),
    F64(lore_attribution, "attribution_ns", attribution_ns),
    F64(lore_attribution, "attribution_pct", attribution_pct),
    TEXT(lore_attribution, "contributed", contributed),
};
static const struct lore_record_ref attribution_refs[] = {
    REF(lore_attribution, champion_run, LORE_K_RUN),
    REF(lore_attribution, ablated_run, LORE_K_RUN),
    KEY(lore_attribution, experiment, LORE_K_EXPERIMENT),
    KEY(lore_attribution, ablated_version, LORE_K_VERSION),
};

static const struct lore_column insight_columns[] = {
    MADE("kind", 0),
    TEXT(lore_insight, "title", title),
    TEXT(lore_insight, "body", body),
    MADE("operator", 1),
    TEXT(lore_insight, "family", family),
    MADE("language", 2),
    TEXT(lore_insight, "chip", chip),
    MADE("technique", 3),
    MADE("labels", 4),
    TEXT(lore_insight, "confidence", confidence),
    TEXT(lore_insight, "author", author),
};
static const struct lore_record_ref insight_refs[] = {
    KEY(lore_insight, chip, LORE_REF_CHIP),
};
static const size_t insight_words[] = {
    WORD(lore_insight, body),
    WORD(lore_insight, op),
    WORD(lore_insight, family),
    WORD(lore_insight, chip),
    WORD(lore_insight, technique),
    WORD(lore_insight, author),
};

static const struct lore_column source_document_columns[] = {
    TEXT(lore_source_document, "title", title),
    TEXT(lore_source_document, "path", path),
    TEXT(lore_source_document, "git_commit", commit),
    MADE("blob", 0),
};
/* The text is not searched: its matches would outnumber those of the records made from it. */
static const size_t source_document_words[] = {WORD(lore_source_document, path)};

static const struct lore_column spec_columns[] = {
    TEXT(lore_spec, "chip", chip),
    TEXT(lore_spec, "metric", metric),
    TEXT(lore_spec, "qualifier", qualifier),
    F64(lore_spec, "value", value),
    TEXT(lore_spec, "unit", unit),
    MADE("unknown", 0),
    TEXT(lore_spec, "evidence_class", evidence_class),
    TEXT(lore_spec, "source_document", source_document),
    I64(lore_spec, "line", line),
    TEXT(lore_spec, "environment", environment),
};
static const struct lore_record_ref spec_refs[] = {
    KEY(lore_spec, chip, LORE_REF_CHIP),
    KEY(lore_spec, environment, LORE_K_ENVIRONMENT),
};

static const struct lore_column technique_columns[] = {
    MADE("technique", 0),
    TEXT(lore_technique_def, "slug", slug),
};
static const size_t technique_words[] = {
    WORD(lore_technique_def, summary),
    WORD(lore_technique_def, technique),
    WORD(lore_technique_def, slug),
    WORD(lore_technique_def, axis),
    WORD(lore_technique_def, layer),
    WORD(lore_technique_def, typical_gain),
};

static const struct lore_column verification_columns[] = {
    TEXT(lore_verification, "version", version),
    MADE("technique", 0),
    TEXT(lore_verification, "status", status),
};
static const struct lore_record_ref verification_refs[] = {
    KEY(lore_verification, version, LORE_K_VERSION),
};

static const struct lore_column campaign_columns[] = {
    TEXT(lore_campaign, "label", label),
    TEXT(lore_campaign, "kernel", kernel),
    I64(lore_campaign, "expected_records", expected_records),
    TIME(lore_campaign, "ended_us", ended_at),
};
static const struct lore_record_ref campaign_refs[] = {
    REF(lore_campaign, baseline, LORE_K_VERSION),
    KEY(lore_campaign, kernel, LORE_K_KERNEL),
};
static const size_t campaign_words[] = {
    WORD(lore_campaign, goal),
    WORD(lore_campaign, retrospective),
    WORD(lore_campaign, author),
    WORD(lore_campaign, chip),
};

static const struct lore_column direction_columns[] = {
    TEXT(lore_direction, "kernel", kernel),
    TEXT(lore_direction, "text", text),
    TEXT(lore_direction, "technique", technique),
    I64(lore_direction, "rank", rank),
};
static const struct lore_record_ref direction_refs[] = {
    REF(lore_direction, experiment, LORE_K_EXPERIMENT),
    REF(lore_direction, campaign, LORE_K_CAMPAIGN),
    KEY(lore_direction, kernel, LORE_K_KERNEL),
};
static const size_t direction_words[] = {
    WORD(lore_direction, rationale),
    WORD(lore_direction, technique),
    WORD(lore_direction, author),
};

static const struct lore_column curation_columns[] = {
    TEXT(lore_curation, "action", action),
    TEXT(lore_curation, "state", state),
    TEXT(lore_curation, "canonical", canonical),
    TEXT(lore_curation, "reason", reason),
    MADE("actor", 0),
    {"at_us", LORE_COLUMN_MADE_I64, 0},
};

static const struct lore_column sweep_columns[] = {
    TEXT(lore_sweep, "kernel", kernel),
    MADE("workload", 0),
    MADE("chip", 1),
    TEXT(lore_sweep, "environment", environment),
    TEXT(lore_sweep, "campaign", campaign),
    TEXT(lore_sweep, "tool", tool),
    TEXT(lore_sweep, "author", author),
    MADE("evidence", 2),
    TIME(lore_sweep, "searched_us", searched_at),
    I64(lore_sweep, "configurations", configurations.count),
    BLOB("packed", 0),
};
static const struct lore_record_ref sweep_refs[] = {
    KEY(lore_sweep, environment, LORE_K_ENVIRONMENT),
    KEY(lore_sweep, campaign, LORE_K_CAMPAIGN),
    MADE_KEY("chip", LORE_REF_CHIP, 1),
};

static const struct lore_column profile_columns[] = {
    TEXT(lore_program_profile, "program", program),
    TEXT(lore_program_profile, "author", author),
    TEXT(lore_program_profile, "chip", chip),
    TEXT(lore_program_profile, "environment", environment),
    TIME(lore_program_profile, "measured_us", measured_at),
    COUNT(lore_program_profile, "processes", n_processes),
    I64(lore_program_profile, "kernels", kernels),
    I64(lore_program_profile, "launches", launches),
    I64(lore_program_profile, "total_ns", total_ns),
    F64(lore_program_profile, "idle_pct", idle_pct),
    TEXT(lore_program_profile, "tool", tool),
    MADE("busiest", 0),
};
static const struct lore_record_ref profile_refs[] = {
    KEY(lore_program_profile, environment, LORE_K_ENVIRONMENT),
    KEY(lore_program_profile, chip, LORE_REF_CHIP),
};

static struct lore_buf sql[LORE_K_COUNT][LORE_SQL_KINDS];

#define KIND(k, t, n, r) .kind = k, .sql = sql[k], .table = t, .noun = n, .rows = &lore_##r##_rows
#define COLUMNS(list) .columns = list, .n_columns = sizeof(list) / sizeof *(list)
#define REFS(list) .refs = list, .n_refs = sizeof(list) / sizeof *(list)
#define TITLE(S, a, b) .title = {offsetof(struct S, a), offsetof(struct S, b)}
#define WORDS(list) .words = list, .n_words = sizeof(list) / sizeof *(list)

const struct lore_db_kind lore_db_kinds[LORE_K_COUNT] = {
    {KIND(LORE_K_SOURCE_DOCUMENT, "fact_source_document", "source document", source_document),
        COLUMNS(source_document_columns), .searched = "source_document",
        TITLE(lore_source_document, title, title), WORDS(source_document_words),
        .before = lore_source_document_before},
    {KIND(LORE_K_KERNEL, "fact_kernel", "kernel", kernel), COLUMNS(kernel_columns),
        .before = lore_kernel_before},
    {KIND(LORE_K_ENVIRONMENT, "fact_environment", "environment", environment),
        COLUMNS(environment_columns), REFS(environment_refs), .before = lore_environment_before},
    {KIND(LORE_K_VERSION, "fact_version", "version", version), COLUMNS(version_columns),
        .searched = "version", .search = lore_version_search, .before = lore_version_before,
        .after = lore_version_after},
    {KIND(LORE_K_SPEC, "fact_spec", "spec", spec), COLUMNS(spec_columns), REFS(spec_refs),
        .before = lore_spec_before, .after = lore_spec_after},
    {KIND(LORE_K_CAMPAIGN, "fact_campaign", "campaign", campaign), COLUMNS(campaign_columns),
        REFS(campaign_refs), .searched = "campaign", TITLE(lore_campaign, label, label),
        WORDS(campaign_words), .before = lore_campaign_before},
    {KIND(LORE_K_RUN, "fact_run", "run", run), COLUMNS(run_columns), REFS(run_refs),
        .before = lore_run_before, .after = lore_run_after},
    {KIND(LORE_K_SWEEP, "fact_sweep", "sweep", sweep), COLUMNS(sweep_columns), REFS(sweep_refs),
        .before = lore_sweep_before, .after = lore_sweep_after},
    {KIND(LORE_K_PROFILE, "fact_profile", "profile", profile), COLUMNS(profile_columns),
        REFS(profile_refs), .before = lore_profile_before},
    {KIND(LORE_K_HYPOTHESIS, "fact_hypothesis", "hypothesis", hypothesis),
        COLUMNS(hypothesis_columns), REFS(hypothesis_refs), .searched = "hypothesis",
        TITLE(lore_hypothesis, claim, claim), WORDS(hypothesis_words),
        .before = lore_hypothesis_before},
    {KIND(LORE_K_EXPERIMENT, "fact_experiment", "experiment", experiment),
        COLUMNS(experiment_columns), REFS(experiment_refs), .searched = "experiment",
        .search = lore_experiment_search, .before = lore_experiment_before,
        .after = lore_experiment_after},
    {KIND(LORE_K_ATTRIBUTION, "fact_attribution", "attribution", attribution),
        COLUMNS(attribution_columns), REFS(attribution_refs), .before = lore_attribution_before,
        .after = lore_attribution_after},
    {KIND(LORE_K_INSIGHT, "fact_insight", "insight", insight), COLUMNS(insight_columns),
        REFS(insight_refs), .searched = "insight", TITLE(lore_insight, title, title),
        WORDS(insight_words), .before = lore_insight_before, .after = lore_insight_after},
    {KIND(LORE_K_TECHNIQUE, "fact_technique", "technique", technique_def),
        COLUMNS(technique_columns), .searched = "technique",
        TITLE(lore_technique_def, title, technique), WORDS(technique_words),
        .before = lore_technique_before, .after = lore_technique_after},
    {KIND(LORE_K_VERIFICATION, "fact_verification", "verification", verification),
        COLUMNS(verification_columns), REFS(verification_refs), .before = lore_verification_before,
        .after = lore_verification_after},
    {KIND(LORE_K_DIRECTION, "fact_direction", "direction", direction), COLUMNS(direction_columns),
        REFS(direction_refs), .searched = "direction", TITLE(lore_direction, text, text),
        WORDS(direction_words)},
    {KIND(LORE_K_CURATION, "fact_curation", "curation", curation), COLUMNS(curation_columns),
        .before = lore_curation_before, .after = lore_curation_after},
};

const struct lore_db_kind *
lore_db_kind(enum lore_kind kind)
{
    for (size_t i = 0; i < LORE_K_COUNT; i++)
        if (lore_db_kinds[i].kind == kind)
            return &lore_db_kinds[i];
    return NULL;
}

enum lore_status
lore_db_get(struct lore_db *db, enum lore_kind kind, const char *id, struct lore_arena *a,
    void *out, struct lore_err *err)
{
    const struct lore_row_shape *rows = lore_db_kind(kind)->rows;
    LORE_STMT q = lore_sql_prepare(db, rows->get);

    return lore_db_one(&q, rows, id, a, out, err);
}

enum lore_status
lore_db_get_whole(struct lore_db *db, enum lore_kind kind, const char *id, struct lore_arena *a,
    struct lore_whole *out, struct lore_err *err)
{
    const struct lore_row_shape *rows = lore_db_kind(kind)->rows;
    char *row = lore_alloc(a, rows->size);
    enum lore_status status = lore_db_get(db, kind, id, a, row, err);

    if (status == LORE_OK)
        *out = (struct lore_whole){row + rows->record, *(const char **)(row + rows->rest)};
    return status;
}
