/* GET /api/v1/advice/stats: how past advice did, over all of it or over one operator, chip or
 * technique: what was served, tried and worked; stated probabilities against what happened; what
 * better was found meanwhile; and the same of versions that were proposed. The sums are
 * service/derive/feedback_sum.c and feedback_start.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/feedback_version.h"
#include "service/api/api_feedback.h"
#include "service/api/edge.h"
#include "service/api/objects.h"
#include "service/api/present.h"
#include "service/base/text.h"
#include "service/derive/feedback_start.h"
#include "service/derive/feedback_sum.h"

#define ROWS_DEFAULT 100
#define RESULTS_MAX 20000 /* newest outcomes that are looked at */
#define REGRET_MAX 50     /* newest answers that were followed: each looks for what was better */
#define PLACES_MAX 50     /* chips and workloads of which the best is looked for */

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
            lore_db_best_after_advice(req->db, s->followed[i].advice, &best, err);
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
read_filter(struct lore_req *req, struct lore_advice_filter *f, struct lore_err *err)
{
    const struct lore_chip *chip = NULL;
    enum lore_status status = lore_edge_chip(req, &chip, err);

    f->op = lore_edge_operator(req);
    f->technique = lore_edge_technique(req);
    if (status == LORE_OK && chip)
        lore_edge_chip_names(req->arena, chip, &f->chips, &f->n_chips);
    return status;
}

static enum lore_status
read_sum(struct lore_req *req, const struct lore_advice_filter *f, struct lore_advice_sum *out,
    struct lore_err *err)
{
    struct lore_advice_count *counts = NULL;
    struct lore_advice_result *results = NULL;
    size_t n_counts = 0, n_results = 0;
    enum lore_status status = lore_count_advice(req->db, f, req->arena, &counts, &n_counts, err);

    if (status == LORE_OK)
        status = lore_db_list_advice_outcomes(
            req->db, f, RESULTS_MAX, req->arena, &results, &n_results, err);
    return status == LORE_OK
               ? lore_advice_sum(&(struct lore_advice_served){counts, n_counts, results, n_results},
                     req->arena, out, err)
               : status;
}

/* ---- versions ---- */

struct places { /* what is the best of the places where something was tried */
    const struct lore_start_result *at[PLACES_MAX];
    size_t n;
};

/* Of a place beyond PLACES_MAX nothing is known, and its runs count as tried. */
static enum lore_status
find_best(struct lore_req *req, struct places *p, struct lore_start_result *r, struct lore_err *err)
{
    enum lore_status status;

    for (size_t i = 0; i < p->n; i++)
        if (lore_streq(p->at[i]->op, r->op) && lore_streq(p->at[i]->chip, r->chip) &&
            lore_streq(p->at[i]->workload, r->workload)) {
            r->best = p->at[i]->best;
            return LORE_OK;
        }
    if (p->n == PLACES_MAX || !r->workload)
        return LORE_OK;
    status = lore_db_best_of_place(req->db, r->op, r->chip, r->workload, &r->best, err);
    p->at[p->n++] = r;
    return status;
}

static void
write_starts(struct lore_jsonw *w, int64_t served, const struct lore_start_sum *s)
{
    lore_w_key(w, "starts");
    lore_w_obj(w);
    lore_w_ki64(w, "served", served);
    lore_w_ki64(w, "tried", s->tried);
    lore_w_ki64(w, "failed", s->failed);
    if (s->tried > 0)
        lore_w_kf64(w, "p_fail", s->p_fail);
    lore_w_ki64(w, "decided", s->decided);
    if (s->decided > 0) {
        lore_w_kf64(w, "stated", s->stated);
        lore_w_kf64(w, "came", s->came);
        lore_w_kf64(w, "inside", (double)s->inside / (double)s->decided);
    }
    lore_w_obj_end(w);
}

static void
write_moves(struct lore_jsonw *w, const struct lore_advice_sum *s)
{
    struct lore_advice_tally none = {0};

    lore_w_key(w, "moves");
    lore_w_obj(w);
    write_tally(w, s->n_lists > 0 ? &s->lists[0].t : &none);
    lore_w_key(w, "calibration");
    lore_object_write(w, &lore_calibration_object, &s->calibration);
    lore_w_obj_end(w);
}

static enum lore_status
write_versions(struct lore_req *req, struct lore_jsonw *w, const struct lore_advice_filter *f,
    struct lore_err *err)
{
    struct lore_version_outcomes o = {0};
    struct lore_advice_count *counts = NULL;
    struct lore_advice_sum moves = {0};
    struct lore_start_sum starts;
    struct places places = {.n = 0};
    int64_t served = 0;
    size_t n_counts = 0;
    enum lore_status status = lore_count_starts(req->db, f, req->arena, &served, err);

    if (status == LORE_OK)
        status = lore_count_moves(req->db, f, req->arena, &counts, &n_counts, err);
    if (status == LORE_OK)
        status = lore_db_list_version_outcomes(req->db, f, RESULTS_MAX, req->arena, &o, err);
    for (size_t i = 0; status == LORE_OK && i < o.n_starts; i++)
        status = find_best(req, &places, &o.starts[i], err);
    if (status == LORE_OK)
        status = lore_advice_sum(&(struct lore_advice_served){counts, n_counts, o.moves, o.n_moves},
            req->arena, &moves, err);
    if (status != LORE_OK)
        return status;
    lore_start_sum(o.starts, o.n_starts, &starts);
    write_starts(w, served, &starts);
    write_moves(w, &moves);
    return LORE_OK;
}

enum lore_status
lore_api_advice_stats(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_advice_filter f = {0};
    struct lore_advice_kept kept = {0};
    struct lore_advice_sum s = {0};
    struct lore_err ignored;
    struct lore_jsonw w;
    enum lore_status status = lore_db_get_advice_kept(req->db, &kept, err), written;

    if (status == LORE_OK)
        status = read_filter(req, &f, err);
    if (status == LORE_OK)
        status = read_sum(req, &f, &s, err);
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
    lore_object_write(&w, &lore_calibration_object, &s.calibration);
    status = write_regret(req, &w, &s, err);
    if (status == LORE_OK)
        status = write_versions(req, &w, &f, err);
    lore_w_obj_end(&w);
    written = lore_jsonw_end(&w, status == LORE_OK ? err : &ignored);
    return status == LORE_OK ? written : status;
}
