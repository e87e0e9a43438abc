/* Objects and answers of the interface, as tables (openapi.h). docs/api.md says the same in prose.
 */
#include "openapi.h"

#include <stdio.h>
#include <string.h>

#include "text.h"

#define EFFECT "win|neutral|loss|inconclusive|not_measured"
#define CHECK "pass|fail|timeout|not_checked"
#define EVIDENCE "confirmed|measured|imported|claimed"
#define TECHNIQUE_VERDICT "effective|ineffective|implementation_failed|unattributed|not_measured"
#define ISA "verified|missing|not_applicable|unavailable|inconclusive|not_checked"
#define KIND                                                                                       \
    "kernel|version|environment|run|hypothesis|experiment|attribution|insight|source_document|"    \
    "spec|"                                                                                        \
    "technique|verification|campaign|direction|curation"

/* Rows of one object stand together. `!` before the name: always there. */
static const struct {
    const char *object, *name, *type;
} members[] = {
    {"Problem", "!type", "text"},
    {"Problem", "!title", "text"},
    {"Problem", "!status", "integer"},
    {"Problem", "!code", "text"},
    {"Problem", "!detail", "text"},
    {"Problem", "path", "text"},
    {"Problem", "hint", "text"},
    {"Problem", "!request_id", "text"},
    {"Receipt", "!id", "ulid"},
    {"Receipt", "!status", "stored|duplicate"},
    {"Receipt", "!stored", "object"},
    {"Receipt", "!duplicates", "object"},
    {"Receipt", "!records", "[#ReceiptRecord"},
    {"ReceiptRecord", "!kind", KIND},
    {"ReceiptRecord", "!id", "ulid"},
    {"ReceiptRecord", "!status", "stored|duplicate"},
    {"MaskRequest", "!masked", "boolean"},
    {"MaskRequest", "!reason", "text"},
    {"Masked", "!id", "ulid"},
    {"Masked", "!masked", "boolean"},
    {"Health", "!status", "text"},
    {"Health", "!version", "text"},
    {"Health", "!schema", "integer"},
    {"Health", "!uptime_s", "number"},
    {"Me", "!actor", "text"},
    {"Me", "!role", "reader|contributor|curator|admin"},
    {"Route", "!method", "text"},
    {"Route", "!path", "text"},
    {"Route", "!who", "text"},
    {"Route", "!max_body", "integer"},
    {"Route", "!params", "[object"},
    {"Route", "!help", "text"},
    {"Setting", "!name", "text"},
    {"Setting", "!value", "text?"},
    {"Setting", "!default", "text?"},
    {"Setting", "!reload", "boolean"},
    {"Setting", "!help", "text"},
    {"Rule", "!name", "text"},
    {"Rule", "!breaks", "boolean"},
    {"Rule", "!help", "text"},
    {"MetricDefinition", "!name", "text"},
    {"MetricDefinition", "vendor", "text"},
    {"MetricDefinition", "unit", "text"},
    {"MetricDefinition", "kind", "text"},
    {"MetricDefinition", "direction", "higher|lower|neutral"},
    {"MetricDefinition", "canonical", "text"},
    {"MetricDefinition", "title", "text"},
    {"Internals", "!counts", "object"},
    {"Internals", "!database_bytes", "integer"},
    {"Internals", "!wal_bytes", "integer"},
    {"Internals", "!memory", "object"},
    {"Internals", "!ingest", "object"},
    {"Event", "!seq", "integer"},
    {"Event", "!at", "time"},
    {"Event", "!actor", "text"},
    {"Event", "!kind", "text"},
    {"Event", "!subject", "text"},
    {"File", "file", "text"},
    {"File", "name", "text"},
    {"File", "!blob", "text"},
    {"File", "!bytes", "integer"},
    {"Document", "!id", "ulid"},
    {"Document", "!hash", "text"},
    {"Document", "!bytes", "integer"},
    {"Document", "!actor", "text"},
    {"Document", "!author", "object"},
    {"Document", "!received_at", "time"},
    {"Document", "artifacts", "[#File"},
    {"Document", "!seq", "integer"},
    {"Operator", "!name", "text"},
    {"Operator", "!family", "text"},
    {"Operator", "summary", "text"},
    {"Operator", "!aliases", "[text"},
    {"Operator", "!known", "boolean"},
    {"Operator", "!kernels", "integer"},
    {"Operator", "!experiments", "integer"},
    {"Chip", "!name", "text"},
    {"Chip", "!title", "text"},
    {"Chip", "!vendor", "text"},
    {"Chip", "!arch", "text"},
    {"Chip", "!isa", "text"},
    {"Chip", "!unit", "text"},
    {"Chip", "!product", "boolean"},
    {"Chip", "!runs", "integer"},
    {"Chip", "!experiments", "integer"},
    {"Technique", "!slug", "text"},
    {"Technique", "!title", "text"},
    {"Technique", "axis", "text"},
    {"Technique", "layer", "text"},
    {"Technique", "summary", "text"},
    {"Technique", "!triggers", "[text"},
    {"Technique", "!known", "boolean"},
    {"Technique", "!experiments", "integer"},
    {"Technique", "!wins", "integer"},
    {"Technique", "!losses", "integer"},
    {"Workload", "!id", "text"},
    {"Workload", "operator", "text"},
    {"Workload", "label", "text"},
    {"Workload", "dims", "object"},
    {"Workload", "dtype", "text"},
    {"Workload", "layout", "text"},
    {"KernelRow", "!id", "ulid"},
    {"KernelRow", "!operator", "text"},
    {"KernelRow", "family", "text"},
    {"KernelRow", "!name", "text"},
    {"KernelRow", "!language", "text"},
    {"KernelRow", "origin", "text"},
    {"KernelRow", "!experiments", "integer"},
    {"KernelRow", "received_at", "time"},
    {"KernelRow", "!seq", "integer"},
    {"KernelRow", "!versions", "integer"},
    {"Kernel", "!id", "ulid"},
    {"Kernel", "!operator", "text"},
    {"Kernel", "family", "text"},
    {"Kernel", "!name", "text"},
    {"Kernel", "!language", "text"},
    {"Kernel", "origin", "text"},
    {"Kernel", "!experiments", "integer"},
    {"Kernel", "received_at", "time"},
    {"Kernel", "!seq", "integer"},
    {"Kernel", "!versions", "[#Version"},
    {"Kernel", "!record", "object"},
    {"Kernel", "document", "ulid"},
    {"Version", "!id", "ulid"},
    {"Version", "!kernel", "ulid"},
    {"Version", "kernel_name", "text"},
    {"Version", "operator", "text"},
    {"Version", "language", "text"},
    {"Version", "!kind", "baseline|candidate|branch|ablation|revert|library"},
    {"Version", "ordinal", "integer"},
    {"Version", "tag", "text"},
    {"Version", "label", "text"},
    {"Version", "summary", "text"},
    {"Version", "!parents", "[object"},
    {"Version", "!files", "[#File"},
    {"Version", "created_at", "time"},
    {"Version", "received_at", "time"},
    {"Version", "!seq", "integer"},
    {"Version", "record", "object"},
    {"Version", "document", "ulid"},
    {"RunStatistics", "n", "integer"},
    {"RunStatistics", "median_ns", "number"},
    {"RunStatistics", "p10_ns", "number"},
    {"RunStatistics", "p90_ns", "number"},
    {"RunStatistics", "min_ns", "number"},
    {"RunStatistics", "max_ns", "number"},
    {"RunStatistics", "mean_ns", "number"},
    {"RunStatistics", "std_ns", "number"},
    {"Run", "!id", "ulid"},
    {"Run", "!version", "ulid"},
    {"Run", "version_label", "text"},
    {"Run", "operator", "text"},
    {"Run", "kernel", "ulid"},
    {"Run", "kernel_name", "text"},
    {"Run", "language", "text"},
    {"Run", "chip", "text"},
    {"Run", "environment", "ulid"},
    {"Run", "!workload", "#Workload?"},
    {"Run", "!role", "candidate|baseline|reference|ablation|branch"},
    {"Run", "!evidence", EVIDENCE},
    {"Run", "measured_at", "time"},
    {"Run", "received_at", "time"},
    {"Run", "tool", "text"},
    {"Run", "stats", "#RunStatistics"},
    {"Run", "!correctness", CHECK},
    {"Run", "!error_type", "text?"},
    {"Run", "!labels", "[text"},
    {"Run", "!seq", "integer"},
    {"Run", "record", "object"},
    {"Run", "document", "ulid"},
    {"Environment", "!id", "ulid"},
    {"Environment", "chip", "text"},
    {"Environment", "!hard", "object"},
    {"Environment", "!soft", "object"},
    {"Environment", "!hard_hash", "text"},
    {"Environment", "!soft_hash", "text"},
    {"Environment", "captured_at", "time"},
    {"Environment", "received_at", "time"},
    {"Environment", "!record", "object"},
    {"Environment", "document", "ulid"},
    {"Environment", "!seq", "integer"},
    {"Hypothesis", "!id", "ulid"},
    {"Hypothesis", "from_version", "ulid"},
    {"Hypothesis", "to_version", "ulid"},
    {"Hypothesis", "!claim", "text"},
    {"Hypothesis", "author", "text"},
    {"Hypothesis", "claimed_at", "time"},
    {"Hypothesis", "received_at", "time"},
    {"Hypothesis", "!record", "object"},
    {"Hypothesis", "document", "ulid"},
    {"Hypothesis", "!seq", "integer"},
    {"Outcome", "!effect", EFFECT},
    {"Outcome", "!correctness", CHECK},
    {"Outcome", "!process", "clean|broken"},
    {"Outcome", "!rules", "[text"},
    {"Outcome", "!flags", "[text"},
    {"Outcome", "speedup", "number"},
    {"Outcome", "low", "number"},
    {"Outcome", "high", "number"},
    {"Outcome", "!basis", "samples|summary|claim|none"},
    {"Outcome", "before_ns", "number"},
    {"Outcome", "after_ns", "number"},
    {"Outcome", "!policy", "text"},
    {"Outcome", "!disagrees", "boolean"},
    {"Outcome", "at", "time"},
    {"Outcome", "superseded_at", "time"},
    {"Judgement", "!metric", "text"},
    {"Judgement", "!verdict", "confirmed|contradicted|partial|not_measured"},
    {"Judgement", "before", "number"},
    {"Judgement", "after", "number"},
    {"Judgement", "!why", "text"},
    {"TechniqueVerdict", "!technique", "text"},
    {"TechniqueVerdict", "!verdict", TECHNIQUE_VERDICT},
    {"TechniqueVerdict", "!contributed", "yes|no|unknown"},
    {"TechniqueVerdict", "!isa", ISA},
    {"TechniqueVerdict", "!policy", "text"},
    {"TechniqueVerdict", "!why", "text"},
    {"Synergy", "!total_ns", "number"},
    {"Synergy", "sum_ns", "number"},
    {"Synergy", "residual_ns", "number"},
    {"Synergy", "residual_pct", "number"},
    {"Synergy", "!unknown", "integer"},
    {"Synergy", "!gain_from_parameters", "boolean"},
    {"UsedTechnique", "!name", "text"},
    {"UsedTechnique", "raw", "text"},
    {"Experiment", "!id", "ulid"},
    {"Experiment", "!title", "text"},
    {"Experiment", "operator", "text"},
    {"Experiment", "family", "text"},
    {"Experiment", "!kernel", "ulid"},
    {"Experiment", "kernel_name", "text"},
    {"Experiment", "language", "text"},
    {"Experiment", "chip", "text"},
    {"Experiment", "!workload", "#Workload?"},
    {"Experiment", "from_version", "ulid"},
    {"Experiment", "to_version", "ulid"},
    {"Experiment", "hypothesis", "ulid"},
    {"Experiment", "!techniques", "[#UsedTechnique"},
    {"Experiment", "!labels", "[text"},
    {"Experiment", "raw_label", "text"},
    {"Experiment", "!evidence", EVIDENCE},
    {"Experiment", "typed_outcome", "text"},
    {"Experiment", "!outcome", "#Outcome?"},
    {"Experiment", "!masked", "boolean"},
    {"Experiment", "notes", "text"},
    {"Experiment", "lesson", "text"},
    {"Experiment", "author", "text"},
    {"Experiment", "happened_at", "time"},
    {"Experiment", "received_at", "time"},
    {"Experiment", "!seq", "integer"},
    {"Experiment", "record", "object"},
    {"Experiment", "before", "[#Run"},
    {"Experiment", "after", "[#Run"},
    {"Experiment", "hypothesis_record", "#Hypothesis?"},
    {"Experiment", "judgements", "[#Judgement"},
    {"Experiment", "claim_verdict", "text?"},
    {"Experiment", "decision", "object?"},
    {"Experiment", "watch", "[object"},
    {"Experiment", "technique_verdicts", "[#TechniqueVerdict"},
    {"Experiment", "synergy", "#Synergy?"},
    {"Experiment", "attributions", "[object"},
    {"Experiment", "outcomes", "[#Outcome"},
    {"Experiment", "masks", "[object"},
    {"Experiment", "document", "ulid"},
    {"FacetCount", "!name", "text"},
    {"FacetCount", "!n", "integer"},
    {"Facets", "!total", "integer"},
    {"Facets", "!operator", "[#FacetCount"},
    {"Facets", "!chip", "[#FacetCount"},
    {"Facets", "!language", "[#FacetCount"},
    {"Facets", "!technique", "[#FacetCount"},
    {"Facets", "!effect", "[#FacetCount"},
    {"Facets", "!evidence", "[#FacetCount"},
    {"Facets", "!bottleneck", "[#FacetCount"},
    {"Insight", "!id", "ulid"},
    {"Insight", "!kind", "note|technique_card|anti_strategy|symptom_card|playbook"},
    {"Insight", "!title", "text"},
    {"Insight", "!body", "text"},
    {"Insight", "operator", "text"},
    {"Insight", "family", "text"},
    {"Insight", "language", "text"},
    {"Insight", "chip", "text"},
    {"Insight", "technique", "text"},
    {"Insight", "labels", "[text"},
    {"Insight", "confidence", "text"},
    {"Insight", "author", "text"},
    {"Insight", "received_at", "time"},
    {"Insight", "record", "object"},
    {"Insight", "document", "ulid"},
    {"Insight", "seq", "integer"},
    {"Hit", "!kind", "experiment|hypothesis|insight|version"},
    {"Hit", "!id", "ulid"},
    {"Hit", "!title", "text"},
    {"Hit", "!snippet", "text"},
    {"Hit", "!rank", "number"},
    {"Speedup", "!value", "number"},
    {"Speedup", "!base", "first|parent|best_so_far|library"},
    {"Speedup", "base_name", "text"},
    {"Speedup", "base_version", "ulid"},
    {"BoardRow", "!operator", "text"},
    {"BoardRow", "family", "text"},
    {"BoardRow", "language", "text"},
    {"BoardRow", "chip", "text"},
    {"BoardRow", "!workload", "#Workload?"},
    {"BoardRow", "kernel", "ulid"},
    {"BoardRow", "kernel_name", "text"},
    {"BoardRow", "!best", "object"},
    {"BoardRow", "time_ns", "number"},
    {"BoardRow", "low_ns", "number"},
    {"BoardRow", "high_ns", "number"},
    {"BoardRow", "n_samples", "integer"},
    {"BoardRow", "!speedup", "#Speedup?"},
    {"BoardRow", "!vs_library", "#Speedup?"},
    {"BoardRow", "!typical", "object?"},
    {"BoardRow", "!labels", "[text"},
    {"BoardRow", "status", "text"},
    {"BoardRow", "evidence", EVIDENCE},
    {"BoardRow", "!versions", "integer"},
    {"BoardRow", "!runs", "integer"},
    {"BoardRow", "!experiments", "integer"},
    {"BoardRow", "!won", "integer"},
    {"BoardRow", "!neutral", "integer"},
    {"BoardRow", "!lost", "integer"},
    {"BoardRow", "!excluded", "[object"},
    {"BoardRow", "updated_at", "time"},
    {"Interval", "!value", "number"},
    {"Interval", "!low", "number"},
    {"Interval", "!high", "number"},
    {"Cited", "!experiment", "ulid"},
    {"Cited", "operator", "text"},
    {"Cited", "language", "text"},
    {"Cited", "chip", "text"},
    {"Cited", "!effect", EFFECT},
    {"Cited", "!correctness", CHECK},
    {"Cited", "!process", "clean|broken"},
    {"Cited", "evidence", EVIDENCE},
    {"Cited", "speedup", "number"},
    {"Cited", "!labels", "[text"},
    {"Cited", "!travel", "text"},
    {"Cited", "!weight", "number"},
    {"Cited", "title", "text"},
    {"Advice", "!technique", "text"},
    {"Advice", "!title", "text"},
    {"Advice", "!p_win", "#Interval"},
    {"Advice", "!gain", "#Interval"},
    {"Advice", "tried", "integer"},
    {"Advice", "won", "integer"},
    {"Advice", "neutral", "integer"},
    {"Advice", "lost", "integer"},
    {"Advice", "inconclusive", "integer"},
    {"Advice", "not_measured", "integer"},
    {"Advice", "said_lost", "integer"},
    {"Advice", "tried_here", "integer"},
    {"Advice", "won_here", "integer"},
    {"Advice", "lost_here", "integer"},
    {"Advice", "effective_n", "number"},
    {"Advice", "travel", "object"},
    {"Advice", "same_operator", "boolean"},
    {"Advice", "same_family", "boolean"},
    {"Advice", "contested", "boolean"},
    {"Advice", "process_faults", "integer"},
    {"Advice", "incorrect", "integer"},
    {"Advice", "axis", "text"},
    {"Advice", "layer", "text"},
    {"Advice", "summary", "text"},
    {"Advice", "triggers", "[text"},
    {"Advice", "why", "text"},
    {"Advice", "evidence", "[#Cited"},
    {"Recommendation", "!question", "object"},
    {"Recommendation", "!summary", "text"},
    {"Recommendation", "!empty", "boolean"},
    {"Recommendation", "!knowledge", "object"},
    {"Recommendation", "!advice", "[#Advice"},
    {"Recommendation", "!avoid", "[#Advice"},
    {"Recommendation", "!untried", "[#Advice"},
    {"Recommendation", "!similar", "[#Cited"},
    {"Recommendation", "!insights", "[#Insight"},
    {"Recommendation", "!model", "object"},
    {"Statistics", "!totals", "object"},
    {"Statistics", "!by_operator", "[object"},
    {"Statistics", "!by_language", "[object"},
    {"Statistics", "!by_chip", "[object"},
    {"Statistics", "!by_bottleneck", "[object"},
    {"Statistics", "!top_techniques", "[object"},
};
enum { N_MEMBERS = sizeof members / sizeof members[0] };

