/* The records of a submission, version 1: what collectors send, what db/ stores, what importers
 * make. One struct per noun of the glossary. All text is NUL-terminated and borrowed from the arena
 * of the submission; NULL means absent. Numbers that may be absent carry `set`. `extra` is JSON
 * object text as submitted (NULL: none): members that no field covers. Field names in JSON are the
 * names here unless a comment says otherwise. */
#ifndef LORE_WIRE_RECORD_H
#define LORE_WIRE_RECORD_H

#include "service/wire/knowledge.h"
#include "service/wire/record_base.h"

enum lore_language {
    LORE_LANG_NONE,
    LORE_LANG_HIP,
    LORE_LANG_CUDA,
    LORE_LANG_TRITON,
    LORE_LANG_CK,
    LORE_LANG_CUTLASS,
    LORE_LANG_CUTE_DSL,
    LORE_LANG_GLUON,
    LORE_LANG_FLYDSL,
    LORE_LANG_TILELANG,
    LORE_LANG_HELION,
    LORE_LANG_CROQTILE,
    LORE_LANG_MOJO,
    LORE_LANG_PALLAS,
    LORE_LANG_THUNDERKITTENS,
    LORE_LANG_CUTILE,
    LORE_LANG_NUMBA,
    LORE_LANG_OPENCL,
    LORE_LANG_SYCL,
    LORE_LANG_ASM,
    LORE_LANG_LIBRARY,
    LORE_LANG_OTHER,
    LORE_LANG_COUNT
};

struct lore_kernel {
    const char *id; /* ULID */
    const char
        *project;   /* name space: "team/attention"; two projects' kernels of one name differ */
    const char *op; /* JSON "operator": canonical name or alias; open, a new one is registered */
    const char *family;          /* for an operator not yet known; else must agree or be absent */
    const char *name;            /* "v3.cu", "topk_softmax fallback"; required */
    enum lore_language language; /* required */
    const char *origin;          /* where the code lives: repository, path */
    const char *entry_symbol, *goal;
    struct lore_provenance provenance;
    const char *extra;
};

enum lore_version_kind {
    LORE_V_NONE,
    LORE_V_BASELINE,
    LORE_V_CANDIDATE,
    LORE_V_BRANCH,
    LORE_V_ABLATION,
    LORE_V_REVERT,
    LORE_V_LIBRARY,
    LORE_V_COUNT
};
enum lore_edge_kind {
    LORE_E_NONE,
    LORE_E_DERIVED_FROM,
    LORE_E_ABLATION_OF,
    LORE_E_BRANCH_OF,
    LORE_E_REVERT_OF,
    LORE_E_MERGED_FROM,
    LORE_E_RESTART_FROM,
    LORE_E_COUNT
};
struct lore_parent {
    const char *version;
    enum lore_edge_kind kind;
};
struct lore_source {
    const char *file;
    const char *text;
}; /* stored as a blob by hash */
/* Techniques of a version, comma-separated slugs; NULL: none. */
struct lore_version_shown {
    const char *source, *lacks; /* its source shows; certainly lacks. source NULL: none was read */
    const char *moot;           /* are pointless in its source */
    const char *params, *words; /* its parameters state; its summary names */
    int64_t rules;              /* that derived it */
};
struct lore_version {
    const char *id, *kernel;     /* required */
    enum lore_version_kind kind; /* required */
    struct lore_i64 ordinal;
    const char *tag, *label; /* "persistent_radix10", "v4" */
    const char *summary;     /* what this version is, in one sentence */
    struct lore_parent *parents;
    size_t n_parents, cap_parents;
    struct lore_source *sources;
    size_t n_sources, cap_sources;
    struct lore_kvs build;  /* toolchain, flags, target, registers_per_thread, spill_bytes … */
    struct lore_kvs params; /* hyper-parameters */
    const char *git_commit, *created_at; /* RFC 3339 */
    struct lore_provenance provenance;
    const char *extra;
    /* Not in the record: computed before it is stored (service/derive/shown.h); NULL: nothing. */
    const struct lore_version_shown *shown;
};

struct lore_environment {
    const char *id;
    const char *chip; /* catalogue name or alias; optional */
    const char *captured_at;
    struct lore_kvs hard; /* fields that make two measurements incomparable when they differ */
    struct lore_kvs soft; /* fields that are shown */
    const char *extra;
};

struct lore_metric {
    const char *name; /* vendor's name verbatim */
    const char *unit; /* "" or NULL: the catalogue's */
    const struct lore_metric_def
        *def;                  /* its row of the catalogue; NULL: unknown, or not looked up */
    enum lore_missing missing; /* set: there is no value, and this is why */
    double value;
    struct lore_f64 std, min, max;
    struct lore_i64 n;
    bool precision_lost;
};
struct lore_metrics {
    struct lore_metric *v;
    size_t n, cap;
};

