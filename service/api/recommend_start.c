/* The parts of GET /api/v1/recommend about versions. The moves index answers under the read lock.
 * Labels, parameters and runs of the named versions are read afterwards. */
#include "service/api/recommend_start.h"

#include <math.h>
#include <string.h>

#include "db/ancestry.h"
#include "db/attempt.h"
#include "db/sweep.h"
#include "service/api/params.h"
#include "service/base/text.h"
#include "service/http/app.h"
#include "service/ingest/indexes.h"

enum {
    STARTS = 5,
    NEXT = 5,
    SEARCHED = 2000 /* a kernel with this many experiments was tuned by a program */
};

/* ---- the question ---- */

enum lore_status
lore_start_read(struct lore_req *req, const char *id, struct lore_question *q,
    struct lore_start_answer *out, struct lore_err *err)
{
    struct lore_version_row *v;
    enum lore_status status;

    out->asked_next = lore_arg_bool(req, "next", false);
    if (!id)
        return LORE_OK;
    v = lore_alloc(req->arena, sizeof *v);
    status = lore_db_get_version_head(req->db, id, req->arena, v, err);
    if (status == LORE_NOTFOUND)
        return lore_fail_at(
            err, LORE_NOTFOUND, "not_found", "version", "version: there is no version %s", id);
    if (status != LORE_OK)
        return status;
    if (q->op && !lore_streq(q->op, v->op))
        return lore_fail_at(err, LORE_INVALID, "invalid_parameter", "version",
            "version: computes %s, not %s", v->op, q->op);
    q->op = v->op;
    if (q->language == LORE_LANG_NONE && !lore_streq(v->language, "other"))
        q->language = lore_language_find(v->language);
    out->version = v;
    return LORE_OK;
}

/* ---- from the moves index ---- */

/* log2 of the problem's size. */
static double
size_of(const struct lore_question *q)
{
    double size = 0;

    for (size_t i = 0; q->shape != NULL && i < q->shape->dims->n; i++) {
        struct lore_err ignored;
        double v;
        if (lore_parse_f64(q->shape->dims->v[i].value, "", &v, &ignored) == LORE_OK && v > 1)
            size += log2(v);
    }
    return size;
}

/* Data type and layout of the question, as runs record them: "bf16|tn". */
static const char *
kind_of(struct lore_req *req, const struct lore_question *q)
{
    if (!q->shape)
        return NULL;
    return lore_workload_kind(req->arena, q->shape->dtype, q->shape->layout);
}

/* Bits of the allowed languages: the requested one, else those of the chip's vendor, because CUDA
 * does not run on an AMD chip. `other` is always allowed, since it may be any language. */
static uint32_t
languages_of(const struct lore_question *q)
{
    uint32_t bits = (uint32_t)1 << LORE_LANG_OTHER;

    if (q->language != LORE_LANG_NONE)
        return bits | (uint32_t)1 << q->language;
    for (unsigned i = 0; i < LORE_LANG_COUNT; i++) {
        const char *vendor = lore_language_vendor((enum lore_language)i);
        if (!vendor || lore_streq(vendor, q->chip->vendor))
            bits |= (uint32_t)1 << i;
    }
    return bits;
}

void
lore_start_query_index(
    struct lore_req *req, const struct lore_question *q, struct lore_start_answer *out)
{
    LORE_INDEXES_VIEW indexes = req->app->indexes;
    const struct lore_trials *t = lore_indexes_moves(indexes);
    struct lore_start_found *f = &out->found;
    bool asked = q->op && q->chip;

