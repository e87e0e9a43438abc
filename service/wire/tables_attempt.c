/* The fields of an attempt (attempt.h). Objects that records have too are described by the tables
 * of those records. */
#include "service/wire/attempt.h"

#include <string.h>

#include "service/base/text.h"
#include "service/wire/decoder.h"
#include "service/wire/field_rows.h"

/* A time given as text, as a number, or as samples. S is `after` or `before`. */
#define TIMES(json, side)                                                                          \
    {FIELD(lore_attempt, json, TEXT, side.text), .max = LORE_MAX_NAME,                             \
        .help = "Time with a unit: 81us."},                                                        \
    {                                                                                              \
        DURATION(lore_attempt, json "_ns", side.ns), .help = "The same in nanoseconds."            \
    }
#define SAMPLES(json, side)                                                                        \
    {FIELD(lore_attempt, json, TEXTS, side.samples), .max = LORE_MAX_SAMPLES,                      \
        .help = "Measured times in order, with units: [\"81.2us\", \"80.9us\"]."},                 \
    {                                                                                              \
        .name = json "_ns", .type = LORE_F_SAMPLES,                                                \
        LORE_ITEMS(lore_attempt, side.samples_ns, side.n_samples, side.cap_samples),               \
        .max = LORE_MAX_SAMPLES, .help = "The same as integers, in nanoseconds."                   \
    }
#define SOURCES(member, what)                                                                      \
    {                                                                                              \
        ITEMS(lore_attempt, member, lore_source_record, 64), .help = what                          \
    }

static const struct lore_attempt_error attempt_errors[] = {
    {"compile", "compilation", LORE_C_NONE},
    {"runtime", "runtime", LORE_C_NONE},
    {"wrong", "accuracy", LORE_C_FAIL},
    {"timeout", "timeout", LORE_C_TIMEOUT},
};
static const char *const error_names[] = {
    "compile", "runtime", "wrong", "timeout", "compilation", "accuracy"};
static const struct lore_choices errors = {error_names, 6};
/* The words of the formats that people come from. A misspelt one could never disagree with the
 * numbers. */
static const char *const outcome_names[] = {"success", "failure", "neutral", "positive", "negative",
    "improved", "regressed", "regression", "win", "loss", "inconclusive", "invalid"};
static const struct lore_choices outcomes = {outcome_names, 12};

/* The bounds of a record, but no size of a measured workload is 0. */
static const struct lore_value_range dims_bounds[] = {
    {"axis|dim|start_dim|end_dim|offset|shift|diagonal", -LORE_MAX_NS, LORE_MAX_NS},
    {"M|N|K|B|H|S|D|m|n|k|rows|cols|batch|heads|tokens", 1, LORE_MAX_NS}, {NULL, 0, LORE_MAX_NS}};

/* `session` first, then what describes a place, then the attempt itself. A body of POST /sessions
 * has the second part only. */
