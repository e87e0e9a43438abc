/* The answer of GET /api/v1/recommend as JSON (recommend_write.c). */
#ifndef LORE_API_RECOMMEND_WRITE_H
#define LORE_API_RECOMMEND_WRITE_H

#include "service/api/lessons.h"
#include "service/api/recommend_start.h"
#include "service/api/transfer.h"
#include "service/http/http.h"

struct lore_recommended {
    const char *advice_id; /* NULL: the answer is not stored */
    const struct lore_question *question;
    struct lore_workload_row workload; /* of the question; only the id when it is not stored */
    const struct lore_answer *answer;
    const struct lore_start_answer *start;
    const struct lore_title
        *titles; /* of the cited experiments: of advice, of avoid, the similar ones */
    const struct lore_transfers *transfers;
    const struct lore_lessons *lessons;
};
enum lore_status lore_recommended_reply(struct lore_req *req, struct lore_resp *resp,
    const struct lore_recommended *x, struct lore_err *err) LORE_MUST;

/* Key and value: the model's name and numbers (present_model.c). Thread-safe. */
void lore_present_model(struct lore_jsonw *w, const char *key, const void *row);

#endif
