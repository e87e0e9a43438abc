/* Are repeats of failed ideas recognised, and are later successes left alone?
 *
 * Lineages are generated over exhaustively tuned spaces: from a random configuration that runs, one
 * random parameter at a time goes to a random other value and is kept when it is 5 % faster. Each
 * attempt is recorded in one of three habits: a technique per parameter, one technique for all of
 * them, or words only; its claim is one of several ways of saying it. Before each attempt the
 * lineage is asked about it: a success that was flagged is a false alarm. Between the attempts
 * failed ideas are asked about again: as they were (exact), and in other words or with other
 * parameters beside (near), on the version they failed on; and as they were after accepted changes,
 * which is reported and not judged: there some would succeed now. */
#include "tests/eval/eval.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "service/base/text.h"
#include "service/derive/repeats.h"
#include "service/stats/random.h"
#include "tests/eval/tuning_data.h"

enum { LINEAGES = 20, ATTEMPTS = 60, SAYINGS = 8, HABITS = 3 };
enum habit { BY_PARAMETER, ONE_TECHNIQUE, WORDS_ONLY };
static const char *const habits[HABITS] = {"technique each", "one technique", "words only"};

enum probe {
    EXACT,
    OTHER_WORDS,      /* the same parameters */
    NOT_RECORDED,     /* other words, no technique */
    NO_PARAMETERS,    /* other words, the technique alone */
    MORE_PARAMETERS,  /* one more, as it was */
    EXACT_LATER,      /* after accepted changes: named */
    EXACT_LATER_FLAG, /* and flagged */
    PROBES
};
static const char *const probes[PROBES] = {"exact", "other words", "unrecorded", "no params",
    "more params", "later: named", "later: flagged"};

struct tally {
    size_t asked[PROBES], found[PROBES];
    size_t gains, alarms, named; /* successes; flagged; flagged or named */
};
struct lineage {
    const struct tuning_cell *c;
    struct lore_arena *arena;
    enum habit habit;
    uint64_t *seed;
    size_t at, version;
    struct lore_repeats_attempt v[ATTEMPTS];
    struct move {
        size_t param;
        uint8_t from, to;
        size_t saying;
    } move[ATTEMPTS];
    size_t n;
};

static const char *
value_text(const struct lineage *l, size_t p, size_t v)
{
    const struct tuning_param *x = &l->c->param[p];
    char digits[32];

    if (x->text[v])
        return x->text[v];
    lore_f64_text(x->value[v], digits);
    return lore_strdup(l->arena, digits);
}

