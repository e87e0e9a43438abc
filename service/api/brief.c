/* GET /api/v1/brief: what to know before working on a kernel. It says what recommend, history, the
 * board and the roofline answer, so that no number has a second definition. */
#include "service/api/brief.h"

#include "db/query.h"
#include "service/api/api_feedback.h"
#include "service/api/api_knowledge.h"
#include "service/api/chip_meant.h"
#include "service/api/params.h"
#include "service/base/text.h"
#include "service/http/app.h"
#include "service/ingest/indexes.h"

enum { ADVICE = 6 /* techniques per list, of which the best are said */, ROWS = 64 };

/* ---- what it is about ---- */

/* The session of the question, with its kernel, chip and workload as defaults. */
static enum lore_status
read_session(struct lore_brief_facts *f, struct lore_recommend_defaults *d, const char **kernel,
    struct lore_err *err)
{
    const char *id = lore_arg_text(f->req, "session", NULL);
    struct lore_campaign_row *c;
    enum lore_status status;

    if (!id)
        return LORE_OK;
    c = lore_alloc(f->req->arena, sizeof *c);
    status = lore_db_get_campaign(f->req->db, id, f->req->arena, c, err);
    if (status != LORE_OK)
        return status;
    f->session = c;
    if (!*kernel)
        *kernel = c->r.kernel;
    if (!d->chip && c->r.chip)
        d->chip = lore_chip_find(c->r.chip);
    return LORE_OK;
}

/* The workload of the session, which computes OP. */
static const char *
session_workload(const struct lore_brief_facts *f, const char *op)
{
    const struct lore_workload *w = f->session ? &f->session->r.workload : NULL;
    char id[33];

    if (!w || !w->set)
        return NULL;
    lore_workload_id(lore_workload_text(f->req->arena, w->op ? w->op : op, w), id);
    return lore_strdup(f->req->arena, id);
}

/* The kernel of the question: its operator, and the best version at the place, else of the place
 * where most of its versions were timed. */
static enum lore_status
read_kernel(struct lore_brief_facts *f, const char *id, struct lore_recommend_defaults *d,
    struct lore_err *err)
{
    struct lore_history_filter at = {d->workload, d->chip ? d->chip->name : NULL};
    const struct lore_history_version *champion;
    enum lore_status status =
        lore_history_load(f->req->db, id, &at, f->req->arena, &f->history, err);

    if (status != LORE_OK)
        return status;
    if (d->op && !lore_streq(d->op, f->kernel.k.op))
        return lore_fail_at(err, LORE_INVALID, "invalid_parameter", "operator",
            "operator: the kernel computes %s, not %s", f->kernel.k.op, d->op);
    d->op = f->kernel.k.op;
    if (d->language == LORE_LANG_NONE)
        d->language = f->kernel.k.language;
    champion = lore_history_champion(&f->history);
    if (!champion && d->chip) { /* of the kernel on another chip before another kernel here */
        const struct lore_history_filter any = {d->workload, NULL};
        struct lore_history *h = lore_alloc(f->req->arena, sizeof *h);
        status = lore_history_load(f->req->db, id, &any, f->req->arena, h, err);
        if (status != LORE_OK)
            return status;
        champion = lore_history_champion(h);
        f->elsewhere = champion ? h->timing.chip : NULL;
        if (champion)
            f->history = *h;
    }
    if (!champion) {
        f->stated = lore_brief_stated(&f->history, f->req->arena);
        if (!f->stated.best)
            return LORE_OK;
        const struct lore_experiment_row *e = f->stated.best->experiment;
        d->version = f->stated.best->version->v.id;
        d->workload = d->workload ? d->workload : e->workload.id;
        d->chip = d->chip ? d->chip : lore_chip_find(e->e.chip);
        return LORE_OK;
    }
    d->version = champion->version->v.id;
    d->workload = d->workload ? d->workload : f->history.timing.workload;
    if (!d->chip && f->history.timing.chip)
        d->chip = lore_chip_find(f->history.timing.chip);
    return LORE_OK;
}

