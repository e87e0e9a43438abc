/* Every address that the service answers, in the order of matching. Handlers are in the file named
 * after their noun. OpenAPI, /api/v1/_routes and the permission tests follow from the row;
 * docs/adding.md lists what a new address needs beside it. */
#include "db/query.h"
#include "service/api/api_agents.h"
#include "service/api/api_feedback.h"
#include "service/api/api_knowledge.h"
#include "service/api/brief.h"
#include "service/api/objects.h"

#include "service/wire/attempt.h"
#include "service/wire/wire.h"

#define KIB 1024u
#define SHORT_BODY (64 * KIB)

#define EFFECTS "win|neutral|loss|inconclusive|wrong_result|not_measured"
#define CHECKS "pass|fail|timeout|not_checked"
#define EVIDENCE "confirmed|measured|imported|claimed"
#define SORTS "operator|speedup|chip|time|updated|-operator|-speedup|-chip|-time|-updated"
#define INSIGHT_KINDS                                                                              \
    "note|technique_card|anti_strategy|symptom_card|playbook|doc|numerics_rule|dispatch_rule|"     \
    "reference_kernel"

#define ACTIONS                                                                                    \
    "mask|unmask|retract|review|merge|unmerge|select_spec|reject_spec|close|amend|restart|comment"

#define P_TEXT(n, h)                                                                               \
    {                                                                                              \
        .name = (n), .type = LORE_P_TEXT, .help = (h)                                              \
    }
#define P_BOOL(n, h)                                                                               \
    {                                                                                              \
        .name = (n), .type = LORE_P_BOOL, .help = (h)                                              \
    }
#define P_NAME(n, kind, h)                                                                         \
    {                                                                                              \
        .name = (n), .type = LORE_P_NAME, .choices = (kind), .help = (h)                           \
    }
#define P_QUIET P_BOOL("quiet", "Do not store the answer: for pages and tests")
#define P_DIMS P_TEXT("dims", "Shape instead of a workload id: M=4096,N=4096,K=4096")
#define P_DTYPE P_TEXT("dtype", "Data type of the shape: f32")
#define P_LAYOUT P_TEXT("layout", "Layout of the shape: row")
#define P_KERNEL                                                                                   \
    P_NAME("kernel", "kernel", "Kernel, by name or id; where `operator` may be given, one, too")
#define P_VERSION P_NAME("version", "version", "Version, by id or name: softmax_cuda:v4")
#define P_FROM P_NAME("from", "version", "Version it starts from: softmax_cuda:champion")
#define P_ENUM(n, c, h)                                                                            \
    {                                                                                              \
        .name = (n), .type = LORE_P_ENUM, .choices = (c), .help = (h)                              \
    }
#define P_OPERATOR P_TEXT("operator", "Operator, any known spelling: gemm, matmul")
#define P_FAMILY P_TEXT("family", "Operator family: moe, norm, attention")
#define P_LANGUAGE P_TEXT("language", "Kernel language: hip, cuda, triton")
#define P_PROJECT P_TEXT("project", "Project of the kernel: team/attention")
#define P_CHIP P_TEXT("chip", "Chip or ISA, any known spelling: mi300x, a6000, sm_86")
#define P_TECHNIQUE P_TEXT("technique", "Technique: memory.vectorized_access")
#define P_BOTTLENECK P_TEXT("bottleneck", "Bottleneck label: memory, sync")
#define P_WORKLOAD P_NAME("workload", "workload", "Workload id, 32 hex digits, or its beginning")
#define ERRORS                                                                                     \
    "compilation|runtime|accuracy|performance|timeout|profiling|environment|process|compile|wrong"
#define P_ERROR P_ENUM("error_type", ERRORS, "Kind of failure")
#define P_TEXT_QUERY P_TEXT("words", "Words to look for")
#define P_AUTHOR P_TEXT("author", "Author of the record, else of its submission")
#define P_SINCE P_TEXT("since", "Not before: 2026-11-24, a time, or how long ago: 36h, 7d")
#define P_LIST                                                                                     \
    P_AUTHOR, P_SINCE, P_TEXT("until", "Not after"),                                               \
        P_TEXT("sort", "Member of a row to sort by: chip; `-` first: descending"), P_PAGE
#define P_FIELDS                                                                                   \
    {                                                                                              \
        .name = "fields", .type = LORE_P_LIST, .max = 1000,                                        \
        .help = "Only these members of each row: id,chip"                                          \
    }
#define P_PAGE                                                                                     \
    P_FIELDS, P_TEXT("cursor", "The `next` of the previous answer"),                               \
    {                                                                                              \
        .name = "limit", .type = LORE_P_INT, .min = 1, .max = 200, .help = "Rows, 1 to 200"        \
    }
