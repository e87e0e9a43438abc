/* GET /api/v1/advice/stats: results of past advice, in total or for one operator, chip or
 * technique: counts of served, tried and successful items, calibration, regret, and the same for
 * proposed versions. service/derive/feedback_sum.c and feedback_start.c compute the sums. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/feedback.h"
#include "db/feedback_version.h"
#include "service/api/api_feedback.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/base/text.h"
#include "service/derive/feedback_start.h"
#include "service/derive/feedback_sum.h"

#define ROWS_DEFAULT 100
#define RESULTS_MAX 20000 /* newest outcomes that are read */
#define REGRET_MAX 50     /* newest followed answers; each needs a query */
#define CONTEXTS_MAX 50   /* operators, chips and workloads whose best time is queried */

#define ROW struct lore_advice_tally
static const struct lore_object_member hit_rate[] = {
    {"!value", AT(rate), "number"}, {"!low", AT(low), "number"}, {"!high", AT(high), "number"}};
static const struct lore_object hit_rate_object =
    LORE_FLAGGED_OBJECT("HitRate", hit_rate, rate.set);

static void
write_open(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct lore_advice_tally *t = row;

    lore_w_ki64(w, key, t->served - t->worked - t->did_not - t->inconclusive);
}

static const struct lore_object_member tally[] = {
    {"!served", AT(served)},
    {"!opened", AT(opened)},
    {"!applied", AT(applied)},
    {"!dismissed", AT(dismissed)},
    {"!worked", AT(worked)},
    {"!did_not", AT(did_not)},
    {"!inconclusive", AT(inconclusive)},
    {"!open", WRITTEN(write_open), "integer"},
    {"!hit_rate", PART(hit_rate_object), NULL, "worked divided by worked plus did_not"},
};
static const struct lore_object tally_object = LORE_OBJECT("", tally);
#undef ROW

#define ROW struct lore_advice_line
static const struct lore_object_member line[] = {
    {"chip", AT(chip)},
    {"!technique", AT(technique)},
    {"!list", AT(list)},
    {"", MEMBERS(t, tally_object)},
};
static const struct lore_object line_object = LORE_OBJECT("AdviceLine", line);
static const struct lore_object_member of_list[] = {
    {"!list", AT(list)},
    {"", MEMBERS(t, tally_object)},
};
static const struct lore_object of_list_object = LORE_OBJECT("AdviceOfList", of_list);
#undef ROW

struct regret {
    int64_t answers;
    struct lore_f64 mean, worst;
};
#define ROW struct regret
static const struct lore_object_member regret[] = {
    {"!answers", AT(answers)}, {"mean", AT(mean)}, {"worst", AT(worst)}};
static const struct lore_object regret_object = LORE_OBJECT("AdviceRegret", regret);
#undef ROW

struct starts {
    int64_t served;
    struct lore_start_sum s;
    struct lore_f64 p_fail, stated, came, inside;
};
#define ROW struct starts
static const struct lore_object_member starts[] = {
    {"!served", AT(served)},
    {"!tried", AT(s.tried)},
    {"!failed", AT(s.failed)},
    {"p_fail", AT(p_fail)},
    {"!decided", AT(s.decided)},
    {"stated", AT(stated), NULL, "predicted fraction of the best known speed"},
    {"came", AT(came), NULL, "measured fraction of the best known speed"},
    {"inside", AT(inside), NULL, "share within the stated interval"},
};
static const struct lore_object starts_object = LORE_OBJECT("AdviceStarts", starts);
#undef ROW

struct moves {
    struct lore_advice_tally t;
    struct lore_calibration calibration;
};
#define ROW struct moves
static const struct lore_object_member moves[] = {
    {"", MEMBERS(t, tally_object)},
    {"!calibration", OBJECT(calibration, lore_calibration_object)},
};
static const struct lore_object moves_object = LORE_OBJECT("AdviceMoves", moves);
#undef ROW

struct statistics {
    struct lore_advice_stored kept;
    struct lore_advice_sum s;
    size_t shown, left_out; /* lines */
    struct regret regret;
    struct starts starts;
    struct moves moves;
};
#define ROW struct statistics
static const struct lore_object_member statistics[] = {
    {"!answers", AT(kept.answers)},
    {"!forgotten", AT(kept.forgotten)},
    {"since", TIME(kept.since_us)},
    {"!lists", LIST(s.lists, s.n_lists, of_list_object)},
    {"!rows", LIST(s.lines, shown, line_object)},
    {"!left_out", AT(left_out), NULL, "rows beyond the limit"},
    {"!calibration", OBJECT(s.calibration, lore_calibration_object)},
    {"!regret", OBJECT(regret, regret_object)},
    {"!starts", OBJECT(starts, starts_object)},
    {"!moves", OBJECT(moves, moves_object)},
};
const struct lore_object lore_advice_statistics_object =
    LORE_OBJECT("AdviceStatistics", statistics);
#undef ROW

/* Most decided outcomes first, then most served. */
static int
most_decided_first(const void *a, const void *b)
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
cut_lines(struct statistics *x, size_t limit)
{
    struct lore_advice_sum *s = &x->s;

    if (s->n_lines > 0)
        qsort(s->lines, s->n_lines, sizeof *s->lines, most_decided_first);
    x->shown = s->n_lines < limit ? s->n_lines : limit;
    x->left_out = s->n_lines - x->shown;
}