#define V1 "/api/v1/"
static const struct {
    enum lore_method method;
    const char *path, *type;
} answers[] = {
    {LORE_GET, "/healthz", "#Health"},
    {LORE_GET, "/metrics", "text/plain"},
    {LORE_GET, "/openapi.json", "object"},
    {LORE_GET, V1 "schema/submission", "object"},
    {LORE_GET, V1 "_routes", "rows:Route"},
    {LORE_GET, V1 "_config", "rows:Setting"},
    {LORE_GET, V1 "_metrics", "rows:MetricDefinition"},
    {LORE_GET, V1 "_rules", "rows:Rule"},
    {LORE_GET, V1 "_stats", "#Internals"},
    {LORE_GET, V1 "me", "#Me"},
    {LORE_GET, V1 "events", "rows:Event"},
    {LORE_POST, V1 "submissions", "#Receipt"},
    {LORE_GET, V1 "submissions", "rows:Document"},
    {LORE_GET, V1 "submissions/{id}", "#Document"},
    {LORE_GET, V1 "submissions/{id}/raw", "application/json"},
    {LORE_GET, V1 "blobs/{hash}", "application/octet-stream"},
    {LORE_GET, V1 "operators", "rows:Operator"},
    {LORE_GET, V1 "chips", "rows:Chip"},
    {LORE_GET, V1 "techniques", "rows:Technique"},
    {LORE_GET, V1 "kernels", "rows:KernelRow"},
    {LORE_GET, V1 "kernels/{id}", "#Kernel"},
    {LORE_GET, V1 "versions", "rows:Version"},
    {LORE_GET, V1 "versions/{id}", "#Version"},
    {LORE_GET, V1 "runs", "rows:Run"},
    {LORE_GET, V1 "runs/{id}", "#Run"},
    {LORE_GET, V1 "environments/{id}", "#Environment"},
    {LORE_GET, V1 "workloads/{id}", "#Workload"},
    {LORE_GET, V1 "hypotheses", "rows:Hypothesis"},
    {LORE_GET, V1 "hypotheses/{id}", "#Hypothesis"},
    {LORE_GET, V1 "experiments", "rows:Experiment"},
    {LORE_GET, V1 "experiments/{id}", "#Experiment"},
    {LORE_POST, V1 "experiments/{id}/mask", "#Masked"},
    {LORE_GET, V1 "facets", "#Facets"},
    {LORE_GET, V1 "insights", "rows:Insight"},
    {LORE_GET, V1 "insights/{id}", "#Insight"},
    {LORE_GET, V1 "search", "rows:Hit"},
    {LORE_GET, V1 "leaderboard", "rows:BoardRow"},
    {LORE_GET, V1 "recommend", "#Recommendation"},
    {LORE_GET, V1 "stats", "#Statistics"},
    {LORE_GET, "/", "text/html"},
    {LORE_GET, "/assets/{file}", "application/octet-stream"},
    {LORE_GET, "/{page}", "text/html"},
    {LORE_GET, "/{page}/{id}", "text/html"},
};

