/* GET /api/v1/kernels/{id}/frontier: runners-up. Correct candidates and branches with comparable
 * times, sorted by their distance from the champion, with the parameters and techniques that
 * differ. A search that starts again from several of them keeps more ideas than one that starts
 * from the best alone. */
#include <stdlib.h>

#include "service/api/api_knowledge.h"
#include "service/api/history.h"
#include "service/api/objects.h"
#include "service/api/present.h"
#include "service/base/text.h"

/* A version and its differences from the champion. */
struct ranked {
    struct lore_history_version entry;
    const char *version, *label, *experiment;
    enum lore_version_kind kind;
    double delta_pct;
    struct lore_differences params;
    const struct lore_line *line;
    struct lore_texts added, missing; /* techniques */
};
/* Versions that are not listed, by the first reason that holds. */
struct left_out {
    int64_t baseline, hidden, failed, not_checked, not_timed, timed_elsewhere;
};
struct frontier {
    struct lore_history h;
    const struct lore_history_version *best;   /* the champion; NULL: nothing was timed */
    const struct lore_line *lines, *best_line; /* of all entries; of the champion */
    struct lore_kvs params;                    /* of the champion */
    const char *next;                          /* NULL: all versions are on one page */
    const char *champion, *champion_label;
    double champion_ns;
    struct ranked *rows;
    size_t n;
    struct left_out left_out;
};

#define ROW struct lore_difference
static const struct lore_object_member param[] = {
    {"!name", AT(name)},
    {"!here", RAW(a), "any"},
    {"!champion", RAW(b), "any"},
};
static const struct lore_object param_object = LORE_OBJECT("ParamBehind", param);
#undef ROW

#define ROW struct ranked
static const struct lore_object_member ranked[] = {
    {"!version", AT(version), "ulid"},
    {"label", AT(label)},
    {"!kind", NAMED(kind, lore_version_kind_name), "candidate|branch"},
    {"experiment", AT(experiment), "ulid", "experiment that made it"},
    {"!time_ns", AT(entry.time_ns)},
    {"!delta_from_champion_pct", AT(delta_pct)},
    {"!params", LIST(params.v, params.n, param_object), NULL,
        "parameters that differ; null: not set there"},
    {"!techniques_added", AT(added), NULL, "of its line, not of the champion's"},
    {"!techniques_missing", AT(missing), NULL, "of the champion's line, not of its own"},
    {"", MEMBERS(entry, lore_history_hidden_object)},
};
static const struct lore_object ranked_object = LORE_OBJECT("FrontierRow", ranked);
#undef ROW

#define ROW struct left_out
static const struct lore_object_member left_out[] = {
    {"!baseline", AT(baseline)},
    {"!hidden", AT(hidden), NULL, "masked, merged or retracted"},
    {"!failed", AT(failed)},
    {"!not_checked", AT(not_checked)},
    {"!not_timed", AT(not_timed)},
    {"!timed_elsewhere", AT(timed_elsewhere)},
};
static const struct lore_object left_out_object = LORE_OBJECT("FrontierLeftOut", left_out);
#undef ROW

#define ROW struct frontier
static const struct lore_object_member frontier[] = {
    {"!rows", LIST(rows, n, ranked_object)},
    {"!next", AT(next), "text?"},
    {"", MEMBERS(h, lore_history_place_object)},
    {"method", AT(h.timing.method), NULL, "the tool that timed"},
    {"champion", AT(champion), "ulid"},
    {"champion_label", AT(champion_label), NULL, "its label, else its id"},
    {"champion_time_ns", AT(champion_ns)},
    {"!left_out", OBJECT(left_out, left_out_object), NULL,
        "counted by the first reason that applies"},
    {"", MEMBERS(h, lore_history_older_object)},
};
const struct lore_object lore_frontier_object = LORE_OBJECT("Frontier", frontier);
#undef ROW

static int
by_delta(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->delta_pct != y->delta_pct)
        return x->delta_pct < y->delta_pct ? -1 : 1;
    return x->entry.version->seq < y->entry.version->seq ? -1 : 1;
}

