/* One pass over the rows. Everything that depends on the question alone (how far each chip is, what
 * each language and evidence class weighs) is a table made before the pass, so that a row costs a
 * few multiplications and one technique's sums. An experiment with several techniques gives each an
 * equal share of its weight: together they count as one experiment. */
#include "scan.h"

#include <math.h>
#include <string.h>

#include "model.h"
#include "text.h"

#define NO_SUCH (UINT32_MAX - 1) /* equals no id, and not "not recorded" either */

/* Which vendor's toolchain a language belongs to: 'a'md, 'n'vidia, or 0 for both. */
static char
toolchain(enum lore_language language)
{
    switch (language) {
    case LORE_LANG_HIP:
    case LORE_LANG_CK:
    case LORE_LANG_FLYDSL:
        return 'a';
    case LORE_LANG_CUDA:
    case LORE_LANG_CUTLASS:
    case LORE_LANG_CUTE_DSL:
        return 'n';
    default:
        return 0;
    }
}

static float
language_weight(enum lore_language asked, enum lore_language found)
{
    if (asked == LORE_LANG_NONE || asked == found)
        return 1;
    if (toolchain(asked) != 0 && toolchain(asked) == toolchain(found))
        return (float)lore_model(LORE_M_LANGUAGE_VENDOR);
    return (float)lore_model(LORE_M_LANGUAGE_OTHER);
}

static void
weigh_chips(struct lore_scan *s)
{
    const struct lore_chip *chips = lore_chips(&s->n_chips), *asked = s->q->chip;

    s->travel = lore_alloc(s->arena, s->n_chips + 1);
    s->travel_w = lore_alloc_array(s->arena, s->n_chips + 1, sizeof *s->travel_w);
    for (size_t i = 0; i <= s->n_chips; i++) {
        enum lore_travel t = lore_chip_travel(i < s->n_chips ? &chips[i] : NULL, asked);
        s->travel[i] = (uint8_t)(asked != NULL ? t : LORE_T_UNKNOWN);
        s->travel_w[i] = asked != NULL ? (float)lore_model(LORE_M_TRAVEL_CHIP + t) : 1;
    }
}

static void
weigh(struct lore_scan *s)
{
    weigh_chips(s);
    for (int i = 0; i < LORE_LANG_COUNT; i++)
        s->language_w[i] = language_weight(s->q->language, (enum lore_language)i);
    for (int i = 0; i < LORE_EV_COUNT; i++)
        s->evidence_w[i] = (float)lore_model(LORE_M_EVIDENCE_CLAIMED);
    s->evidence_w[LORE_EV_CONFIRMED] = s->evidence_w[LORE_EV_MEASURED] = 1;
    s->evidence_w[LORE_EV_IMPORTED] = (float)lore_model(LORE_M_EVIDENCE_IMPORTED);
    s->level_w[LORE_LEVEL_ANY] = (float)lore_model(LORE_M_CLOSE_OTHER);
    s->level_w[LORE_LEVEL_FAMILY] = (float)lore_model(LORE_M_CLOSE_FAMILY);
    s->level_w[LORE_LEVEL_OPERATOR] = s->shaped ? (float)lore_model(LORE_M_CLOSE_OPERATOR) : 1;
    s->level_w[LORE_LEVEL_SHAPE] = 1;
    s->labels_none_w = (float)lore_model(LORE_M_LABELS_UNKNOWN);
    s->labels_other_w =
        s->q->labels != 0 ? (float)lore_model(LORE_M_LABELS_DISJOINT) : s->labels_none_w;
    s->matched_w = (float)lore_model(LORE_M_MATCHED);
    s->clamp = (float)lore_model(LORE_M_GAIN_CLAMP);
    s->said_w = (float)lore_model(LORE_M_SAID_LOST);
    s->process_w[0] = 1;
    s->process_w[1] = (float)lore_model(LORE_M_PROCESS_BROKEN);
    s->similar_w = nextafterf(s->matched_w, 1); /* only matches are similar */
}

