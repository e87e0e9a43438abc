/* Served advice and its outcomes (feedback.c, feedback_stats.c; docs/feedback.md). */
#ifndef LORE_API_API_FEEDBACK_H
#define LORE_API_API_FEEDBACK_H

#include "service/api/api.h"
#include "service/api/recommend_start.h"
#include "service/base/jsonw.h"

/* Queue the answer A to Q for storage and return its id, in the arena of REQ. NULL when it is not
 * stored: no advice, quiet=true, no log, or too many answers. Never blocks. */
const char *lore_feedback_store(const struct lore_req *req, const struct lore_question *q,
    const struct lore_answer *a, const struct lore_start_answer *start);

LORE_HANDLER(lore_api_advice);
LORE_HANDLER(lore_api_advice_event);
LORE_HANDLER(lore_api_advice_stats); /* feedback_stats.c */

#endif