    out->state = asked ? lore_indexes_moves_state(indexes) : LORE_MOVES_CURRENT;
    struct lore_start_place place = {.op = q->op,
        .chip = q->chip,
        .workload = q->workload,
        .size = size_of(q),
        .kind = kind_of(req, q)};
    out->placed = asked && lore_start_at(t, &place, req->arena);
    if (out->placed) {
        out->place = place;
        out->place.languages = languages_of(q);
        f->n_start = lore_start_versions(&out->place, STARTS, req->arena, &f->start);
        if (out->version)
            f->n_moves = lore_start_moves(&out->place, out->version->v.id, false,
                q->limit > 0 ? q->limit : STARTS, req->arena, &f->moves);
        if (out->asked_next)
            f->n_next = lore_start_next(&out->place, NEXT, req->arena, &f->next, &f->best);
    }
}

enum lore_status
lore_start_stand(struct lore_req *req, struct lore_question *q, struct lore_start_answer *out,
    struct lore_err *err)
{
    const char *workload = q->workload ? q->workload : out->placed ? out->place.workload : NULL;
    enum lore_status status = lore_about_find(req, q, workload, out->version, &out->about, err);

    if (status != LORE_OK)
        return status;
    q->has = lore_about_has(&out->about, req->arena);
    q->facts = &out->about.facts;
    bool own = out->about.by == LORE_ABOUT_GIVEN || out->about.by == LORE_ABOUT_CHAMPION;
    q->at_most = own ? out->about.headroom.at_most : 0;
    if (own || (out->about.by == LORE_ABOUT_OTHER_CHIP &&
                   lore_chip_travel(lore_chip_find(out->about.chip), q->chip) <= LORE_T_SAME_ISA)) {
        q->not_limits = out->about.not_limits;
        q->limits = out->about.limits;
        q->limits_elsewhere = !own;
    }
    return status;
}

/* ---- from the database ---- */

/* The configuration C, which no version has, from its sweep as if it were a version. Most rows of
 * an answer are of one sweep, so the last one is kept. */
static enum lore_status
fill_configuration(struct lore_req *req, struct lore_start_answer *out,
    const struct lore_trial_config *c, struct lore_version_row *row, struct lore_err *err)
{
    struct lore_start_sweep *of = &out->sweep;
    enum lore_status status = LORE_OK;

    if (!lore_streq(of->id, c->sweep)) {
        status = lore_db_get_sweep(req->db, c->sweep, req->arena, &of->row, err);
        if (status == LORE_OK)
            status = lore_db_get_configurations(req->db, c->sweep, 0, req->arena, &of->data, err);
        of->id = status == LORE_OK ? c->sweep : NULL;
    }
    if (status != LORE_OK || (size_t)c->number.v >= of->data.n)
        return status;
    *row = (struct lore_version_row){
        .op = of->row.op, .kernel_name = of->row.kernel_name, .language = of->row.language};
    row->v.kernel = of->row.r.kernel;
    row->v.label = lore_sweep_label(&of->data, (size_t)c->number.v, req->arena);
    for (size_t p = 0; p < of->data.n_parameters; p++) {
        const struct lore_sweep_values *v = &of->data.parameters[p];
        const char *value = lore_series_value(&v->s, (size_t)c->number.v);
        if (value)
            lore_kvs_set(req->arena, &row->v.params, v->name, value);
    }
    return LORE_OK;
}

/* A proposed version: VERSION, or else the configuration C. */
static enum lore_status
fill_version(struct lore_req *req, struct lore_start_answer *out, const char *version,
    const struct lore_trial_config *c, struct lore_version_row *row, struct lore_err *err)
{
    if (!version)
        return fill_configuration(req, out, c, row, err);
    return lore_db_get_version_head(req->db, version, req->arena, row, err);
}

/* Find the runs that the proposal is based on, else the sweeps. */
static enum lore_status
fill_runs(struct lore_req *req, struct lore_start_row *out, struct lore_err *err)
{
    const struct lore_start *s = &out->s;
    enum lore_status status = LORE_OK;

    out->run = lore_alloc_array(req->arena, s->n_from + 1, sizeof *out->run);
    out->sweep = lore_alloc_array(req->arena, s->n_from + 1, sizeof *out->sweep);
    for (size_t i = 0; status == LORE_OK && i < s->n_from; i++) {
        const struct lore_run_place at = {s->version, s->from[i].chip, s->from[i].workload};
        if (s->version)
            status = lore_db_find_run(req->db, &at, req->arena, &out->run[i], err);
        if (status == LORE_OK && !out->run[i])
            status = lore_db_find_sweep(req->db, out->row.op, &at, req->arena, &out->sweep[i], err);
    }
    return status;
}

