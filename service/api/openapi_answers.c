/* What every address answers with, and what it takes, as tables (openapi.h). */
#include <string.h>

#include "service/api/openapi.h"

#define V1 "/api/v1/"
struct row {
    enum lore_method method;
    const char *path, *type;
};
static const struct row answers[] = {
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
    {LORE_POST, V1 "batches", "#BatchAnswer"},
    {LORE_POST, V1 "agents", "#Enrolled"},
    {LORE_GET, V1 "agents", "rows:Agent"},
    {LORE_GET, V1 "agents/self", "#AgentSelf"},
    {LORE_GET, V1 "agents/{id}/receipts", "rows:BatchReceiptRow"},
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
    {LORE_GET, V1 "environments", "rows:Environment"},
    {LORE_GET, V1 "environments/{id}/compare/{other}", "#ComparedEnvironments"},
    {LORE_GET, V1 "versions/{id}/lineage", "#Lineage"},
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
    {LORE_GET, V1 "search", "#Hits"},
    {LORE_GET, V1 "leaderboard", "rows:BoardRow"},
    {LORE_GET, V1 "matrix", "rows:MatrixCell"},
    {LORE_GET, V1 "recommend", "#Recommendation/#SeedScore"},
    {LORE_GET, V1 "stats", "#Statistics"},
    {LORE_GET, "/", "text/html"},
    {LORE_GET, "/assets/{file}", "application/octet-stream"},
    {LORE_GET, "/{page}", "text/html"},
    {LORE_GET, "/compare/{id}/{other}", "text/html"},
    {LORE_GET, "/{page}/{id}", "text/html"},
    {LORE_GET, V1 "chips/{name}", "#ChipSheet"},
    {LORE_GET, V1 "kernels/{id}/history", "#History"},
    {LORE_POST, V1 "kernels/{id}/restart", "#Restart"},
    {LORE_GET, V1 "versions/{id}/verifications", "rows:Verification"},
    {LORE_POST, V1 "insights/{id}/review", "#Decision"},
    {LORE_GET, V1 "source-documents", "rows:SourceDocument"},
    {LORE_GET, V1 "source-documents/{id}", "#SourceDocument"},
    {LORE_GET, V1 "specs", "rows:Spec"},
    {LORE_GET, V1 "specs/disputes", "rows:Dispute"},
    {LORE_GET, V1 "specs/{id}", "#Spec"},
    {LORE_POST, V1 "specs/{id}/select", "#Decision"},
    {LORE_POST, V1 "specs/{id}/reject", "#Decision"},
    {LORE_GET, V1 "campaigns", "rows:Campaign"},
    {LORE_GET, V1 "campaigns/{id}", "#Campaign"},
    {LORE_POST, V1 "campaigns/{id}/close", "#Decision"},
    {LORE_POST, V1 "campaigns/{id}/amend", "#Decision"},
    {LORE_GET, V1 "directions", "rows:Direction"},
    {LORE_GET, V1 "directions/{id}", "#Direction"},
    {LORE_POST, V1 "directions/{id}/close", "#Decision"},
    {LORE_GET, V1 "curations", "rows:Curation"},
    {LORE_GET, V1 "curations/{id}", "#Curation"},
    {LORE_GET, V1 "records/{id}", "#AnyRecord"},
    {LORE_POST, V1 "records/{id}/retract", "#Decision"},
    {LORE_POST, V1 "records/{id}/comment", "#Decision"},
    {LORE_GET, V1 "merges", "rows:MergeGroup"},
    {LORE_GET, V1 "merges/proposals", "#MergeProposals"},
    {LORE_POST, V1 "merges", "#MergePreview"},
    {LORE_POST, V1 "merges/{id}/undo", "#Decision"},
    {LORE_GET, V1 "techniques/{slug}", "#TechniqueSheet"},
    {LORE_GET, V1 "kernels/{id}/frontier", "#Frontier"},
    {LORE_GET, V1 "kernels/{id}/drift", "#Drift"},
    {LORE_GET, V1 "runs/{id}/diagnosis", "#DiagnosisOfRun"},
    {LORE_GET, V1 "runs/{id}/triggers", "#Triggers"},
    {LORE_GET, V1 "failures", "#Failures"},
    {LORE_GET, V1 "judgements", "rows:JudgedRow"},
    {LORE_GET, V1 "calibration", "#Calibrations"},
    {LORE_GET, V1 "duplicates", "#Duplicates"},
    {LORE_GET, V1 "kernels/{id}/repeats", "#Repeats"},
    {LORE_GET, V1 "versions/{id}/compare/{other}", "#Comparison"},
    {LORE_GET, V1 "roofline", "#Roofline"},
    {LORE_GET, V1 "axis-budget", "#AxisBudget"},
    {LORE_GET, V1 "methods/validate", "#MethodsChecked"},
    {LORE_GET, V1 "export", "rows:Exported"},
    {LORE_GET, V1 "advice/stats", "#AdviceStatistics"},
    {LORE_GET, V1 "advice/{id}", "#ServedAdvice"},
    {LORE_POST, V1 "advice/{id}/events", "#AdviceEvent"},
};
/* Bodies that are no submission and more than a reason. */
static const struct row bodies[] = {
    {LORE_POST, V1 "experiments/{id}/mask", "MaskRequest"},
    {LORE_POST, V1 "insights/{id}/review", "ReviewRequest"},
    {LORE_POST, V1 "campaigns/{id}/close", "CloseRequest"},
    {LORE_POST, V1 "campaigns/{id}/amend", "AmendRequest"},
    {LORE_POST, V1 "kernels/{id}/restart", "RestartRequest"},
    {LORE_POST, V1 "merges", "MergeRequest"},
    {LORE_POST, V1 "agents", "EnrolRequest"},
    {LORE_POST, V1 "advice/{id}/events", "AdviceEventRequest"},
};

static const char *
find(const struct row *rows, size_t n, enum lore_method method, const char *path)
{
    for (size_t i = 0; i < n; i++) {
        if (rows[i].method == method && strcmp(rows[i].path, path) == 0)
            return rows[i].type;
    }
    return NULL;
}

const char *
lore_openapi_answer(enum lore_method method, const char *path)
{
    return find(answers, sizeof answers / sizeof answers[0], method, path);
}

const char *
lore_openapi_body(enum lore_method method, const char *path)
{
    const char *type = find(bodies, sizeof bodies / sizeof bodies[0], method, path);

    return type != NULL ? type : "ReasonRequest";
}
