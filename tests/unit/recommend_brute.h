/* The recommender as one plain pass over rows: every row weighed by itself, in the order in which
 * they came. Slow and short, it is what the index is compared with, in numbers by
 * test_recommend_oracle.c and in time by tests/bench/recommend_scale.c. */
#ifndef LORE_TESTS_UNIT_RECOMMEND_BRUTE_H
#define LORE_TESTS_UNIT_RECOMMEND_BRUTE_H

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/ulid.h"
#include "service/base/xalloc.h"
#include "service/recommend/lists.h"
#include "service/recommend/model.h"
#include "service/recommend/words.h"

struct brute {
    const struct lore_evidence_index *ix; /* for its names and shapes alone */
    struct lore_evidence_row *rows;
    size_t n, cap;
};
struct brute_said {
    double weight;
    float bearing, gain, alike;
    enum lore_tally_level level;
    enum lore_travel travel;
    bool counts, won, has_gain, here, said;
};
struct brute_ranked {
    const struct lore_evidence_row *row;
    float bearing;
};
struct brute_cites {
    struct brute_ranked won[LORE_CITED], other[LORE_CITED];
    size_t n_won, n_other, n_logs, cap_logs, n_workloads, cap_workloads;
    struct lore_words_seen seen;
    float *logs, worst_log;
    const struct lore_evidence_row *worst;
    uint32_t *workloads;
};
/* The rows of one technique in one place: they are alike. */
struct brute_group {
    struct brute_said said;
    uint32_t technique, labels, triggers;
    double n, won, gains, x, xx;         /* of the operator and farther */
    double alike_n, alike_won, alike[3]; /* of alike shapes */
};
struct brute_answer {
    struct lore_scan s; /* its sums and counts; not its cells */
    struct lore_lists lists;
    struct brute_ranked similar[LORE_SIMILAR];
    size_t n_similar;
    struct brute_cites *cites; /* of advice, then avoid */
    struct lore_keys keys;     /* what the rows of a group have in common, as a hash */
    struct brute_group *group;
    uint32_t cap_group;
};

/* The row as the index would keep it; FIRST and SIBLINGS are the caller's. */
static inline struct lore_evidence_row *
brute_push(struct brute *b)
{
    if (b->n == b->cap) {
        b->cap = b->cap == 0 ? 256 : b->cap * 2;
        b->rows = realloc(b->rows, b->cap * sizeof *b->rows);
        if (!b->rows)
            abort();
    }
    return &b->rows[b->n++];
}

/* Its year: told, or of its id, whichever comes first. */
static inline uint8_t
brute_year(const struct lore_evidence_in *in)
{
    double year_ms = 365.2425 * 24 * 3600 * 1000, told = (double)in->at_us / 1000 / year_ms;
    double id =
        lore_ulid_valid(in->experiment) ? (double)lore_ulid_ms(in->experiment) / year_ms : 0;

    told = told < 30 ? INFINITY : told;
    id = id < 30 ? INFINITY : id;
    return fmin(told, id) < INFINITY ? (uint8_t)(fmin(told, id) - 29) : 0;
}

static inline void
brute_fill(const struct brute *b, const struct lore_evidence_in *in, struct lore_evidence_row *row)
{
    size_t n;
    const struct lore_chip *chips = lore_chips(&n),
                           *chip = in->chip != NULL ? lore_chip_find(in->chip) : NULL;
    uint8_t siblings = row->siblings, first = row->first;

    *row = (struct lore_evidence_row){.effect = (uint8_t)in->effect,
        .correctness = (uint8_t)in->correctness,
        .evidence = (uint8_t)in->evidence,
        .language = (uint8_t)lore_language_find(in->language),
        .process_broken = in->process_broken,
        .masked = in->masked,
        .chip = chip != NULL ? (uint16_t)(chip - chips) : UINT16_MAX,
        .op = lore_evidence_find(b->ix, in->op),
        .family = lore_evidence_find(b->ix, in->family),
        .technique = lore_evidence_find(b->ix, in->technique),
        .workload = lore_evidence_find(b->ix, in->workload),
        .labels = in->labels,
        .labels_derived = in->labels_derived,
        .log_speedup = in->speedup > 0 ? (float)log(in->speedup) : NAN,
        .siblings = siblings,
        .first = first,
        .said_lost = in->said_lost,
        .share = (uint8_t)in->share,
        .step = in->step,
        .year = brute_year(in),
        .seq = in->seq};
    snprintf(row->experiment, sizeof row->experiment, "%s", in->experiment);
}

