/* Reads methods.json: the methods chosen for an iteration, the reasons, and the methods skipped.
 * Each method becomes a technique of the experiment. Together they are its hypothesis, because the
 * file is written before the kernels. */
#include <string.h>

#include "collectors/import/v2_run/v2.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"

#define MAX_USES 16
#define MAX_SKIPPED 64

/* Member ncu_evidence, [{metric, value, unit}, …], as one text; NULL: none. */
static const char *
evidence_of(struct lore_v2 *co, struct lore_take *t, const struct lore_json *method)
{
    const struct lore_json *list = lore_json_get(method, "ncu_evidence");
    struct lore_buf b = {.max = LORE_TAKE_TEXT};

    for (const struct lore_json *m = list ? list->child : NULL; m; m = m->next) {
        const struct lore_json *name = lore_json_get(m, "metric"), *v = lore_json_get(m, "value");
        const char *unit = NULL;
        if (!name || name->type != LORE_J_STRING || !v ||
            (v->type != LORE_J_NUMBER && v->type != LORE_J_STRING))
            continue;
        lore_take_mark(t, name);
        lore_take_mark(t, v);
        (void)lore_take_text(t, m, "unit", LORE_TAKE_NAME, &unit);
        lore_buf_printf(&b, "%s%s = %s%s%s", b.len ? "; " : "", name->str, v->str, unit ? " " : "",
            unit ? unit : "");
    }
    const char *out = b.len && !b.over ? lore_strndup(co->in->arena, b.data, b.len) : NULL;
    lore_buf_free(&b);
    return out;
}

static void
take_skipped(struct lore_v2 *co, struct lore_take *t, const struct lore_json *method,
    struct lore_experiment *x)
{
    const struct lore_json *list = lore_json_get(method, "skipped_higher");

    for (const struct lore_json *m = list ? list->child : NULL; m; m = m->next) {
        const char *id = NULL;
        if (x->n_skipped >= MAX_SKIPPED || !lore_take_text(t, m, "id", LORE_TAKE_NAME, &id))
            continue;
        struct lore_skipped *s = LORE_PUSH(co->in->arena, x->skipped, x->n_skipped, x->cap_skipped);
        s->technique = id;
        (void)lore_take_text(t, m, "reason", LORE_TAKE_TEXT, &s->reason);
        struct lore_i64 p = {0};
        const struct lore_json *priority = lore_json_get(m, "priority");
        if (priority && priority->is_int && priority->i <= 1000 &&
            lore_take_count(t, m, "priority", &p))
            s->priority = p;
    }
}

/* Append the line "ID: WORDS" to *TEXT unless it gets too long. */
static void
append_line(struct lore_v2 *co, const char **text, const char *id, const char *words)
{
    const char *line = words ? lore_format(co->in->arena, "%s: %s", id, words) : id;
    const char *all = *text ? lore_format(co->in->arena, "%s\n%s", *text, line) : line;

    if (strlen(all) <= LORE_TAKE_TEXT)
        *text = all;
}

static void
take_expectation(struct lore_v2 *co, struct lore_take *t, const struct lore_json *method,
    struct lore_use *u, struct lore_hypothesis *h)
{
    const struct lore_json *shift = lore_json_get(method, "expected_metric_shift");
    const char *text = NULL;

    if (!shift || shift->type == LORE_J_NULL)
        return;
    if (shift->type == LORE_J_STRING) {
        if (!lore_take_text(t, method, "expected_metric_shift", LORE_TAKE_LINE, &text))
            return;
    } else {
        text = lore_build_verbatim(co->in->arena, shift, NULL, NULL);
        if (!text || strlen(text) > LORE_TAKE_LINE)
            return;
        lore_take_mark(t, shift);
    }
    u->expected = text;
    size_t n = strcspn(text, "<>=(:,;");
    while (n > 0 && text[n - 1] == ' ')
        n--;
    const char *up = strstr(text, "↑"), *down = strstr(text, "↓");
    struct lore_expectation *e =
        LORE_PUSH(co->in->arena, h->expected, h->n_expected, h->cap_expected);
    n = lore_utf8_prefix(text, n < LORE_TAKE_NAME ? n : LORE_TAKE_NAME);
    e->metric = n > 0 ? lore_strndup(co->in->arena, text, n) : u->name;
    e->direction = up && !down ? "up" : down && !up ? "down" : NULL;
    e->raw = text;
}

static bool
take_method(struct lore_v2 *co, struct lore_take *t, const struct lore_json *m,
    struct lore_experiment *x, struct lore_hypothesis *h)
{
    const char *id = NULL, *name = NULL, *words = NULL;
    struct lore_i64 priority = {0};
    struct lore_f64 strength = {0};

    if (m->type != LORE_J_OBJECT || !lore_take_text(t, m, "id", LORE_TAKE_NAME, &id))
        return false;
    (void)lore_take_text(t, m, "name", LORE_TAKE_NAME, &name);
    (void)lore_take_text(t, m, "description", LORE_TAKE_LINE, &words);
    struct lore_use *u =
        LORE_PUSH(co->in->arena, x->techniques, x->n_techniques, x->cap_techniques);
    u->name = id;
    u->raw = name ? name : id;
    u->status = "applied";
    const struct lore_json *p = lore_json_get(m, "priority");
    if (p && p->is_int && p->i <= 1000 && lore_take_count(t, m, "priority", &priority))
        u->priority = priority;
    const struct lore_json *s = lore_json_get(m, "trigger_strength");
    if (s && s->type == LORE_J_NUMBER && s->f >= 0 && s->f <= 1 &&
        lore_take_f64(t, m, "trigger_strength", &strength))
        u->strength = strength;
    u->evidence = evidence_of(co, t, m);
    take_skipped(co, t, m, x);
    append_line(co, &h->claim, name ? name : id, words);
    if (u->evidence)
        append_line(co, &h->rationale, id, u->evidence);
    take_expectation(co, t, m, u, h);
    const char *slug = lore_technique_slug(co->in->arena, id);
    if (strcmp(slug, id) != 0)
        lore_import_note(co->in, LORE_IL_NAMES, "%s: technique %s", id, slug);
    return true;
}

void
lore_v2_methods(
    struct lore_v2 *co, struct lore_v2_iter *it, struct lore_experiment *x, const char **extra)
{
    const struct lore_json *file = lore_v2_file(co, it->dir, "methods.json");
    const struct lore_json *list = lore_json_get(file, "methods");
    struct lore_take t = {.in = co->in};
    struct lore_hypothesis h = {0};
    struct lore_i64 iter = {0};

    if (!file)
        return;
    if (lore_take_count(&t, file, "iter", &iter) && iter.v != it->n)
        lore_import_note(co->in, LORE_IL_CONFLICTS, "%s says iteration %lld", co->in->at->path,
            (long long)iter.v);
    for (const struct lore_json *m = list ? list->child : NULL; m; m = m->next) {
        if (x->n_techniques >= MAX_USES)
            break;
        if (!take_method(co, &t, m, x, &h)) {
            co->in->records++;
            lore_import_refuse(co->in, m, "id: missing");
        }
    }
    *extra = lore_take_rest(&t, file, "methods.json");
    if (!h.claim)
        return;
    h.id = lore_v2_id(co, lore_format(co->in->arena, "hypothesis|%lld", (long long)it->n));
    h.from_version = it->input;
    h.to_version = it->champion;
    h.campaign = co->campaign;
    struct lore_submission *doc = co->in->doc;
    *LORE_PUSH(co->in->arena, doc->hypotheses, doc->n_hypotheses, doc->cap_hypotheses) = h;
    x->hypothesis = h.id;
}