enum lore_check {
    LORE_C_NONE,
    LORE_C_PASS,
    LORE_C_FAIL,
    LORE_C_TIMEOUT,
    LORE_C_NOT_CHECKED,
    LORE_C_COUNT
};
struct lore_tensor {  /* one output tensor of a correctness check */
    const char *name; /* required */
    const char *type; /* "float*" */
    const char *pass; /* yes | no */
    struct lore_f64 max_abs, mean_abs, mean_rel;
    struct lore_i64 mismatches;
    const char *preview, *preview_reference; /* first values, as printed */
};
struct lore_sanitizer {
    const char *tool, *status /* pass | fail | error */, *log;
};
struct lore_correctness {
    bool set;
    enum lore_check status; /* required inside the object */
    struct lore_f64 atol, rtol, rel_err, max_abs_err;
    struct lore_f64 rel_err_limit, timeout_s;
    struct lore_i64 seed, mismatches;
    const char *reference, *message;
    struct lore_tensor *tensors;
    size_t n_tensors, cap_tensors;
    struct lore_sanitizer *sanitizers;
    size_t n_sanitizers, cap_sanitizers;
};
struct lore_failure { /* JSON "error": the run did not produce numbers */
    bool set;
    const char *type; /* compilation | runtime | accuracy | performance | timeout | profiling |
                         environment | process */
    const char *stage, *code, *message;
};
/* Numbers when no samples exist (imports, libraries). */
struct lore_summary {
    bool set;
    struct lore_f64 median_ns, mean_ns, min_ns, max_ns, std_ns, p10_ns, p90_ns;
    struct lore_i64 n;
};

struct lore_diagnosis {
    struct lore_texts labels; /* normalised to canonical bottleneck labels; a set */
    const char *raw_label; /* as given, when it differs from the labels; a list is joined by "+" */
    const char *rule_set;  /* "speed-of-light@1"; NULL: declared by a person */
    const char *evidence;  /* the metric values behind the labels, in words */
};

enum lore_run_role {
    LORE_ROLE_NONE,
    LORE_ROLE_CANDIDATE,
    LORE_ROLE_BASELINE,
    LORE_ROLE_REFERENCE,
    LORE_ROLE_ABLATION,
    LORE_ROLE_BRANCH,
    LORE_ROLE_COUNT
};
struct lore_run {
    const char *id, *version;    /* required */
    enum lore_run_role role;     /* default candidate */
    enum lore_evidence evidence; /* default measured when there are samples, else claimed */
    struct lore_workload workload;
    const char *chip;        /* catalogue name; default: the environment's */
    const char *environment; /* id; optional */
    const char *measured_at, *tool;
    const char *source_hash; /* hash of the source that ran, when the tool knows it */
    struct lore_kvs method;  /* timer, warmup, repeat, l2_flush, statistic … */
    struct lore_kvs launch;  /* kernel symbol, grid, block, registers … */
    int64_t *samples_ns;
    size_t n_samples, cap_samples; /* in order; every one >= 0 */
    /* Computed from the samples before the writer gets the record; NULL: not yet. */
    const struct lore_level_times *times;
    uint32_t shown; /* bottlenecks that its metrics show, where it states none; computed likewise */
    struct lore_i64 first_ns; /* time of the first launch, not among the samples */
    struct lore_summary summary;
    struct lore_metrics metrics;
    struct lore_correctness correctness;
    struct lore_failure error;
    struct lore_diagnosis *diagnoses;
    size_t n_diagnoses, cap_diagnoses;
    struct lore_provenance provenance;
    const char *extra;
};

struct lore_expectation {
    const char *metric, *direction /* up | down | same */;
    struct lore_f64 low, high;
    const char *raw;
};
struct lore_hypothesis {
    const char *id;
    const char *from_version, *to_version;
    const char *op, *chip; /* what it is about, where no version says it: JSON "operator", "chip" */
    const char *claim;     /* required: the one change and why it should help */
    const char *change, *rationale, *risk, *rollback, *accept_if, *reject_if, *not_changed;
    struct lore_expectation *expected;
    size_t n_expected, cap_expected;
    struct lore_texts watch;
    struct lore_f64 probability; /* that the change wins, 0..1 */
    const char *decision_link;   /* symptom -> pattern -> change */
    const char *campaign;        /* id */
    const char *technique;       /* planned */
    const char *claimed_at, *author;
    const char *raw_text; /* text of the imported file */
    const char *extra;
};

