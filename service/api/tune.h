/* Another value of what a version has: its parameters, with the values that were tried and what
 * came of them, the odds of another one, and the one to try next. */
#ifndef LORE_API_TUNE_H
#define LORE_API_TUNE_H

#include "service/api/recommend_start.h"

/* Read the attempts on the version that OUT is about, and set what their state adds to the odds of
 * Q. Call it before the index answers. */
enum lore_status lore_tune_read_session(struct lore_req *req, struct lore_question *q,
    struct lore_start_answer *out, struct lore_err *err) LORE_MUST;
/* Set the rows of OUT, best odds first, at most Q's limit, and leave out of A's list to avoid what
 * failed by its values alone. Then rank the rows and the advice. */
enum lore_status lore_tune_find(struct lore_req *req, const struct lore_question *q,
    struct lore_answer *a, struct lore_start_answer *out, struct lore_err *err) LORE_MUST;
/* Set the ranks of the rows and of A's advice. The two lists take turns, the one with the better
 * odds first: the odds of one are learned elsewhere, those of the other in sessions, and neither
 * shall push the other out. OUT->ranks has a place for each advice. */
void lore_tune_rank(const struct lore_answer *a, struct lore_start_answer *out);

#endif