static enum lore_status
fill_start(struct lore_req *req, struct lore_start_answer *answer, const struct lore_start *s,
    struct lore_start_row *out, struct lore_err *err)
{
    enum lore_status status = fill_version(req, answer, s->version, &s->config, &out->row, err);

    out->s = *s;
    return status == LORE_OK ? fill_runs(req, out, err) : status;
}

static enum lore_status
fill_move(struct lore_req *req, struct lore_start_answer *answer, const struct lore_start_move *m,
    const struct lore_version_row *from, struct lore_move_row *out, struct lore_err *err)
{
    enum lore_status status = fill_version(req, answer, m->to_version, &m->config, &out->to, err);

    out->m = *m;
    if (status != LORE_OK)
        return status;
    out->from_value = lore_kvs_get(&from->v.params, m->parameter);
    out->to_value = lore_kvs_get(&out->to.v.params, m->parameter);
    return LORE_OK;
}

static enum lore_status
fill_starts(struct lore_req *req, struct lore_start_answer *out, struct lore_err *err)
{
    const struct lore_start_found *f = &out->found;
    enum lore_status status = LORE_OK;

    if (f->n_start > 0)
        out->start = lore_alloc_array(req->arena, f->n_start, sizeof *out->start);
    for (size_t i = 0; status == LORE_OK && i < f->n_start; i++)
        status = fill_start(req, out, &f->start[i], &out->start[out->n_start++], err);
    return status;
}

static enum lore_status
fill_best(struct lore_req *req, struct lore_start_answer *out, struct lore_err *err)
{
    if (!out->found.best)
        return LORE_OK;
    out->best = lore_alloc(req->arena, sizeof *out->best);
    return fill_start(req, out, out->found.best, out->best, err);
}

static enum lore_status
fill_next(struct lore_req *req, struct lore_start_answer *out, struct lore_err *err)
{
    const struct lore_start_found *f = &out->found;
    enum lore_status status = fill_best(req, out, err);

    if (out->asked_next)
        out->next = lore_alloc_array(req->arena, f->n_next + 1, sizeof *out->next);
    for (size_t i = 0; status == LORE_OK && i < f->n_next; i++) {
        struct lore_next_row *row = &out->next[out->n_next++];
        row->n = f->next[i];
        row->gain = out->best != NULL ? exp(row->n.expected) : 0;
        if (row->n.start) {
            row->start = lore_alloc(req->arena, sizeof *row->start);
            row->version = &row->start->row;
            row->config = row->n.start->config;
            status = fill_start(req, out, row->n.start, row->start, err);
        } else {
            row->move = lore_alloc(req->arena, sizeof *row->move);
            row->version = &row->move->to;
            row->config = row->n.move->config;
            status = fill_move(req, out, row->n.move, &out->best->row, row->move, err);
        }
    }
    return status;
}

/* ---- the lineage ---- */

static const struct lore_repeat *
failed_before(struct lore_req *req, const struct lore_question *q,
    const struct lore_start_answer *out, const char *technique)
{
    const struct lore_idea_use use = {.technique = technique};
    struct lore_idea idea = {.uses = &use,
        .n_uses = 1,
        .from_version = out->about.version->v.id,
        .workload = q->workload,
        .chip = q->chip != NULL ? q->chip->name : NULL};
    struct lore_repeats *r = lore_alloc(req->arena, sizeof *r);

    lore_repeats_find(&idea, out->tried.past, req->arena, r);
    return r->flagged ? &r->v[0] : NULL;
}

