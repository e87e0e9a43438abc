/* GET /api/v1/recommend: the question is answered (recommend.c), and the answer written as JSON
 * (recommend_write.c, recommend_short.c). */
#ifndef LORE_API_RECOMMEND_WRITE_H
#define LORE_API_RECOMMEND_WRITE_H

#include "service/api/lessons.h"
#include "service/api/recommend_start.h"
#include "service/api/transfer.h"
#include "service/http/http.h"

enum { LORE_ADVICE_SHORT = 5 }; /* techniques per list of the short answer */

/* The parts of a question that the request leaves out; zeroed: any. */
struct lore_recommend_defaults {
    const char *op, *version, *workload; /* ids, but for the operator */
    const struct lore_chip *chip;
    enum lore_language language;
    size_t limit; /* techniques per list */
    bool whole;   /* also what only the whole answer says */
    bool next;    /* also what to measure next, when operator and chip are known */
};
struct lore_recommended {
    const char *advice_id; /* NULL: not stored; lore_feedback_store sets it */
    struct lore_question question;
    struct lore_workload_row workload; /* of the question; only the id when it is not stored */
    struct lore_answer answer;
    const char *chip_note; /* what the chip's name was taken for (chip_meant.h); NULL: itself */
    bool nothing;          /* no experiment in memory names a technique */
    struct lore_start_answer start;
    struct lore_lessons lessons;
    /* for the whole answer only */
    const struct lore_title
        *titles; /* of the cited experiments: of advice, of avoid, the similar ones */
    const struct lore_transfers *transfers;
};
/* Read the question from the parameters of REQ and answer it (recommend.c). Texts live in the
 * request's arena. */
enum lore_status lore_recommend_ask(struct lore_req *req, const struct lore_recommend_defaults *d,
    struct lore_recommended *out, struct lore_err *err) LORE_MUST;
/* Read the requested workload, an id, or dims of operator OP: its id in *OUT, and with dims also
 * WORKLOAD. Without either *OUT is NULL. */
enum lore_status lore_recommend_workload(struct lore_req *req, const char *op, const char **out,
    struct lore_workload *workload, struct lore_err *err) LORE_MUST;
/* The whole answer. */
enum lore_status lore_recommended_reply(struct lore_req *req, struct lore_resp *resp,
    const struct lore_recommended *x, struct lore_err *err) LORE_MUST;
/* What a person or an agent acts on (recommend_short.c). Without the parameter `limit` rows are
 * left out of X until the answer has at most 8 KiB; then it is stored for feedback. */
enum lore_status lore_recommended_short(struct lore_req *req, struct lore_resp *resp,
    struct lore_recommended *x, struct lore_err *err) LORE_MUST;

/* The gain that supports a piece of advice best, with the version that it made: on operator OP
 * before others of its family before the rest, else the one that bears most. */
struct lore_witness {
    const struct lore_cited *of;     /* NULL: no experiment gained */
    struct lore_version_row version; /* v.id NULL: not recorded */
};
enum lore_status lore_recommend_witness(struct lore_req *req, const char *op,
    const struct lore_advice *a, struct lore_witness *out, struct lore_err *err) LORE_MUST;
/* What technique NAME does, whether it changes the result, and what it needs that is not known at
 * the place of Q, in words, in the request's arena; NULL: the catalogue does not know it. */
const char *
lore_recommend_recipe(struct lore_req *req, const struct lore_question *q, const char *name);
#define LORE_LEAST_ODDS 0.1 /* of what a brief says to try: less is a guess among dozens */
/* Whether A is worth a try: it may win, and no loss is expected where its odds are known. */
bool lore_recommend_pays(const struct lore_advice *a);
/* Where nothing in X is worth a try: why, and what to do first, in its answer's `stop`. Near the
 * limit of the chip the lists of what to try become empty (recommend_stop.c). */
void lore_recommend_stop(struct lore_req *req, struct lore_recommended *x);

/* Key and value: the model's name and numbers (present_model.c). Thread-safe. */
void lore_present_model(struct lore_jsonw *w, const char *key, const void *row);

#endif
