/* Field tables of the records in knowledge.h: source documents, specs, techniques as catalogues
 * describe them, verifications of compiled code, campaigns, directions, curations. See tables.c for
 * the rest and fields.h for the columns; the rules across fields are at the end. */
#include <string.h>

#include "service/wire/decoder.h"
#include "service/wire/field_rows.h"

#define NAMES(list, ...)                                                                           \
    static const char *const list##_names[] = {__VA_ARGS__};                                       \
    static const struct lore_choices list = {                                                      \
        list##_names, sizeof list##_names / sizeof *list##_names}

/* measured and device_reported come from a device, the others from a document. */
NAMES(evidence_classes, "vendor_published", "derived", "architecture_analysis",
    "repository_reference", "user_confirmed", "measured", "device_reported");
NAMES(trigger_directions, "low_is_bad", "high_is_bad");
NAMES(targets_of_code, "sass", "amdgcn");
NAMES(requirements, "any", "all");
NAMES(verification_states, "verified", "missing", "not_applicable", "unavailable", "inconclusive");
NAMES(target_directions, "up", "down");
NAMES(met_states, "yes", "no", "unknown");
NAMES(stop_reasons, "max_iterations", "target_met", "near_peak", "bottleneck_saturated", "blocked",
    "user", "error");
/* Subjects of each action. mask, unmask, merge: experiments. unmerge: the curation that merged.
 * retract: records of any kind. review: insights. select_spec, reject_spec: a spec. close: a
 * direction or a campaign. amend: a campaign. restart: a kernel. comment: anything. */
NAMES(actions, "mask", "unmask", "retract", "review", "merge", "unmerge", "select_spec",
    "reject_spec", "close", "amend", "restart", "comment");
NAMES(review_states, "draft", "reviewed", "rejected");

#define KVS(S, json, member) .name = json, .type = LORE_F_KVS, LORE_AT(S, member), .max = 1000
#define CHIP(S) .name = "chip", .type = LORE_F_CHIP, LORE_AT(S, chip)
#define TECHNIQUE(S)                                                                               \
    .name = "technique", .type = LORE_F_TECHNIQUE, LORE_AT(S, technique), .max = LORE_MAX_NAME

static const struct lore_field source_document_fields[] = {
    {ID(lore_source_document)},
    {TEXT(lore_source_document, "title", title, LORE_MAX_NAME), .required = true,
        .help = "Title of the document."},
    {TEXT(lore_source_document, "path", path, 1000), .required = true,
        .help = "Its path in the repository it comes from; citations print it."},
    {FIELD(lore_source_document, "text", BODY, text), .required = true, .max = LORE_MAX_SOURCE,
        .help = "Its text; quotes are checked against it."},
    {TEXT(lore_source_document, "commit", commit, LORE_MAX_NAME), .help = "Commit of the file."},
    {TIME(lore_source_document, "published_at", published_at), .help = "When it was published."},
    {PROVENANCE(lore_source_document)},
    {EXTRA(lore_source_document)},
};
const struct lore_record lore_source_document_record = {
    RECORD("source_document", "A document that states facts, with its text.",
        source_document_fields, lore_source_document),
    .flag = LORE_NO_FLAG, .finish = lore_tables_finish_source_document};

static const struct lore_field spec_fields[] = {
    {ID(lore_spec)},
    {CHIP(lore_spec), .required = true, .help = "The product the number belongs to."},
    {TEXT(lore_spec, "metric", metric, LORE_MAX_NAME), .required = true,
        .help = "Quantity: hbm_bandwidth, peak_tflops.bf16.matrix.dense."},
    {F64(lore_spec, "value", value), .help = "The number; required unless unknown is given."},
    {FIELD(lore_spec, "unknown", ENUM, unknown), .choices = &lore_missing_choices,
        .help = "Reason why there is no number."},
    {TEXT(lore_spec, "unit", unit, LORE_MAX_NAME), .help = "Its unit; required with a value."},
    {TEXT(lore_spec, "qualifier", qualifier, LORE_MAX_NAME),
        .help = "Distinguishes several numbers of one metric: boost clock, per XCD."},
    {CHOICE(lore_spec, "evidence_class", evidence_class, evidence_classes), .required = true,
        .help = "Kind of evidence of the source."},
    {REF(lore_spec, source_document, LORE_K_SOURCE_DOCUMENT),
        .help = "Document with the number; required unless a device gave it."},
    {FIELD(lore_spec, "line", I64, line), .min = 1, .max = 1e9, .help = "Its line, from 1."},
    {TEXT(lore_spec, "quote", quote, LORE_MAX_TEXT),
        .help = "Text on that line; checked against the document."},
    {REF(lore_spec, environment, LORE_K_ENVIRONMENT),
        .help = "Environment of the device; required for measured and device_reported."},
    {KVS(lore_spec, "method", method), .help = "How it was measured: kind, size_bytes …"},
    {TIME(lore_spec, "measured_at", measured_at), .help = "When it was measured."},
    {TEXT(lore_spec, "note", note, LORE_MAX_TEXT), .help = "Free text."},
    {PROVENANCE(lore_spec)},
    {EXTRA(lore_spec)},
};
const struct lore_record lore_spec_record = {
    RECORD("spec", "One hardware number with its source, or a statement that no source gives it.",
        spec_fields, lore_spec),
    .flag = LORE_NO_FLAG, .finish = lore_tables_finish_spec};

static const struct lore_field trigger_fields[] = {
    {TEXT(lore_def_trigger, "metric", metric, LORE_MAX_NAME), .required = true,
        .help = "The metric, verbatim."},
    {F64(lore_def_trigger, "good", good), .help = "Value at which it is not needed."},
    {F64(lore_def_trigger, "bad", bad), .help = "Value at which it is needed."},
    {CHOICE(lore_def_trigger, "direction", direction, trigger_directions),
        .help = "Which way the metric gets worse."},
};
static const struct lore_record trigger_record = {
    RECORD("trigger", "The metric that calls for a technique.", trigger_fields, lore_def_trigger),
    .flag = offsetof(struct lore_def_trigger, set)};

static const struct lore_field signature_fields[] = {
    {CHOICE(lore_signature, "target", target, targets_of_code), .required = true,
        .help = "Kind of machine code."},
    {TEXTS(lore_signature, "patterns", patterns, 200),
        .help = "Regular expressions; none: it leaves no trace."},
    {CHOICE(lore_signature, "require", require, requirements),
        .help = "Whether any or all patterns must be found."},
    {COUNT(lore_signature, "min_count", min_count),
        .help = "Least number of matching instructions."},
    {TEXT(lore_signature, "note", note, LORE_MAX_TEXT), .help = "Free text."},
};
static const struct lore_record signature_record = {
    RECORD(
        "signature", "What a technique leaves in compiled code.", signature_fields, lore_signature),
    .flag = LORE_NO_FLAG};

static const struct lore_field technique_def_fields[] = {
    {ID(lore_technique_def)},
    {TECHNIQUE(lore_technique_def), .required = true, .help = "The technique; aliases resolve."},
    {TEXT(lore_technique_def, "slug", slug, LORE_MAX_NAME), .help = "As this catalogue names it."},
    {TEXT(lore_technique_def, "title", title, LORE_MAX_NAME), .help = "Title in plain words."},
    {TEXT(lore_technique_def, "axis", axis, LORE_MAX_NAME), .help = "Resource that it improves."},
    {TEXT(lore_technique_def, "layer", layer, LORE_MAX_NAME),
        .help = "Part of the code that it changes."},
    {TEXT(lore_technique_def, "summary", summary, LORE_MAX_TEXT), .help = "What it does."},
    {COUNT(lore_technique_def, "priority", priority), .help = "Rank on its axis, 1 first."},
    {TEXT(lore_technique_def, "min_arch", min_arch, LORE_MAX_NAME),
        .help = "Oldest ISA that supports it: sm_80."},
    {TEXTS(lore_technique_def, "features", features, 64), .help = "Chip features it needs."},
    {TEXTS(lore_technique_def, "preconditions", preconditions, 64),
        .help = "Conditions for using it."},
    {OBJECT(lore_technique_def, "trigger", trigger, trigger_record),
        .help = "The metric that calls for it."},
    {TEXTS(lore_technique_def, "conflicts", conflicts, 64), .help = "Slugs it excludes."},
    {TEXTS(lore_technique_def, "complements", complements, 64),
        .help = "Slugs that combine well with it."},
    {TEXTS(lore_technique_def, "coupled", coupled, 64),
        .help = "Slugs that count as the same change."},
    {ITEMS(lore_technique_def, signatures, signature_record, 32),
        .help = "What it leaves in compiled code."},
    {TEXT(lore_technique_def, "reference", reference, 2000), .help = "An implementation."},
    {TEXT(lore_technique_def, "typical_gain", typical_gain, 2000),
        .help = "Typical gain, in words."},
    {PROVENANCE(lore_technique_def)},
    {EXTRA(lore_technique_def)},
};
const struct lore_record lore_technique_def_record = {
    RECORD("technique_definition", "A technique as a catalogue describes it.", technique_def_fields,
        lore_technique_def),
    .flag = LORE_NO_FLAG};

static const struct lore_field verification_fields[] = {
    {ID(lore_verification)},
    {REF(lore_verification, version, LORE_K_VERSION), .required = true,
        .help = "Version whose code was read."},
    {TECHNIQUE(lore_verification), .required = true, .help = "Technique that was looked for."},
    {CHOICE(lore_verification, "status", status, verification_states), .required = true,
        .help = "Only verified confirms the technique."},
    {TEXT(lore_verification, "tool", tool, LORE_MAX_NAME), .help = "cuobjdump, llvm-objdump …"},
    {TEXT(lore_verification, "kernel_symbol", kernel_symbol, 2000), .help = "The function read."},
    {TEXT(lore_verification, "signature", signature, LORE_MAX_NAME),
        .help = "Name and version of the pattern set."},
    {TEXTS(lore_verification, "found", found, 200), .help = "Patterns found."},
    {TEXTS(lore_verification, "missing", missing, 200), .help = "Patterns not found."},
    {KVS(lore_verification, "counts", counts), .help = "Instructions per pattern or opcode."},
    {TEXT(lore_verification, "note", note, LORE_MAX_TEXT), .help = "Free text."},
    {PROVENANCE(lore_verification)},
    {EXTRA(lore_verification)},
};
const struct lore_record lore_verification_record = {
    RECORD("verification", "Whether the compiled code of a version shows a technique.",
        verification_fields, lore_verification),
    .flag = LORE_NO_FLAG};

static const struct lore_field target_fields[] = {
    {TEXT(lore_target, "metric", metric, LORE_MAX_NAME), .required = true,
        .help = "Metric to reach."},
    {F64(lore_target, "value", value), .help = "Value to reach; absent: not known yet."},
    {TEXT(lore_target, "unit", unit, LORE_MAX_NAME), .help = "Its unit."},
    {CHOICE(lore_target, "direction", direction, target_directions), .help = "Which way is good."},
    {F64(lore_target, "current", current), .help = "Current value."},
    {F64(lore_target, "fraction_of_peak", fraction_of_peak), .min = 0, .max = 10,
        .help = "Target value as a fraction of the peak."},
    {REF(lore_target, spec, LORE_K_SPEC), .help = "Spec of that peak."},
    {CHOICE(lore_target, "met", met, met_states), .help = "Whether it is reached."},
};
const struct lore_record lore_target_record = {
    RECORD("target", "A number to be reached.", target_fields, lore_target), .flag = LORE_NO_FLAG};

static const struct lore_field campaign_fields[] = {
    {ID(lore_campaign)},
    {TEXT(lore_campaign, "label", label, LORE_MAX_NAME), .required = true,
        .help = "Name of the campaign: run_20260510_091500."},
    {REF(lore_campaign, kernel, LORE_K_KERNEL), .help = "Kernel that it optimises."},
    {REF(lore_campaign, baseline, LORE_K_VERSION), .help = "Version that it starts from."},
    {CHIP(lore_campaign), .help = "Chip that it runs on."},
    {OBJECT(lore_campaign, "workload", workload, lore_workload_record),
        .help = "Workload that it is measured on."},
    {TEXT(lore_campaign, "goal", goal, 2000), .help = "Goal in words."},
    {TEXT(lore_campaign, "author", author, LORE_MAX_NAME), .help = "Author of the campaign."},
    {COUNT(lore_campaign, "iterations", iterations),
        .help = "Planned number of iterations, fixed at the start."},
    {COUNT(lore_campaign, "expected_records", expected_records),
        .help = "Experiments that must arrive; fewer raise an alarm."},
    {F64(lore_campaign, "noise_threshold_pct", noise_threshold_pct), .min = 0, .max = 1e6,
        .help = "Differences below it are noise."},
    {TEXT(lore_campaign, "input_hash", input_hash, LORE_MAX_NAME),
        .help = "Hash of the fixed inputs: baseline, reference, shapes, harness."},
    {KVS(lore_campaign, "config", config), .help = "Settings: branches, budget, warmup …"},
    {ITEMS(lore_campaign, targets, lore_target_record, 64),
        .help = "Targets that allow it to stop."},
    {TIME(lore_campaign, "started_at", started_at), .help = "When it began."},
    {TIME(lore_campaign, "ended_at", ended_at), .help = "When it ended."},
    {CHOICE(lore_campaign, "stop_reason", stop_reason, stop_reasons), .help = "Why it ended."},
    {TEXT(lore_campaign, "retrospective", retrospective, LORE_MAX_TEXT),
        .help = "What was learned."},
    {PROVENANCE(lore_campaign)},
    {EXTRA(lore_campaign)},
};
const struct lore_record lore_campaign_record = {
    RECORD("campaign", "A series of experiments with a goal.", campaign_fields, lore_campaign),
    .flag = LORE_NO_FLAG};

static const struct lore_field direction_fields[] = {
    {ID(lore_direction)},
    {TEXT(lore_direction, "text", text, LORE_MAX_TEXT), .required = true, .help = "What to try."},
    {REF(lore_direction, kernel, LORE_K_KERNEL), .help = "Kernel that it is about."},
    {REF(lore_direction, experiment, LORE_K_EXPERIMENT), .help = "Experiment that led to it."},
    {REF(lore_direction, campaign, LORE_K_CAMPAIGN), .help = "Campaign that it belongs to."},
    {TECHNIQUE(lore_direction), .help = "The technique, when it is one."},
    {TEXT(lore_direction, "rationale", rationale, LORE_MAX_TEXT), .help = "Why it may pay."},
    {COUNT(lore_direction, "rank", rank), .help = "1: most promising."},
    {TEXT(lore_direction, "author", author, LORE_MAX_NAME), .help = "Who suggests it."},
    {PROVENANCE(lore_direction)},
    {EXTRA(lore_direction)},
};
const struct lore_record lore_direction_record = {
    RECORD("direction", "Something worth trying.", direction_fields, lore_direction),
    .flag = LORE_NO_FLAG};

static const struct lore_field curation_fields[] = {
    {ID(lore_curation)},
    {CHOICE(lore_curation, "action", action, actions), .required = true, .help = "Decision."},
    {TEXTS(lore_curation, "subjects", subjects, LORE_MAX_SUBJECTS), .required = true,
        .help = "Ids of the stored records it is about."},
    {TEXT(lore_curation, "canonical", canonical, LORE_MAX_NAME),
        .help = "merge: the member that counts for the group."},
    {CHOICE(lore_curation, "state", state, review_states), .help = "review: the new state."},
    {TEXT(lore_curation, "reason", reason, LORE_MAX_TEXT), .required = true, .help = "Why."},
    {KVS(lore_curation, "values", values),
        .help =
            "restart: seed, next_ordinal …; close: stop_reason; amend: the new numbers; retract: "
            "author and since of a quarantine."},
    {TIME(lore_curation, "at", at), .help = "When it was decided."},
    {TEXT(lore_curation, "author", author, LORE_MAX_NAME), .help = "Who decided."},
    {EXTRA(lore_curation)},
};
const struct lore_record lore_curation_record = {
    RECORD("curation", "A decision about stored records; the records stay as they are.",
        curation_fields, lore_curation),
    .flag = LORE_NO_FLAG, .finish = lore_tables_finish_curation};

static bool
from_device(const struct lore_spec *s)
{
    return strcmp(s->evidence_class, "measured") == 0 ||
           strcmp(s->evidence_class, "device_reported") == 0;
}

/* A citation is one line, "metric: value unit <- path:line": nothing in it may break the line. */
static enum lore_status
check_line(struct lore_decoder *d, const struct lore_json *node, const char *key, const char *text)
{
    for (const char *p = text; p != NULL && *p != '\0'; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f)
            return lore_decode_fail(
                d, node, key, "invalid_value", "has a control character; citations are one line");
    return LORE_OK;
}

/* Metric, unit and qualifier must not contain the separators of a citation, ": " and "<-". */
static enum lore_status
check_citable(
    struct lore_decoder *d, const struct lore_json *node, const char *key, const char *text)
{
    if (!text || *text == '\0')
        return LORE_OK;
    if (*text == ' ' || text[strlen(text) - 1] == ' ' || strstr(text, ": ") || strstr(text, "<-"))
        return lore_decode_fail(d, node, key, "invalid_value",
            "must not begin or end with a blank, or contain \": \" or \"<-\"");
    return check_line(d, node, key, text);
}

enum lore_status
lore_tables_finish_source_document(
    struct lore_decoder *d, const struct lore_json *node, void *out, uint64_t given)
{
    const struct lore_source_document *s = out;

    (void)given;
    return check_line(d, node, "path", s->path);
}

/* Require a source for every value. */
enum lore_status
lore_tables_finish_spec(
    struct lore_decoder *d, const struct lore_json *node, void *out, uint64_t given)
{
    const struct lore_spec *s = out;
    const char *needed = NULL;

    (void)given;
    if (check_citable(d, node, "metric", s->metric) != LORE_OK ||
        check_citable(d, node, "unit", s->unit) != LORE_OK ||
        check_citable(d, node, "qualifier", s->qualifier) != LORE_OK)
        return LORE_INVALID;
    if (s->value.set == (s->unknown != LORE_MISS_NONE))
        return lore_decode_fail(d, node, "value", "missing_field", "give either value or unknown");
    if (s->unknown != LORE_MISS_NONE)
        return LORE_OK;
    if (!s->unit)
        needed = "unit";
    else if (from_device(s))
        needed = !s->environment ? "environment" : NULL;
    else if (!s->source_document)
        needed = "source_document";
    else if (!s->line.set)
        needed = "line";
    else if (!s->quote)
        needed = "quote";
    if (!needed)
        return LORE_OK;
    (void)lore_decode_fail(
        d, node, needed, "missing_source", "a %s value needs it", s->evidence_class);
    lore_decode_hint(d, "cite the document, line and quote, or name the device's environment");
    return LORE_INVALID;
}

/* The member that C's action requires and C lacks; NULL: none. */
static const char *
lacking(const struct lore_curation *c)
{
    if (strcmp(c->action, "review") == 0 && !c->state)
        return "state";
    if (strcmp(c->action, "merge") == 0 && !c->canonical)
        return "canonical";
    return NULL;
}

enum lore_status
lore_tables_finish_curation(
    struct lore_decoder *d, const struct lore_json *node, void *out, uint64_t given)
{
    struct lore_curation *c = out;
    const struct lore_json *subjects = lore_json_get(node, "subjects");
    const char *needed = lacking(c);
    size_t i = 0;

    (void)given;
    if (c->subjects.n == 0)
        return lore_decode_fail(d, node, "subjects", "missing_field", "name at least one record");
    for (const struct lore_json *s = subjects->child; s != NULL; s = s->next, i++)
        if (lore_value_id(d, s, &c->subjects.v[i]) != LORE_OK)
            return LORE_INVALID;
    if (needed)
        return lore_decode_fail(d, node, needed, "missing_field", "%s needs it", c->action);
    if (c->canonical &&
        lore_value_id(d, lore_json_get(node, "canonical"), &c->canonical) != LORE_OK)
        return LORE_INVALID;
    for (i = 0; c->canonical != NULL && i < c->subjects.n; i++)
        if (strcmp(c->subjects.v[i], c->canonical) == 0)
            return LORE_OK;
    return !c->canonical ? LORE_OK
                         : lore_decode_fail(d, node, "canonical", "wrong_reference",
                               "is not among the subjects");
}
