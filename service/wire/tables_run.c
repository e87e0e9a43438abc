/* Field tables of runs and experiments: what was measured, what was tried. See tables.c for the
 * rest and fields.h for the columns. */
#include "service/wire/decoder.h"
#include "service/wire/field_rows.h"

static const char *const failure_names[] = {"compilation", "runtime", "accuracy", "performance",
    "timeout", "profiling", "environment", "process"};
static const struct lore_choices failures = {failure_names, 8};

#define WORKLOAD(S)                                                                                \
    .name = "workload", .type = LORE_F_OBJECT, LORE_AT(S, workload), .sub = &lore_workload_record

/* An axis counts from the end when it is negative. */
const struct lore_value_range lore_dims_bounds[] = {
    {"axis|dim|start_dim|end_dim|offset|shift|diagonal", -LORE_MAX_NS, LORE_MAX_NS},
    {NULL, 0, LORE_MAX_NS}};
const struct lore_value_range lore_not_negative[] = {{NULL, 0, 1e300}};
/* What a vendor's tool says beside these may be negative: a priority, an offset. */
const struct lore_value_range lore_launch_bounds[] = {
    {"grid|grid_x|grid_y|grid_z|block|block_x|block_y|block_z|threads|registers|streams|"
     "registers_per_thread|static_shared_bytes|dynamic_shared_bytes|local_bytes_per_thread",
        0, LORE_MAX_NS},
    {NULL, -LORE_MAX_NS, LORE_MAX_NS}};