/* After IN went into the index; SEARCH: it may be of an experiment that is there already. Rows are
 * in the order of their experiments. */
static inline void
brute_add(struct brute *b, const struct lore_evidence_in *in, bool search)
{
    uint32_t technique = lore_evidence_find(b->ix, in->technique);
    size_t first = b->n, count = 0, at;

    for (size_t i = 0; search && i < b->n; i++) {
        if (strcmp(b->rows[i].experiment, in->experiment) != 0)
            continue;
        if (b->rows[i].technique == technique) {
            brute_fill(b, in, &b->rows[i]);
            return;
        }
        first = count++ == 0 ? i : first;
    }
    (void)brute_push(b);
    at = first + count;
    memmove(&b->rows[at + 1], &b->rows[at], (b->n - 1 - at) * sizeof *b->rows);
    b->rows[at] = (struct lore_evidence_row){.first = count == 0};
    brute_fill(b, in, &b->rows[at]);
    for (size_t i = first; i <= at; i++)
        b->rows[i].siblings = (uint8_t)(count + 1);
}

static inline double
brute_language(enum lore_language asked, enum lore_language found)
{
    static const char of[LORE_LANG_COUNT] = {[LORE_LANG_HIP] = 'a',
        [LORE_LANG_CK] = 'a',
        [LORE_LANG_FLYDSL] = 'a',
        [LORE_LANG_CUDA] = 'n',
        [LORE_LANG_CUTLASS] = 'n',
        [LORE_LANG_CUTE_DSL] = 'n'};

    if (asked == LORE_LANG_NONE || asked == found)
        return 1;
    return lore_model(
        of[asked] != 0 && of[asked] == of[found] ? LORE_M_LANGUAGE_VENDOR : LORE_M_LANGUAGE_OTHER);
}

static inline enum lore_tally_level
brute_level_of(const struct lore_scan *s, const struct lore_evidence_row *row)
{
    bool family = row->family == s->family_id;

    if (s->q->op && row->op != s->op)
        return family ? LORE_LEVEL_FAMILY : LORE_LEVEL_ANY;
    if (!s->q->op && s->q->family && !family)
        return LORE_LEVEL_ANY;
    return LORE_LEVEL_OPERATOR;
}

