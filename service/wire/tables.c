/* Field tables of the document, kernels, versions, environments, hypotheses, attributions and
 * insights, and the parts that several records share. Runs and experiments are in tables_run.c. A
 * row binds a JSON name to a struct member and says type, limits and help; fields.h explains the
 * columns. The order of rows is the order in which fields are written and documented. */
#include <string.h>

#include "service/wire/decoder.h"
#include "service/wire/field_rows.h"

static const char *const redistribution_names[] = {"allowed", "forbidden"};
static const struct lore_choices redistributions = {redistribution_names, 2};
static const char *const author_kind_names[] = {
    "human", "agent", "collector", "importer", "planner", "validator"};
static const struct lore_choices author_kinds = {author_kind_names, 6};
static const char *const direction_names[] = {"up", "down", "same"};
static const struct lore_choices directions = {direction_names, 3};
static const char *const contributed_names[] = {"yes", "no", "unknown"};
static const struct lore_choices contributed = {contributed_names, 3};
static const char *const insight_kind_names[] = {"note", "technique_card", "anti_strategy",
    "symptom_card", "playbook", "doc", "numerics_rule", "dispatch_rule", "reference_kernel"};
static const struct lore_choices insight_kinds = {insight_kind_names, 9};
static const char *const confidence_names[] = {
    "verified", "source_reported", "inferred", "experimental", "documented"};
static const struct lore_choices confidences = {confidence_names, 5};

static const struct lore_field provenance_fields[] = {
    {TEXT(lore_provenance, "system", system, LORE_MAX_NAME),
        .help = "The system it was recorded in."},
    {TEXT(lore_provenance, "external_id", external_id, LORE_MAX_NAME),
        .help = "Its id in that system."},
    {TEXT(lore_provenance, "url", url, 2000), .help = "Repository or page."},
    {TEXT(lore_provenance, "path", path, 1000), .help = "File in the repository."},
    {TEXT(lore_provenance, "commit", commit, LORE_MAX_NAME), .help = "Commit of that file."},
    {TEXT(lore_provenance, "licence", licence, LORE_MAX_NAME), .help = "Licence of the source."},
    {TEXT(lore_provenance, "quote", quote, LORE_MAX_TEXT),
        .help = "Quoted text that supports the record."},
    {FIELD(lore_provenance, "redistribution", CHOICE, redistribution), .choices = &redistributions,
        .help = "Whether the record may be passed on; default allowed."},
};
const struct lore_record lore_provenance_record = {
    RECORD("provenance", "Where a record comes from.", provenance_fields, lore_provenance),
    .flag = LORE_NO_FLAG, .finish = lore_rules_finish_provenance};

static const struct lore_field author_fields[] = {
    {TEXT(lore_author, "name", name, LORE_MAX_NAME), .required = true,
        .help = "Who made the document."},
    {FIELD(lore_author, "kind", CHOICE, kind), .choices = &author_kinds, .help = "Kind of author."},
    {TEXT(lore_author, "model", model, LORE_MAX_NAME), .help = "The model behind an agent."},
};
static const struct lore_record author_record = {
    RECORD("author", "Who made the document.", author_fields, lore_author), .flag = LORE_NO_FLAG};

static const struct lore_field artifact_fields[] = {
    {TEXT(lore_artifact, "name", name, 1000), .required = true, .help = "File name or path."},
    {TEXT(lore_artifact, "media_type", media_type, LORE_MAX_NAME),
        .help = "Media type; default text/plain."},
    {FIELD(lore_artifact, "text", BODY, text), .max = LORE_MAX_ARTIFACT,
        .help = "The bytes, when they are UTF-8. Give this or base64."},
    {FIELD(lore_artifact, "base64", BASE64, base64), .max = LORE_MAX_ARTIFACT,
        .help = "The bytes in base64."},
};
static const struct lore_record artifact_record = {
    RECORD("artifact", "Exact bytes worth keeping: an imported file, a profiler report.",
        artifact_fields, lore_artifact),
    .flag = LORE_NO_FLAG, .finish = lore_rules_finish_artifact};

