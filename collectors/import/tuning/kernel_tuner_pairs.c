/* Two configurations that differ in one parameter form an experiment, although nobody planned it.
 * Configurations that agree in all other parameters form a line, ordered by the value of the
 * parameter. Neighbours on a line form a pair. So N configurations give about N pairs per parameter
 * instead of N². Texts have no order; any two texts form a pair as long as the parameter has at
 * most TEXTS_MAX values.
 *
 * A pair is stored once, from the smaller value to the larger; readers can derive the reverse. A
 * failed configuration is always the second of its pair, because an experiment needs a time to
 * start from. Two failed configurations form no pair. */
#include <stdlib.h>

#include "collectors/import/tuning/kernel_tuner.h"
#include "service/wire/build.h"

enum {
    TEXTS_MAX = 16,     /* values of a parameter; with more of them, texts form pairs only with
                           neighbours in file order */
    PAIRS_MAX = 500000, /* pairs of one file; all are in memory until they are sent */
};

struct point { /* a configuration on a line */
    const struct lore_kernel_tuner *kt;
    const struct lore_kernel_tuner_entry *entry;
    size_t param; /* the parameter that varies on the line */
};

/* Order by all parameters, the one that varies on the line last. */
static int
by_line(const void *a, const void *b)
{
    const struct point *x = a, *y = b;
    size_t p = x->param;

    for (size_t i = 0; i < x->kt->n_params; i++) {
        if (i != p && x->entry->value_index[i] != y->entry->value_index[i])
            return x->entry->value_index[i] < y->entry->value_index[i] ? -1 : 1;
    }
    if (x->entry->value_index[p] != y->entry->value_index[p])
        return x->entry->value_index[p] < y->entry->value_index[p] ? -1 : 1;
    /* measured more than once: in file order */
    return x->entry < y->entry ? -1 : x->entry > y->entry;
}

static bool
same_line(const struct point *x, const struct point *y)
{
    for (size_t i = 0; i < x->kt->n_params; i++) {
        if (i != x->param && x->entry->value_index[i] != y->entry->value_index[i])
            return false;
    }
    return true;
}

/* Whether parameter P has only the values 0 and 1. */
static bool
is_switch(const struct lore_kernel_tuner_param *p)
{
    return p->n == 2 && !p->values[1].symbolic && p->values[0].number == 0 &&
           p->values[1].number == 1;
}

/* PARAM changes from V[0] to V[1]: add the technique of this change to X. REVERSED means that V[1]
 * is the smaller value: turning a switch off does not use its technique. */
static void
add_use(struct lore_kernel_tuner *kt, struct lore_experiment *x, size_t param, bool reversed,
    const char *const v[2])
{
    struct lore_arena *arena = kt->in->arena;
    const struct lore_kernel_tuner_param *p = &kt->params[param];
    struct lore_use *u = LORE_PUSH(arena, x->techniques, x->n_techniques, x->cap_techniques);

    bool off = reversed && is_switch(p);

    u->name = off                               ? lore_format(arena, "without_%s", p->name)
              : p->known && p->known->technique ? p->known->technique
                                                : p->name;
    lore_kvs_set(arena, &u->params, "parameter", lore_build_json_text(arena, p->name));
    lore_kvs_set(arena, &u->params, "from", v[0]);
    lore_kvs_set(arena, &u->params, "to", v[1]);
}

static void
add_pair(struct lore_kernel_tuner *kt, const struct point *a, const struct point *b)
{
    struct lore_arena *arena = kt->in->arena;
    struct lore_submission *doc = kt->in->doc;
    bool reversed = a->entry->failed;
    const struct lore_kernel_tuner_entry *from = reversed ? b->entry : a->entry;
    const struct lore_kernel_tuner_entry *to = reversed ? a->entry : b->entry;
    const struct lore_kernel_tuner_param *p = &kt->params[a->param];
    const char *before = p->values[from->value_index[a->param]].text;
    const char *after = p->values[to->value_index[a->param]].text;
    int64_t ms = from->ms > to->ms ? from->ms : to->ms;

    struct lore_experiment *x =
        LORE_PUSH(arena, doc->experiments, doc->n_experiments, doc->cap_experiments);
    x->id = lore_build_id(arena, ms, "kernel-tuner-pair|%s|%s", from->run, to->run);
    x->kernel = kt->kernel_id;
    x->from_version = from->version;
    x->to_version = to->version;
    lore_build_text(arena, &x->runs_before, from->run);
    lore_build_text(arena, &x->runs_after, to->run);
    x->title = lore_format(arena, "%.60s: %.60s → %.60s", p->name, before, after);
    add_use(kt, x, a->param, reversed, (const char *const[2]){before, after});
    x->chip = kt->chip;
    x->evidence = LORE_EV_IMPORTED;
    x->happened_at = from->ms > to->ms ? from->measured_at : to->measured_at;
    x->provenance.system = "kernel-tuner";
}