enum { PLACE_FIRST = 1, PLACE_END = 12 };
static const struct lore_field fields[] = {
    {TEXT(lore_attempt, "session", session, LORE_MAX_NAME),
        .help = "Session (a campaign's id): kernel, chip and workload are its own."},
    {FIELD(lore_attempt, "operator", OPERATOR, op), .max = LORE_MAX_NAME,
        .help = "Operator: gemm, softmax. Needed for a kernel that is not stored yet."},
    {TEXT(lore_attempt, "kernel", kernel, LORE_MAX_NAME),
        .help = "Kernel, by name or id; default: the operator's name."},
    {TEXT(lore_attempt, "project", project, LORE_MAX_NAME), .help = "Project of the kernel."},
    {FIELD(lore_attempt, "language", LANGUAGE, language), .choices = &lore_language_choices,
        .help = "Kernel language. Needed for a kernel that is not stored yet."},
    {FIELD(lore_attempt, "chip", CHIP, chip), .help = "Chip: mi300x, h100-sxm."},
    {FIELD(lore_attempt, "dims", KVS, workload.dims), .max = 200, .bounds = dims_bounds,
        .help = "Shape: {\"M\": 4096, \"N\": 4096}, or as text: \"M=4096,N=4096\"."},
    {TEXT(lore_attempt, "dtype", workload.dtype, LORE_MAX_NAME), .help = "Element type: bf16."},
    {TEXT(lore_attempt, "layout", workload.layout, LORE_MAX_NAME), .help = "Layout: row, nhwc."},
    {TEXT(lore_attempt, "author", author, LORE_MAX_NAME),
        .help = "The author; default: the token's label."},
    {TEXT(lore_attempt, "idempotency_key", idempotency_key, LORE_MAX_NAME),
        .help = "The same key is stored once; default: made from all other members."},
    {FIELD(lore_attempt, "new_kernel", BOOL, new_kernel),
        .help = "A new kernel, although a stored one has a name like it; a new session, although "
                "the last one, which ended, could go on."},
    {TEXT(lore_attempt, "parent", parent, LORE_MAX_NAME),
        .help = "What it started from: champion (default), last, first, none, a version's label "
                "or id."},
    {TEXT(lore_attempt, "head", head, LORE_MAX_NAME),
        .help = "Where the session stands when that is not its champion: the default of `parent`. "
                "The same attempt from another head is still the same."},
    {TEXT(lore_attempt, "label", label, LORE_MAX_NAME),
        .help = "Label of the new version; default: the next number, v3."},
    {TEXT(lore_attempt, "version", version, LORE_MAX_NAME),
        .help = "A stored version that this attempt made, instead of a new one: label or id."},
    {TEXT(lore_attempt, "change", change, 2000), .help = "What was changed, in words."},
    {ITEMS(lore_attempt, techniques, lore_use_record, LORE_MAX_TECHNIQUES),
        .help = "Techniques, when they are known by name; else they are found in `change`."},
    {FIELD(lore_attempt, "params", KVS, params), .max = 200, .help = "Parameters: {\"tile\": 64}."},
    {OBJECT(lore_attempt, "hypothesis", hypothesis, lore_plan_record),
        .help = "Why it should help: a text, or an object with expectations."},
    SOURCES(sources, "Source files of the new version."),
    SOURCES(parent_sources, "Source files of the version before, when that is new, too."),
    TIMES("time", after),
    SAMPLES("samples", after),
    TIMES("before", before),
    SAMPLES("samples_before", before),
    {FIELD(lore_attempt, "error", CHOICE, error), .choices = &errors,
        .help = "Why there is no good result."},
    {TEXT(lore_attempt, "log", log, LORE_MAX_TEXT), .help = "Output that shows the error."},
    {FIELD(lore_attempt, "correctness", ENUM, correctness), .choices = &lore_check_choices,
        .help = "Result of the check; default: pass with `checked_against`, fail when wrong."},
    {TEXT(lore_attempt, "checked_against", checked_against, 2000),
        .help = "Reference that the result was compared with."},
    {F64(lore_attempt, "tolerance", tolerance), .min = 0, .max = 1e9,
        .help = "Allowed relative and absolute difference."},
    {OBJECT(lore_attempt, "bottleneck", bottleneck, lore_diagnosis_record),
        .help = "What limited the kernel before."},
    {FIELD(lore_attempt, "metrics", METRICS, metrics), .max = LORE_MAX_METRICS,
        .sub = &lore_metric_record, .help = "Counters of the new version."},
    {FIELD(lore_attempt, "metrics_before", METRICS, metrics_before), .max = LORE_MAX_METRICS,
        .sub = &lore_metric_record, .help = "Counters of the version before."},
    {TEXT(lore_attempt, "title", title, LORE_MAX_NAME), .help = "One line; default: the change."},
    {TEXT(lore_attempt, "notes", notes, LORE_MAX_TEXT), .help = "Remarks."},
    {TEXT(lore_attempt, "lesson", lesson, LORE_MAX_TEXT), .help = "Lesson for later attempts."},
    {CHOICE(lore_attempt, "outcome", outcome, outcomes), .help = "The author's own verdict."},
    {TEXTS(lore_attempt, "violations", violations, 64), .help = "Process rules that were broken."},
    {FIELD(lore_attempt, "evidence", ENUM, evidence), .choices = &lore_evidence_choices,
        .help = "Evidence class; default: measured with samples, else claimed."},
    {FIELD(lore_attempt, "date", TIME, date), .help = "When it happened."},
    {TEXT(lore_attempt, "advice", advice, LORE_MAX_NAME),
        .help = "Id of the answer of `recommend` that it follows."},
    {FIELD(lore_attempt, "again", BOOL, again),
        .help = "A new attempt, although one with the same words and numbers is stored."},
    {FIELD(lore_attempt, "new_technique", BOOL, new_technique),
        .help = "`techniques` are meant as written, although a known name is near."},
    {FIELD(lore_attempt, "dry_run", BOOL, dry_run),
        .help = "Answer with the document that would be stored."},
};
const struct lore_record lore_attempt_record = {
    RECORD("attempt", "One attempt on a kernel, without ids.", fields, lore_attempt),
    .flag = LORE_NO_FLAG};