/* Advice that repeats a failed idea goes to the end of its list; the order stays otherwise. */
static void
move_repeats_to_end(struct lore_req *req, struct lore_answer *a, struct lore_start_answer *out)
{
    struct lore_advice *v = lore_alloc_array(req->arena, a->n_advice + 1, sizeof *v);
    const struct lore_repeat **r = lore_alloc_array(req->arena, a->n_advice + 1, sizeof *r);
    size_t n = 0;

    for (int flagged = 0; flagged < 2; flagged++)
        for (size_t i = 0; i < a->n_advice; i++)
            if ((out->repeats[i] != NULL) == (flagged == 1)) {
                v[n] = a->advice[i];
                r[n++] = out->repeats[i];
            }
    a->advice = v;
    out->repeats = r;
}

enum lore_status
lore_start_is_lineage_short(
    struct lore_req *req, const struct lore_version_row *v, bool *out, struct lore_err *err)
{
    struct lore_kernel_row kernel = {0};
    struct lore_kin_list kin = {.limit = 1};
    bool up = true;
    enum lore_status status = LORE_OK;

    for (int i = 0; status == LORE_OK && kin.n == 0 && i < 2; i++, up = false)
        status = lore_db_list_kin(req->db, v->v.id, up, req->arena, &kin, err);
    *out = kin.n > 0;
    if (status != LORE_OK || kin.n > 0)
        return status;
    status = lore_db_get_kernel(req->db, v->v.kernel, req->arena, &kernel, err);
    *out = kernel.n_experiments < SEARCHED;
    return status;
}

static void
find_repeats(struct lore_req *req, const struct lore_question *q, struct lore_answer *a,
    struct lore_start_answer *out)
{
    out->repeats = lore_alloc_array(req->arena, a->n_advice + 1, sizeof *out->repeats);
    for (size_t i = 0; i < a->n_advice; i++)
        out->repeats[i] = failed_before(req, q, out, a->advice[i].technique);
    move_repeats_to_end(req, a, out);
}

/* ---- how much is known ---- */

static bool
of_family(const struct lore_question *q, const char *op)
{
    const struct lore_operator *o = op != NULL ? lore_operator_find(op) : NULL;

    return q->family && o && lore_streq(o->family, q->family);
}

/* The nearest experiment on the operator that the question names. A question without one matches
 * its family; without a family, any operator. */
struct nearest {
    const struct lore_question *q;
    enum lore_travel travel; /* of the nearest; T_COUNT: none */
    const char *chip;
};

static void
look_at(struct nearest *n, const struct lore_cited *v, size_t count)
{
    const struct lore_question *q = n->q;

    for (size_t i = 0; i < count; i++) {
        enum lore_travel t = q->chip != NULL ? v[i].travel : LORE_T_SAME_CHIP;
        bool asked = q->op ? lore_streq(q->op, v[i].op) : !q->family || of_family(q, v[i].op);
        if (asked && t < n->travel) {
            n->travel = t;
            n->chip = v[i].chip;
        }
    }
}

/* Include cited experiments, because all similar ones may be of other operators. */
static enum lore_travel
nearest(const struct lore_question *q, const struct lore_answer *a, const char **chip)
{
    struct nearest n = {.q = q, .travel = LORE_T_COUNT};

    look_at(&n, a->similar, a->n_similar);
    for (size_t i = 0; i < a->n_advice; i++)
        look_at(&n, a->advice[i].cited, a->advice[i].n_cited);
    for (size_t i = 0; i < a->n_avoid; i++)
        look_at(&n, a->avoid[i].cited, a->avoid[i].n_cited);
    *chip = n.chip;
    return n.travel;
}

static bool
family_known(const struct lore_question *q, const struct lore_answer *a)
{
    for (size_t i = 0; q->op != NULL && i < a->n_similar; i++)
        if (of_family(q, a->similar[i].op))
            return true;
    return false;
}