static inline struct brute_said
brute_read(const struct lore_scan *s, const struct lore_evidence_row *row)
{
    static const enum lore_model_index classes[LORE_EV_COUNT] = {LORE_M_EVIDENCE_CLAIMED,
        LORE_M_EVIDENCE_CONFIRMED, 0, LORE_M_EVIDENCE_IMPORTED, LORE_M_EVIDENCE_CLAIMED};
    size_t n;
    const struct lore_chip *chips = lore_chips(&n),
                           *chip = row->chip < n ? &chips[row->chip] : NULL;
    const struct lore_question *q = s->q;
    enum lore_travel travel = lore_chip_travel(chip, q->chip);
    bool wrong = row->correctness == LORE_C_FAIL || row->correctness == LORE_C_TIMEOUT;
    bool said_only = row->said_lost && row->effect == LORE_X_NOT_MEASURED && !wrong;
    float most = (float)lore_model(LORE_M_GAIN_CLAMP), x = row->log_speedup;
    struct brute_said said = {
        .level = brute_level_of(s, row), .travel = q->chip != NULL ? travel : LORE_T_UNKNOWN};
    double w = q->chip != NULL ? lore_model(LORE_M_TRAVEL_CHIP + travel) : 1, grade = 1;

    w *= brute_language(q->language, (enum lore_language)row->language);
    if (row->labels == 0 || q->labels == 0)
        w *= lore_model(LORE_M_LABELS_UNKNOWN);
    else if ((row->labels & q->labels) == 0)
        w *= lore_model(LORE_M_LABELS_DISJOINT);
    grade *= classes[row->evidence] == 0 ? 1 : lore_model(classes[row->evidence]);
    grade *= row->process_broken ? lore_model(LORE_M_PROCESS_BROKEN) : 1;
    grade *= said_only ? lore_model(LORE_M_SAID_LOST) : 1;
    if (row->year != 0)
        grade *= pow(lore_model(LORE_M_RECENCY_YEAR), abs(s->year - row->year));
    if (s->shaped && said.level == LORE_LEVEL_OPERATOR && row->workload != LORE_NO_NAME)
        said.alike = s->alike[row->workload];
    said.weight = w * grade;
    said.said = said_only;
    said.bearing = (float)said.weight * (said.alike + (1 - said.alike) * s->level_w[said.level]);
    said.counts = wrong || said_only || row->effect == LORE_X_WIN ||
                  row->effect == LORE_X_NEUTRAL || row->effect == LORE_X_LOSS;
    said.won = row->effect == LORE_X_WIN && !wrong;
    said.has_gain = !wrong && !isnan(x);
    said.gain = x < -most ? -most : x > most ? most : x;
    said.here = said.level == LORE_LEVEL_OPERATOR && (!q->chip || said.travel <= LORE_T_SAME_ISA);
    return said;
}

static inline bool
brute_unearned(const struct lore_evidence_row *row)
{
    return row->share != LORE_SHARE_OPEN && row->correctness != LORE_C_FAIL &&
           row->correctness != LORE_C_TIMEOUT && row->effect == LORE_X_WIN;
}

static inline struct brute_said
brute_technique(const struct lore_evidence_row *row, struct brute_said said)
{
    if (!brute_unearned(row))
        return said;
    said.won = false;
    said.gain = 0;
    said.has_gain = row->share == LORE_SHARE_INERT;
    return said;
}

static inline bool
brute_skips(const struct lore_scan *s, const struct lore_evidence_row *row)
{
    enum lore_evidence least = s->q->at_least;

    return (row->masked && !s->q->include_masked) ||
           (row->step && brute_level_of(s, row) < LORE_LEVEL_OPERATOR) ||
           (least != LORE_EV_NONE && (row->evidence == LORE_EV_NONE || row->evidence > least));
}

static inline bool
brute_tells_more(struct brute_ranked a, struct brute_ranked b)
{
    float x = isnan(a.row->log_speedup) ? 0 : fabsf(a.row->log_speedup);
    float y = isnan(b.row->log_speedup) ? 0 : fabsf(b.row->log_speedup);

    if (a.bearing != b.bearing)
        return a.bearing > b.bearing;
    return x != y ? x > y : a.row->seq > b.row->seq;
}

static inline void
brute_rank(struct brute_ranked *list, size_t *n, size_t cap, struct brute_ranked next)
{
    size_t i = *n;

    if (*n == cap && !brute_tells_more(next, list[cap - 1]))
        return;
    if (*n < cap)
        ++*n;
    else
        i--;
    for (; i > 0 && brute_tells_more(next, list[i - 1]); i--)
        list[i] = list[i - 1];
    list[i] = next;
}

static inline void
brute_weigh(struct lore_tally *t, struct brute_said said, double w)
{
    if (said.has_gain) {
        t->gain_w += w;
        t->gain_x += w * said.gain;
        t->gain_xx += w * said.gain * said.gain;
    }
    t->w += said.counts ? w : 0;
    t->won += said.counts && said.won ? w : 0;
}

static inline void
brute_experiment(
    struct brute_answer *a, const struct lore_evidence_row *row, struct brute_said said)
{
    struct lore_scan *s = &a->s;
    bool on_op = said.level == LORE_LEVEL_OPERATOR, on_chip = said.travel <= LORE_T_SAME_ISA;
    struct lore_tally before = s->all;