#define P_EXPERIMENTS                                                                              \
    P_OPERATOR, P_FAMILY, P_CHIP, P_LANGUAGE, P_PROJECT, P_TECHNIQUE, P_BOTTLENECK,                \
        P_ENUM("effect", EFFECTS, "Effect by the verdict in force"),                               \
        P_ENUM("correctness", CHECKS, "Correctness by the verdict in force"),                      \
        P_ENUM("process", "clean|broken", "Whether the rules of process were kept"),               \
        P_ENUM("evidence", EVIDENCE, "Evidence class"), P_KERNEL,                                  \
        P_NAME("version", "version", "Version, before or after"),                                  \
        P_NAME("campaign", "campaign", "Campaign, by label or id"), P_WORKLOAD, P_ERROR,           \
        P_TEXT_QUERY,                                                                              \
        P_BOOL("disagrees", "Whether the author's outcome differs from the verdict"),              \
        P_BOOL("masked", "Only masked, or only unmasked; both when not given")
#define P_END                                                                                      \
    {                                                                                              \
        .name = NULL                                                                               \
    }

static const struct lore_param page[] = {P_PAGE, P_END}, list[] = {P_LIST, P_END},
                               fields[] = {P_FIELDS, P_END};
static const struct lore_param chips[] = {
    P_BOOL("all", "Also chips without facts"), P_FIELDS, P_END};
static const struct lore_param kernels[] = {P_OPERATOR, P_LANGUAGE, P_PROJECT, P_LIST, P_END};
static const struct lore_param versions[] = {P_KERNEL, P_PROJECT, P_LIST, P_END};
static const struct lore_param runs[] = {
    P_OPERATOR, P_KERNEL, P_VERSION, P_WORKLOAD, P_CHIP, P_PROJECT, P_ERROR, P_LIST, P_END};
static const struct lore_param environments[] = {P_CHIP, P_LIST, P_END};
static const struct lore_param unmasked[] = {
    P_BOOL("unmasked", "Fail with code masked when the experiment is hidden"), P_END};
static const struct lore_param failures[] = {P_ERROR, P_KERNEL,
    P_NAME("campaign", "campaign", "Campaign or session, by label or id"), P_AUTHOR, P_SINCE,
    P_END};
static const struct lore_param hypotheses[] = {
    P_NAME("version", "version", "Version, before or after"), P_OPERATOR, P_LIST, P_END};
static const struct lore_param experiments[] = {P_EXPERIMENTS, P_LIST, P_END};
static const struct lore_param facets[] = {P_EXPERIMENTS, P_END};
static const struct lore_param insights[] = {P_ENUM("kind", INSIGHT_KINDS, "Kind of insight"),
    P_OPERATOR, P_TECHNIQUE, P_CHIP,
    P_ENUM("state", "draft|reviewed|rejected", "Of its review; a draft until somebody reviews it"),
    P_LIST, P_END};
static const struct lore_param search[] = {
    P_TEXT_QUERY, P_ENUM("in", LORE_SEARCHED_KINDS, "Kind of record"), P_PAGE, P_END};
static const struct lore_param leaderboard[] = {P_OPERATOR, P_FAMILY, P_LANGUAGE, P_CHIP, P_PROJECT,
    P_WORKLOAD, P_BOTTLENECK, P_ENUM("evidence", EVIDENCE, "At least this evidence class"),
    P_TEXT_QUERY, P_BOOL("checked", "Only versions that passed on the workload compete"),
    P_BOOL("any_shape", "Versions that passed only on other workloads compete, too"),
    P_ENUM("sort", SORTS, "Order; `-` first: descending"), P_PAGE, P_END};
static const struct lore_param matrix[] = {P_LANGUAGE, P_FAMILY, P_PROJECT, P_FIELDS, P_END};
static const struct lore_param recommend[] = {P_OPERATOR, P_FAMILY, P_LANGUAGE, P_CHIP,
    P_BOTTLENECK, P_WORKLOAD, P_DIMS, P_DTYPE, P_LAYOUT,
    {.name = "limit", .type = LORE_P_INT, .min = 1, .max = 50, .help = "Techniques per list"},
    P_BOOL("with_masked", "Also learn from masked experiments"),
    P_NAME("run", "run", "Ask for this run: its operator, chip, language, workload and bottleneck"),
    P_KERNEL, P_ENUM("evidence", EVIDENCE, "At least this evidence class"),
    P_TEXT("min_effective_n", "List only techniques with evidence worth this many experiments"),
    P_BOOL("explain", "Everything: counts, steps of the odds, all evidence; else at most 8 KiB"),
    P_QUIET,
    P_NAME("version", "version",
        "Improve this version: one-parameter changes, and results of its lineage"),
    P_BOOL("next", "Also what to measure next on this chip"),
    P_ENUM("method", "seed-score", "Another ranking, to compare"), P_END};