const char *
lore_openapi_answer(enum lore_method method, const char *path)
{
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        if (answers[i].method == method && strcmp(answers[i].path, path) == 0)
            return answers[i].type;
    }
    return NULL;
}

/* A choice, with null when it may be absent. */
static void
write_choice(struct lore_jsonw *w, const char *type, size_t n, bool null)
{
    lore_w_key(w, "enum");
    lore_w_arr(w);
    for (const char *p = type; p < type + n;) {
        size_t len = strcspn(p, "|?");

        lore_w_strn(w, p, len);
        p += len + 1;
    }
    if (null)
        lore_w_null(w);
    lore_w_arr_end(w);
}

static void
write_plain(struct lore_jsonw *w, const char *type, size_t n, bool null)
{
    static const struct {
        const char *type, *json, *more, *value;
    } plain[] = {{"text", "string", NULL, NULL}, {"number", "number", NULL, NULL},
        {"integer", "integer", NULL, NULL}, {"boolean", "boolean", NULL, NULL},
        {"object", "object", NULL, NULL}, {"time", "string", "format", "date-time"},
        {"ulid", "string", "pattern", "^[0-9A-HJKMNP-TV-Z]{26}$"}};
    size_t i = 0;

    while (i + 1 < sizeof plain / sizeof plain[0] &&
           (strlen(plain[i].type) != n || memcmp(plain[i].type, type, n) != 0))
        i++;
    lore_w_key(w, "type");
    if (null) {
        lore_w_arr(w);
        lore_w_str(w, plain[i].json);
        lore_w_str(w, "null");
        lore_w_arr_end(w);
    } else {
        lore_w_str(w, plain[i].json);
    }
    if (plain[i].more != NULL)
        lore_w_kstr(w, plain[i].more, plain[i].value);
}

