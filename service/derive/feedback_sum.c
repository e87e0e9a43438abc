/* Sums over served advice. Results are grouped by item. Each item counts once in the line of its
 * chip, technique and list, once in its list, and once in the calibration. So ten attempts at one
 * idea count once. */
#include "service/derive/feedback_sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"

#define Z90 1.6448536269514722 /* two-sided 90 % normal quantile */

enum lore_item_outcome
lore_advice_outcome(const struct lore_advice_result *r)
{
    if (r->hidden)
        return LORE_ITEM_OPEN;
    if (r->correctness == LORE_C_FAIL || r->correctness == LORE_C_TIMEOUT || r->said_lost)
        return LORE_ITEM_NOT;
    switch (r->effect) {
    case LORE_X_WIN:
        return r->unearned ? LORE_ITEM_NOT : LORE_ITEM_WORKED;
    case LORE_X_NEUTRAL:
    case LORE_X_LOSS:
        return LORE_ITEM_NOT;
    case LORE_X_INCONCLUSIVE:
        return LORE_ITEM_INCONCLUSIVE;
    default:
        return LORE_ITEM_OPEN;
    }
}

const char *
lore_item_outcome_name(enum lore_item_outcome c)
{
    static const char *const names[] = {[LORE_ITEM_OPEN] = "open",
        [LORE_ITEM_INCONCLUSIVE] = "inconclusive",
        [LORE_ITEM_NOT] = "did_not",
        [LORE_ITEM_WORKED] = "worked"};

    return names[c];
}

double
lore_advice_regret(double followed, double best)
{
    double regret = 1 - fmax(1, followed) / fmax(1, best);

    return regret > 0 ? regret : 0;
}

/* Wilson's interval, which stays within 0 to 1 and is useful even for one trial. */
static void
finish(struct lore_advice_tally *t)
{
    double n = (double)(t->worked + t->did_not), p, middle, half;

    if (t->worked + t->did_not == 0)
        return;
    p = (double)t->worked / n;
    middle = (p + Z90 * Z90 / (2 * n)) / (1 + Z90 * Z90 / n);
    half = Z90 / (1 + Z90 * Z90 / n) * sqrt(p * (1 - p) / n + Z90 * Z90 / (4 * n * n));
    t->rate = (struct lore_f64){true, p};
    t->low = (struct lore_f64){true, fmax(0, middle - half)};
    t->high = (struct lore_f64){true, fmin(1, middle + half)};
}

static int
by_line(const void *a, const void *b)
{
    const struct lore_advice_line *x = a, *y = b;
    int order = strcmp(x->chip, y->chip);

    if (order == 0)
        order = strcmp(x->technique, y->technique);
    return order != 0 ? order : strcmp(x->list, y->list);
}

static int
by_list(const void *a, const void *b)
{
    return strcmp(
        ((const struct lore_advice_line *)a)->list, ((const struct lore_advice_line *)b)->list);
}

static struct lore_advice_line *
list_of(struct lore_advice_sum *s, const char *list, struct lore_arena *a, size_t *cap)
{
    struct lore_advice_line *line;

    for (size_t i = 0; i < s->n_lists; i++)
        if (strcmp(s->lists[i].list, list) == 0)
            return &s->lists[i];
    line = LORE_PUSH(a, s->lists, s->n_lists, *cap);
    line->list = list;
    return line;
}

static void
count_outcome(struct lore_advice_tally *t, enum lore_item_outcome outcome)
{
    t->worked += outcome == LORE_ITEM_WORKED;
    t->did_not += outcome == LORE_ITEM_NOT;
    t->inconclusive += outcome == LORE_ITEM_INCONCLUSIVE;
}

/* Update the best speedup of the answer of R. Results of one answer must be adjacent. */
static void
update_followed(struct lore_advice_sum *s, const struct lore_advice_result *r, struct lore_arena *a,
    size_t *cap)
{
    struct lore_advice_followed *f;
    bool wrong = r->correctness == LORE_C_FAIL || r->correctness == LORE_C_TIMEOUT;

    if (s->n_followed == 0 || s->followed[s->n_followed - 1].advice != r->advice) {
        f = LORE_PUSH(a, s->followed, s->n_followed, *cap);
        *f = (struct lore_advice_followed){r->advice, 1};
    }
    f = &s->followed[s->n_followed - 1];
    if (r->speedup.set && !wrong)
        f->speedup = fmax(f->speedup, r->speedup.v);
}