const struct lore_record lore_session_record = {.name = "session",
    .help = "What a session's attempts belong to: kernel, chip and workload.",
    .fields = fields + PLACE_FIRST,
    .n = PLACE_END - PLACE_FIRST,
    .size = sizeof(struct lore_attempt),
    .flag = LORE_NO_FLAG};

const struct lore_attempt_error *
lore_attempt_error_find(const char *text)
{
    for (size_t i = 0; i < sizeof attempt_errors / sizeof *attempt_errors; i++)
        if (lore_streq(text, attempt_errors[i].word) || lore_streq(text, attempt_errors[i].type))
            return &attempt_errors[i];
    return NULL;
}

/* "M=4096,N=4096" becomes the object that it stands for. */
static enum lore_status
expand_dims(struct lore_json *dims, struct lore_arena *arena, struct lore_err *err)
{
    LORE_BUF text = {.max = LORE_MAX_TEXT};
    struct lore_json *object = NULL;
    struct lore_kvs kvs = {0};
    enum lore_status status = lore_dims_parse(dims->str, arena, &kvs, err);

    if (status != LORE_OK)
        return status;
    lore_buf_putc(&text, '{');
    for (size_t i = 0; i < kvs.n; i++)
        lore_buf_printf(
            &text, "%s%s:%s", i ? "," : "", lore_kvs_quote(arena, kvs.v[i].key), kvs.v[i].value);
    lore_buf_putc(&text, '}');
    status = lore_json_parse(text.data, text.len, NULL, arena, &object, err);
    if (status != LORE_OK)
        return status;
    dims->type = LORE_J_OBJECT;
    dims->child = object->child;
    dims->len = object->len;
    for (struct lore_json *c = dims->child; c; c = c->next)
        c->parent = dims;
    return LORE_OK;
}

enum lore_status
lore_wire_decode_attempt(const struct lore_record *as, struct lore_json *body,
    struct lore_arena *arena, struct lore_attempt *out, struct lore_errs *errs)
{
    struct lore_err err = {0};

    *out = (struct lore_attempt){0};
    for (struct lore_json *c = body->type == LORE_J_OBJECT ? body->child : NULL; c; c = c->next)
        if (strcmp(c->key, "dims") == 0 && c->type == LORE_J_STRING &&
            expand_dims(c, arena, &err) != LORE_OK) {
            lore_err_hint(lore_errs_add(errs, "invalid_value", "dims", "%s", err.msg),
                "M=4096,N=4096,K=4096");
            c->type = LORE_J_OBJECT; /* reported */
            c->len = 0;
            c->child = NULL;
        }
    lore_decode_all(as, body, arena, out, errs);
    const char *near = lore_workload_near_dtype(out->workload.dtype);
    if (near)
        lore_err_hint(lore_errs_add(errs, "unknown_dtype", "dtype",
                          "no element type is called \"%s\"", out->workload.dtype),
            "did you mean %s?", near);
    out->workload.set = out->workload.dims.n > 0 || out->workload.dtype || out->workload.layout;
    return errs->n > 0 ? LORE_INVALID : LORE_OK;
}
