/* Field tables of runs and experiments: what was measured, what was tried. See tables.c for the
 * rest and fields.h for the columns. */
#include "decoder.h"

static const char *const failure_names[] = {"compilation", "runtime", "accuracy", "performance",
    "timeout", "profiling", "environment", "process"};
static const struct lore_choices failures = {failure_names, 8};

#define TEXT(S, json, member, most)                                                                \
    .name = json, .type = LORE_F_TEXT, LORE_AT(S, member), .max = most
#define F64(S, json, member) .name = json, .type = LORE_F_F64, LORE_AT(S, member)
#define DURATION(S, json, member) F64(S, json, member), .min = 0, .max = LORE_MAX_NS
#define RECORD(json, what, rows, S)                                                                \
    .name = json, .help = what, .fields = rows, .n = sizeof(rows) / sizeof *(rows),                \
    .size = sizeof(struct S)
#define REF(S, member, k) .name = #member, .type = LORE_F_REF, LORE_AT(S, member), .kind = k
#define EXTRA(S)                                                                                   \
    .name = "extra", .type = LORE_F_RAW, LORE_AT(S, extra),                                        \
    .help = "Anything no field takes, kept word for word."
#define PROVENANCE(S)                                                                              \
    .name = "provenance", .type = LORE_F_OBJECT, LORE_AT(S, provenance),                           \
    .sub = &lore_provenance_record,                                                                \
    .help = "Where the record comes from, when it was not made here."
#define WORKLOAD(S)                                                                                \
    .name = "workload", .type = LORE_F_OBJECT, LORE_AT(S, workload), .sub = &lore_workload_record

static const struct lore_field workload_fields[] = {
    {.name = "operator",
        .type = LORE_F_OPERATOR,
        LORE_AT(lore_workload, op),
        .max = LORE_MAX_NAME,
        .help = "What is computed; default: the kernel's operator."},
    {.name = "dims",
        .type = LORE_F_KVS,
        LORE_AT(lore_workload, dims),
        .max = 64,
        .help = "The shape: name to integer or short text."},
    {TEXT(lore_workload, "dtype", dtype, LORE_MAX_NAME), .help = "Number format: f32, bf16."},
    {TEXT(lore_workload, "layout", layout, LORE_MAX_NAME), .help = "Memory layout: row, NHWC."},
};
const struct lore_record lore_workload_record = {
    RECORD("workload",
        "Operator, shape, number format and layout; numbers of one workload are comparable.",
        workload_fields, lore_workload),
    .flag = offsetof(struct lore_workload, set)};

static const struct lore_field metric_fields[] = {
    {.name = "value",
        .type = LORE_F_PLAIN,
        LORE_AT(lore_metric, value),
        .help = "The value; required unless missing is given."},
    {TEXT(lore_metric, "unit", unit, LORE_MAX_NAME), .help = "Its unit; default: the catalogue's."},
    {.name = "n",
        .type = LORE_F_I64,
        LORE_AT(lore_metric, n),
        .min = 1,
        .max = 1e15,
        .help = "How many values it summarises."},
    {F64(lore_metric, "std", std), .help = "Their standard deviation."},
    {F64(lore_metric, "min", min), .help = "The least of them."},
    {F64(lore_metric, "max", max), .help = "The greatest of them."},
    {.name = "missing",
        .type = LORE_F_ENUM,
        LORE_AT(lore_metric, missing),
        .choices = &lore_missing_choices,
        .help = "There is no value, and this is why. Absent is not zero."},
    {.name = "precision_lost",
        .type = LORE_F_BOOL,
        LORE_AT(lore_metric, precision_lost),
        .help = "The value was printed with few digits."},
};
const struct lore_record lore_metric_record = {
    RECORD("metric",
        "A number, or an object when there is more to say. The key is the vendor's name verbatim.",
        metric_fields, lore_metric),
    .flag = LORE_NO_FLAG, .shorthand = LORE_SHORT_NUMBER, .read_short = lore_short_metric,
    .finish = lore_finish_metric};

