/* GET /api/v1/duplicates: past experiments that match a plan, and their outcomes. A warning, never
 * a veto. */
#include "service/derive/duplicates.h"

#include <string.h>

#include "service/api/api_knowledge.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/base/text.h"

enum { PAGE = 200, MAX_LOOKED_AT = 4000, MAX_TECHNIQUES = 16 };

struct asked {
    struct lore_duplicate_plan plan;
    struct lore_experiment_filter f;
};
struct loaded {
    const struct lore_experiment_row **rows;
    size_t n, cap;
};

/* `a,b` as slugs: a plan may combine techniques. */
static enum lore_status
read_techniques(struct lore_req *req, struct lore_duplicate_plan *p, struct lore_err *err)
{
    const char *text = lore_arg_text(req, "technique", "");
    const char **slugs = lore_alloc_array(req->arena, MAX_TECHNIQUES, sizeof *slugs);

    while (*text != '\0') {
        size_t len = strcspn(text, ",");

        if (p->n_techniques == MAX_TECHNIQUES)
            return lore_fail_at(err, LORE_INVALID, "too_long", "technique",
                "technique: at most %d at once", MAX_TECHNIQUES);
        if (len > 0)
            slugs[p->n_techniques++] =
                lore_technique_slug(req->arena, lore_strndup(req->arena, text, len));
        text += len + (text[len] == ',');
    }
    p->techniques = slugs;
    if (p->n_techniques > 0)
        return LORE_OK;
    return lore_fail_at(err, LORE_INVALID, "missing_parameter", "technique",
        "technique: required: the planned techniques");
}

static enum lore_status
read_plan(struct lore_req *req, struct asked *a, struct lore_err *err)
{
    const struct lore_chip *chip = NULL;
    enum lore_status status = read_techniques(req, &a->plan, err);

    if (status == LORE_OK)
        status = lore_params_chip(req, &chip, err);
    if (status != LORE_OK)
        return status;
    a->f = (struct lore_experiment_filter){.kernel = lore_arg_text(req, "kernel", NULL),
        .op = lore_params_operator(req),
        .technique = a->plan.techniques[0],
        .chip = !chip ? NULL : chip->name,
        .workload = lore_arg_text(req, "workload", NULL),
        .disagrees = -1,
        .masked = -1,
        .limit = PAGE};
    if (!a->f.kernel && !a->f.op)
        return lore_fail_at(
            err, LORE_INVALID, "missing_parameter", "kernel", "kernel: required, or an operator");
    a->plan.kernel = a->f.kernel != NULL ? a->f.kernel : a->f.op;
    a->plan.chip = a->f.chip;
    a->plan.workload = a->f.workload;
    a->plan.from_version = lore_arg_text(req, "from", NULL);
    return LORE_OK;
}

static enum lore_status
load(struct lore_req *req, struct asked *a, struct loaded *out, struct lore_err *err)
{
    size_t n = 0;

    do {
        struct lore_experiment_row *rows = NULL;
        enum lore_status status =
            lore_db_list_experiments(req->db, &a->f, req->arena, &rows, &n, err);

        if (status != LORE_OK)
            return status;
        for (size_t i = 0; i < n; i++)
            *LORE_PUSH(req->arena, out->rows, out->n, out->cap) = &rows[i];
        if (n > 0)
            a->f.before = rows[n - 1].seq;
    } while (n == PAGE && out->n < MAX_LOOKED_AT);
    return LORE_OK;
}

/* A property that the caller did not give is not compared. */
static void
to_past(struct lore_arena *arena, const struct asked *a, const struct lore_experiment_row *e,
    struct lore_duplicate_past *out)
{
    const char **slugs = lore_alloc_array(arena, e->e.n_techniques + 1, sizeof *slugs);