/* "tile_size_x", or as people write it: "tile size x". */
static const char *
spoken(const struct lineage *l, size_t p)
{
    char *s = lore_strdup(l->arena, l->c->param[p].name);

    for (char *c = s; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    return s;
}

static const char *
say(const struct lineage *l, const struct move *m, size_t saying)
{
    struct lore_arena *a = l->arena;
    const char *name = l->c->param[m->param].name, *words = spoken(l, m->param);
    const char *from = value_text(l, m->param, m->from), *to = value_text(l, m->param, m->to);
    bool up = m->to > m->from;

    switch (saying) {
    case 0:
        return lore_format(a, "%s %s from %s to %s", up ? "Raise" : "Lower", name, from, to);
    case 1:
        return lore_format(a, "%s: %s instead of %s", name, to, from);
    case 2:
        return lore_format(
            a, "Try a %s %s of %s, should be 10%% faster", up ? "larger" : "smaller", words, to);
    case 3:
        return lore_format(
            a, "%s the %s to %s for better occupancy", up ? "Increasing" : "Decreasing", words, to);
    case 4:
        return lore_format(a, "set %s=%s (was %s)", name, to, from);
    case 5:
        return lore_format(
            a, "Change %s %s -> %s because the profile shows stalls", name, from, to);
    case 6:
        return lore_format(a, "We expect that with %s at %s the kernel gets 1.2x", words, to);
    default:
        return lore_format(a, "move %s %s from %s, to %s", words, up ? "up" : "down", from, to);
    }
}

static void
put_param(const struct lineage *l, size_t p, size_t from, size_t to, struct lore_idea_param *out)
{
    *out =
        (struct lore_idea_param){l->c->param[p].name, value_text(l, p, from), value_text(l, p, to)};
}

static struct lore_idea
idea_of(const struct lineage *l, const struct move *m, size_t saying, size_t version)
{
    struct lore_idea_use *u = lore_alloc(l->arena, sizeof *u);
    struct lore_idea_param *p = lore_alloc_array(l->arena, 2, sizeof *p);
    const char *name = l->c->param[m->param].name;

    put_param(l, m->param, m->from, m->to, p);
    *u = (struct lore_idea_use){
        l->habit == ONE_TECHNIQUE ? "launch.tune" : lore_format(l->arena, "tune.%s", name), p, 1};
    return (struct lore_idea){.uses = u,
        .n_uses = l->habit != WORDS_ONLY,
        .text = say(l, m, saying),
        .from_version = lore_format(l->arena, "v%zu", version),
        .workload = "w",
        .chip = l->c->chip.name};
}

static struct lore_repeats
ask(const struct lineage *l, const struct lore_idea *idea)
{
    struct lore_repeats r;

    lore_repeats_find(idea, lore_repeats_read(l->v, l->n, l->arena), l->arena, &r);
    return r;
}

/* The failed idea of attempt K once more. */
static struct lore_idea
repeated(const struct lineage *l, size_t k, enum probe as)
{
    const struct move *m = &l->move[k];
    size_t other = (m->saying + 1 + (size_t)lore_random_below(l->seed, SAYINGS - 1)) % SAYINGS;
    bool exact = as == EXACT || as == EXACT_LATER;
    struct lore_idea idea = idea_of(l, m, exact ? m->saying : other, l->version);
    struct lore_idea_use *u = lore_memdup(l->arena, idea.uses, sizeof *u);

    if (as == NOT_RECORDED)
        idea.n_uses = 0;
    if (as == NO_PARAMETERS)
        u->n_params = 0;
    if (as == MORE_PARAMETERS) {
        struct lore_idea_param *p = lore_alloc_array(l->arena, 2, sizeof *p);
        size_t beside = (m->param + 1) % l->c->n_params, v = l->c->state[l->at].at[beside];
        p[0] = u->params[0];
        put_param(l, beside, v, v, &p[1]);
        u->params = p;
        u->n_params = 2;
    }
    idea.uses = u;
    return idea;
}

/* Every failure there is, asked about again in a way drawn for each. */
static void
probe(struct lineage *l, struct tally *t)
{
    size_t k = (size_t)lore_random_below(l->seed, l->n);
    const struct move *m = &l->move[k];
    bool here = lore_streq(l->v[k].idea.from_version, lore_format(l->arena, "v%zu", l->version));
    enum probe as = here ? (enum probe)lore_random_below(l->seed, EXACT_LATER) : EXACT_LATER;

    if (l->v[k].end < LORE_ATTEMPT_NO_GAIN || l->c->state[l->at].at[m->param] != m->from)
        return;
    struct lore_idea idea = repeated(l, k, as);
    struct lore_repeats r = ask(l, &idea);
    t->asked[as]++;
    t->found[as] += as == EXACT_LATER ? r.kind == LORE_REPEAT_EXACT : r.flagged;
    if (as == EXACT && r.kind != LORE_REPEAT_EXACT)
        t->found[as]--;
    if (as == EXACT_LATER) {
        t->asked[EXACT_LATER_FLAG]++;
        t->found[EXACT_LATER_FLAG] += r.flagged;
    }
}

static void
attempt(struct lineage *l, struct tally *t)
{
    const struct tuning_cell *c = l->c;
    size_t first = c->first[l->at], moves = c->first[l->at + 1] - first;

    if (moves == 0)
        return;
    const struct tuning_move *mv = &c->move[first + lore_random_below(l->seed, moves)];
    struct move m = {mv->param, c->state[l->at].at[mv->param], c->state[mv->to].at[mv->param],
        (size_t)lore_random_below(l->seed, SAYINGS)};
    struct lore_idea idea = idea_of(l, &m, m.saying, l->version);
    double y = tuning_effect(c, l->at, mv->to);
    bool gain = y > log(1.05);

    if (gain) {
        struct lore_repeats r = ask(l, &idea);
        t->gains++;
        t->alarms += r.flagged;
        t->named += r.kind != LORE_REPEAT_NONE;
    }
    l->move[l->n] = m;
    l->v[l->n++] = (struct lore_repeats_attempt){.idea = idea,
        .to_version = lore_format(l->arena, gain ? "v%zu" : "v%zu-x", l->version + 1),
        .end = gain            ? LORE_ATTEMPT_GAIN
               : !isfinite(y)  ? LORE_ATTEMPT_NOT_RUN
               : y > log(1.02) ? LORE_ATTEMPT_OPEN
                               : LORE_ATTEMPT_NO_GAIN,
        .speedup = isfinite(y) ? exp(y) : 0};
    if (gain) {
        l->at = mv->to;
        l->version++;
    }
}

static void
live(const struct tuning_cell *c, enum habit habit, uint64_t *seed, struct tally *t)
{
    struct lore_arena arena = {0};
    struct lineage l = {.c = c, .arena = &arena, .habit = habit, .seed = seed};

    do
        l.at = (size_t)lore_random_below(seed, c->n);
    while (!(c->state[l.at].time > 0));
    for (size_t i = 0; i < ATTEMPTS; i++) {
        attempt(&l, t);
        for (size_t k = 0; l.n > 0 && k < 3; k++)
            probe(&l, t);
    }
    lore_arena_free(&arena);
}

static double
percent(size_t n, size_t of)
{
    return of > 0 ? 100 * (double)n / (double)of : 0;
}

static void
add(struct tally *to, const struct tally *t)
{
    for (size_t i = 0; i < PROBES; i++) {
        to->asked[i] += t->asked[i];
        to->found[i] += t->found[i];
    }
    to->gains += t->gains;
    to->alarms += t->alarms;
    to->named += t->named;
}

static size_t
near_asked(const struct tally *t, size_t *found)
{
    size_t asked = 0;

    *found = 0;
    for (size_t i = OTHER_WORDS; i <= MORE_PARAMETERS; i++) {
        asked += t->asked[i];
        *found += t->found[i];
    }
    return asked;
}

static void
print_row(struct lore_eval *e, const char *name, const char *habit, const struct tally *t)
{
    lore_buf_printf(e->text, "%-24s %-14s", name, habit);
    for (size_t i = 0; i < PROBES; i++)
        lore_buf_printf(e->text, " %6.1f", percent(t->found[i], t->asked[i]));
    lore_buf_printf(e->text, " | %6zu %5.1f %5.1f\n", t->gains, percent(t->alarms, t->gains),
        percent(t->named, t->gains));
}

/* The limits, over all lineages. */
static void
add_figures(struct lore_eval *e, const char *part, const struct tally *t)
{
    size_t found, asked = near_asked(t, &found);
    bool all = lore_streq(part, "all");
    const struct {
        const char *measure;
        double value;
        enum lore_eval_goal sense;
        double goal;
    } rows[] = {
        {"exact repeats flagged", percent(t->found[EXACT], t->asked[EXACT]) / 100,
            LORE_GOAL_AT_LEAST, 1},
        {"near repeats flagged", percent(found, asked) / 100, LORE_GOAL_AT_LEAST, 0.9},
        {"false alarms on later successes", percent(t->alarms, t->gains) / 100, LORE_GOAL_AT_MOST,
            0.05},
        {"exact, after accepted changes, named",
            percent(t->found[EXACT_LATER], t->asked[EXACT_LATER]) / 100, LORE_GOAL_NONE, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        lore_eval_add(
            e, (struct lore_eval_figure){"repeats", part, "lineage check", rows[i].measure,
                   rows[i].value, all ? rows[i].sense : LORE_GOAL_NONE, rows[i].goal});
}

static void
live_all(struct lore_eval *e, const struct tuning *data)
{
    struct tally all = {0}, by_habit[HABITS] = {0};
    uint64_t seed = 20260;

    lore_buf_printf(e->text, "%-24s %-14s", "share found, %", "recorded");
    for (size_t i = 0; i < PROBES; i++)
        lore_buf_printf(e->text, " %.6s", probes[i]);
    lore_buf_printf(e->text, " | gains, flagged, named\n");
    for (size_t i = 0; i < data->n; i++) {
        struct tally cell = {0};
        for (int h = 0; h < HABITS; h++) {
            struct tally t = {0};
            for (int k = 0; k < (e->quick ? 4 : LINEAGES); k++)
                live(&data->cell[i], (enum habit)h, &seed, &t);
            add(&cell, &t);
            add(&by_habit[h], &t);
        }
        print_row(e, data->cell[i].file, "all", &cell);
        add(&all, &cell);
    }
    for (int h = 0; h < HABITS; h++) {
        print_row(e, "all", habits[h], &by_habit[h]);
        add_figures(e, habits[h], &by_habit[h]);
    }
    print_row(e, "all", "all", &all);
    add_figures(e, "all", &all);
}

enum lore_status
lore_eval_repeats(struct lore_eval *e, struct lore_err *err)
{
    struct tuning data = {0};
    enum lore_status status =
        tuning_load(lore_format(e->arena, "%s/tuning", e->data), true, &data, err);

    if (status == LORE_OK)
        live_all(e, &data);
    tuning_free(&data);
    return status;
}