    s->considered++;
    s->on_operator += on_op;
    s->on_chip += on_chip;
    s->on_both += on_op && on_chip;
    s->on_both_exact += on_op && said.travel == LORE_T_SAME_CHIP;
    s->matched += said.bearing > s->matched_w;
    s->from[said.travel] += said.bearing > s->matched_w;
    if (said.bearing > s->matched_w)
        brute_rank(
            a->similar, &a->n_similar, LORE_SIMILAR, (struct brute_ranked){row, said.bearing});
    brute_weigh(&s->all, said, said.weight);
    s->base_w += s->all.w - before.w;
    s->base_won += s->all.won - before.won;
    s->judged += said.counts;
    s->wins += said.counts && said.won;
}

static inline struct lore_tried *
brute_tried(struct lore_scan *s, uint32_t technique)
{
    uint32_t *slot = &s->slot[lore_keys_find(&s->ix->techniques, technique)];

    if (*slot == 0) {
        s->tried[s->n_tried].name = technique;
        *slot = (uint32_t)++s->n_tried;
    }
    return &s->tried[*slot - 1];
}

static inline void
brute_count(struct lore_scan *s, struct lore_tried *t, const struct lore_evidence_row *row,
    struct brute_said said)
{
    struct lore_tally *level = &t->level[said.level];
    bool wrong = row->correctness == LORE_C_FAIL || row->correctness == LORE_C_TIMEOUT;
    bool none = brute_unearned(row), inert = none && row->share == LORE_SHARE_INERT;
    bool lost = said.counts && !said.won && !none && (wrong || row->effect != LORE_X_NEUTRAL);

    t->effect[none                                 ? LORE_X_NEUTRAL
              : wrong && row->effect == LORE_X_WIN ? LORE_X_LOSS
                                                   : row->effect]++;
    t->inert += inert;
    t->inert_here += inert && said.here;
    t->absent += none && row->share == LORE_SHARE_ABSENT;
    t->travel[said.travel]++;
    t->process_faults += row->process_broken;
    t->said_lost += said.said;
    t->alike += said.alike > 0;
    level->tried++;
    t->here += said.here;
    t->here_exact += said.here && said.travel == LORE_T_SAME_CHIP;
    t->here_judged += said.here && said.counts;
    t->won_here += said.here && said.won;
    t->lost_here += said.here && lost;
    t->won_at[said.travel] += said.counts && said.won;
    t->lost_at[said.travel] += lost;
    t->backed += said.counts && said.won && row->evidence != LORE_EV_NONE &&
                 row->evidence != LORE_EV_CLAIMED;
    t->incorrect += said.counts && wrong;
    level->judged += said.counts;
    level->wins += said.counts && said.won;
    level->losses += lost;
    level->near_wins += said.counts && said.won && said.travel <= s->near;
}

/* FNV-1a of what makes two rows alike. */
static inline uint64_t
brute_key(const struct lore_evidence_row *row, struct brute_said said)
{
    const uint32_t same[] = {row->technique, row->op, row->family, row->chip, row->language,
        row->evidence, row->year, row->process_broken, row->masked, row->step, said.said,
        row->labels};
    uint64_t h = 0xcbf29ce484222325u;

    for (size_t i = 0; i < sizeof same; i++)
        h = (h ^ ((const unsigned char *)same)[i]) * 0x100000001b3u;
    return h;
}

static inline void
brute_add_technique(
    struct brute_answer *a, const struct lore_evidence_row *row, struct brute_said said)
{
    struct lore_scan *s = &a->s;
    uint32_t n = a->keys.n, g = lore_keys_add(&a->keys, brute_key(row, said));
    const struct lore_technique *known =
        lore_technique_find(lore_evidence_text(s->ix, row->technique));
    bool named = !s->ix->technique[lore_keys_find(&s->ix->techniques, row->technique)].nameless;