static uint32_t
known_or_no_such(const struct lore_evidence_index *ix, const char *name)
{
    uint32_t id = lore_evidence_find(ix, name);
    return id == LORE_NO_NAME ? NO_SUCH : id;
}

/* The family of the question: given, else the catalogue's, else what the evidence on the operator
 * says. */
static const char *
family_of(const struct lore_scan *s)
{
    size_t n;
    const struct lore_evidence_row *rows = lore_evidence_rows(s->ix, &n);

    if (s->q->family != NULL || s->q->op == NULL)
        return s->q->family;
    const struct lore_operator *op = lore_operator_find(s->q->op);
    if (op != NULL)
        return op->family;
    for (size_t i = 0; i < n && s->op != NO_SUCH; i++) {
        if (rows[i].op == s->op && rows[i].family != LORE_NO_NAME)
            return lore_evidence_text(s->ix, rows[i].family);
    }
    return NULL;
}

static enum lore_level
level_of(const struct lore_scan *s, const struct lore_evidence_row *row)
{
    bool family = row->family == s->family_id;

    if (s->q->op != NULL && row->op != s->op)
        return family ? LORE_LEVEL_FAMILY : LORE_LEVEL_ANY;
    if (s->q->op == NULL && s->q->family != NULL && !family)
        return LORE_LEVEL_ANY;
    return LORE_LEVEL_OPERATOR;
}

/* Which workloads are alike to the one asked about, and how much; itself is, even when its dims are
 * not known. */
static void
find_alike(struct lore_scan *s)
{
    uint32_t itself = lore_evidence_find(s->ix, s->q->workload);
    struct lore_shape_near *near = NULL;
    size_t n = 0;

    s->shaped = s->q->workload != NULL || s->q->shape != NULL;
    if (!s->shaped)
        return;
    s->alike = lore_alloc_array(s->arena, lore_evidence_names(s->ix) + 1, sizeof *s->alike);
    if (s->q->shape != NULL && s->op != NO_SUCH)
        n = lore_shapes_near(lore_evidence_shapes(s->ix), s->op, s->q->shape,
            lore_model(LORE_M_SHAPE_WIDTH), s->arena, &near);
    for (size_t i = 0; i < n; i++)
        s->alike[near[i].workload] = near[i].alike;
    if (itself != LORE_NO_NAME)
        s->alike[itself] = 1;
}

static float
alike_of(const struct lore_scan *s, const struct lore_evidence_row *row, enum lore_level level)
{
    if (!s->shaped || level != LORE_LEVEL_OPERATOR || row->workload == LORE_NO_NAME)
        return 0;
    return s->alike[row->workload];
}

static float
labels_weight(const struct lore_scan *s, uint32_t labels)
{
    float known = (labels & s->q->labels) != 0 ? 1 : s->labels_other_w;
    return labels == 0 ? s->labels_none_w : known;
}

static float
clamped(const struct lore_scan *s, float gain)
{
    float least = gain < -s->clamp ? -s->clamp : gain;
    return least > s->clamp ? s->clamp : least;
}

/* Inlined into the pass: a call and a copy per row would be a fifth of its time. */
__attribute__((always_inline)) static inline struct lore_said
read_row(const struct lore_scan *s, const struct lore_evidence_row *row)
{
    size_t chip = row->chip < s->n_chips ? row->chip : s->n_chips;
    bool wrong = row->correctness == LORE_C_FAIL || row->correctness == LORE_C_TIMEOUT;
    bool said_only = row->said_lost && row->effect == LORE_X_NOT_MEASURED && !wrong;
    struct lore_said said = {
        .level = level_of(s, row), .travel = (enum lore_travel)s->travel[chip]};
    float w = s->travel_w[chip] * s->language_w[row->language] * s->evidence_w[row->evidence] *
              labels_weight(s, row->labels) * s->process_w[row->process_broken];

    if (said_only)
        w *= s->said_w;
    said.weight = w;
    said.alike = alike_of(s, row, said.level);
    said.bearing = w * (said.alike + (1 - said.alike) * s->level_w[said.level]);
    said.counts = wrong || said_only || row->effect == LORE_X_WIN ||
                  row->effect == LORE_X_NEUTRAL || row->effect == LORE_X_LOSS;
    said.won = row->effect == LORE_X_WIN && !wrong;
    said.has_gain = !wrong && !isnan(row->log_speedup);
    said.gain = clamped(s, row->log_speedup);
    said.here =
        said.level == LORE_LEVEL_OPERATOR && (s->q->chip == NULL || said.travel <= LORE_T_SAME_ISA);
    return said;
}