static const struct lore_field kernel_fields[] = {
    {ID(lore_kernel)},
    {FIELD(lore_kernel, "operator", OPERATOR, op), .required = true, .max = LORE_MAX_NAME,
        .help = "Operator: gemm, softmax. Aliases resolve; an unknown name is registered."},
    {TEXT(lore_kernel, "family", family, LORE_MAX_NAME),
        .help = "Family of an operator that the catalogue does not know. For a known operator: its "
                "family, or absent."},
    {TEXT(lore_kernel, "name", name, LORE_MAX_NAME), .required = true,
        .help = "Name of the kernel."},
    {TEXT(lore_kernel, "project", project, LORE_MAX_NAME),
        .help =
            "Project it belongs to: team/attention. Kernels of one name in two projects are two "
            "kernels."},
    {FIELD(lore_kernel, "language", LANGUAGE, language), .required = true,
        .choices = &lore_language_choices, .help = "Programming language."},
    {TEXT(lore_kernel, "origin", origin, 2000), .help = "Where the code lives: repository, path."},
    {TEXT(lore_kernel, "entry_symbol", entry_symbol, 2000), .help = "Name of the device function."},
    {TEXT(lore_kernel, "goal", goal, LORE_MAX_NAME), .help = "Quantity to optimise: latency."},
    {PROVENANCE(lore_kernel)},
    {EXTRA(lore_kernel)},
};
const struct lore_record lore_kernel_record = {
    RECORD("kernel", "One implementation of an operator in one language, through all its versions.",
        kernel_fields, lore_kernel),
    .flag = LORE_NO_FLAG, .finish = lore_rules_finish_kernel};

static const struct lore_field parent_fields[] = {
    {FIELD(lore_parent, "version", REF, version), .required = true, .kind = LORE_K_VERSION,
        .help = "The older version."},
    {FIELD(lore_parent, "kind", ENUM, kind), .choices = &lore_edge_kind_choices,
        .help = "Relation to the parent; default derived_from."},
};
static const struct lore_record parent_record = {
    RECORD("parent", "An edge of the lineage; the first parent is the primary one.", parent_fields,
        lore_parent),
    .flag = LORE_NO_FLAG, .shorthand = LORE_SHORT_TEXT, .read_short = lore_rules_short_parent,
    .finish = lore_rules_finish_parent};

static const struct lore_field source_fields[] = {
    {TEXT(lore_source, "file", file, 1000), .required = true, .help = "File name."},
    {FIELD(lore_source, "text", BODY, text), .required = true, .max = LORE_MAX_SOURCE,
        .help = "Its contents."},
};
const struct lore_record lore_source_record = {
    RECORD("source", "One source file of a version.", source_fields, lore_source),
    .flag = LORE_NO_FLAG};

static const struct lore_field version_fields[] = {
    {ID(lore_version)},
    {FIELD(lore_version, "kernel", REF, kernel), .required = true, .kind = LORE_K_KERNEL,
        .help = "The kernel it is a version of."},
    {FIELD(lore_version, "kind", ENUM, kind), .required = true,
        .choices = &lore_version_kind_choices, .help = "Purpose of the version."},
    {FIELD(lore_version, "ordinal", I64, ordinal), .min = 0, .max = 1e9,
        .help = "Number of the version: 4 for v4."},
    {TEXT(lore_version, "tag", tag, LORE_MAX_NAME), .help = "Short name: persistent_radix10."},
    {TEXT(lore_version, "label", label, LORE_MAX_NAME), .help = "Display name: v4."},
    {TEXT(lore_version, "summary", summary, LORE_MAX_TEXT),
        .help = "What this version is, in one sentence."},
    {ITEMS(lore_version, parents, parent_record, 64), .help = "The versions it came from."},
    {ITEMS(lore_version, sources, lore_source_record, 200), .help = "Its source files."},
    {FIELD(lore_version, "build", KVS, build), .max = 1000,
        .help = "Toolchain, flags, target, registers_per_thread, spill_bytes …"},
    {FIELD(lore_version, "params", KVS, params), .max = 1000, .help = "Hyper-parameters."},
    {TEXT(lore_version, "git_commit", git_commit, LORE_MAX_NAME), .help = "Commit of the source."},
    {FIELD(lore_version, "created_at", TIME, created_at), .help = "When it was written."},
    {PROVENANCE(lore_version)},
    {EXTRA(lore_version)},
};
const struct lore_record lore_version_record = {
    RECORD("version", "An immutable state of a kernel's source.", version_fields, lore_version),
    .flag = LORE_NO_FLAG, .finish = lore_rules_finish_version};

static const struct lore_field environment_fields[] = {
    {ID(lore_environment)},
    {FIELD(lore_environment, "chip", CHIP, chip), .help = "The chip, when there is one."},
    {FIELD(lore_environment, "captured_at", TIME, captured_at),
        .help = "When the environment was read."},
    {FIELD(lore_environment, "hard", KVS, hard), .max = 1000,
        .help = "Facts that make two measurements incomparable when they differ: partition mode, "
                "power cap."},
    {FIELD(lore_environment, "soft", KVS, soft), .max = 1000,
        .help = "Facts that are only shown: driver, toolchain."},
    {EXTRA(lore_environment)},
};
const struct lore_record lore_environment_record = {
    RECORD("environment", "Driver, toolchain, clocks and modes of the machine of a run.",
        environment_fields, lore_environment),
    .flag = LORE_NO_FLAG};

