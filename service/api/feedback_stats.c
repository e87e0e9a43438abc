/* GET /api/v1/advice/stats: how past advice did, over all of it or over one operator, chip or
 * technique: what was served, tried and worked; stated probabilities against what happened; what
 * better was found meanwhile. The sums are service/derive/feedback_sum.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api_feedback.h"
#include "edge.h"
#include "feedback.h"
#include "present.h"
#include "present_verdicts.h"

#define ROWS_DEFAULT 100
#define RESULTS_MAX 20000 /* newest outcomes that are looked at */
#define REGRET_MAX 50     /* newest answers that were followed: each looks for what was better */

static void
write_tally(struct lore_jsonw *w, const struct lore_advice_tally *t)
{
    lore_w_ki64(w, "served", t->served);
    lore_w_ki64(w, "opened", t->opened);
    lore_w_ki64(w, "applied", t->applied);
    lore_w_ki64(w, "dismissed", t->dismissed);
    lore_w_ki64(w, "worked", t->worked);
    lore_w_ki64(w, "did_not", t->did_not);
    lore_w_ki64(w, "inconclusive", t->inconclusive);
    lore_w_ki64(w, "open", t->served - t->worked - t->did_not - t->inconclusive);
    lore_w_key(w, "hit_rate");
    if (!t->rate.set) {
        lore_w_null(w);
        return;
    }
    lore_w_obj(w);
    lore_w_kf64(w, "value", t->rate.v);
    lore_w_kf64(w, "low", t->low.v);
    lore_w_kf64(w, "high", t->high.v);
    lore_w_obj_end(w);
}

/* What is known best first, then what was served most. */
static int
most_telling_first(const void *a, const void *b)
{
    const struct lore_advice_line *x = a, *y = b;
    int64_t p = x->t.worked + x->t.did_not, q = y->t.worked + y->t.did_not;
    int order;

    if (p != q)
        return p < q ? 1 : -1;
    if (x->t.served != y->t.served)
        return x->t.served < y->t.served ? 1 : -1;
    order = strcmp(x->technique, y->technique);
    if (order == 0)
        order = strcmp(x->chip, y->chip);
    return order != 0 ? order : strcmp(x->list, y->list);
}

static void
write_rows(struct lore_jsonw *w, struct lore_advice_sum *s, size_t limit)
{
    if (s->n_lines > 0)
        qsort(s->lines, s->n_lines, sizeof *s->lines, most_telling_first);
    lore_w_key(w, "rows");
    lore_w_arr(w);
    for (size_t i = 0; i < s->n_lines && i < limit; i++) {
        lore_w_obj(w);
        lore_w_kstr_opt(w, "chip", s->lines[i].chip);
        lore_w_kstr(w, "technique", s->lines[i].technique);
        lore_w_kstr(w, "list", s->lines[i].list);
        write_tally(w, &s->lines[i].t);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
    lore_w_ki64(w, "left_out", (int64_t)(s->n_lines > limit ? s->n_lines - limit : 0));
}

static void
write_lists(struct lore_jsonw *w, const struct lore_advice_sum *s)
{
    lore_w_key(w, "lists");
    lore_w_arr(w);
    for (size_t i = 0; i < s->n_lists; i++) {
        lore_w_obj(w);
        lore_w_kstr(w, "list", s->lists[i].list);
        write_tally(w, &s->lists[i].t);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

static enum lore_status
write_regret(struct lore_req *req, struct lore_jsonw *w, const struct lore_advice_sum *s,
    struct lore_err *err)
{
    double sum = 0, worst = 0;
    int64_t n = 0;

    for (size_t i = 0; i < s->n_followed && i < REGRET_MAX; i++) {
        struct lore_f64 best = {0};
        enum lore_status status =
            lore_best_after_advice(req->db, s->followed[i].advice, &best, err);
        double regret;

        if (status != LORE_OK)
            return status;
        if (!best.set)
            continue;
        regret = lore_advice_regret(s->followed[i].speedup, best.v);
        worst = fmax(worst, regret);
        sum += regret;
        n++;
    }
    lore_w_key(w, "regret");
    lore_w_obj(w);
    lore_w_ki64(w, "answers", n);
    if (n > 0) {
        lore_w_kf64(w, "mean", sum / (double)n);
        lore_w_kf64(w, "worst", worst);
    }
    lore_w_obj_end(w);
    return LORE_OK;
}

static enum lore_status
read_sum(struct lore_req *req, struct lore_advice_sum *out, struct lore_err *err)
{
    struct lore_advice_filter f = {
        .op = lore_edge_operator(req), .technique = lore_edge_technique(req)};
    struct lore_advice_count *counts = NULL;
    struct lore_advice_result *results = NULL;
    const struct lore_chip *chip = NULL;
    size_t n_counts = 0, n_results = 0;
    enum lore_status status = lore_edge_chip(req, &chip, err);

    if (status == LORE_OK && chip != NULL)
        lore_edge_chip_names(req->arena, chip, &f.chips, &f.n_chips);
    if (status == LORE_OK)
        status = lore_count_advice(req->db, &f, req->arena, &counts, &n_counts, err);
    if (status == LORE_OK)
        status = lore_list_advice_outcomes(
            req->db, &f, RESULTS_MAX, req->arena, &results, &n_results, err);
    return status == LORE_OK
               ? lore_advice_sum(counts, n_counts, results, n_results, req->arena, out, err)
               : status;
}

enum lore_status
lore_api_advice_stats(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_advice_kept kept = {0};
    struct lore_advice_sum s = {0};
    struct lore_err ignored;
    struct lore_jsonw w;
    enum lore_status status = lore_get_advice_kept(req->db, &kept, err), written;

    if (status == LORE_OK)
        status = read_sum(req, &s, err);
    if (status != LORE_OK)
        return status;
    lore_jsonw_begin(&w, &resp->body, false);
    lore_w_obj(&w);
    lore_w_ki64(&w, "answers", kept.answers);
    lore_w_ki64(&w, "forgotten", kept.forgotten);
    lore_present_time(&w, "since", kept.since_us);
    write_lists(&w, &s);
    write_rows(&w, &s, (size_t)lore_arg_i64(req, "limit", ROWS_DEFAULT));
    lore_w_key(&w, "calibration");
    lore_present_calibration(&w, &s.calibration);
    status = write_regret(req, &w, &s, err);
    lore_w_obj_end(&w);
    written = lore_jsonw_end(&w, status == LORE_OK ? err : &ignored);
    return status == LORE_OK ? written : status;
}
