/* Configurations that differ in one parameter are an experiment that somebody has made without
 * meaning to. All configurations that agree in the other parameters stand on a line, in the order
 * of the parameter; neighbours on it make a pair, so a space of N configurations gives about N
 * times the number of parameters, and not their square. Texts have no order: any two make a pair,
 * as long as they are few.
 *
 * A pair is stored once, from the smaller value to the larger; who reads it knows the way back. One
 * that failed comes after one that ran, whatever their values, because there is no time to start
 * from. Two that failed say nothing of each other. */
#include <stdlib.h>

#include "collectors/import/tuning/kernel_tuner.h"
#include "service/wire/build.h"

enum {
    TEXTS_MAX = 16, /* values of a parameter; of more texts, neighbours in the order of the file */
    PAIRS_MAX = 500000, /* of one file; what they take is held in memory until it is sent */
};

struct spot { /* a configuration on a line */
    const struct lore_kt *kt;
    const struct lore_kt_entry *entry;
    size_t param; /* the line's */
};

/* By all parameters but the line's, which comes last. */
static int
by_line(const void *a, const void *b)
{
    const struct spot *x = a, *y = b;
    size_t p = x->param;

    for (size_t i = 0; i < x->kt->n_params; i++) {
        if (i != p && x->entry->at[i] != y->entry->at[i])
            return x->entry->at[i] < y->entry->at[i] ? -1 : 1;
    }
    if (x->entry->at[p] != y->entry->at[p])
        return x->entry->at[p] < y->entry->at[p] ? -1 : 1;
    return x->entry < y->entry ? -1 : x->entry > y->entry; /* measured again */
}

static bool
same_line(const struct spot *x, const struct spot *y)
{
    for (size_t i = 0; i < x->kt->n_params; i++) {
        if (i != x->param && x->entry->at[i] != y->entry->at[i])
            return false;
    }
    return true;
}

/* Whether parameter P only turns something on and off. */
static bool
is_switch(const struct lore_kt_param *p)
{
    return p->n == 2 && !p->values[1].symbolic && p->values[0].number == 0 &&
           p->values[1].number == 1;
}

/* From V[0] to V[1]; TURNED: to the smaller value. A switch that goes off is no use of what it
 * switches on. */
static void
add_use(struct lore_kt *kt, struct lore_experiment *x, size_t param, bool turned,
    const char *const v[2])
{
    struct lore_arena *arena = kt->in->arena;
    const struct lore_kt_param *p = &kt->params[param];
    struct lore_use *u = LORE_PUSH(arena, x->techniques, x->n_techniques, x->cap_techniques);

    bool known = p->known && p->known->technique && !(turned && is_switch(p));

    u->name = known ? p->known->technique : p->name;
    lore_kvs_set(arena, &u->params, "parameter", lore_build_json_text(arena, p->name));
    lore_kvs_set(arena, &u->params, "from", v[0]);
    lore_kvs_set(arena, &u->params, "to", v[1]);
}

static void
add_pair(struct lore_kt *kt, const struct spot *a, const struct spot *b)
{
    struct lore_arena *arena = kt->in->arena;
    struct lore_submission *doc = kt->in->doc;
    bool turned = a->entry->failed;
    const struct lore_kt_entry *from = turned ? b->entry : a->entry;
    const struct lore_kt_entry *to = turned ? a->entry : b->entry;
    const struct lore_kt_param *p = &kt->params[a->param];
    const char *before = p->values[from->at[a->param]].text;
    const char *after = p->values[to->at[a->param]].text;
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
    add_use(kt, x, a->param, turned, (const char *const[2]){before, after});
    x->chip = kt->chip;
    x->evidence = LORE_EV_IMPORTED;
    x->happened_at = from->ms > to->ms ? from->measured_at : to->measured_at;
    x->provenance.system = "kernel-tuner";
}

/* Whether two values of P, that stand on the line as many places apart as STEPS says, make a pair.
 */
static bool
is_wanted(const struct lore_kt *kt, const struct lore_kt_param *p, size_t a, size_t b, size_t steps)
{
    bool symbolic = (p->values[a].symbolic || p->values[b].symbolic) && p->n <= TEXTS_MAX;

    return kt->in->pairs == LORE_PAIRS_ALL || symbolic || steps == 1;
}

/* False when there are too many. */
static bool
pair_line(struct lore_kt *kt, const struct spot *line, size_t n)
{
    const struct lore_kt_param *p = &kt->params[line->param];
    size_t last = p->n <= TEXTS_MAX || kt->in->pairs == LORE_PAIRS_ALL ? n : 2;

    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n && j - i < last; j++) {
            size_t a = line[i].entry->at[line->param], b = line[j].entry->at[line->param];
            if ((line[i].entry->failed && line[j].entry->failed) || !is_wanted(kt, p, a, b, j - i))
                continue;
            if (kt->pairs == PAIRS_MAX)
                return false;
            add_pair(kt, &line[i], &line[j]);
            kt->pairs++;
        }
    }
    return true;
}

/* False when there are too many. */
static bool
pair_param(struct lore_kt *kt, struct spot *spots, size_t param)
{
    size_t n = 0;

    for (size_t i = 0; i < kt->n; i++)
        spots[i] = (struct spot){kt, &kt->entries[i], param};
    qsort(spots, kt->n, sizeof *spots, by_line);
    /* a configuration that was measured again stands on its line once, with what came first */
    for (size_t i = 0; i < kt->n; i++) {
        if (n == 0 || !same_line(&spots[n - 1], &spots[i]) ||
            spots[n - 1].entry->at[param] != spots[i].entry->at[param])
            spots[n++] = spots[i];
    }
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && same_line(&spots[i], &spots[end]); end++)
            ;
        if (!pair_line(kt, spots + i, end - i))
            return false;
    }
    return true;
}

/* Workload parameters make no pair: another filter is another problem. */
void
lore_kt_pair(struct lore_kt *kt)
{
    struct lore_import *in = kt->in;
    struct spot *spots = lore_alloc_array(in->arena, kt->n + 1, sizeof *spots);
    bool whole = true;

    for (size_t p = 0; p < kt->n_params && in->pairs != LORE_PAIRS_NONE && whole; p++) {
        if (kt->params[p].n < 2 || (kt->params[p].known && kt->params[p].known->workload))
            continue;
        whole = pair_param(kt, spots, p);
        lore_import_note(in, LORE_IL_NAMES, "parameter %s: technique %s", kt->params[p].name,
            kt->params[p].known && kt->params[p].known->technique ? kt->params[p].known->technique
                                                                  : "of its own name");
    }
    lore_import_note(in, LORE_IL_NAMES,
        "%s: %zu experiments from pairs of configurations that differ in one parameter (--pairs "
        "%s)",
        in->file, kt->pairs, lore_import_pairs_name(in->pairs));
    if (!whole)
        lore_import_note(in, LORE_IL_TRAPS,
            "%s: more than %d pairs; the others are left out, the runs are all there", in->file,
            PAIRS_MAX);
}