static const struct lore_field expectation_fields[] = {
    {TEXT(lore_expectation, "metric", metric, LORE_MAX_NAME), .required = true,
        .help = "Metric that should move."},
    {FIELD(lore_expectation, "direction", CHOICE, direction), .choices = &directions,
        .help = "Direction of the change."},
    {FIELD(lore_expectation, "low", F64, low),
        .help = "Least it should reach, in the metric's unit."},
    {FIELD(lore_expectation, "high", F64, high), .help = "Most it should reach."},
    {TEXT(lore_expectation, "raw", raw, LORE_MAX_TEXT), .help = "Original text."},
};
static const struct lore_record expectation_record = {
    RECORD("expectation", "A metric and how far it should move.", expectation_fields,
        lore_expectation),
    .flag = LORE_NO_FLAG};

static const struct lore_field hypothesis_fields[] = {
    {ID(lore_hypothesis)},
    {FIELD(lore_hypothesis, "from_version", REF, from_version), .kind = LORE_K_VERSION,
        .help = "The version before the change."},
    {FIELD(lore_hypothesis, "to_version", REF, to_version), .kind = LORE_K_VERSION,
        .help = "The version with the change; may not exist yet."},
    {FIELD(lore_hypothesis, "operator", OPERATOR, op), .max = LORE_MAX_NAME,
        .help = "What it is about, where no version says it."},
    {FIELD(lore_hypothesis, "chip", CHIP, chip), .help = "The chip that it is about."},
    {TEXT(lore_hypothesis, "claim", claim, LORE_MAX_TEXT), .required = true,
        .help = "The one change and why it should help."},
    {TEXT(lore_hypothesis, "change", change, LORE_MAX_TEXT),
        .help = "The change, without the reason."},
    {TEXT(lore_hypothesis, "rationale", rationale, LORE_MAX_TEXT),
        .help = "The evidence behind it."},
    {TEXT(lore_hypothesis, "risk", risk, LORE_MAX_TEXT), .help = "Risks."},
    {TEXT(lore_hypothesis, "rollback", rollback, LORE_MAX_TEXT), .help = "How to undo the change."},
    {TEXT(lore_hypothesis, "accept_if", accept_if, LORE_MAX_TEXT),
        .help = "Condition for keeping the change."},
    {TEXT(lore_hypothesis, "reject_if", reject_if, LORE_MAX_TEXT),
        .help = "Condition for dropping the change."},
    {TEXT(lore_hypothesis, "not_changed", not_changed, LORE_MAX_TEXT),
        .help = "Parts deliberately left unchanged."},
    {ITEMS(lore_hypothesis, expected, expectation_record, 200),
        .help = "Metrics that should move."},
    {FIELD(lore_hypothesis, "watch", TEXTS, watch), .max = 200,
        .help = "Metrics to watch for regressions."},
    {FIELD(lore_hypothesis, "probability", F64, probability), .min = 0, .max = 1,
        .help = "How likely its author thinks a win is, 0..1."},
    {TEXT(lore_hypothesis, "decision_link", decision_link, LORE_MAX_TEXT),
        .help = "Reasoning from symptom to pattern to change."},
    {FIELD(lore_hypothesis, "campaign", REF, campaign), .kind = LORE_K_CAMPAIGN,
        .help = "The campaign it belongs to."},
    {FIELD(lore_hypothesis, "technique", TECHNIQUE, technique), .max = LORE_MAX_NAME,
        .help = "The technique that is planned."},
    {FIELD(lore_hypothesis, "claimed_at", TIME, claimed_at), .help = "When it was claimed."},
    {TEXT(lore_hypothesis, "author", author, LORE_MAX_NAME), .help = "Author of the hypothesis."},
    {TEXT(lore_hypothesis, "raw_text", raw_text, LORE_MAX_TEXT),
        .help = "Text of the imported file."},
    {EXTRA(lore_hypothesis)},
};
const struct lore_record lore_hypothesis_record = {
    RECORD("hypothesis", "A claim made before the run.", hypothesis_fields, lore_hypothesis),
    .flag = LORE_NO_FLAG};