static const struct lore_field correctness_fields[] = {
    {.name = "status",
        .type = LORE_F_ENUM,
        LORE_AT(lore_correctness, status),
        .required = true,
        .choices = &lore_check_choices,
        .help = "The verdict."},
    {F64(lore_correctness, "atol", atol), .min = 0, .max = 1e30, .help = "Absolute tolerance."},
    {F64(lore_correctness, "rtol", rtol), .min = 0, .max = 1e30, .help = "Relative tolerance."},
    {F64(lore_correctness, "rel_err", rel_err), .min = 0, .max = 1e300,
        .help = "Norm of the difference over norm of the reference."},
    {F64(lore_correctness, "max_abs_err", max_abs_err), .min = 0, .max = 1e300,
        .help = "Largest difference."},
    {.name = "seed",
        .type = LORE_F_I64,
        LORE_AT(lore_correctness, seed),
        .help = "Seed of the inputs."},
    {.name = "mismatches",
        .type = LORE_F_I64,
        LORE_AT(lore_correctness, mismatches),
        .min = 0,
        .max = 1e18,
        .help = "Elements beyond tolerance."},
    {TEXT(lore_correctness, "reference", reference, 2000), .help = "What it was compared with."},
    {TEXT(lore_correctness, "message", message, LORE_MAX_TEXT), .help = "What the check said."},
};
static const struct lore_record correctness_record = {
    RECORD("correctness", "Whether the result was right.", correctness_fields, lore_correctness),
    .flag = offsetof(struct lore_correctness, set)};

static const struct lore_field failure_fields[] = {
    {.name = "type",
        .type = LORE_F_CHOICE,
        LORE_AT(lore_failure, type),
        .required = true,
        .choices = &failures,
        .help = "What kind of failure."},
    {TEXT(lore_failure, "stage", stage, LORE_MAX_NAME), .help = "Where it happened."},
    {TEXT(lore_failure, "code", code, LORE_MAX_NAME), .help = "The tool's code for it."},
    {TEXT(lore_failure, "message", message, LORE_MAX_TEXT), .help = "What it said."},
};
static const struct lore_record failure_record = {
    RECORD("error", "Why a run has no numbers.", failure_fields, lore_failure),
    .flag = offsetof(struct lore_failure, set)};

static const struct lore_field summary_fields[] = {
    {DURATION(lore_summary, "median_ns", median_ns), .help = "Median."},
    {DURATION(lore_summary, "mean_ns", mean_ns), .help = "Mean."},
    {DURATION(lore_summary, "min_ns", min_ns), .help = "Least."},
    {DURATION(lore_summary, "max_ns", max_ns), .help = "Greatest."},
    {DURATION(lore_summary, "std_ns", std_ns), .help = "Standard deviation."},
    {DURATION(lore_summary, "p10_ns", p10_ns), .help = "10th percentile."},
    {DURATION(lore_summary, "p90_ns", p90_ns), .help = "90th percentile."},
    {.name = "n",
        .type = LORE_F_I64,
        LORE_AT(lore_summary, n),
        .min = 1,
        .max = 1e15,
        .help = "How many samples."},
};
static const struct lore_record summary_record = {
    RECORD("summary", "Timing numbers when the samples are gone.", summary_fields, lore_summary),
    .flag = offsetof(struct lore_summary, set)};

static const struct lore_field diagnosis_fields[] = {
    {.name = "labels",
        .type = LORE_F_LABELS,
        LORE_AT(lore_diagnosis, labels),
        .max = 32,
        .help = "Bottleneck labels, a set; any known spelling."},
    {TEXT(lore_diagnosis, "raw_label", raw_label, LORE_MAX_TEXT), .help = "As it was said."},
    {TEXT(lore_diagnosis, "rule_set", rule_set, LORE_MAX_NAME),
        .help = "The rules that said so: speed-of-light@1; absent: a person."},
    {TEXT(lore_diagnosis, "evidence", evidence, LORE_MAX_TEXT),
        .help = "The metric values that led there."},
};
const struct lore_record lore_diagnosis_record = {
    RECORD("diagnosis", "What limits the kernel: a text, a list of texts, or an object.",
        diagnosis_fields, lore_diagnosis),
    .flag = LORE_NO_FLAG, .shorthand = LORE_SHORT_TEXT | LORE_SHORT_TEXTS,
    .read_short = lore_short_diagnosis, .finish = lore_finish_diagnosis};