static void
write_ref(struct lore_jsonw *w, const char *name, size_t n, bool null)
{
    char ref[96];

    snprintf(ref, sizeof ref, "#/components/schemas/%.*s", (int)n, name);
    if (!null) {
        lore_w_kstr(w, "$ref", ref);
        return;
    }
    lore_w_key(w, "anyOf");
    lore_w_arr(w);
    lore_w_obj(w);
    lore_w_kstr(w, "$ref", ref);
    lore_w_obj_end(w);
    lore_w_obj(w);
    lore_w_kstr(w, "type", "null");
    lore_w_obj_end(w);
    lore_w_arr_end(w);
}

void
lore_openapi_type(struct lore_jsonw *w, const char *type)
{
    size_t n = strlen(type);
    bool null = n > 0 && type[n - 1] == '?';

    n -= null;
    lore_w_obj(w);
    if (*type == '[') {
        lore_w_kstr(w, "type", "array");
        lore_w_key(w, "items");
        lore_openapi_type(w, type + 1);
    } else if (*type == '#') {
        write_ref(w, type + 1, n - 1, null);
    } else if (strchr(type, '|') != NULL) {
        write_choice(w, type, n, null);
    } else {
        write_plain(w, type, n, null);
    }
    lore_w_obj_end(w);
}

/* The object whose rows start at FIRST; the index after its last row. */
static size_t
write_object(struct lore_jsonw *w, size_t first)
{
    size_t end = first;

    while (end < N_MEMBERS && strcmp(members[end].object, members[first].object) == 0)
        end++;
    lore_w_key(w, members[first].object);
    lore_w_obj(w);
    lore_w_kstr(w, "type", "object");
    lore_w_key(w, "properties");
    lore_w_obj(w);
    for (size_t i = first; i < end; i++) {
        lore_w_key(w, members[i].name + (members[i].name[0] == '!'));
        lore_openapi_type(w, members[i].type);
    }
    lore_w_obj_end(w);
    lore_w_key(w, "required");
    lore_w_arr(w);
    for (size_t i = first; i < end; i++) {
        if (members[i].name[0] == '!')
            lore_w_str(w, members[i].name + 1);
    }
    lore_w_arr_end(w);
    lore_w_obj_end(w);
    return end;
}

void
lore_openapi_objects(struct lore_jsonw *w)
{
    lore_w_key(w, "schemas");
    lore_w_obj(w);
    for (size_t i = 0; i < N_MEMBERS;)
        i = write_object(w, i);
    lore_w_obj_end(w);
}