    a->group = lore_keys_room(a->group, g, &a->cap_group, sizeof *a->group);
    struct brute_group *group = &a->group[g];
    if (g == n)
        *group = (struct brute_group){.said = said,
            .technique = named ? row->technique : LORE_NO_NAME,
            .labels = row->labels,
            .triggers = known ? known->triggers : 0};
    said = brute_technique(row, said);
    if (named)
        brute_count(s, brute_tried(s, row->technique), row, said);
    double as = said.alike, one = 1.0 / row->siblings;
    group->n += said.counts * one * (1 - as);
    group->alike_n += said.counts * one * as;
    group->won += (said.counts && said.won) * one * (1 - as);
    group->alike_won += (said.counts && said.won) * one * as;
    if (!said.has_gain)
        return;
    double x = said.gain, moments[] = {1, x, x * x};
    group->gains += one * (1 - as);
    group->x += one * (1 - as) * x;
    group->xx += one * (1 - as) * x * x;
    for (int i = 0; i < 3; i++)
        group->alike[i] += one * as * moments[i];
}

static inline double
brute_each(double n)
{
    return n > 1 ? 1 / (1 + (n - 1) * lore_model(LORE_M_WITNESS)) : 1;
}

static inline void
brute_level(struct lore_tally *t, double w, double n, double won, const double gains[3])
{
    t->w += w * n;
    t->won += w * won;
    t->gain_w += w * gains[0];
    t->gain_x += w * gains[1];
    t->gain_xx += w * gains[2];
}

/* What a group says, once all of its rows are known. FIT: wins and experiments of its technique
 * where the bottleneck is one that it is for, and where it is another. */
static inline void
brute_add_group(struct lore_scan *s, const struct brute_group *g, double fit[2][2])
{
    struct lore_tried *t = brute_tried(s, g->technique);
    double n = g->n + g->alike_n, won = g->won + g->alike_won, w = g->said.weight;
    double rest = w * brute_each(fmax(g->n, g->gains));
    double shape = w * brute_each(fmax(g->alike_n, g->alike[0]));
    double each = brute_each(fmax(n, g->gains + g->alike[0]));
    bool fits = (g->labels & g->triggers) != 0;

    brute_level(
        &t->level[g->said.level], rest, g->n, g->won, (const double[]){g->gains, g->x, g->xx});
    brute_level(&t->level[LORE_LEVEL_SHAPE], shape, g->alike_n, g->alike_won, g->alike);
    if (g->said.here)
        t->here_w += shape * g->alike_n + (s->shaped ? 0 : rest * g->n);
    if ((g->labels & s->q->labels) != 0)
        t->same_labels_w += shape * g->alike_n + rest * g->n;
    if (g->labels != 0 && g->triggers != 0) {
        fit[fits][0] += each * n;
        fit[fits][1] += each * won;
    }
    if (g->said.level != LORE_LEVEL_OPERATOR || n == 0)
        return;
    t->between.n++;
    t->between.w += n;
    t->between.ww += n * n;
    t->between.won += won;
    t->between.won2 += won * won / n;
}

static inline void
brute_add_groups(struct brute_answer *a)
{
    for (size_t t = 0; t < a->s.n_tried; t++) {
        double fit[2][2] = {{0}};
        for (uint32_t i = 0; i < a->keys.n; i++)
            if (a->group[i].technique == a->s.tried[t].name)
                brute_add_group(&a->s, &a->group[i], fit);
        double n = fit[0][0] + fit[1][0];
        if (n > 0) {
            a->s.won_against += fit[0][1] * (fit[1][0] - fit[1][1]) / n;
            a->s.won_for += fit[1][1] * (fit[0][0] - fit[0][1]) / n;
        }
    }
    lore_keys_free(&a->keys);
    lore_xfree(a->group);
}

static inline void
brute_question(struct lore_scan *s, const struct brute *b, const struct lore_question *q,
    struct lore_arena *arena)
{
    const struct lore_operator *known = q->op != NULL ? lore_operator_find(q->op) : NULL;
    struct lore_shape_near *near = NULL;
    size_t n = 0;