struct lore_said
lore_scan_row(const struct lore_scan *s, const struct lore_evidence_row *row)
{
    return read_row(s, row);
}

static bool
tells_more(struct lore_ranked a, struct lore_ranked b)
{
    if (a.bearing != b.bearing)
        return a.bearing > b.bearing;
    float x = isnan(a.row->log_speedup) ? 0 : fabsf(a.row->log_speedup);
    float y = isnan(b.row->log_speedup) ? 0 : fabsf(b.row->log_speedup);
    return x != y ? x > y : a.row->seq > b.row->seq;
}

void
lore_rank(struct lore_ranked *list, size_t *n, size_t cap, const struct lore_evidence_row *row,
    float bearing)
{
    struct lore_ranked next = {row, bearing};
    size_t i = *n;

    if (*n == cap && !tells_more(next, list[cap - 1]))
        return;
    if (*n < cap)
        ++*n;
    else
        i--;
    for (; i > 0 && tells_more(next, list[i - 1]); i--)
        list[i] = list[i - 1];
    list[i] = next;
}

/* Whether the experiment gained, and ablation or machine code say that not by this technique. */
static bool
unearned(const struct lore_evidence_row *row)
{
    return row->share != LORE_SHARE_OPEN && row->correctness != LORE_C_FAIL &&
           row->correctness != LORE_C_TIMEOUT &&
           (row->effect == LORE_X_WIN || row->effect == LORE_X_NEUTRAL);
}

static struct lore_said
of_technique(const struct lore_evidence_row *row, struct lore_said said)
{
    if (!unearned(row))
        return said;
    said.won = false;
    said.gain = 0;
    said.has_gain = row->share == LORE_SHARE_INERT;
    return said;
}

struct lore_said
lore_scan_technique(const struct lore_scan *s, const struct lore_evidence_row *row)
{
    return of_technique(row, lore_scan_row(s, row));
}

bool
lore_scan_skips(const struct lore_scan *s, const struct lore_evidence_row *row)
{
    enum lore_evidence least = s->q->at_least;

    return (row->masked && !s->q->include_masked) ||
           (least != LORE_EV_NONE && (row->evidence == LORE_EV_NONE || row->evidence > least));
}

static void
add_gain(struct lore_tally *t, double x, double w)
{
    t->gain_w += w;
    t->gain_x += w * x;
    t->gain_xx += w * x * x;
}

/* What is counted once per experiment. */
static void
count_experiment(struct lore_scan *s, const struct lore_evidence_row *row, struct lore_said said)
{
    bool on_op = said.level == LORE_LEVEL_OPERATOR, on_chip = said.travel <= LORE_T_SAME_ISA;

    s->considered++;
    s->on_operator += on_op;
    s->on_chip += on_chip;
    s->on_both += on_op && on_chip;
    s->on_both_exact += on_op && said.travel == LORE_T_SAME_CHIP;
    s->matched += said.bearing > s->matched_w;
    s->from[said.travel] += said.bearing > s->matched_w;
    if (said.bearing >= s->similar_w) {
        lore_rank(s->similar, &s->n_similar, LORE_SIMILAR, row, said.bearing);
        if (s->n_similar == LORE_SIMILAR)
            s->similar_w = s->similar[LORE_SIMILAR - 1].bearing;
    }
    if (said.has_gain)
        add_gain(&s->all, said.gain, said.weight);
    if (!said.counts)
        return;
    s->judged++;
    s->wins += said.won;
    s->base_w += said.weight;
    s->base_won += said.won ? said.weight : 0;
}