    for (size_t i = 0; i < e->e.n_techniques; i++)
        slugs[i] = e->e.techniques[i].name;
    *out = (struct lore_duplicate_past){.experiment = e->e.id,
        .plan = {.kernel = a->f.kernel != NULL ? e->e.kernel : e->op,
            .workload = !a->plan.workload ? NULL : e->workload.id,
            .chip = !a->plan.chip ? NULL : e->e.chip,
            .techniques = slugs,
            .n_techniques = e->e.n_techniques,
            .from_version = e->e.from_version},
        .effect = lore_effect_find(e->outcome.effect),
        .correctness = LORE_C_NOT_CHECKED,
        .process_broken = lore_streq(e->outcome.process, "broken"),
        .masked = e->masked,
        .speedup = e->outcome.speedup,
        .seq = e->seq};
}

static const struct lore_experiment_row *
row_of(const struct loaded *l, const char *id)
{
    for (size_t i = 0; i < l->n; i++)
        if (lore_streq(l->rows[i]->e.id, id))
            return l->rows[i];
    return NULL;
}

static const char *
warning(const struct lore_duplicates *d, struct lore_arena *arena)
{
    size_t lost = 0, won = 0, even = 0;

    for (size_t i = 0; i < d->n; i++) {
        won += d->v[i].past->effect == LORE_X_WIN;
        lost += d->v[i].past->effect == LORE_X_LOSS;
        even += d->v[i].past->effect == LORE_X_NEUTRAL;
    }
    if (d->n == 0)
        return NULL;
    const char *text =
        lore_format(arena, "tried %zu time%s before: %zu won, %zu without gain, %zu lost", d->n,
            d->n == 1 ? "" : "s", won, even, lost);
    size_t open = d->n - won - even - lost;
    return open == 0 ? text : lore_format(arena, "%s, %zu without a verdict", text, open);
}

struct duplicate {
    enum lore_duplicate_kind kind;
    const struct lore_experiment_row *experiment;
};
#define ROW struct duplicate
static const struct lore_object_member duplicate[] = {
    {"!state", NAMED(kind, lore_duplicate_name), "same_state|other_state|state_unknown"},
    {"!experiment", POINTER(experiment, lore_experiment_object), "#Experiment"},
};
static const struct lore_object lore_duplicate_object = LORE_OBJECT("Duplicate", duplicate);
#undef ROW

struct answer {
    struct duplicate *rows;
    size_t n, found, masked;
    const char *next, *warning; /* next: NULL, at most PAGE rows are shown */
};
#define ROW struct answer
static const struct lore_object_member answer[] = {
    {"!rows", LIST(rows, n, lore_duplicate_object)},
    {"!next", AT(next), "text?"},
    {"!warning", AT(warning), "text?", "outcomes of earlier attempts, in words"},
    {"!found", AT(found)},
    {"!masked", AT(masked), NULL, "matching experiments that are hidden, and so not listed"},
};
const struct lore_object lore_duplicates_object = LORE_OBJECT("Duplicates", answer);
#undef ROW

enum lore_status
lore_api_duplicates(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct asked a = {0};
    struct loaded l = {0};
    struct lore_duplicates found = {0};
    struct lore_duplicate_past *past;
    struct answer x = {0};
    enum lore_status status = read_plan(req, &a, err);

    if (status == LORE_OK)
        status = load(req, &a, &l, err);
    if (status != LORE_OK)
        return status;
    past = lore_alloc_array(req->arena, l.n + 1, sizeof *past);
    for (size_t i = 0; i < l.n; i++)
        to_past(req->arena, &a, l.rows[i], &past[i]);
    status = lore_duplicates_find(&a.plan, past, l.n, req->arena, &found, err);
    if (status != LORE_OK)
        return status;
    x.rows = lore_alloc_array(req->arena, PAGE, sizeof *x.rows);
    for (; x.n < found.n && x.n < PAGE; x.n++)
        x.rows[x.n] =
            (struct duplicate){found.v[x.n].kind, row_of(&l, found.v[x.n].past->experiment)};
    x.warning = warning(&found, req->arena);
    x.found = found.n;
    x.masked = found.n_masked;
    return lore_reply_object(resp, &lore_duplicates_object, &x, err);
}