/* Include results of versions, which may exist without an experiment. */
static enum lore_travel
measured(const struct lore_start_answer *out, enum lore_travel best, const char **chip)
{
    for (size_t i = 0; i < out->n_start; i++) {
        const struct lore_start *s = &out->start[i].s;
        if (s->measured_here)
            best = LORE_T_SAME_CHIP;
        for (size_t k = 0; k < s->n_from; k++) {
            const struct lore_chip *c = lore_chip_find(s->from[k].chip);
            enum lore_travel t = lore_chip_travel(c, out->place.chip);
            if (t < best) {
                best = t;
                *chip = s->from[k].chip;
            }
        }
    }
    return best;
}

static void
judge_level(struct lore_req *req, const struct lore_question *q, const struct lore_answer *a,
    struct lore_start_answer *out)
{
    const char *family =
        q->family != NULL ? lore_format(req->arena, "%s operators", q->family) : "any operator";
    const char *chip = NULL, *op = q->op != NULL ? q->op : family;
    const char *here = q->chip != NULL ? q->chip->name : "any chip";
    enum lore_travel t = measured(out, nearest(q, a, &chip), &chip);

    if (t == LORE_T_SAME_CHIP) {
        out->level = "exact";
        out->level_why = lore_format(req->arena, "results of %s on %s exist", op, here);
    } else if (t <= LORE_T_SAME_VENDOR) {
        out->level = "near";
        out->level_why =
            lore_format(req->arena, "no results of %s on %s; the nearest are from %s (%s)", op,
                here, chip != NULL ? chip : "?", lore_travel_name(t));
    } else if (t < LORE_T_COUNT || family_known(q, a)) {
        out->level = "far";
        out->level_why =
            t < LORE_T_COUNT
                ? lore_format(req->arena, "no results of %s on %s or a similar chip (nearest: %s)",
                      op, here, chip != NULL ? chip : "chip not recorded")
                : lore_format(req->arena, "no results of %s, only of its operator family", op);
    } else {
        out->level = "none";
        out->level_why = lore_format(req->arena,
            "no results of %s or similar operators: techniques are listed by their results "
            "elsewhere%s",
            op, q->labels != 0 ? ", and those that this bottleneck calls for" : "");
    }
}

/* ---- all of it ---- */

static enum lore_status
find_versions(struct lore_req *req, struct lore_start_answer *out, struct lore_err *err)
{
    const struct lore_start_found *f = &out->found;
    struct lore_err ignored;
    enum lore_status status;

    if (out->place.workload && lore_db_get_workload(req->db, out->place.workload, req->arena,
                                   &out->workload, &ignored) != LORE_OK)
        out->workload = (struct lore_workload_row){0};
    status = fill_starts(req, out, err);
    if (f->n_moves > 0)
        out->moves = lore_alloc_array(req->arena, f->n_moves, sizeof *out->moves);
    for (size_t i = 0; status == LORE_OK && i < f->n_moves; i++)
        status = fill_move(req, out, &f->moves[i], out->version, &out->moves[out->n_moves++], err);
    return status == LORE_OK ? fill_next(req, out, err) : status;
}

enum lore_status
lore_start_check(
    const struct lore_question *q, const struct lore_start_answer *out, struct lore_err *err)
{
    const char *lacks = !q->op ? "operator" : !q->chip ? "chip" : NULL;

    return out->asked_next && lacks ? lore_fail_at(err, LORE_INVALID, "missing_parameter", lacks,
                                          "%s: required with next=true", lacks)
                                    : LORE_OK;
}

enum lore_status
lore_start_read_rows(struct lore_req *req, const struct lore_question *q, struct lore_answer *a,
    struct lore_start_answer *out, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    if (out->placed)
        status = find_versions(req, out, err);
    else if (out->asked_next)
        out->next = lore_alloc(req->arena, sizeof *out->next);
    if (status == LORE_OK && out->about.version)
        find_repeats(req, q, a, out);
    if (status == LORE_OK)
        judge_level(req, q, a, out);
    return status;
}