static enum lore_status
read_question(struct lore_brief_facts *f, struct lore_recommend_defaults *d, struct lore_err *err)
{
    struct lore_workload given = {0};
    const char *kernel = lore_arg_text(f->req, "kernel", NULL);
    enum lore_status status = lore_params_chip(f->req, &d->chip, err);

    d->op = lore_params_operator(f->req);
    d->limit = ADVICE;
    d->next = true;
    if (status == LORE_OK)
        status = read_session(f, d, &kernel, err);
    if (status == LORE_OK && !kernel && !d->op)
        return lore_fail_at(err, LORE_INVALID, "missing_parameter", "operator",
            "operator: required, or kernel, or session");
    if (status == LORE_OK && kernel)
        status = lore_db_get_kernel(f->req->db, kernel, f->req->arena, &f->kernel, err);
    const char *op = kernel ? f->kernel.k.op : d->op, *note = NULL;
    if (status == LORE_OK)
        d->chip = lore_chip_meant(f->req, op, d->chip, &note);
    if (status == LORE_OK)
        status = lore_recommend_workload(f->req, op, &d->workload, &given, err);
    if (status == LORE_OK && !d->workload)
        d->workload = session_workload(f, op);
    return status == LORE_OK && kernel ? read_kernel(f, kernel, d, err) : status;
}

/* ---- what is known about it ---- */

/* Whether the best of board row R competes with the version at WORKLOAD (its id and LABEL), or at a
 * workload that only says more or less: "M=64 f32" and "M=64 f32 row". Without a version a claim is
 * all that there is. */
static bool
competes(const struct lore_board_row *r, const struct lore_about *about, const char *workload,
    const char *label)
{
    if (!about->version)
        return r->n_claims > 0;
    if (!r->best_version || !(r->time_ns > 0) || !workload ||
        lore_streq(r->best_version, about->version->v.id))
        return false;
    return lore_streq(r->workload, workload) ||
           (label && r->workload_label &&
               (lore_starts(r->workload_label, label) || lore_starts(label, r->workload_label)));
}

/* The row of those that OF names whose leader competes, the fastest; of claims the largest. */
static void
find_leader(struct lore_brief_facts *f, const struct lore_board *board,
    const struct lore_board_filter *of, const char *workload)
{
    const struct lore_about *about = &f->x.start.about;
    struct lore_board_row *v = NULL;
    size_t n = 0, total;

    lore_board(board, of, f->req->arena, &v, &n, &total);
    for (size_t i = 0; i < n; i++) {
        bool better =
            !f->leader || (!about->version && v[i].n_claims > 0 &&
                              v[i].claims->speedup.value > f->leader->claims->speedup.value);
        if (better && competes(&v[i], about, workload, f->history.timing.workload_label))
            f->leader = &v[i];
    }
}

/* The row of the board that the version leads, and who leads its place otherwise. */
static void
find_rows(struct lore_brief_facts *f)
{
    const struct lore_about *about = &f->x.start.about;
    LORE_INDEXES_VIEW indexes = f->req->app->indexes;
    const struct lore_board *board = lore_indexes_board(indexes);
    struct lore_board_filter of = {.op = f->x.question.op,
        .chip = about->chip ? lore_chip_find(about->chip) : f->x.question.chip,
        .workload = about->workload ? about->workload : f->x.question.workload,
        .sort = "time",
        .limit = ROWS};
    const char *workload = of.workload;
    struct lore_board_row *v = NULL;
    size_t n = 0, total;

    lore_board(board, &of, f->req->arena, &v, &n, &total);
    for (size_t i = 0; about->version && i < n && !f->row; i++)
        if (lore_streq(v[i].best_version, about->version->v.id))
            f->row = &v[i];
    of.workload = NULL;
    of.bests = about->version != NULL;
    find_leader(f, board, &of, workload);
    of.chip = NULL;
    if (!about->version && !f->leader)
        find_leader(f, board, &of, workload);
}