struct lore_use {     /* a technique as used */
    const char *name; /* slug, alias or free text */
    struct lore_kvs params;
    const char *raw; /* as written: "shared-memory-tiling{tile-size=16}" */
    struct lore_i64 priority;
    struct lore_f64 strength;        /* of the trigger, 0..1 */
    const char *evidence, *expected; /* what triggered it; what was expected */
    const char *status;              /* applied (default) | not_applied | blocked | kept */
};
struct lore_skipped { /* a technique of higher priority that was not chosen */
    const char *technique, *reason;
    struct lore_i64 priority;
};
struct lore_pitfall { /* something that went wrong on the way, and what fixed it */
    const char *type; /* as a run's error type */
    const char *stage, *code, *message, *root_cause, *fix, *lesson;
    struct lore_i64 count;
};
struct lore_reference { /* a source that the author read */
    const char *kind, *target, *description;
};
struct lore_lookup { /* a search that the author made */
    const char *source, *query, *finding, *use;
};
struct lore_quality_gate { /* quality gate of the workflow that made the experiment */
    bool set;
    const char *result, *reason;
};
struct lore_violation {
    const char *rule, *detail;
};
enum lore_base {
    LORE_BASE_NONE,
    LORE_BASE_PARENT,
    LORE_BASE_FIRST,
    LORE_BASE_BEST_SO_FAR,
    LORE_BASE_LIBRARY,
    LORE_BASE_PREVIOUS, /* the attempt before it, of which it need not be made */
    LORE_BASE_COUNT
};
/* Stated numbers, without samples. */
struct lore_claim {
    bool set;
    struct lore_f64 latency_before_ns, latency_after_ns; /* may have a fraction: kept as stated */
    struct lore_f64 speedup, speedup_low, speedup_high;  /* "15.04x, typically 3-9x" */
    enum lore_base base;   /* what the speedup is against; default parent */
    const char *base_name; /* "cuBLAS" */
    const char *outcome;   /* as typed: success | failure | neutral | win | loss | positive | … */
    enum lore_check correctness;
};
struct lore_experiment {
    const char *id, *kernel;                            /* required */
    const char *hypothesis, *from_version, *to_version; /* ids */
    struct lore_texts runs_before, runs_after;          /* run ids */
    const char *title;                                  /* one line; default from the techniques */
    struct lore_use *techniques;
    size_t n_techniques, cap_techniques;
    struct lore_diagnosis
        bottleneck; /* before the change; JSON "bottleneck": text, list, or object */
    const char *chip;
    struct lore_workload workload;
    enum lore_evidence evidence; /* default: measured with runs on both sides, else claimed */
    struct lore_claim claim;
    struct lore_metrics metrics_before, metrics_after;
    struct lore_violation *violations;
    size_t n_violations, cap_violations; /* JSON "process": {"violations": [...]} */
    const char *notes, *lesson, *happened_at, *author;
    const char *campaign; /* id */
    struct lore_i64 iteration, retries, repeat_count;
    const char *decision; /* adopt | continue | revert | pivot | stop */
    struct lore_quality_gate gate;
    struct lore_skipped *skipped;
    size_t n_skipped, cap_skipped;
    struct lore_pitfall *pitfalls;
    size_t n_pitfalls, cap_pitfalls;
    struct lore_reference *references;
    size_t n_references, cap_references;
    struct lore_lookup *lookups;
    size_t n_lookups, cap_lookups;
    struct lore_target *targets;
    size_t n_targets, cap_targets;
    struct lore_provenance provenance;
    const char *extra;
};

struct lore_attribution {
    const char *id, *experiment, *technique; /* required */
    const char *ablated_version, *champion_run, *ablated_run;
    struct lore_f64 attribution_ns, attribution_pct, noise_pct;
    const char *contributed; /* yes | no | unknown; required; "unknown" without an ablation */
    const char *note;
    const char *extra;
};

struct lore_insight {
    const char *id, *kind; /* note | technique_card | anti_strategy | symptom_card | playbook … */
    const char *title, *body;                   /* required */
    const char *vendor, *arch;                  /* scope, where no chip is named */
    const char *verdict, *symptom;              /* as its author names them */
    const char *op, *family, *chip, *technique; /* scope; JSON "operator" … */
    enum lore_language language;
    struct lore_texts labels;      /* bottleneck labels in scope */
    struct lore_texts experiments; /* evidence: experiment ids */
    const char *confidence; /* verified | source_reported | inferred | experimental | documented */
    const char *author;
    struct lore_provenance provenance;
    const char *extra;
};