static const struct lore_param advice_stats[] = {P_OPERATOR, P_CHIP, P_TECHNIQUE,
    {.name = "limit", .type = LORE_P_INT, .min = 1, .max = 1000, .help = "Rows, 1 to 1000"}, P_END};
static const struct lore_param documents[] = {
    {.name = "path", .type = LORE_P_TEXT, .max = 1000, .help = "Path in its repository"}, P_LIST,
    P_END};
static const struct lore_param specs[] = {
    P_CHIP, P_TEXT("metric", "Metric, exactly: hbm_bandwidth"), P_LIST, P_END};
static const struct lore_param of_chip[] = {P_CHIP, P_FIELDS, P_END};
static const struct lore_param chip_sheet[] = {
    P_TEXT("sibling", "Chip of the same ISA with another number of units, for consistency checks"),
    P_END};
static const struct lore_param verifications[] = {P_TECHNIQUE, P_PAGE, P_END};
static const struct lore_param of_timing[] = {P_WORKLOAD, P_CHIP, P_END};
static const struct lore_param campaigns[] = {P_KERNEL, P_LIST, P_END};
static const struct lore_param sweeps[] = {P_OPERATOR, P_KERNEL, P_CHIP, P_WORKLOAD, P_LIST, P_END};
static const struct lore_param profiles[] = {P_CHIP, P_LIST, P_END};
static const struct lore_param directions[] = {
    P_KERNEL, P_ENUM("state", "open|closed", "Both when not given"), P_LIST, P_END};
static const struct lore_param curations[] = {P_NAME("subject", "", "The record decided about"),
    P_ENUM("action", ACTIONS, "What was decided"), P_LIST, P_END};
static const struct lore_param proposals[] = {P_OPERATOR, P_END};
#define P_NUMBER(n, h) P_TEXT(n, h)
static const struct lore_param roofline[] = {P_CHIP,
    P_TEXT("dtype", "Data type whose peak counts: bf16"),
    P_ENUM("unit", "vector|matrix",
        "Which units compute; when not given: vector for fp32 and fp64, else matrix"),
    P_BOOL("sparse", "Structured sparsity"), P_NUMBER("flops", "Operations of the algorithm, FLOP"),
    P_NUMBER("bytes", "Bytes it must move at least"),
    P_TEXT("time", "Measured time with its unit: 79.9us"),
    P_NAME("run", "run", "Run that gives chip, type, time and environment"),
    P_NAME("environment", "environment", "Environment whose measured ceilings come first"),
    P_NUMBER("tile_flops", "Operations of one tile, FLOP"),
    P_NUMBER("tile_bytes", "Bytes of one tile"), P_NUMBER("grid_blocks", "Tiles of the launch"),
    P_END};
static const struct lore_param axis_budget[] = {
    P_NUMBER("compute", "Compute gap: unused share of compute, 0 to 1"),
    P_NUMBER("memory", "Memory gap: unused share of bandwidth, 0 to 1"),
    P_NUMBER("latency", "Latency gap: largest share of stalls, 0 to 1"), P_END};
#define P_METHODS(n, h)                                                                            \
    {                                                                                              \
        .name = (n), .type = LORE_P_LIST, .max = 4000, .help = (h)                                 \
    }
#define P_CHOICE                                                                                   \
    P_METHODS("budget",                                                                            \
        "Methods per axis: compute,memory,latency; when not given: from the gaps of the run"),     \
        P_CHIP, P_METHODS("selected", "Methods selected before"),                                  \
        P_METHODS("ineffective", "Methods that were ineffective before"),                          \
        P_METHODS("failed", "Methods whose implementation failed before"),                         \
        P_METHODS("skip", "Methods whose skip condition holds")
static const struct lore_param of_profile[] = {
    {.name = "line", .type = LORE_P_INT, .min = 1, .max = 1000, .help = "Line (default 1)"},
    {.name = "shape",
        .type = LORE_P_INT,
        .min = 1,
        .max = 1000,
        .help = "Launch shape of the line (default 1)"},
    P_END};
static const struct lore_param triggers[] = {
    P_BOOL("select", "Also choose methods by the axis budget"), P_CHOICE, P_END};
static const struct lore_param methods_validate[] = {
    P_METHODS("methods", "Methods chosen: id, id:axis or id:axis:priority"),
    P_NAME("run", "run", "Run whose metrics, chip and gaps count"), P_CHOICE,
    P_METHODS("skipped", "Methods of higher priority that were skipped: id:reason"),
    P_BOOL("allow_ineffective", "Methods that were ineffective may be tried again"), P_END};