/* The fields from `claim` on: without the ids, which the service makes. */
#define PLAN_FIRST 5
const struct lore_record lore_plan_record = {.name = "plan",
    .help = "A claim made before the run: a text or an object.",
    .fields = hypothesis_fields + PLAN_FIRST,
    .n = sizeof hypothesis_fields / sizeof *hypothesis_fields - PLAN_FIRST,
    .size = sizeof(struct lore_hypothesis),
    .flag = LORE_NO_FLAG,
    .shorthand = LORE_SHORT_TEXT,
    .read_short = lore_rules_short_plan};

static const struct lore_field attribution_fields[] = {
    {ID(lore_attribution)},
    {FIELD(lore_attribution, "experiment", REF, experiment), .required = true,
        .kind = LORE_K_EXPERIMENT, .help = "Experiment whose gain is attributed."},
    {FIELD(lore_attribution, "technique", TECHNIQUE, technique), .required = true,
        .max = LORE_MAX_NAME, .help = "Technique that gets the attributed part."},
    {FIELD(lore_attribution, "ablated_version", REF, ablated_version), .kind = LORE_K_VERSION,
        .help = "The version without the technique."},
    {FIELD(lore_attribution, "champion_run", REF, champion_run), .kind = LORE_K_RUN,
        .help = "Run with the technique."},
    {FIELD(lore_attribution, "ablated_run", REF, ablated_run), .kind = LORE_K_RUN,
        .help = "Run without the technique."},
    {FIELD(lore_attribution, "attribution_ns", F64, attribution_ns),
        .help = "How much slower it is without the technique; negative: faster."},
    {FIELD(lore_attribution, "attribution_pct", F64, attribution_pct),
        .help = "attribution_ns in percent of the time with the technique."},
    {FIELD(lore_attribution, "noise_pct", F64, noise_pct), .min = 0, .max = 1e6,
        .help = "Noise of the comparison in percent."},
    {FIELD(lore_attribution, "contributed", CHOICE, contributed), .required = true,
        .choices = &contributed, .help = "Whether it helped; unknown without an ablation."},
    {TEXT(lore_attribution, "note", note, LORE_MAX_TEXT), .help = "Free text."},
    {EXTRA(lore_attribution)},
};
const struct lore_record lore_attribution_record = {
    RECORD("attribution", "The part of an experiment's gain that ablation gives to one technique.",
        attribution_fields, lore_attribution),
    .flag = LORE_NO_FLAG};

static const struct lore_field insight_fields[] = {
    {ID(lore_insight)},
    {FIELD(lore_insight, "kind", CHOICE, kind), .required = true, .choices = &insight_kinds,
        .help = "Kind of lesson."},
    {TEXT(lore_insight, "title", title, LORE_MAX_NAME), .required = true, .help = "One line."},
    {TEXT(lore_insight, "body", body, LORE_MAX_TEXT), .required = true, .help = "The lesson."},
    {FIELD(lore_insight, "operator", OPERATOR, op), .max = LORE_MAX_NAME,
        .help = "Scope: an operator; absent: any."},
    {TEXT(lore_insight, "family", family, LORE_MAX_NAME), .help = "Scope: an operator family."},
    {FIELD(lore_insight, "chip", CHIP, chip), .help = "Scope: a chip."},
    {FIELD(lore_insight, "technique", TECHNIQUE, technique), .max = LORE_MAX_NAME,
        .help = "Scope: a technique."},
    {FIELD(lore_insight, "language", LANGUAGE, language), .choices = &lore_language_choices,
        .help = "Scope: a language."},
    {FIELD(lore_insight, "labels", LABELS, labels), .max = 32, .help = "Scope: bottleneck labels."},
    {TEXT(lore_insight, "vendor", vendor, LORE_MAX_NAME), .help = "Scope: a vendor of chips."},
    {TEXT(lore_insight, "arch", arch, LORE_MAX_NAME), .help = "Scope: an architecture: cdna3."},
    {TEXT(lore_insight, "symptom", symptom, LORE_MAX_NAME), .help = "The symptom it starts from."},
    {TEXT(lore_insight, "verdict", verdict, LORE_MAX_NAME), .help = "Its author's verdict."},
    {FIELD(lore_insight, "experiments", REFS, experiments), .max = 1000, .kind = LORE_K_EXPERIMENT,
        .help = "Experiments that support it."},
    {FIELD(lore_insight, "confidence", CHOICE, confidence), .choices = &confidences,
        .help = "How sure its author is."},
    {TEXT(lore_insight, "author", author, LORE_MAX_NAME), .help = "Who wrote it."},
    {PROVENANCE(lore_insight)},
    {EXTRA(lore_insight)},
};
const struct lore_record lore_insight_record = {
    RECORD("insight", "A lesson in words with scope and evidence.", insight_fields, lore_insight),
    .flag = LORE_NO_FLAG};