/* Whether the values A and B of P form a pair; they are STEPS positions apart on their line. */
static bool
forms_pair(const struct lore_kernel_tuner *kt, const struct lore_kernel_tuner_param *p, size_t a,
    size_t b, size_t steps)
{
    bool symbolic = (p->values[a].symbolic || p->values[b].symbolic) && p->n <= TEXTS_MAX;

    return kt->in->pairs == LORE_PAIRS_ALL || symbolic || steps == 1;
}

/* False when the file has more than PAIRS_MAX pairs. */
static bool
pair_line(struct lore_kernel_tuner *kt, const struct point *line, size_t n)
{
    const struct lore_kernel_tuner_param *p = &kt->params[line->param];
    size_t max_steps = p->n <= TEXTS_MAX || kt->in->pairs == LORE_PAIRS_ALL ? n - 1 : 1;

    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n && j - i <= max_steps; j++) {
            size_t a = line[i].entry->value_index[line->param],
                   b = line[j].entry->value_index[line->param];
            if ((line[i].entry->failed && line[j].entry->failed) || !forms_pair(kt, p, a, b, j - i))
                continue;
            if (kt->pairs == PAIRS_MAX)
                return false;
            add_pair(kt, &line[i], &line[j]);
            kt->pairs++;
        }
    }
    return true;
}

/* False when the file has more than PAIRS_MAX pairs. */
static bool
pair_param(struct lore_kernel_tuner *kt, struct point *points, size_t param)
{
    size_t n = 0;

    for (size_t i = 0; i < kt->n; i++)
        points[i] = (struct point){kt, &kt->entries[i], param};
    qsort(points, kt->n, sizeof *points, by_line);
    /* of a configuration measured more than once, only the first measurement is on the line */
    for (size_t i = 0; i < kt->n; i++) {
        if (n == 0 || !same_line(&points[n - 1], &points[i]) ||
            points[n - 1].entry->value_index[param] != points[i].entry->value_index[param])
            points[n++] = points[i];
    }
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && same_line(&points[i], &points[end]); end++)
            ;
        if (!pair_line(kt, points + i, end - i))
            return false;
    }
    return true;
}

/* Parameters of the workload form no pairs, because another value is another problem. */
void
lore_kernel_tuner_pair(struct lore_kernel_tuner *kt)
{
    struct lore_import *in = kt->in;
    struct point *points = lore_alloc_array(in->arena, kt->n + 1, sizeof *points);
    bool complete = true;

    for (size_t p = 0; p < kt->n_params && in->pairs != LORE_PAIRS_NONE && complete; p++) {
        if (kt->params[p].n < 2 || (kt->params[p].known && kt->params[p].known->workload))
            continue;
        complete = pair_param(kt, points, p);
        lore_import_note(in, LORE_IL_NAMES, "parameter %s: technique %s", kt->params[p].name,
            kt->params[p].known && kt->params[p].known->technique ? kt->params[p].known->technique
                                                                  : "named after it");
    }
    lore_import_note(in, LORE_IL_NAMES,
        "%s: %zu experiments from pairs of configurations that differ in one parameter (--pairs "
        "%s)",
        in->file, kt->pairs, lore_import_pairs_name(in->pairs));
    if (!complete)
        lore_import_note(in, LORE_IL_DOUBTS,
            "%s: more than %d pairs; further pairs are left out, all runs are imported", in->file,
            PAIRS_MAX);
}