static const struct lore_param judgements[] = {P_TEXT("author", "Author of the hypothesis"),
    P_ENUM("verdict", "confirmed|contradicted|partial|not_measured", "Verdict"), P_PAGE, P_END};
static const struct lore_param calibration[] = {
    P_TEXT("author", "Author of the hypothesis"), P_END};
static const struct lore_param check_idea[] = {
    {.name = "text", .type = LORE_P_TEXT, .max = 2000, .help = "The plan, in words"},
    {.name = "technique",
        .type = LORE_P_TEXT,
        .max = 1000,
        .help = "Planned techniques: name{param=value},name"},
    P_TEXT("params", "Planned parameters: tile=64,stages=3"), P_KERNEL, P_OPERATOR, P_CHIP,
    P_WORKLOAD, P_DIMS, P_DTYPE, P_FROM, P_END};
static const struct lore_param brief[] = {P_OPERATOR, P_KERNEL,
    P_NAME("session", "campaign", "Session, by label or id: its kernel, chip and workload"),
    P_LANGUAGE, P_CHIP, P_BOTTLENECK, P_WORKLOAD, P_DIMS, P_DTYPE, P_LAYOUT,
    {.name = "max_bytes",
        .type = LORE_P_INT,
        .min = LORE_BRIEF_LEAST,
        .max = LORE_BRIEF_MOST,
        .help = "Largest answer, 500 to 100000; when not given: 6000"},
    P_QUIET, P_END};
static const struct lore_param export_page[] = {{.name = "after",
                                                    .type = LORE_P_INT,
                                                    .min = 0,
                                                    .max = INT64_MAX,
                                                    .help = "The `next` of the previous answer"},
    {.name = "limit", .type = LORE_P_INT, .min = 1, .max = 200, .help = "Rows, 1 to 200"}, P_FIELDS,
    P_END};
static const struct lore_param receipts[] = {{.name = "after",
                                                 .type = LORE_P_INT,
                                                 .min = 0,
                                                 .max = INT64_MAX,
                                                 .help = "Number of the last receipt received"},
    {.name = "limit", .type = LORE_P_INT, .min = 1, .max = 200, .help = "Rows, 1 to 200"}, P_FIELDS,
    P_END};
static const struct lore_param view[] = {
    P_TEXT("*", "The page's own state; the service does not read it"), P_END};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers" /* few rows say .takes or .pooled */
                                                              /* clang-format off */