#define RECORDS(member, r, what)                                                                   \
    .name = #member, .type = LORE_F_LIST, .max = LORE_MAX_RECORDS, .sub = &r, .help = what,        \
    LORE_ITEMS(lore_submission, member, n_##member, cap_##member)

static const struct lore_field document_fields[] = {
    {FIELD(lore_submission, "warplore", FORMAT, format), .required = true,
        .help = "Version of this format: 1."},
    {FIELD(lore_submission, "id", ID, id), .required = true,
        .help = "The document's ULID, made by the client."},
    {FIELD(lore_submission, "created_at", TIME, created_at), .help = "When it was made."},
    {OBJECT(lore_submission, "author", author, author_record), .help = "Who made it."},
    {TEXT(lore_submission, "project", stated_project, LORE_MAX_NAME),
        .help = "Project of all its records; not needed where its kernels state the same."},
    {RECORDS(artifacts, artifact_record, "Files that come with it.")},
    {RECORDS(kernels, lore_kernel_record, "Kernels.")},
    {RECORDS(versions, lore_version_record, "Versions of kernels.")},
    {RECORDS(environments, lore_environment_record, "Environments of runs.")},
    {RECORDS(runs, lore_run_record, "Runs of versions.")},
    {RECORDS(hypotheses, lore_hypothesis_record, "Hypotheses.")},
    {RECORDS(experiments, lore_experiment_record, "Experiments.")},
    {RECORDS(attributions, lore_attribution_record, "Attributions.")},
    {RECORDS(insights, lore_insight_record, "Insights.")},
    {RECORDS(source_documents, lore_source_document_record, "Documents that state facts.")},
    {RECORDS(specs, lore_spec_record, "Hardware numbers with their sources.")},
    {RECORDS(
        techniques, lore_technique_def_record, "Techniques as some catalogue describes them.")},
    {RECORDS(verifications, lore_verification_record, "Checks of compiled code.")},
    {RECORDS(campaigns, lore_campaign_record, "Series of experiments with a goal.")},
    {RECORDS(directions, lore_direction_record, "Things worth trying.")},
    {RECORDS(curations, lore_curation_record, "Decisions about stored records.")},
    {RECORDS(sweeps, lore_sweep_record, "Searches of tuners.")},
    {RECORDS(profiles, lore_profile_record, "Profiles of programs.")},
};
const struct lore_record lore_document_record = {
    RECORD("document", "A submission: any mix of records.", document_fields, lore_submission),
    .flag = LORE_NO_FLAG};

enum { BEFORE_RECORDS = 6 }; /* fields of a document before its lists of records */
_Static_assert(sizeof document_fields / sizeof *document_fields == BEFORE_RECORDS + LORE_K_COUNT,
    "a document has one list per kind, in the order of enum lore_kind");

const struct lore_field *
lore_kind_list(enum lore_kind kind)
{
    return (unsigned)kind < LORE_K_COUNT ? &document_fields[BEFORE_RECORDS + kind] : NULL;
}

const struct lore_record *
lore_kind_record(enum lore_kind kind)
{
    return document_fields[BEFORE_RECORDS + kind].sub;
}

const char *
lore_kind_name(enum lore_kind kind)
{
    return (unsigned)kind < LORE_K_COUNT ? lore_kind_record(kind)->name : NULL;
}

const char *
lore_kind_plural(enum lore_kind kind)
{
    return (unsigned)kind < LORE_K_COUNT ? lore_kind_list(kind)->name : NULL;
}

const void *
lore_wire_list(const struct lore_submission *doc, enum lore_kind kind, size_t *n, size_t *size)
{
    const struct lore_field *f = lore_kind_list(kind);

    *n = *(const size_t *)lore_cmember(doc, f->n_offset);
    *size = f->sub->size;
    return *(const void *const *)lore_cmember(doc, f->offset);
}

const char *
lore_wire_id(enum lore_kind kind, const void *record)
{
    const char *id;

    memcpy(&id, lore_cmember(record, lore_kind_record(kind)->fields[0].offset), sizeof id);
    return id;
}

const struct lore_provenance *
lore_wire_provenance(enum lore_kind kind, const void *record)
{
    const struct lore_record *r = lore_kind_record(kind);

    for (size_t i = 0; i < r->n; i++)
        if (r->fields[i].sub == &lore_provenance_record)
            return lore_cmember(record, r->fields[i].offset);
    return NULL;
}
