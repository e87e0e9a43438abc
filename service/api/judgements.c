/* GET /api/v1/judgements: what was expected and what was measured, across experiments;
 * GET /api/v1/calibration: stated probabilities against what happened, per author. */
#include <string.h>

#include "db/judged.h"
#include "service/api/api_knowledge.h"
#include "service/api/edge.h"
#include "service/api/present.h"
#include "service/api/present_verdicts.h"
#include "service/base/text.h"
#include "service/derive/calibration.h"

enum lore_status
lore_api_judgements(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_judged_row *rows = NULL;
    struct lore_cut cut;
    struct lore_jsonw w;
    size_t n = 0;
    bool more;
    enum lore_status status = lore_edge_cut(req, &cut, err);

    if (status == LORE_OK)
        status = lore_list_judged(req->db, lore_arg_text(req, "author", NULL),
            lore_arg_text(req, "verdict", NULL), lore_cut_page(&cut), req->arena, &rows, &n, err);
    if (status != LORE_OK)
        return status;
    n = lore_cut_rows(&cut, n, &more);
    lore_rows_begin(&w, resp);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(&w);
        lore_w_kstr(&w, "experiment", rows[i].j.experiment);
        lore_w_kstr(&w, "hypothesis", rows[i].hypothesis);
        lore_w_kstr_opt(&w, "author", rows[i].author);
        lore_w_kstr(&w, "metric", rows[i].j.metric);
        lore_w_kstr(&w, "verdict", rows[i].j.verdict);
        lore_present_f64(&w, "before", rows[i].j.before);
        lore_present_f64(&w, "after", rows[i].j.after);
        lore_w_kstr(&w, "why", rows[i].j.why);
        lore_w_obj_end(&w);
    }
    return lore_rows_done(&w, more, n == 0 ? 0 : rows[n - 1].cursor, err);
}

/* A claim is that the change wins: a win that fails its checks did not happen. */
static enum lore_happened
happened(const struct lore_forecast_row *r)
{
    if (lore_streq(r->correctness, "fail") || lore_streq(r->correctness, "timeout"))
        return LORE_HAPPENED_NO;
    if (lore_streq(r->effect, "win"))
        return LORE_HAPPENED_YES;
    if (lore_streq(r->effect, "loss") || lore_streq(r->effect, "neutral"))
        return LORE_HAPPENED_NO;
    return LORE_HAPPENED_UNKNOWN;
}

void
lore_present_calibration(struct lore_jsonw *w, const struct lore_calibration *c)
{
    lore_w_obj(w);
    lore_w_kstr(w, "author", c->author);
    lore_w_ki64(w, "n", (int64_t)c->n);
    lore_w_ki64(w, "without_probability", (int64_t)c->without_probability);
    lore_w_ki64(w, "without_outcome", (int64_t)c->without_outcome);
    lore_present_f64(w, "brier", c->brier);
    lore_present_f64(w, "base_rate", c->base_rate);
    lore_present_f64(w, "reference", c->reference);
    lore_present_f64(w, "calibration_error", c->error);
    lore_w_key(w, "bins");
    lore_w_arr(w);
    for (int i = 0; i < LORE_CALIBRATION_BINS; i++) {
        const struct lore_calibration_bin *b = &c->bins[i];

        if (b->n == 0)
            continue;
        lore_w_obj(w);
        lore_w_kf64(w, "low", (double)i / LORE_CALIBRATION_BINS);
        lore_w_kf64(w, "high", (double)(i + 1) / LORE_CALIBRATION_BINS);
        lore_w_ki64(w, "n", (int64_t)b->n);
        lore_w_kf64(w, "mean_probability", b->mean_probability);
        lore_w_kf64(w, "rate", b->rate);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
    lore_w_obj_end(w);
}

enum lore_status
lore_api_calibration(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_forecast_row *rows = NULL;
    struct lore_calibrations all = {0};
    struct lore_prediction *p;
    struct lore_jsonw w;
    size_t n = 0;
    enum lore_status status = lore_list_forecasts(
        req->db, lore_arg_text(req, "author", NULL), req->arena, &rows, &n, err);

    if (status != LORE_OK)
        return status;
    p = lore_alloc_array(req->arena, n + 1, sizeof *p);
    for (size_t i = 0; i < n; i++)
        p[i] = (struct lore_prediction){rows[i].author, rows[i].probability, happened(&rows[i])};
    status = lore_calibrate(p, n, req->arena, &all, err);
    if (status != LORE_OK)
        return status;
    lore_rows_begin(&w, resp);
    for (size_t i = 0; i < all.n_authors; i++)
        lore_present_calibration(&w, &all.authors[i]);
    lore_rows_end(&w, false, 0);
    lore_w_key(&w, "total");
    lore_present_calibration(&w, &all.total);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}
