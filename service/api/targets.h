/* Progress of a campaign's targets. */
#ifndef LORE_API_TARGETS_H
#define LORE_API_TARGETS_H

#include "db/knowledge.h"
#include "service/derive/target.h"
#include "service/http/http.h"

struct lore_target_now {
    struct lore_f64 current;
    const char *run; /* in which it was measured; NULL: the campaign's own value */
};
/* One per target of C, in the request's arena. The value comes from the newest run with the metric
 * among the `runs_after` of the newest 20 visible experiments; else from the campaign. */
enum lore_status lore_targets_now(struct lore_req *req, const struct lore_campaign *c,
    const struct lore_experiment_row *newest_first, size_t n, struct lore_target_now **out,
    struct lore_err *err) LORE_MUST;
struct lore_target_standing {
    struct lore_target t;
    struct lore_target_now now;
    struct lore_progress progress;
};
/* One per target of C. */
struct lore_target_standing *lore_targets_standing(
    struct lore_arena *arena, const struct lore_campaign *c, const struct lore_target_now *now);

#endif