static bool
listed(const struct lore_history_version *t, struct left_out *out)
{
    bool failed = t->check == LORE_C_FAIL || t->check == LORE_C_TIMEOUT;

    if (t->hidden)
        out->hidden++;
    else if (t->version->v.kind == LORE_V_BASELINE)
        out->baseline++;
    else if (t->check == LORE_C_PASS && t->time_ns > 0 && !t->elsewhere)
        return true;
    else if (failed)
        out->failed++;
    else if (t->check != LORE_C_PASS)
        out->not_checked++;
    else
        *(t->time_ns > 0 ? &out->timed_elsewhere : &out->not_timed) += 1;
    return false;
}

static void
rank(struct frontier *x, struct lore_arena *arena)
{
    const struct lore_history *h = &x->h;

    x->rows = lore_alloc_array(arena, h->line.n + 1, sizeof *x->rows);
    for (size_t i = 0; i < h->line.n; i++) {
        const struct lore_history_version *t = &h->entries[h->line.steps[i].in];
        const struct lore_version *v = &t->version->v;

        if ((v->kind != LORE_V_BRANCH && v->kind != LORE_V_CANDIDATE &&
                v->kind != LORE_V_BASELINE) ||
            t == x->best || !listed(t, &x->left_out) || !x->best)
            continue;
        x->rows[x->n++] = (struct ranked){.entry = *t,
            .line = &x->lines[h->line.steps[i].in],
            .version = v->id,
            .label = v->label,
            .kind = v->kind,
            .experiment = !t->experiment ? NULL : t->experiment->e.id,
            .delta_pct = 100 * (t->time_ns / x->best->time_ns - 1)};
    }
    qsort(x->rows, x->n, sizeof *x->rows, by_delta);
}

/* Lists of versions leave the parameters out. */
static enum lore_status
params_of(struct lore_req *req, const struct lore_history_version *t, struct lore_kvs *out,
    struct lore_err *err)
{
    struct lore_version_row row = {0};
    enum lore_status status =
        lore_db_get_version_head(req->db, t->version->v.id, req->arena, &row, err);

    if (status == LORE_OK)
        *out = row.v.params;
    return status;
}

static enum lore_status
read_row(struct lore_req *req, const struct frontier *x, struct ranked *r, struct lore_err *err)
{
    struct lore_kvs params = {0};
    enum lore_status status = params_of(req, &r->entry, &params, err);

    if (status != LORE_OK)
        return status;
    r->params = lore_present_differences(req->arena, &params, &x->params);
    r->added = lore_line_only(r->line, x->best_line, req->arena);
    r->missing = lore_line_only(x->best_line, r->line, req->arena);
    return lore_history_read_hidden(req->db, &r->entry, err);
}

static enum lore_status
read_champion(struct lore_req *req, struct frontier *x, struct lore_err *err)
{
    const struct lore_history *h = &x->h;

    if (h->line.champion >= h->line.n)
        return LORE_OK;
    x->lines = lore_history_lines(h, req->arena);
    x->best = &h->entries[h->line.steps[h->line.champion].in];
    x->best_line = &x->lines[h->line.steps[h->line.champion].in];
    x->champion = x->champion_label = x->best->version->v.id;
    if (x->best->version->v.label)
        x->champion_label = x->best->version->v.label;
    x->champion_ns = x->best->time_ns;
    return params_of(req, x->best, &x->params, err);
}

enum lore_status
lore_api_frontier(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct frontier x = {0};
    struct lore_history_filter of;
    enum lore_status status = lore_history_read_filter(req, &of, err);

    if (status == LORE_OK)
        status = lore_history_load(req->db, req->vars[0], &of, req->arena, &x.h, err);
    if (status == LORE_OK)
        status = read_champion(req, &x, err);
    if (status == LORE_OK)
        rank(&x, req->arena);
    for (size_t i = 0; status == LORE_OK && i < x.n; i++)
        status = read_row(req, &x, &x.rows[i], err);
    return status == LORE_OK ? lore_reply_object(resp, &lore_frontier_object, &x, err) : status;
}