static struct lore_tried *
tried_of(struct lore_scan *s, uint32_t technique)
{
    if (s->slot[technique] == 0) {
        struct lore_tried *t = LORE_PUSH(s->arena, s->tried, s->n_tried, s->cap_tried);
        t->name = technique;
        s->slot[technique] = (uint32_t)s->n_tried;
    }
    return &s->tried[s->slot[technique] - 1];
}

/* Sums in whole experiments; finish() adds up what is the sum of these. */
static void
count_technique(const struct lore_scan *s, struct lore_tried *t,
    const struct lore_evidence_row *row, struct lore_said said)
{
    struct lore_tally *level = &t->level[said.level];
    bool wrong = row->correctness == LORE_C_FAIL || row->correctness == LORE_C_TIMEOUT;
    bool none = unearned(row), near = said.travel <= s->near;
    bool lost = said.counts && !said.won && !none && (wrong || row->effect != LORE_X_NEUTRAL);

    t->effect[none ? LORE_X_NEUTRAL : row->effect]++;
    t->inert += none && row->share == LORE_SHARE_INERT;
    t->inert_here += none && row->share == LORE_SHARE_INERT && said.here;
    t->absent += none && row->share == LORE_SHARE_ABSENT;
    t->travel[said.travel]++;
    t->process_faults += row->process_broken;
    t->said_lost += row->said_lost && row->effect == LORE_X_NOT_MEASURED;
    t->alike += said.alike > 0;
    level->tried++;
    if (said.here) {
        t->here++;
        t->here_exact += said.travel == LORE_T_SAME_CHIP;
        t->here_judged += said.counts;
        t->won_here += said.won;
        t->lost_here += lost;
    }
    if (!said.counts)
        return;
    t->won_at[said.travel] += said.won;
    t->lost_at[said.travel] += lost;
    t->incorrect += wrong;
    level->judged++;
    level->wins += said.won;
    level->losses += lost;
    level->near_wins += near && said.won;
}

static void
add_weight(struct lore_tally *t, struct lore_said said, double w)
{
    if (said.has_gain)
        add_gain(t, said.gain, w);
    if (!said.counts)
        return;
    t->w += w;
    t->won += said.won ? w : 0;
}

static void
add_technique(struct lore_scan *s, const struct lore_evidence_row *row, struct lore_said said)
{
    struct lore_tried *t = tried_of(s, row->technique);
    struct lore_tally *level = &t->level[said.level];
    double w = row->siblings > 1 ? said.weight / row->siblings : said.weight;

    said = of_technique(row, said);
    count_technique(s, t, row, said);
    add_weight(level, said, w * (1 - said.alike));
    if (said.alike > 0)
        add_weight(&t->level[LORE_LEVEL_SHAPE], said, w * said.alike);
}

static void
finish(struct lore_scan *s)
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

void
lore_scan_run(struct lore_scan *s, const struct lore_evidence_index *ix,
    const struct lore_question *q, struct lore_arena *arena)
{
    size_t n;
    const struct lore_evidence_row *rows = lore_evidence_rows(ix, &n);

    *s = (struct lore_scan){.ix = ix, .q = q, .arena = arena};
    s->op = known_or_no_such(ix, q->op);
    s->family = family_of(s);
    s->family_id = known_or_no_such(ix, s->family);
    s->slot = lore_alloc_array(arena, lore_evidence_names(ix) + 1, sizeof *s->slot);
    s->near = q->chip != NULL ? LORE_T_SAME_VENDOR : LORE_T_UNKNOWN;
    find_alike(s);
    weigh(s);
    for (size_t i = 0; i < n; i++) {
        const struct lore_evidence_row *row = &rows[i];
        if (lore_scan_skips(s, row))
            continue;
        struct lore_said said = read_row(s, row);
        if (row->first)
            count_experiment(s, row, said);
        if (!lore_evidence_nameless(ix, row->technique))
            add_technique(s, row, said);
    }
    finish(s);
}