#define V1 "/api/v1/"
#define ONE(object) .one = &(object)
#define ROWS(object) .rows = &(object)
const struct lore_route lore_routes[] = {
    /* method, path, who may call, largest body, parameters, handler, help, answer */
    {LORE_GET, "/healthz", LORE_PUBLIC, 0, NULL, lore_api_healthz, "Whether the service is up", ONE(lore_health_object)},
    {LORE_GET, "/readyz", LORE_PUBLIC, 0, NULL, lore_api_readyz, "Whether the service should get requests: how far it is behind the journal", ONE(lore_ready_object)},
    {LORE_GET, "/metrics", LORE_READER, 0, NULL, lore_api_prometheus, "Counters as Prometheus text", "text/plain", .whole = true},
    {LORE_GET, "/openapi.json", LORE_PUBLIC, 0, NULL, lore_api_openapi, "This interface as OpenAPI 3.1", "object"},
    {LORE_GET, V1 "schema/submission", LORE_PUBLIC, 0, NULL, lore_api_submission_schema, "JSON Schema of a submission", "object"},
    {LORE_GET, V1 "_routes", LORE_READER, 0, fields, lore_api_routes, "Every address with permission and parameters", ROWS(lore_route_object)},
    {LORE_GET, V1 "_config", LORE_ADMIN, 0, fields, lore_api_config, "Options with value and default", ROWS(lore_setting_object), .whole = true},
    {LORE_GET, V1 "_metrics", LORE_READER, 0, fields, lore_api_metric_defs, "Metric definitions", ROWS(lore_metric_object)},
    {LORE_GET, V1 "_rules", LORE_READER, 0, fields, lore_api_rules, "Rules of process and flags that verdicts name", ROWS(lore_rule_object)},
    {LORE_GET, V1 "_stats", LORE_READER, 0, NULL, lore_api_internals, "Rows, bytes and queues", ONE(lore_internals_object), .whole = true},
    {LORE_GET, V1 "me", LORE_READER, 0, NULL, lore_api_me, "Who the token belongs to", ONE(lore_me_object)},
    {LORE_GET, V1 "events", LORE_ADMIN, 0, page, lore_api_events, "The log of changes, newest first", ROWS(lore_event_object), .whole = true},
    {LORE_POST, V1 "submissions", LORE_CONTRIBUTOR, LORE_WIRE_MAX_BYTES, NULL, lore_api_submit, "Store a submission", ONE(lore_receipt_object)},
    {LORE_GET, V1 "submissions", LORE_READER, 0, list, lore_api_submissions, "Submitted documents, newest first", ROWS(lore_document_object)},
    {LORE_GET, V1 "submissions/{id}", LORE_READER, 0, NULL, lore_api_submission, "One document and its artifacts", ONE(lore_document_full_object)},
    {LORE_GET, V1 "submissions/{id}/raw", LORE_READER, 0, NULL, lore_api_submission_raw, "The exact bytes of a document", "application/json"},
    {LORE_POST, V1 "attempts", LORE_CONTRIBUTOR, LORE_ATTEMPT_BYTES, NULL, lore_api_attempt, "Record one attempt on a kernel, without ids", ONE(lore_attempt_receipt_object), .or_one = {&lore_dry_run_object}, .takes_record = "attempt"},
    {LORE_POST, V1 "sessions", LORE_CONTRIBUTOR, SHORT_BODY, NULL, lore_api_session, "Start a session: a series of attempts on one kernel, chip and workload", ONE(lore_session_receipt_object), .takes_record = "session"},
    {LORE_POST, V1 "batches", LORE_SIGNED, LORE_BATCH_BYTES, NULL, lore_api_batch, "Store an agent's signed batch, and give a receipt", ONE(lore_batch_object)},
    {LORE_POST, V1 "agents", LORE_CODED, SHORT_BODY, NULL, lore_api_enroll, "Enroll an agent's key with a one-time code", ONE(lore_enrolled_object), .takes = &lore_enrolment_object},
    {LORE_GET, V1 "agents", LORE_READER, 0, page, lore_api_agents, "Agents with counts of their records, by enrolment", ROWS(lore_agent_object), .whole = true},
    {LORE_GET, V1 "agents/self", LORE_SIGNED_OR_READER, 0, NULL, lore_api_agent_self, "The service's key for receipts, and the signing agent", ONE(lore_agent_self_object), .whole = true},
    {LORE_GET, V1 "agents/{id}/receipts", LORE_SIGNED_OR_READER, 0, receipts, lore_api_receipts, "Receipts of an agent's batches, in order", ROWS(lore_receipt_row_object), .whole = true},
    {LORE_GET, V1 "blobs/{hash}", LORE_READER, 0, NULL, lore_api_blob, "The exact bytes of a source or artifact", "application/octet-stream"},
    {LORE_GET, V1 "operators", LORE_READER, 0, fields, lore_api_operators, "Operators with counts", ROWS(lore_operator_object)},
    {LORE_GET, V1 "chips", LORE_READER, 0, chips, lore_api_chips, "Chips with counts", ROWS(lore_used_chip_object)},
    {LORE_GET, V1 "chips/{name}", LORE_READER, 0, chip_sheet, lore_api_chip, "One chip: numbers in force, ceilings, disputes, doubts", ONE(lore_chip_sheet_object)},
    {LORE_GET, V1 "techniques", LORE_READER, 0, fields, lore_api_techniques, "Techniques with wins and losses", ROWS(lore_technique_object)},
    {LORE_GET, V1 "unresolved", LORE_READER, 0, fields, lore_api_unresolved, "Names that records use and the catalogue does not know", ROWS(lore_unresolved_object)},
    {LORE_GET, V1 "techniques/{slug}", LORE_READER, 0, NULL, lore_api_technique, "One technique: triggers, conflicts, definitions, verdicts", ONE(lore_technique_sheet_object)},
    {LORE_GET, V1 "kernels", LORE_READER, 0, kernels, lore_api_kernels, "Kernels, newest first", ROWS(lore_kernel_row_object)},
    {LORE_GET, V1 "kernels/{id}", LORE_READER, 0, NULL, lore_api_kernel, "One kernel and its versions", ONE(lore_kernel_full_object)},
    {LORE_GET, V1 "kernels/{id}/history", LORE_READER, 0, of_timing, lore_api_history, "Versions in order with speedups and the champion", ONE(lore_history_object)},
    {LORE_GET, V1 "kernels/{id}/frontier", LORE_READER, 0, of_timing, lore_api_frontier, "Correct versions behind the champion, nearest first, with their differences", ONE(lore_frontier_object)},
    {LORE_GET, V1 "kernels/{id}/drift", LORE_READER, 0, of_timing, lore_api_drift, "How the bottleneck moves over the versions", ONE(lore_drift_object)},
    {LORE_POST, V1 "kernels/{id}/restart", LORE_CONTRIBUTOR, SHORT_BODY, NULL, lore_api_restart, "Hide a random half of the versions, never baseline or best", ONE(lore_restart_object), .takes = &lore_restart_request_object},
    {LORE_GET, V1 "versions", LORE_READER, 0, versions, lore_api_versions, "Versions, newest first", ROWS(lore_version_row_object)},
    {LORE_GET, V1 "versions/{id}", LORE_READER, 0, NULL, lore_api_version, "One version with its files", ONE(lore_version_full_object)},
    {LORE_GET, V1 "versions/{id}/lineage", LORE_READER, 0, NULL, lore_api_lineage, "Ancestors and descendants of a version", ONE(lore_lineage_object)},
    {LORE_GET, V1 "versions/{id}/verifications", LORE_READER, 0, verifications, lore_api_verifications, "Whether its compiled code shows techniques", ROWS(lore_verification_object)},
    {LORE_GET, V1 "versions/{id}/compare/{other}", LORE_READER, 0, of_timing, lore_api_compare, "What differs between two versions", ONE(lore_comparison_object)},
    {LORE_GET, V1 "runs", LORE_READER, 0, runs, lore_api_runs, "Runs, newest first", ROWS(lore_run_object)},
    {LORE_GET, V1 "runs/{id}", LORE_READER, 0, NULL, lore_api_run, "One run with samples and metrics", ONE(lore_run_full_object)},
    {LORE_GET, V1 "runs/{id}/diagnosis", LORE_READER, 0, NULL, lore_api_diagnosis, "Findings of every rule set on its metrics", ONE(lore_diagnosis_object)},
    {LORE_GET, V1 "runs/{id}/triggers", LORE_READER, 0, triggers, lore_api_triggers, "Techniques that its metrics ask for, strongest first", ONE(lore_triggers_object)},
    {LORE_GET, V1 "environments", LORE_READER, 0, environments, lore_api_environments, "Environments, newest first", ROWS(lore_environment_object)},
    {LORE_GET, V1 "environments/{id}/compare/{other}", LORE_READER, 0, NULL, lore_api_environments_compare, "What differs between two environments", ONE(lore_compared_environments_object)},
    {LORE_GET, V1 "environments/{id}", LORE_READER, 0, NULL, lore_api_environment, "One environment", ONE(lore_environment_object)},
    {LORE_GET, V1 "workloads/{id}", LORE_READER, 0, NULL, lore_api_workload, "One workload", ONE(lore_workload_object)},
    {LORE_GET, V1 "hypotheses", LORE_READER, 0, hypotheses, lore_api_hypotheses, "Hypotheses, newest first", ROWS(lore_hypothesis_object)},
    {LORE_GET, V1 "hypotheses/{id}", LORE_READER, 0, NULL, lore_api_hypothesis, "One hypothesis", ONE(lore_hypothesis_object)},
    {LORE_GET, V1 "experiments", LORE_READER, 0, experiments, lore_api_experiments, "Experiments, failures included", ROWS(lore_experiment_object)},
    {LORE_GET, V1 "experiments/{id}", LORE_READER, 0, unmasked, lore_api_experiment, "One experiment with runs, verdicts and masks", ONE(lore_experiment_full_object)},
    {LORE_POST, V1 "experiments/{id}/mask", LORE_CURATOR, SHORT_BODY, NULL, lore_api_mask, "Hide from recommendations, or show again", ONE(lore_masked_object), .takes = &lore_mask_request_object},
    {LORE_GET, V1 "judgements", LORE_READER, 0, judgements, lore_api_judgements, "Expectations of hypotheses against measurements", ROWS(lore_judged_row_object)},
    {LORE_GET, V1 "calibration", LORE_READER, 0, calibration, lore_api_calibration, "Stated probabilities against observed outcomes", ONE(lore_calibrations_object)},
    {LORE_GET, V1 "check-idea", LORE_READER, 0, check_idea, lore_api_check_idea, "Whether a plan failed here before, is known from elsewhere, or is new", ONE(lore_checked_idea_object)},
    {LORE_GET, V1 "failures", LORE_READER, 0, failures, lore_api_failures, "Groups of failures with counts and fixes", ONE(lore_failures_object)},
    {LORE_GET, V1 "facets", LORE_READER, 0, facets, lore_api_facets, "Counts per facet under the filters of experiments", ONE(lore_facets_object)},
    {LORE_GET, V1 "insights", LORE_READER, 0, insights, lore_api_insights, "Lessons, newest first", ROWS(lore_insight_object)},
    {LORE_GET, V1 "insights/{id}", LORE_READER, 0, NULL, lore_api_insight, "One lesson", ONE(lore_insight_object)},
    {LORE_POST, V1 "insights/{id}/review", LORE_CURATOR, SHORT_BODY, NULL, lore_api_insight_review, "Say whether a lesson stands: draft, reviewed, rejected", ONE(lore_decision_object), .takes = &lore_review_request_object},
    {LORE_GET, V1 "source-documents", LORE_READER, 0, documents, lore_api_source_documents, "Documents that specs cite, newest first", ROWS(lore_source_document_object)},
    {LORE_GET, V1 "source-documents/{id}", LORE_READER, 0, NULL, lore_api_source_document, "One document; its text is the blob", ONE(lore_source_document_object)},
    {LORE_GET, V1 "specs", LORE_READER, 0, specs, lore_api_specs, "Hardware numbers with their sources, newest first", ROWS(lore_spec_object)},
    {LORE_GET, V1 "specs/disputes", LORE_READER, 0, of_chip, lore_api_disputes, "Numbers of one metric that differ", ROWS(lore_dispute_object)},
    {LORE_GET, V1 "specs/{id}", LORE_READER, 0, NULL, lore_api_spec, "One hardware number", ONE(lore_spec_object)},
    {LORE_POST, V1 "specs/{id}/select", LORE_CURATOR, SHORT_BODY, NULL, lore_api_spec_select, "Put one of several numbers in force", ONE(lore_decision_object), .takes = &lore_reason_request_object},
    {LORE_POST, V1 "specs/{id}/reject", LORE_CURATOR, SHORT_BODY, NULL, lore_api_spec_reject, "Say that a number is wrong", ONE(lore_decision_object), .takes = &lore_reason_request_object},
    {LORE_GET, V1 "roofline", LORE_READER, 0, roofline, lore_api_roofline, "Performance limits of a chip, from numbers in force", ONE(lore_roofline_object)},
    {LORE_GET, V1 "axis-budget", LORE_READER, 0, axis_budget, lore_api_axis_budget, "How many of three methods go to each axis", ONE(lore_axis_budget_object)},
    {LORE_GET, V1 "methods/validate", LORE_READER, 0, methods_validate, lore_api_methods_validate, "Whether a choice of methods follows the rules of selection", ONE(lore_methods_checked_object)},
    {LORE_GET, V1 "campaigns", LORE_READER, 0, campaigns, lore_api_campaigns, "Series of experiments with a goal, newest first", ROWS(lore_campaign_object)},
    {LORE_GET, V1 "campaigns/{id}", LORE_READER, 0, NULL, lore_api_campaign, "One campaign", ONE(lore_campaign_object)},
    {LORE_POST, V1 "campaigns/{id}/close", LORE_CONTRIBUTOR, SHORT_BODY, NULL, lore_api_campaign_close, "Close a campaign, with the reason", ONE(lore_decision_object), .takes = &lore_close_request_object},
    {LORE_POST, V1 "campaigns/{id}/amend", LORE_CURATOR, SHORT_BODY, NULL, lore_api_campaign_amend, "Change how many experiments or iterations a campaign expects", ONE(lore_decision_object), .takes = &lore_amend_request_object},
    {LORE_GET, V1 "sweeps", LORE_READER, 0, sweeps, lore_api_sweeps, "Searches of tuners, newest first", ROWS(lore_sweep_object)},
    {LORE_GET, V1 "sweeps/{id}", LORE_READER, 0, NULL, lore_api_sweep, "One search: times, failures, parameters, the fastest configurations", ONE(lore_sweep_full_object)},
    {LORE_GET, V1 "sweeps/{id}/configurations", LORE_READER, 0, page, lore_api_sweep_configurations, "Configurations of a search, the fastest first", ROWS(lore_sweep_configuration_object)},
    {LORE_GET, V1 "profiles", LORE_READER, 0, profiles, lore_api_profiles, "Profiles of programs, newest first, without their kernels", ROWS(lore_profile_object)},
    {LORE_GET, V1 "profiles/{id}", LORE_READER, 0, NULL, lore_api_profile, "One profile: kernels by GPU time, copies, processes; samples are in records/{id}", ONE(lore_profile_object)},
    {LORE_GET, V1 "profiles/{id}/diagnosis", LORE_READER, 0, of_profile, lore_api_profile_diagnosis, "Findings of every rule set on the metrics of one of its launch shapes", ONE(lore_diagnosis_object)},
    {LORE_GET, V1 "directions", LORE_READER, 0, directions, lore_api_directions, "Directions worth trying, newest first", ROWS(lore_direction_object)},
    {LORE_GET, V1 "directions/{id}", LORE_READER, 0, NULL, lore_api_direction, "One direction", ONE(lore_direction_object)},
    {LORE_POST, V1 "directions/{id}/close", LORE_CONTRIBUTOR, SHORT_BODY, NULL, lore_api_direction_close, "Close a direction: done, or a dead end", ONE(lore_decision_object), .takes = &lore_reason_request_object},
    {LORE_GET, V1 "curations", LORE_READER, 0, curations, lore_api_curations, "Decisions about records, newest first", ROWS(lore_curation_object)},
    {LORE_GET, V1 "curations/{id}", LORE_READER, 0, NULL, lore_api_curation, "One decision", ONE(lore_curation_object)},
    {LORE_GET, V1 "records/{id}", LORE_READER, 0, NULL, lore_api_record, "Any record by its id, with the decisions about it", ONE(lore_any_record_object)},
    {LORE_POST, V1 "quarantines", LORE_CURATOR, SHORT_BODY, NULL, lore_api_quarantine, "Retract all that a token or author brought, in one decision", ONE(lore_quarantined_object), .takes = &lore_quarantine_request_object},
    {LORE_POST, V1 "records/{id}/retract", LORE_CONTRIBUTOR, SHORT_BODY, NULL, lore_api_retract, "Retract a record: one's own, or any as a curator", ONE(lore_decision_object), .takes = &lore_reason_request_object},
    {LORE_POST, V1 "records/{id}/comment", LORE_CONTRIBUTOR, SHORT_BODY, NULL, lore_api_comment, "A remark about any record", ONE(lore_decision_object), .takes = &lore_reason_request_object},
    {LORE_GET, V1 "merges", LORE_READER, 0, page, lore_api_merges, "Merge groups in force, newest first", ROWS(lore_merge_group_object)},
    {LORE_GET, V1 "merges/proposals", LORE_READER, 0, proposals, lore_api_merge_proposals, "Proposed merges of duplicate experiments", ONE(lore_merge_proposals_object)},
    {LORE_POST, V1 "merges", LORE_CONTRIBUTOR, SHORT_BODY, NULL, lore_api_merge, "Merge experiments (a curator), or preview a merge", ONE(lore_merge_preview_object), .takes = &lore_merge_request_object},
    {LORE_POST, V1 "merges/{id}/undo", LORE_CURATOR, SHORT_BODY, NULL, lore_api_merge_undo, "Undo a merge", ONE(lore_decision_object), .takes = &lore_reason_request_object},
    {LORE_GET, V1 "search", LORE_READER, 0, search, lore_api_search, "Full text, best match first", ONE(lore_hits_object)},
    {LORE_GET, V1 "leaderboard", LORE_READER, 0, leaderboard, lore_api_leaderboard, "Best version per operator, language, chip and workload", ROWS(lore_board_row_object), .pooled = lore_api_pool_board},
    {LORE_GET, V1 "matrix", LORE_READER, 0, matrix, lore_api_matrix, "Best result per operator and chip, one cell each", ROWS(lore_matrix_cell_object), .pooled = lore_api_pool_board},
    {LORE_GET, V1 "recommend", LORE_READER, 0, recommend, lore_api_recommend, "What worked for similar kernels, and what to avoid", ONE(lore_recommendation_object), .or_one = {&lore_short_recommendation_object, &lore_seed_score_object}, .pooled = lore_api_pool_recommend},
    {LORE_GET, V1 "brief", LORE_READER, 0, brief, lore_api_brief, "What to know before working on a kernel: standing, headroom, what to try, dead ends", ONE(lore_brief_object)},
    {LORE_GET, V1 "advice/stats", LORE_READER, 0, advice_stats, lore_api_advice_stats, "Results of past advice: tried, worked, calibration, regret", ONE(lore_advice_statistics_object)},
    {LORE_GET, V1 "advice/{id}", LORE_READER, 0, NULL, lore_api_advice, "One served answer and its outcomes", ONE(lore_served_object)},
    {LORE_POST, V1 "advice/{id}/events", LORE_CONTRIBUTOR, SHORT_BODY, NULL, lore_api_advice_event, "Say that advice was opened, applied or dismissed", ONE(lore_advice_event_object), .takes = &lore_event_request_object},
    {LORE_GET, V1 "export", LORE_READER, 0, export_page, lore_api_export, "Every submission with its exact text, oldest first", ROWS(lore_exported_object)},
    {LORE_GET, V1 "stats", LORE_READER, 0, NULL, lore_api_stats, "Counts of experiments and their outcomes", ONE(lore_statistics_object)},
    {LORE_GET, "/", LORE_PUBLIC, 0, view, lore_api_page, "The web page", "text/html"},
    {LORE_GET, "/assets/{file}", LORE_PUBLIC, 0, NULL, lore_api_page, "A file of the web page", "application/octet-stream"},
    {LORE_GET, "/{page}", LORE_PUBLIC, 0, view, lore_api_page, "A view of the web page", "text/html"},
    {LORE_GET, "/compare/{id}/{other}", LORE_PUBLIC, 0, view, lore_api_page, "The page's view of two versions", "text/html"},
    {LORE_GET, "/{page}/{id}", LORE_PUBLIC, 0, view, lore_api_page, "A view of the web page on one thing", "text/html"},
    {.path = NULL},
};
#pragma GCC diagnostic pop