/* Without a version, the best one of the kernel with the largest claim, if that is a step of many.
 */
static enum lore_status
find_stated(struct lore_brief_facts *f, struct lore_err *err)
{
    const struct lore_history_filter any = {0};
    enum lore_status status = LORE_OK;

    if (f->x.start.about.version || !f->leader || !f->leader->kernel ||
        f->leader->claims->speedup.base != LORE_BASE_PARENT)
        return LORE_OK;
    status =
        lore_history_load(f->req->db, f->leader->kernel, &any, f->req->arena, &f->history, err);
    if (status == LORE_OK)
        f->stated = lore_brief_stated(&f->history, f->req->arena);
    return status;
}

/* The history of the kernel that the version belongs to, at its place. */
static enum lore_status
find_history(struct lore_brief_facts *f, struct lore_err *err)
{
    const struct lore_about *about = &f->x.start.about;
    const struct lore_history_filter at = {about->workload, about->chip};
    struct lore_history *h = &f->history;
    enum lore_status status = LORE_OK;

    if (!about->version)
        return LORE_OK;
    if (f->kernel.k.id && !lore_streq(f->kernel.k.id, about->version->v.kernel)) {
        f->untimed = f->kernel.k.name;
        f->kernel = (struct lore_kernel_row){0};
    }
    if (!f->kernel.k.id) {
        status = lore_db_get_kernel(
            f->req->db, about->version->v.kernel, f->req->arena, &f->kernel, err);
        if (status == LORE_OK)
            status = lore_history_load(f->req->db, f->kernel.k.id, &at, f->req->arena, h, err);
    }
    for (size_t i = 0; status == LORE_OK && i < h->line.n; i++) {
        const struct lore_history_version *t = &h->entries[h->line.steps[i].in];

        if (!lore_streq(t->version->v.id, about->version->v.id))
            continue;
        f->at = t;
        f->step = &h->line.steps[i];
    }
    return status;
}

static enum lore_status
find_run(struct lore_brief_facts *f, struct lore_err *err)
{
    const char *id = f->row ? f->row->best_run : NULL;

    if (!id && f->at)
        id = f->at->run;
    return id ? lore_db_get_run(f->req->db, id, f->req->arena, &f->run, err) : LORE_OK;
}

static enum lore_status
gather(struct lore_brief_facts *f, struct lore_err *err)
{
    struct lore_recommend_defaults d = {0};
    enum lore_status status = read_question(f, &d, err);

    if (status == LORE_OK)
        status = lore_recommend_ask(f->req, &d, &f->x, err);
    if (status == LORE_OK)
        status = find_history(f, err);
    if (status == LORE_OK && !f->x.start.about.version && f->kernel.k.id)
        status = lore_attempts_load(f->req,
            &(struct lore_attempts_scope){.kernel = f->kernel.k.id, .max = LORE_ATTEMPTS_READ},
            &f->x.start.tried, err);
    if (status != LORE_OK)
        return status;
    find_rows(f);
    status = lore_searched_read(f->req, &f->x.start, &f->searched, err);
    if (status == LORE_OK)
        status = lore_brief_read_others(f, err);
    if (status == LORE_OK)
        status = find_stated(f, err);
    return status == LORE_OK ? find_run(f, err) : status;
}

enum lore_status
lore_api_brief(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_brief_facts f = {.req = req};
    struct lore_brief b = {0};
    enum lore_status status = gather(&f, err);

    if (status == LORE_OK)
        status = lore_brief_say(&f, &b, err);
    if (status != LORE_OK)
        return status;
    b.advice_id = lore_feedback_store(req, &f.x.question, &f.x.answer, &f.x.start);
    return lore_brief_fit(
        req, resp, &b, (size_t)lore_arg_i64(req, "max_bytes", LORE_BRIEF_BYTES), err);
}