    *s = (struct lore_scan){.ix = b->ix, .q = q, .arena = arena};
    s->family = q->family != NULL || !known ? q->family : known->family;
    s->op = lore_evidence_find(b->ix, q->op);
    for (size_t i = 0; i < b->n && !s->family && q->op; i++)
        if (s->op != LORE_NO_NAME && b->rows[i].op == s->op && b->rows[i].family != LORE_NO_NAME)
            s->family = lore_evidence_text(b->ix, b->rows[i].family);
    s->family_id = lore_evidence_find(b->ix, s->family);
    if (s->family_id == LORE_NO_NAME)
        s->family_id = LORE_NO_NAME - 1;
    s->near = q->chip != NULL ? LORE_T_SAME_VENDOR : LORE_T_UNKNOWN;
    s->year = q->year;
    for (size_t i = 0; i < b->n && q->year == 0; i++)
        s->year = b->rows[i].year > s->year ? b->rows[i].year : s->year;
    s->slot = lore_alloc_array(arena, (size_t)b->ix->techniques.n + 1, sizeof *s->slot);
    s->tried = lore_alloc_array(arena, (size_t)b->ix->techniques.n + 1, sizeof *s->tried);
    s->matched_w = (float)lore_model(LORE_M_MATCHED);
    s->not_limits = q->labels ? ~q->labels : q->not_limits;
    s->shaped = q->workload != NULL || q->shape;
    s->level_w[LORE_LEVEL_ANY] = (float)lore_model(LORE_M_CLOSE_OTHER);
    s->level_w[LORE_LEVEL_FAMILY] = (float)lore_model(LORE_M_CLOSE_FAMILY);
    s->level_w[LORE_LEVEL_OPERATOR] = s->shaped ? (float)lore_model(LORE_M_CLOSE_OPERATOR) : 1;
    s->level_w[LORE_LEVEL_SHAPE] = 1;
    s->alike = lore_alloc_array(arena, lore_evidence_names(b->ix) + 1, sizeof *s->alike);
    if (q->shape && s->op != LORE_NO_NAME)
        n = lore_shapes_near(
            b->ix->shapes, s->op, q->shape, lore_model(LORE_M_SHAPE_WIDTH), arena, &near);
    for (size_t i = 0; i < n; i++)
        s->alike[near[i].workload] = near[i].alike;
    if (lore_evidence_find(b->ix, q->workload) != LORE_NO_NAME)
        s->alike[lore_evidence_find(b->ix, q->workload)] = 1;
    if (s->op == LORE_NO_NAME)
        s->op = LORE_NO_NAME - 1;
}

static inline void
brute_finish(struct lore_scan *s)
{
    for (size_t i = 0; i < s->n_tried; i++) {
        struct lore_tried *t = &s->tried[i];
        for (int l = 0; l < LORE_LEVEL_COUNT; l++) {
            t->wins += t->level[l].wins;
            t->misses += t->level[l].judged - t->level[l].wins;
            t->effective_n += t->level[l].w * s->level_w[l];
        }
        t->close_wins = t->level[LORE_LEVEL_OPERATOR].wins + t->won_at[LORE_T_SAME_CHIP] +
                        t->won_at[LORE_T_SAME_ISA];
    }
    while (s->nearest < LORE_T_UNKNOWN && s->from[s->nearest] == 0)
        s->nearest++;
}

/* Two names are in the order of the alphabet. */
static inline void
brute_order(const struct brute *b, struct lore_words_names *names)
{
    uint32_t first = names->op[0];

    if (names->n != LORE_NAMED ||
        strcmp(lore_evidence_text(b->ix, first), lore_evidence_text(b->ix, names->op[1])) < 0)
        return;
    names->op[0] = names->op[1];
    names->op[1] = first;
}

static inline void
brute_name(struct lore_words_names *names, uint32_t op)
{
    for (uint32_t i = 0; i < names->n && i < LORE_NAMED; i++)
        if (names->op[i] == op)
            return;
    if (op == LORE_NO_NAME)
        names->n = LORE_NAMED;
    if (names->n < LORE_NAMED)
        names->op[names->n] = op;
    if (names->n <= LORE_NAMED)
        names->n++;
}