static enum lore_status
read_regret(struct lore_req *req, struct statistics *x, struct lore_err *err)
{
    double sum = 0, worst = 0;
    int64_t n = 0;

    for (size_t i = 0; i < x->s.n_followed && i < REGRET_MAX; i++) {
        const struct lore_advice_followed *f = &x->s.followed[i];
        struct lore_f64 best = {0};
        enum lore_status status = lore_db_best_after_advice(req->db, f->advice, &best, err);
        double left;

        if (status != LORE_OK)
            return status;
        if (!best.set)
            continue;
        left = lore_advice_regret(f->speedup, best.v);
        worst = fmax(worst, left);
        sum += left;
        n++;
    }
    x->regret = (struct regret){n, {n > 0, n > 0 ? sum / (double)n : 0}, {n > 0, worst}};
    return LORE_OK;
}

static enum lore_status
read_filter(struct lore_req *req, struct lore_advice_filter *f, struct lore_err *err)
{
    const struct lore_chip *chip = NULL;
    enum lore_status status = lore_params_chip(req, &chip, err);

    f->limit = RESULTS_MAX;
    f->op = lore_params_operator(req);
    f->technique = lore_params_technique(req);
    if (status == LORE_OK && chip)
        lore_params_chip_names(req->arena, chip, &f->chips, &f->n_chips);
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
        status = lore_db_list_advice_outcomes(req->db, f, req->arena, &results, &n_results, err);
    return status == LORE_OK
               ? lore_advice_sum(&(struct lore_advice_served){counts, n_counts, results, n_results},
                     req->arena, out, err)
               : status;
}

/* ---- versions ---- */

struct contexts { /* cache of best times by operator, chip and workload */
    const struct lore_start_result *at[CONTEXTS_MAX];
    size_t n;
};

/* Contexts beyond CONTEXTS_MAX get no best time, so their runs only count as tried. */
static enum lore_status
find_best(
    struct lore_req *req, struct contexts *p, struct lore_start_result *r, struct lore_err *err)
{
    enum lore_status status;

    for (size_t i = 0; i < p->n; i++)
        if (lore_streq(p->at[i]->op, r->op) && lore_streq(p->at[i]->chip, r->chip) &&
            lore_streq(p->at[i]->workload, r->workload)) {
            r->best = p->at[i]->best;
            return LORE_OK;
        }
    if (p->n == CONTEXTS_MAX || !r->workload)
        return LORE_OK;
    status = lore_db_best_of_place(req->db, r->op, r->chip, r->workload, &r->best, err);
    p->at[p->n++] = r;
    return status;
}

static struct starts
starts_of(int64_t served, const struct lore_version_outcomes *o)
{
    struct starts x = {.served = served};

    lore_start_sum(o->starts, o->n_starts, &x.s);
    if (x.s.tried > 0)
        x.p_fail = (struct lore_f64){true, x.s.p_fail};
    if (x.s.decided > 0) {
        x.stated = (struct lore_f64){true, x.s.stated};
        x.came = (struct lore_f64){true, x.s.came};
        x.inside = (struct lore_f64){true, (double)x.s.inside / (double)x.s.decided};
    }
    return x;
}

static enum lore_status
read_versions(struct lore_req *req, const struct lore_advice_filter *f, struct statistics *x,
    struct lore_err *err)
{
    struct lore_version_outcomes o = {0};
    struct lore_advice_count *counts = NULL;
    struct lore_advice_sum sum = {0};
    struct contexts contexts = {.n = 0};
    int64_t served = 0;
    size_t n_counts = 0;
    enum lore_status status = lore_count_starts(req->db, f, req->arena, &served, err);

    if (status == LORE_OK)
        status = lore_count_moves(req->db, f, req->arena, &counts, &n_counts, err);
    if (status == LORE_OK)
        status = lore_db_list_version_outcomes(req->db, f, req->arena, &o, err);
    for (size_t i = 0; status == LORE_OK && i < o.n_starts; i++)
        status = find_best(req, &contexts, &o.starts[i], err);
    if (status == LORE_OK)
        status = lore_advice_sum(&(struct lore_advice_served){counts, n_counts, o.moves, o.n_moves},
            req->arena, &sum, err);
    if (status != LORE_OK)
        return status;
    x->starts = starts_of(served, &o);
    x->moves.calibration = sum.calibration;
    if (sum.n_lists > 0)
        x->moves.t = sum.lists[0].t;
    return LORE_OK;
}

enum lore_status
lore_api_advice_stats(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_advice_filter f = {0};
    struct statistics x = {0};
    enum lore_status status = lore_db_get_advice_stored(req->db, &x.kept, err);

    if (status == LORE_OK)
        status = read_filter(req, &f, err);
    if (status == LORE_OK)
        status = read_sum(req, &f, &x.s, err);
    if (status == LORE_OK)
        status = read_regret(req, &x, err);
    if (status == LORE_OK)
        status = read_versions(req, &f, &x, err);
    if (status != LORE_OK)
        return status;
    cut_lines(&x, (size_t)lore_arg_i64(req, "limit", ROWS_DEFAULT));
    return lore_reply_object(resp, &lore_advice_statistics_object, &x, err);
}
