/* Request handlers, one file per noun. The parameters of a request were checked against its row in
 * routes.c. A handler either fills the reply or returns an error status. Handlers contain no
 * civetweb calls and no SQL. The arena of the request is freed with the request. */
#ifndef LORE_API_API_H
#define LORE_API_API_H

#include "service/http/http.h"

/* Every address that the service answers (routes.c), ended by a NULL path. */
extern const struct lore_route lore_routes[];

#define LORE_HANDLER(name)                                                                         \
    enum lore_status name(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)

/* pooled.c: whether a thread of the pool answers (lore_route.pooled) */
bool lore_api_pool_recommend(struct lore_req *req);
bool lore_api_pool_board(struct lore_req *req);
/* system.c: the service about itself */
LORE_HANDLER(lore_api_healthz);
LORE_HANDLER(lore_api_readyz);
LORE_HANDLER(lore_api_prometheus);
LORE_HANDLER(lore_api_routes);
LORE_HANDLER(lore_api_config);
LORE_HANDLER(lore_api_internals);
LORE_HANDLER(lore_api_me);
LORE_HANDLER(lore_api_events);
/* rules.c */
LORE_HANDLER(lore_api_rules);
/* openapi.c, schema */
LORE_HANDLER(lore_api_openapi);
LORE_HANDLER(lore_api_submission_schema);
/* submissions.c */
LORE_HANDLER(lore_api_submit);
LORE_HANDLER(lore_api_attempt);
LORE_HANDLER(lore_api_session);
LORE_HANDLER(lore_api_submissions);
LORE_HANDLER(lore_api_submission);
LORE_HANDLER(lore_api_submission_raw);
LORE_HANDLER(lore_api_blob);
/* catalogue.c */
LORE_HANDLER(lore_api_operators);
LORE_HANDLER(lore_api_chips);
LORE_HANDLER(lore_api_techniques);
LORE_HANDLER(lore_api_unresolved);
LORE_HANDLER(lore_api_metric_defs);
/* kernels.c, versions.c, runs.c, environments.c, workloads.c, hypotheses.c */
LORE_HANDLER(lore_api_kernels);
LORE_HANDLER(lore_api_kernel);
LORE_HANDLER(lore_api_versions);
LORE_HANDLER(lore_api_version);
LORE_HANDLER(lore_api_runs);
LORE_HANDLER(lore_api_run);
LORE_HANDLER(lore_api_environment);
LORE_HANDLER(lore_api_workload);
LORE_HANDLER(lore_api_hypotheses);
LORE_HANDLER(lore_api_hypothesis);
/* curate.c */
LORE_HANDLER(lore_api_mask);
LORE_HANDLER(lore_api_quarantine);
/* experiments.c */
LORE_HANDLER(lore_api_experiments);
LORE_HANDLER(lore_api_experiment);
LORE_HANDLER(lore_api_facets);
/* insights.c, search.c, leaderboard.c, recommend.c, stats.c */
LORE_HANDLER(lore_api_insights);
LORE_HANDLER(lore_api_insight);
LORE_HANDLER(lore_api_search);
LORE_HANDLER(lore_api_leaderboard);
LORE_HANDLER(lore_api_matrix); /* matrix.c */
LORE_HANDLER(lore_api_recommend);
LORE_HANDLER(lore_api_stats);
/* web.c */
LORE_HANDLER(lore_api_page);

#endif