static bool
same_item(const struct lore_advice_result *a, const struct lore_advice_result *b)
{
    return a->advice == b->advice && a->rank == b->rank && strcmp(a->list, b->list) == 0;
}

/* The first decisive experiment of the item at RESULTS, else an inconclusive one, else NULL. *n is
 * the number of results of the item. */
static const struct lore_advice_result *
decide(const struct lore_advice_result *results, size_t left, size_t *n)
{
    const struct lore_advice_result *unsure = NULL, *decided = NULL;

    for (*n = 0; *n < left && same_item(results, &results[*n]); ++*n) {
        enum lore_item_outcome outcome = lore_advice_outcome(&results[*n]);

        if (!decided && outcome >= LORE_ITEM_NOT)
            decided = &results[*n];
        if (!unsure && outcome == LORE_ITEM_INCONCLUSIVE)
            unsure = &results[*n];
    }
    return decided ? decided : unsure;
}

static struct lore_advice_line *
line_of(struct lore_advice_sum *s, const struct lore_advice_result *r)
{
    struct lore_advice_line key = {
        .chip = r->chip != NULL ? r->chip : "", .technique = r->technique, .list = r->list};

    return s->n_lines == 0 ? NULL : bsearch(&key, s->lines, s->n_lines, sizeof key, by_line);
}

static void
add_counts(struct lore_advice_sum *s, const struct lore_advice_count *counts, size_t n,
    struct lore_arena *a, size_t *cap)
{
    s->lines = lore_alloc_array(a, n + 1, sizeof *s->lines);
    for (size_t i = 0; i < n; i++) {
        const struct lore_advice_count *c = &counts[i];
        struct lore_advice_tally t = {.served = c->served,
            .opened = c->opened,
            .applied = c->applied,
            .dismissed = c->dismissed};
        struct lore_advice_line *list = list_of(s, c->list, a, cap);

        s->lines[s->n_lines++] = (struct lore_advice_line){c->chip, c->technique, c->list, t};
        list->t.served += t.served;
        list->t.opened += t.opened;
        list->t.applied += t.applied;
        list->t.dismissed += t.dismissed;
    }
    if (n > 0)
        qsort(s->lines, n, sizeof *s->lines, by_line);
}

enum lore_status
lore_advice_sum(const struct lore_advice_served *served, struct lore_arena *arena,
    struct lore_advice_sum *out, struct lore_err *err)
{
    struct lore_prediction *predictions =
        lore_alloc_array(arena, served->n_results + 1, sizeof *predictions);
    struct lore_calibrations all = {0};
    struct lore_advice_sum s = {0};
    size_t n_predictions = 0, cap_lists = 0, cap_followed = 0;
    enum lore_status status;

    add_counts(&s, served->counts, served->n_counts, arena, &cap_lists);
    for (size_t i = 0, n = 1; i < served->n_results; i += n) {
        const struct lore_advice_result *r = decide(&served->results[i], served->n_results - i, &n);
        struct lore_advice_line *line = !r ? NULL : line_of(&s, r);
        enum lore_item_outcome outcome = !r ? LORE_ITEM_OPEN : lore_advice_outcome(r);

        if (line) {
            count_outcome(&line->t, outcome);
            count_outcome(&list_of(&s, r->list, arena, &cap_lists)->t, outcome);
        }
        if (outcome < LORE_ITEM_NOT)
            continue;
        if (r->p_win.set)
            predictions[n_predictions++] = (struct lore_prediction){.probability = r->p_win,
                .outcome = outcome == LORE_ITEM_WORKED ? LORE_HAPPENED_YES : LORE_HAPPENED_NO};
        if (strcmp(r->list, "avoid") != 0)
            update_followed(&s, r, arena, &cap_followed);
    }
    status = lore_calibration_of(predictions, n_predictions, arena, &all, err);
    if (status != LORE_OK)
        return status;
    s.calibration = all.total;
    for (size_t i = 0; i < s.n_lines; i++)
        finish(&s.lines[i].t);
    for (size_t i = 0; i < s.n_lists; i++)
        finish(&s.lists[i].t);
    if (s.n_lists > 0)
        qsort(s.lists, s.n_lists, sizeof *s.lists, by_list);
    *out = s;
    return LORE_OK;
}