/* Exact bytes worth keeping: an imported file, a profiler report. */
struct lore_artifact {
    const char *name, *media_type;
    const char *text; /* UTF-8, or */
    const char *base64;
};

struct lore_author {
    const char *name, *kind /* human | agent | collector | importer | planner | validator */,
        *model;
};

/* The launches of one kernel with one launch shape, in all processes. What a run needs is kept for
 * one process, the one that spent the most time in them: method, samples, first time, counters. */
struct lore_profile_shape {
    struct lore_i64 launches, total_ns, min_ns, max_ns, processes;
    struct lore_f64 median_ns; /* of the kept durations of all processes */
    const char *chip, *environment;
    const char *range; /* text of the range that these launches were made in; NULL: none */
    struct lore_kvs launch, method; /* as of a run, without the kernel's name */
    int64_t *samples_ns;
    size_t n_samples, cap_samples; /* in order, evenly spaced */
    struct lore_i64 first_ns;
    struct lore_metrics metrics;
    struct lore_kvs isa, forms; /* machine code: its tool, target, size; count of each form */
};
struct lore_profile_line {       /* a kernel, with all its launches */
    const char *kernel, *symbol; /* kernel: required; as people read it, and as the vendor does */
    struct lore_i64 launches, total_ns, processes;
    struct lore_f64 median_ns;
    struct lore_i64 process_min_ns, process_max_ns; /* least and most total of one process */
    struct lore_profile_shape *shapes;              /* longest first */
    size_t n_shapes, cap_shapes;
};
struct lore_profile_process {
    struct lore_i64 launches, total_ns;
    struct lore_i64 span_ns, busy_ns; /* first to last kernel; of that, with a kernel running */
    const char *device;               /* of most of its time */
};
struct lore_profile_copy {
    const char *kind; /* host_to_device … */
    struct lore_i64 count, bytes, total_ns;
};
/* Where the GPU time of a program went. Processes of one command are merged. It counts for no board
 * and no advice: nobody said what its kernels compute. */
struct lore_program_profile {
    const char *id, *program; /* required; program: "train.py" */
    const char *program_hash, *author, *tool, *chip, *environment, *measured_at;
    struct lore_kvs method;                 /* timer, losses, problems */
    struct lore_i64 launches, total_ns;     /* of all kernels, also those without a line */
    struct lore_i64 kernels;                /* how many; more than lines: the rest has none */
    struct lore_f64 idle_pct;               /* of the processes' spans, without a kernel running */
    struct lore_profile_process *processes; /* longest first */
    size_t n_processes, cap_processes;
    struct lore_profile_copy *copies;
    size_t n_copies, cap_copies;
    struct lore_profile_line *lines; /* longest first */
    size_t n_lines, cap_lines;
    struct lore_failure error; /* of the program */
    struct lore_provenance provenance;
    const char *extra;
};

struct lore_submission {
    int64_t format; /* JSON "warplore": 1 */
    const char *id; /* ULID; required */
    const char *created_at;
    const char *project; /* of the kernels that lore_build_kernel adds; no member of the JSON */
    const char
        *stated_project; /* JSON "project": whose records these are; NULL: as the kernels say */
    struct lore_author author;
    struct lore_artifact *artifacts;
    size_t n_artifacts, cap_artifacts;
    struct lore_kernel *kernels;
    size_t n_kernels, cap_kernels;
    struct lore_version *versions;
    size_t n_versions, cap_versions;
    struct lore_environment *environments;
    size_t n_environments, cap_environments;
    struct lore_run *runs;
    size_t n_runs, cap_runs;
    struct lore_hypothesis *hypotheses;
    size_t n_hypotheses, cap_hypotheses;
    struct lore_experiment *experiments;
    size_t n_experiments, cap_experiments;
    struct lore_attribution *attributions;
    size_t n_attributions, cap_attributions;
    struct lore_insight *insights;
    size_t n_insights, cap_insights;
    struct lore_source_document *source_documents;
    size_t n_source_documents, cap_source_documents;
    struct lore_spec *specs;
    size_t n_specs, cap_specs;
    struct lore_technique_def *techniques;
    size_t n_techniques, cap_techniques;
    struct lore_verification *verifications;
    size_t n_verifications, cap_verifications;
    struct lore_campaign *campaigns;
    size_t n_campaigns, cap_campaigns;
    struct lore_direction *directions;
    size_t n_directions, cap_directions;
    struct lore_curation *curations;
    size_t n_curations, cap_curations;
    struct lore_sweep *sweeps;
    size_t n_sweeps, cap_sweeps;
    struct lore_program_profile *profiles;
    size_t n_profiles, cap_profiles;
};

#endif