static inline void
brute_see(const struct lore_scan *s, const struct lore_tried *t,
    const struct lore_evidence_row *row, struct brute_said said, struct brute_cites *c)
{
    bool near = t->here > 0 ? said.here : said.level == lore_words_closest(t);
    float x = brute_unearned(row) ? 0 : row->log_speedup;
    struct brute_ranked r = {row, said.bearing};
    size_t i = 0;

    if (said.won)
        brute_rank(c->won, &c->n_won, LORE_CITED, r);
    else
        brute_rank(c->other, &c->n_other, LORE_CITED, r);
    if (near)
        brute_name(&c->seen.near, row->op);
    else if (said.won)
        brute_name(&c->seen.far, row->op);
    int years = row->year != 0 && s->year != 0 ? abs(s->year - row->year) : 0;
    if (near && years < c->seen.years)
        c->seen.years = years;
    if (near && said.has_gain)
        *LORE_PUSH(s->arena, c->logs, c->n_logs, c->cap_logs) = x;
    if (said.has_gain && (!c->worst || x < c->worst_log)) {
        c->worst = row;
        c->worst_log = x;
    }
    if (row->workload == LORE_NO_NAME)
        return;
    while (i < c->n_workloads && c->workloads[i] != row->workload)
        i++;
    if (i == c->n_workloads)
        *LORE_PUSH(s->arena, c->workloads, c->n_workloads, c->cap_workloads) = row->workload;
}

static inline int
brute_by_log(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static inline void
brute_collect(const struct brute *b, struct brute_answer *a)
{
    struct lore_scan *s = &a->s;
    const struct lore_candidates *advice = &a->lists.advice, *avoid = &a->lists.avoid;
    size_t n = advice->n + avoid->n;
    uint32_t *wanted = lore_alloc_array(s->arena, s->n_tried + 1, sizeof *wanted);

    a->cites = lore_alloc_array(s->arena, n + 1, sizeof *a->cites);
    for (size_t i = 0; i < n; i++) {
        const struct lore_candidate *c = i < advice->n ? &advice->v[i] : &avoid->v[i - advice->n];
        a->cites[i].seen.years = INT_MAX;
        wanted[c->tried - s->tried] = (uint32_t)i + 1;
    }
    for (size_t i = 0; i < b->n; i++) {
        const struct lore_evidence_row *row = &b->rows[i];
        uint32_t slot = s->slot[lore_keys_find(&s->ix->techniques, row->technique)];
        if (brute_skips(s, row) || slot == 0 || wanted[slot - 1] == 0)
            continue;
        brute_see(s, &s->tried[slot - 1], row, brute_technique(row, brute_read(s, row)),
            &a->cites[wanted[slot - 1] - 1]);
    }
    for (size_t i = 0; i < n; i++) {
        struct brute_cites *c = &a->cites[i];
        size_t half = c->n_logs / 2;
        brute_order(b, &c->seen.near);
        brute_order(b, &c->seen.far);
        if (c->n_logs > 0)
            qsort(c->logs, c->n_logs, sizeof *c->logs, brute_by_log);
        c->seen.measured = c->n_logs;
        if (c->n_logs > 0)
            c->seen.median =
                exp(c->n_logs % 2 == 1 ? c->logs[half] : (c->logs[half] + c->logs[half - 1]) / 2);
    }
}

/* The whole answer; everything in ARENA. */
static inline void
brute_recommend(const struct brute *b, const struct lore_question *q, struct lore_arena *arena,
    struct brute_answer *a)
{
    *a = (struct brute_answer){.n_similar = 0};
    brute_question(&a->s, b, q, arena);
    for (size_t i = 0; i < b->n; i++) {
        const struct lore_evidence_row *row = &b->rows[i];
        if (brute_skips(&a->s, row))
            continue;
        struct brute_said said = brute_read(&a->s, row);
        if (row->first)
            brute_experiment(a, row, said);
        brute_add_technique(a, row, said);
    }
    brute_add_groups(a);
    brute_finish(&a->s);
    lore_lists_fill(&a->s, q->limit != 0 ? q->limit : 10, &a->lists);
    brute_collect(b, a);
}

#endif