static const struct lore_field run_fields[] = {
    {.name = "id",
        .type = LORE_F_ID,
        LORE_AT(lore_run, id),
        .required = true,
        .help = "The record's ULID, made by the client."},
    {REF(lore_run, version, LORE_K_VERSION), .required = true, .help = "What ran."},
    {.name = "role",
        .type = LORE_F_ENUM,
        LORE_AT(lore_run, role),
        .choices = &lore_run_role_choices,
        .help = "What it was run for; default candidate."},
    {.name = "evidence",
        .type = LORE_F_ENUM,
        LORE_AT(lore_run, evidence),
        .choices = &lore_evidence_choices,
        .help = "Evidence class; default measured with samples, else claimed."},
    {WORKLOAD(lore_run), .help = "On what."},
    {.name = "chip",
        .type = LORE_F_CHIP,
        LORE_AT(lore_run, chip),
        .help = "Where; default: the environment's."},
    {REF(lore_run, environment, LORE_K_ENVIRONMENT), .help = "In which environment."},
    {.name = "measured_at", .type = LORE_F_TIME, LORE_AT(lore_run, measured_at), .help = "When."},
    {TEXT(lore_run, "tool", tool, LORE_MAX_NAME), .help = "What measured."},
    {.name = "method",
        .type = LORE_F_KVS,
        LORE_AT(lore_run, method),
        .max = 1000,
        .help = "How: timer, warmup, repeat, l2_flush, statistic …"},
    {.name = "launch",
        .type = LORE_F_KVS,
        LORE_AT(lore_run, launch),
        .max = 1000,
        .help = "Kernel symbol, grid, block, registers …"},
    {.name = "samples_ns",
        .type = LORE_F_SAMPLES,
        LORE_ITEMS(lore_run, samples_ns, n_samples, cap_samples),
        .max = LORE_MAX_SAMPLES,
        .help = "Durations in nanoseconds, integers, in the order measured."},
    {.name = "first_ns",
        .type = LORE_F_I64,
        LORE_AT(lore_run, first_ns),
        .min = 0,
        .max = LORE_MAX_NS,
        .help = "The first launch, kept apart."},
    {.name = "summary",
        .type = LORE_F_OBJECT,
        LORE_AT(lore_run, summary),
        .sub = &summary_record,
        .help = "Timing numbers when there are no samples."},
    {.name = "metrics",
        .type = LORE_F_METRICS,
        LORE_AT(lore_run, metrics),
        .max = LORE_MAX_METRICS,
        .sub = &lore_metric_record,
        .help = "Counters and rates by the vendor's name."},
    {.name = "correctness",
        .type = LORE_F_OBJECT,
        LORE_AT(lore_run, correctness),
        .sub = &correctness_record,
        .help = "Whether the result was right."},
    {.name = "error",
        .type = LORE_F_OBJECT,
        LORE_AT(lore_run, error),
        .sub = &failure_record,
        .help = "Why there are no numbers."},
    {.name = "diagnoses",
        .type = LORE_F_LIST,
        LORE_ITEMS(lore_run, diagnoses, n_diagnoses, cap_diagnoses),
        .max = 64,
        .sub = &lore_diagnosis_record,
        .help = "What limits it."},
    {PROVENANCE(lore_run)},
    {EXTRA(lore_run)},
};
const struct lore_record lore_run_record = {
    RECORD("run", "One execution of a version on a workload, with its samples in order.",
        run_fields, lore_run),
    .flag = LORE_NO_FLAG, .finish = lore_finish_run};

static const struct lore_field use_fields[] = {
    {TEXT(lore_use, "name", name, 2000), .required = true,
        .help = "Slug, alias or free text; known names resolve to the catalogue's slug."},
    {.name = "params",
        .type = LORE_F_KVS,
        LORE_AT(lore_use, params),
        .max = 200,
        .help = "tile_size, stages …"},
    {TEXT(lore_use, "raw", raw, 2000), .help = "As written, when that differs from the slug."},
};
static const struct lore_record use_record = {
    RECORD("technique", "A technique as used: a text or an object.", use_fields, lore_use),
    .flag = LORE_NO_FLAG, .shorthand = LORE_SHORT_TEXT, .read_short = lore_short_use,
    .finish = lore_finish_use};

static const struct lore_field claim_fields[] = {
    {DURATION(lore_claim, "latency_before_ns", latency_before_ns), .help = "Stated time before."},
    {DURATION(lore_claim, "latency_after_ns", latency_after_ns), .help = "Stated time after."},
    {F64(lore_claim, "speedup", speedup), .min = 0, .max = 1e9, .help = "Stated speedup."},
    {F64(lore_claim, "speedup_low", speedup_low), .min = 0, .max = 1e9,
        .help = "Typical range, low end."},
    {F64(lore_claim, "speedup_high", speedup_high), .min = 0, .max = 1e9,
        .help = "Typical range, high end."},
    {.name = "base",
        .type = LORE_F_ENUM,
        LORE_AT(lore_claim, base),
        .choices = &lore_base_choices,
        .help = "What the speedup is against; default parent."},
    {TEXT(lore_claim, "base_name", base_name, LORE_MAX_NAME), .help = "Name of the base: cuBLAS."},
    {TEXT(lore_claim, "outcome", outcome, LORE_MAX_NAME),
        .help = "As typed: success, failure, neutral, win …"},
    {.name = "correctness",
        .type = LORE_F_ENUM,
        LORE_AT(lore_claim, correctness),
        .choices = &lore_check_choices,
        .help = "Stated verdict on the result."},
};
static const struct lore_record claim_record = {
    RECORD("claim", "Numbers that somebody states, without samples.", claim_fields, lore_claim),
    .flag = offsetof(struct lore_claim, set), .finish = lore_finish_claim};