static const struct lore_field workload_fields[] = {
    {FIELD(lore_workload, "operator", OPERATOR, op), .max = LORE_MAX_NAME,
        .help = "What is computed; default: the kernel's operator."},
    {FIELD(lore_workload, "dims", KVS, dims), .max = 64, .bounds = lore_dims_bounds,
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
    {FIELD(lore_metric, "value", PLAIN, value),
        .help = "The value; required unless missing is given."},
    {TEXT(lore_metric, "unit", unit, LORE_MAX_NAME), .help = "Its unit; default: the catalogue's."},
    {FIELD(lore_metric, "n", I64, n), .min = 1, .max = 1e15,
        .help = "How many values it summarises."},
    {F64(lore_metric, "std", std), .bounds = lore_not_negative,
        .help = "Their standard deviation."},
    {F64(lore_metric, "min", min), .help = "The least of them."},
    {F64(lore_metric, "max", max), .help = "The greatest of them."},
    {FIELD(lore_metric, "missing", ENUM, missing), .choices = &lore_missing_choices,
        .help = "Reason why there is no value. Absent is not zero."},
    {FIELD(lore_metric, "precision_lost", BOOL, precision_lost),
        .help = "The value was printed with few digits."},
};
const struct lore_record lore_metric_record = {
    RECORD("metric",
        "A number, or an object when there is more to say. The key is the vendor's name verbatim.",
        metric_fields, lore_metric),
    .flag = LORE_NO_FLAG, .shorthand = LORE_SHORT_NUMBER, .read_short = lore_rules_short_metric,
    .finish = lore_rules_finish_metric};

static const char *const yes_no_names[] = {"yes", "no"};
static const struct lore_choices yes_no = {yes_no_names, 2};
static const char *const sanitizer_names[] = {"pass", "fail", "error"};
static const struct lore_choices sanitizer_states = {sanitizer_names, 3};

static const struct lore_field tensor_fields[] = {
    {TEXT(lore_tensor, "name", name, LORE_MAX_NAME), .required = true, .help = "Its name."},
    {TEXT(lore_tensor, "type", type, LORE_MAX_NAME), .help = "Its type as printed: float*."},
    {FIELD(lore_tensor, "pass", CHOICE, pass), .choices = &yes_no,
        .help = "Whether it was within tolerance."},
    {F64(lore_tensor, "max_abs", max_abs), .bounds = lore_not_negative,
        .help = "Largest absolute difference."},
    {F64(lore_tensor, "mean_abs", mean_abs), .bounds = lore_not_negative,
        .help = "Mean absolute difference."},
    {F64(lore_tensor, "mean_rel", mean_rel), .bounds = lore_not_negative,
        .help = "Mean relative difference."},
    {FIELD(lore_tensor, "mismatches", I64, mismatches), .min = 0, .max = 1e18,
        .help = "Elements beyond tolerance."},
    {TEXT(lore_tensor, "preview", preview, 2000), .help = "First values, as printed."},
    {TEXT(lore_tensor, "preview_reference", preview_reference, 2000),
        .help = "First values of the reference, as printed."},
};
static const struct lore_record tensor_record = {
    RECORD("tensor", "One output of a correctness check.", tensor_fields, lore_tensor),
    .flag = LORE_NO_FLAG};

static const struct lore_field sanitizer_fields[] = {
    {TEXT(lore_sanitizer, "tool", tool, LORE_MAX_NAME), .required = true, .help = "Its name."},
    {FIELD(lore_sanitizer, "status", CHOICE, status), .required = true,
        .choices = &sanitizer_states, .help = "Result."},
    {TEXT(lore_sanitizer, "log", log, LORE_MAX_TEXT), .help = "Output of the tool."},
};
static const struct lore_record sanitizer_record = {
    RECORD("sanitizer", "One run of a sanitizer.", sanitizer_fields, lore_sanitizer),
    .flag = LORE_NO_FLAG};

static const struct lore_field correctness_fields[] = {
    {FIELD(lore_correctness, "status", ENUM, status), .required = true,
        .choices = &lore_check_choices, .help = "The verdict."},
    {F64(lore_correctness, "atol", atol), .min = 0, .max = 1e30, .help = "Absolute tolerance."},
    {F64(lore_correctness, "rtol", rtol), .min = 0, .max = 1e30, .help = "Relative tolerance."},
    {F64(lore_correctness, "rel_err", rel_err), .min = 0, .max = 1e300,
        .help = "Norm of the difference over norm of the reference."},
    {F64(lore_correctness, "max_abs_err", max_abs_err), .min = 0, .max = 1e300,
        .help = "Largest difference."},
    {FIELD(lore_correctness, "seed", I64, seed), .help = "Seed of the inputs."},
    {FIELD(lore_correctness, "mismatches", I64, mismatches), .min = 0, .max = 1e18,
        .help = "Elements beyond tolerance."},
    {TEXT(lore_correctness, "reference", reference, 2000), .help = "Reference of the comparison."},
    {TEXT(lore_correctness, "message", message, LORE_MAX_TEXT), .help = "Message of the check."},
    {F64(lore_correctness, "rel_err_limit", rel_err_limit), .min = 0, .max = 1e30,
        .help = "Upper limit for rel_err."},
    {F64(lore_correctness, "timeout_s", timeout_s), .min = 0, .max = 1e9,
        .help = "Time limit in seconds."},
    {ITEMS(lore_correctness, tensors, tensor_record, 200), .help = "The outputs, one by one."},
    {ITEMS(lore_correctness, sanitizers, sanitizer_record, 32),
        .help = "Sanitizers that were run."},
};
static const struct lore_record correctness_record = {
    RECORD("correctness", "Whether the result was right.", correctness_fields, lore_correctness),
    .flag = offsetof(struct lore_correctness, set)};

static const struct lore_field failure_fields[] = {
    {FIELD(lore_failure, "type", CHOICE, type), .required = true, .choices = &failures,
        .help = "What kind of failure."},
    {TEXT(lore_failure, "stage", stage, LORE_MAX_NAME), .help = "Stage of the failure."},
    {TEXT(lore_failure, "code", code, LORE_MAX_NAME), .help = "The tool's code for it."},
    {TEXT(lore_failure, "message", message, LORE_MAX_TEXT), .help = "Error message."},
};
const struct lore_record lore_failure_record = {
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
    {FIELD(lore_summary, "n", I64, n), .min = 1, .max = 1e15, .help = "How many samples."},
};
static const struct lore_record summary_record = {
    RECORD("summary", "Timing numbers when the samples are gone.", summary_fields, lore_summary),
    .flag = offsetof(struct lore_summary, set)};

static const struct lore_field diagnosis_fields[] = {
    {FIELD(lore_diagnosis, "labels", LABELS, labels), .max = 32,
        .help = "Bottleneck labels, a set; any known spelling."},
    {TEXT(lore_diagnosis, "raw_label", raw_label, LORE_MAX_TEXT),
        .help = "Original text of the label."},
    {TEXT(lore_diagnosis, "rule_set", rule_set, LORE_MAX_NAME),
        .help = "Rule set that made it: speed-of-light@1; absent: a person."},
    {TEXT(lore_diagnosis, "evidence", evidence, LORE_MAX_TEXT),
        .help = "Metric values behind the labels."},
};
const struct lore_record lore_diagnosis_record = {
    RECORD("diagnosis", "What limits the kernel: a text, a list of texts, or an object.",
        diagnosis_fields, lore_diagnosis),
    .flag = LORE_NO_FLAG, .shorthand = LORE_SHORT_TEXT | LORE_SHORT_TEXTS,
    .read_short = lore_rules_short_diagnosis, .finish = lore_rules_finish_diagnosis};

static const struct lore_field run_fields[] = {
    {FIELD(lore_run, "id", ID, id), .required = true,
        .help = "The record's ULID, made by the client."},
    {REF(lore_run, version, LORE_K_VERSION), .required = true, .help = "Version that ran."},
    {FIELD(lore_run, "role", ENUM, role), .choices = &lore_run_role_choices,
        .help = "Purpose of the run; default candidate."},
    {FIELD(lore_run, "evidence", ENUM, evidence), .choices = &lore_evidence_choices,
        .help = "Evidence class; default measured with samples, else claimed."},
    {WORKLOAD(lore_run), .help = "Workload."},
    {FIELD(lore_run, "chip", CHIP, chip), .help = "Chip; default: the environment's."},
    {REF(lore_run, environment, LORE_K_ENVIRONMENT), .help = "Environment of the run."},
    {FIELD(lore_run, "measured_at", TIME, measured_at), .help = "Time of the measurement."},
    {TEXT(lore_run, "tool", tool, LORE_MAX_NAME), .help = "Tool that measured."},
    {FIELD(lore_run, "method", KVS, method), .max = 1000,
        .help = "Method: timer, warmup, repeat, l2_flush, statistic …"},
    {FIELD(lore_run, "launch", KVS, launch), .max = 1000, .bounds = lore_launch_bounds,
        .help = "Kernel symbol, grid, block, registers …"},
    {.name = "samples_ns",
        .type = LORE_F_SAMPLES,
        LORE_ITEMS(lore_run, samples_ns, n_samples, cap_samples),
        .max = LORE_MAX_SAMPLES,
        .help = "Durations in nanoseconds, integers, in the order measured."},
    {TEXT(lore_run, "source_hash", source_hash, LORE_MAX_NAME),
        .help = "BLAKE2b-256 of the source file that ran, when the tool knows it."},
    {FIELD(lore_run, "first_ns", I64, first_ns), .min = 0, .max = LORE_MAX_NS,
        .help = "Time of the first launch, not among the samples."},
    {OBJECT(lore_run, "summary", summary, summary_record),
        .help = "Timing numbers when there are no samples."},
    {FIELD(lore_run, "metrics", METRICS, metrics), .max = LORE_MAX_METRICS,
        .sub = &lore_metric_record, .help = "Counters and rates by the vendor's name."},
    {OBJECT(lore_run, "correctness", correctness, correctness_record),
        .help = "Whether the result was right."},
    {OBJECT(lore_run, "error", error, lore_failure_record), .help = "Why there are no numbers."},
    {ITEMS(lore_run, diagnoses, lore_diagnosis_record, 64), .help = "Bottleneck diagnoses."},
    {PROVENANCE(lore_run)},
    {EXTRA(lore_run)},
};
const struct lore_record lore_run_record = {
    RECORD("run", "One execution of a version on a workload, with its samples in order.",
        run_fields, lore_run),
    .flag = LORE_NO_FLAG, .finish = lore_rules_finish_run};

static const char *const use_state_names[] = {"applied", "not_applied", "blocked", "kept"};
static const struct lore_choices use_states = {use_state_names, 4};

static const struct lore_field use_fields[] = {
    {TEXT(lore_use, "name", name, 2000), .required = true,
        .help = "Slug, alias or free text; known names resolve to the catalogue's slug."},
    {FIELD(lore_use, "params", KVS, params), .max = 200, .help = "tile_size, stages …"},
    {TEXT(lore_use, "raw", raw, 2000), .help = "Original text, if it differs from the slug."},
    {FIELD(lore_use, "priority", I64, priority), .min = 0, .max = 1000,
        .help = "Its rank on its axis when it was chosen."},
    {F64(lore_use, "strength", strength), .min = 0, .max = 1,
        .help = "How strongly its trigger fired, 0..1."},
    {TEXT(lore_use, "evidence", evidence, LORE_MAX_TEXT), .help = "The metrics that led to it."},
    {TEXT(lore_use, "expected", expected, LORE_MAX_TEXT), .help = "Expected effect on metrics."},
    {FIELD(lore_use, "status", CHOICE, status), .choices = &use_states,
        .help = "Whether it was applied; default applied. kept: in the version before, too."},
};
const struct lore_record lore_use_record = {
    RECORD("technique", "A technique as used: a text or an object.", use_fields, lore_use),
    .flag = LORE_NO_FLAG, .shorthand = LORE_SHORT_TEXT, .read_short = lore_rules_short_use,
    .finish = lore_rules_finish_use};

static const struct lore_field claim_fields[] = {
    {DURATION(lore_claim, "latency_before_ns", latency_before_ns), .help = "Stated time before."},
    {DURATION(lore_claim, "latency_after_ns", latency_after_ns), .help = "Stated time after."},
    {F64(lore_claim, "speedup", speedup), .min = 0, .max = 1e9, .help = "Stated speedup."},
    {F64(lore_claim, "speedup_low", speedup_low), .min = 0, .max = 1e9,
        .help = "Typical range, low end."},
    {F64(lore_claim, "speedup_high", speedup_high), .min = 0, .max = 1e9,
        .help = "Typical range, high end."},
    {FIELD(lore_claim, "base", ENUM, base), .choices = &lore_base_choices,
        .help = "What the speedup is against; default parent."},
    {TEXT(lore_claim, "base_name", base_name, LORE_MAX_NAME), .help = "Name of the base: cuBLAS."},
    {TEXT(lore_claim, "outcome", outcome, LORE_MAX_NAME),
        .help = "As typed: success, failure, neutral, win …"},
    {FIELD(lore_claim, "correctness", ENUM, correctness), .choices = &lore_check_choices,
        .help = "Stated verdict on the result."},
};
static const struct lore_record claim_record = {
    RECORD("claim", "Stated numbers, without samples.", claim_fields, lore_claim),
    .flag = offsetof(struct lore_claim, set), .finish = lore_rules_finish_claim};

static const struct lore_field violation_fields[] = {
    {TEXT(lore_violation, "rule", rule, LORE_MAX_NAME), .required = true,
        .help = "The rule that was broken."},
    {TEXT(lore_violation, "detail", detail, LORE_MAX_TEXT), .help = "How it was broken."},
};
static const struct lore_record violation_record = {
    RECORD("violation", "A broken rule of the workflow.", violation_fields, lore_violation),
    .flag = LORE_NO_FLAG};

static const char *const decision_names[] = {"adopt", "continue", "revert", "pivot", "stop"};
static const struct lore_choices decisions = {decision_names, 5};

static const struct lore_field skipped_fields[] = {
    {FIELD(lore_skipped, "technique", TECHNIQUE, technique), .required = true, .max = LORE_MAX_NAME,
        .help = "Technique that was not chosen."},
    {TEXT(lore_skipped, "reason", reason, LORE_MAX_TEXT), .help = "Why."},
    {FIELD(lore_skipped, "priority", I64, priority), .min = 0, .max = 1000,
        .help = "Its rank on its axis."},
};
static const struct lore_record skipped_record = {
    RECORD("skipped", "A technique of higher priority that was passed over.", skipped_fields,
        lore_skipped),
    .flag = LORE_NO_FLAG};

static const struct lore_field pitfall_fields[] = {
    {FIELD(lore_pitfall, "type", CHOICE, type), .required = true, .choices = &failures,
        .help = "What kind of failure."},
    {TEXT(lore_pitfall, "stage", stage, LORE_MAX_NAME), .help = "Stage of the failure."},
    {TEXT(lore_pitfall, "code", code, LORE_MAX_NAME), .help = "The tool's code for it."},
    {TEXT(lore_pitfall, "message", message, LORE_MAX_TEXT), .help = "Error message."},
    {TEXT(lore_pitfall, "root_cause", root_cause, LORE_MAX_TEXT), .help = "Why it happened."},
    {TEXT(lore_pitfall, "fix", fix, LORE_MAX_TEXT), .help = "Fix."},
    {TEXT(lore_pitfall, "lesson", lesson, LORE_MAX_TEXT), .help = "Lesson."},
    {FIELD(lore_pitfall, "count", I64, count), .min = 1, .max = 1e9,
        .help = "How often it occurred."},
};
static const struct lore_record pitfall_record = {
    RECORD("pitfall", "Something that went wrong on the way.", pitfall_fields, lore_pitfall),
    .flag = LORE_NO_FLAG};

static const struct lore_field reference_fields[] = {
    {TEXT(lore_reference, "kind", kind, LORE_MAX_NAME), .help = "wiki, project, web, user input."},
    {TEXT(lore_reference, "target", target, 2000), .required = true, .help = "Path or address."},
    {TEXT(lore_reference, "description", description, LORE_MAX_TEXT), .help = "What it is."},
};
static const struct lore_record reference_record = {
    RECORD("reference", "A source that the author read.", reference_fields, lore_reference),
    .flag = LORE_NO_FLAG};

static const struct lore_field lookup_fields[] = {
    {TEXT(lore_lookup, "source", source, LORE_MAX_NAME), .help = "Place of the search."},
    {TEXT(lore_lookup, "query", query, 2000), .required = true, .help = "Search query."},
    {TEXT(lore_lookup, "finding", finding, LORE_MAX_TEXT), .help = "Result of the search."},
    {TEXT(lore_lookup, "use", use, LORE_MAX_TEXT), .help = "How the result was used."},
};
static const struct lore_record lookup_record = {
    RECORD("lookup", "A search that the author made.", lookup_fields, lore_lookup),
    .flag = LORE_NO_FLAG};

static const struct lore_field gate_fields[] = {
    {TEXT(lore_quality_gate, "result", result, LORE_MAX_NAME), .required = true,
        .help = "As the workflow says it: PASS, FAIL."},
    {TEXT(lore_quality_gate, "reason", reason, LORE_MAX_TEXT), .help = "Why."},
};
static const struct lore_record gate_record = {
    RECORD("gate", "A quality gate of the workflow.", gate_fields, lore_quality_gate),
    .flag = offsetof(struct lore_quality_gate, set)};

/* The JSON has an object around the list. The struct has the list itself, so the object's offset is
 * that of the experiment. */
static const struct lore_field process_fields[] = {
    {ITEMS(lore_experiment, violations, violation_record, 64),
        .help = "Rules that were broken; a win stays a win."},
};
static const struct lore_record process_record = {
    RECORD("process", "Whether the workflow's rules were kept.", process_fields, lore_experiment),
    .flag = LORE_NO_FLAG};

static const struct lore_field experiment_fields[] = {
    {FIELD(lore_experiment, "id", ID, id), .required = true,
        .help = "The record's ULID, made by the client."},
    {REF(lore_experiment, kernel, LORE_K_KERNEL), .required = true,
        .help = "Kernel of the experiment."},
    {REF(lore_experiment, hypothesis, LORE_K_HYPOTHESIS), .help = "The claim it tests."},
    {REF(lore_experiment, from_version, LORE_K_VERSION), .help = "Version before the change."},
    {REF(lore_experiment, to_version, LORE_K_VERSION), .help = "Version after the change."},
    {FIELD(lore_experiment, "runs_before", REFS, runs_before), .max = LORE_MAX_RUNS,
        .kind = LORE_K_RUN, .help = "Runs of the version before."},
    {FIELD(lore_experiment, "runs_after", REFS, runs_after), .max = LORE_MAX_RUNS,
        .kind = LORE_K_RUN, .help = "Runs of the version after."},
    {TEXT(lore_experiment, "title", title, LORE_MAX_NAME),
        .help = "One line; default: from the techniques."},
    {ITEMS(lore_experiment, techniques, lore_use_record, LORE_MAX_TECHNIQUES),
        .help = "Techniques that were applied."},
    {OBJECT(lore_experiment, "bottleneck", bottleneck, lore_diagnosis_record),
        .help = "What limited the kernel before."},
    {FIELD(lore_experiment, "chip", CHIP, chip), .help = "Chip."},
    {WORKLOAD(lore_experiment), .help = "Workload."},
    {FIELD(lore_experiment, "evidence", ENUM, evidence), .choices = &lore_evidence_choices,
        .help = "Evidence class; default measured with runs on both sides, else claimed."},
    {OBJECT(lore_experiment, "claim", claim, claim_record), .help = "Stated numbers."},
    {FIELD(lore_experiment, "metrics_before", METRICS, metrics_before), .max = LORE_MAX_METRICS,
        .sub = &lore_metric_record, .help = "Stated metrics before."},
    {FIELD(lore_experiment, "metrics_after", METRICS, metrics_after), .max = LORE_MAX_METRICS,
        .sub = &lore_metric_record, .help = "Stated metrics after."},
    {.name = "process",
        .type = LORE_F_OBJECT,
        .offset = 0,
        .sub = &process_record,
        .help = "Whether the workflow's rules were kept."},
    {TEXT(lore_experiment, "notes", notes, LORE_MAX_TEXT), .help = "Free text."},
    {TEXT(lore_experiment, "lesson", lesson, LORE_MAX_TEXT), .help = "Lesson."},
    {FIELD(lore_experiment, "happened_at", TIME, happened_at), .help = "Time of the experiment."},
    {TEXT(lore_experiment, "author", author, LORE_MAX_NAME), .help = "Who did it."},
    {REF(lore_experiment, campaign, LORE_K_CAMPAIGN), .help = "The campaign it belongs to."},
    {COUNT(lore_experiment, "iteration", iteration), .help = "Its number in the campaign."},
    {COUNT(lore_experiment, "retries", retries), .help = "Attempts before the one that counted."},
    {COUNT(lore_experiment, "repeat_count", repeat_count),
        .help = "How often the same was tried with this result."},
    {FIELD(lore_experiment, "decision", CHOICE, decision), .choices = &decisions,
        .help = "Decision after the result."},
    {OBJECT(lore_experiment, "gate", gate, gate_record),
        .help = "Quality gate of the workflow it comes from."},
    {ITEMS(lore_experiment, skipped, skipped_record, 64),
        .help = "Techniques of higher priority passed over."},
    {ITEMS(lore_experiment, pitfalls, pitfall_record, 200), .help = "What went wrong on the way."},
    {ITEMS(lore_experiment, references, reference_record, 200), .help = "What was read for it."},
    {ITEMS(lore_experiment, lookups, lookup_record, 200), .help = "Searches made for it."},
    {ITEMS(lore_experiment, targets, lore_target_record, 200),
        .help = "Targets and their progress."},
    {PROVENANCE(lore_experiment)},
    {EXTRA(lore_experiment)},
};
const struct lore_record lore_experiment_record = {
    RECORD("experiment", "A change that was tried, with its result. The unit of experience.",
        experiment_fields, lore_experiment),
    .flag = LORE_NO_FLAG, .finish = lore_rules_finish_experiment};