static const struct lore_field violation_fields[] = {
    {TEXT(lore_violation, "rule", rule, LORE_MAX_NAME), .required = true,
        .help = "The rule that was broken."},
    {TEXT(lore_violation, "detail", detail, LORE_MAX_TEXT), .help = "How."},
};
static const struct lore_record violation_record = {
    RECORD("violation", "A broken rule of the workflow.", violation_fields, lore_violation),
    .flag = LORE_NO_FLAG};

/* Lies over the experiment itself: the struct has the list, the JSON has an object around it. */
static const struct lore_field process_fields[] = {
    {.name = "violations",
        .type = LORE_F_LIST,
        LORE_ITEMS(lore_experiment, violations, n_violations, cap_violations),
        .max = 64,
        .sub = &violation_record,
        .help = "Rules that were broken; a win stays a win."},
};
static const struct lore_record process_record = {
    RECORD("process", "Whether the workflow's rules were kept.", process_fields, lore_experiment),
    .flag = LORE_NO_FLAG};

static const struct lore_field experiment_fields[] = {
    {.name = "id",
        .type = LORE_F_ID,
        LORE_AT(lore_experiment, id),
        .required = true,
        .help = "The record's ULID, made by the client."},
    {REF(lore_experiment, kernel, LORE_K_KERNEL), .required = true, .help = "Which line of code."},
    {REF(lore_experiment, hypothesis, LORE_K_HYPOTHESIS), .help = "The claim it tests."},
    {REF(lore_experiment, from_version, LORE_K_VERSION), .help = "Before."},
    {REF(lore_experiment, to_version, LORE_K_VERSION), .help = "After."},
    {.name = "runs_before",
        .type = LORE_F_REFS,
        LORE_AT(lore_experiment, runs_before),
        .max = LORE_MAX_RUNS,
        .kind = LORE_K_RUN,
        .help = "Runs of the version before."},
    {.name = "runs_after",
        .type = LORE_F_REFS,
        LORE_AT(lore_experiment, runs_after),
        .max = LORE_MAX_RUNS,
        .kind = LORE_K_RUN,
        .help = "Runs of the version after."},
    {TEXT(lore_experiment, "title", title, LORE_MAX_NAME),
        .help = "One line; default: from the techniques."},
    {.name = "techniques",
        .type = LORE_F_LIST,
        LORE_ITEMS(lore_experiment, techniques, n_techniques, cap_techniques),
        .max = LORE_MAX_TECHNIQUES,
        .sub = &use_record,
        .help = "What was changed."},
    {.name = "bottleneck",
        .type = LORE_F_OBJECT,
        LORE_AT(lore_experiment, bottleneck),
        .sub = &lore_diagnosis_record,
        .help = "What limited the kernel before."},
    {.name = "chip", .type = LORE_F_CHIP, LORE_AT(lore_experiment, chip), .help = "Where."},
    {WORKLOAD(lore_experiment), .help = "On what."},
    {.name = "evidence",
        .type = LORE_F_ENUM,
        LORE_AT(lore_experiment, evidence),
        .choices = &lore_evidence_choices,
        .help = "Evidence class; default measured with runs on both sides, else claimed."},
    {.name = "claim",
        .type = LORE_F_OBJECT,
        LORE_AT(lore_experiment, claim),
        .sub = &claim_record,
        .help = "Numbers that somebody states."},
    {.name = "metrics_before",
        .type = LORE_F_METRICS,
        LORE_AT(lore_experiment, metrics_before),
        .max = LORE_MAX_METRICS,
        .sub = &lore_metric_record,
        .help = "Stated metrics before."},
    {.name = "metrics_after",
        .type = LORE_F_METRICS,
        LORE_AT(lore_experiment, metrics_after),
        .max = LORE_MAX_METRICS,
        .sub = &lore_metric_record,
        .help = "Stated metrics after."},
    {.name = "process",
        .type = LORE_F_OBJECT,
        .offset = 0,
        .sub = &process_record,
        .help = "Whether the workflow's rules were kept."},
    {TEXT(lore_experiment, "notes", notes, LORE_MAX_TEXT), .help = "Free text."},
    {TEXT(lore_experiment, "lesson", lesson, LORE_MAX_TEXT), .help = "What to remember."},
    {.name = "happened_at",
        .type = LORE_F_TIME,
        LORE_AT(lore_experiment, happened_at),
        .help = "When."},
    {TEXT(lore_experiment, "author", author, LORE_MAX_NAME), .help = "Who did it."},
    {PROVENANCE(lore_experiment)},
    {EXTRA(lore_experiment)},
};
const struct lore_record lore_experiment_record = {
    RECORD("experiment", "A change that was tried, with what came of it. The unit of experience.",
        experiment_fields, lore_experiment),
    .flag = LORE_NO_FLAG, .finish = lore_finish_experiment};
