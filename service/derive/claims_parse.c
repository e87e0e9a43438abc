/* The parser of one item. It reads tokens from left to right. The words before the first sign,
 * number or direction name the metric; in "increase occupancy" it is the words after. For the range
 * the first token wins, but "> 50 and < 80" sets both ends. */
#include "service/derive/claims_parse.h"

#include <math.h>
#include <string.h>

#include "service/base/text.h"
#include "service/derive/claims_metric.h"
#include "service/derive/claims_token.h"

enum mode { PLAIN, BELOW, ABOVE, EQUAL, TARGET, CHANGE, FROM };

struct reading {
    const struct lore_claim_token *v;
    size_t n;
    bool inside; /* read the text within parentheses, not the text outside */
    enum mode mode;
    bool mode_inclusive;
    bool up, down, same, better, worse, faster;
    struct lore_f64 from, target_low, target_high;
    char target_unit;
    char level_unit; /* of out->low and out->high */
    struct lore_movement *out;
};

static const char *
trimmed(struct lore_arena *arena, const char *s, size_t n)
{
    while (n > 0 && (strchr(" \t\r\n(:*", s[0]) || (s[0] == '-' && n > 1 && s[1] == ' ')))
        s++, n--;
    while (n > 0 && strchr(" \t\r\n(:*-.,;/", s[n - 1]))
        n--;
    return lore_strndup(arena, s, n);
}

static bool
is_name(const struct lore_claim_token *t)
{
    return t->kind == LORE_TOK_WORD;
}

/* A name does not start with a preposition: "no change in registers". */
static bool
is_preposition(const char *item, const struct lore_claim_token *t)
{
    return t->len == 2 &&
           (strncmp(item + t->at, "in", 2) == 0 || strncmp(item + t->at, "of", 2) == 0);
}

static const char *
metric_name(const char *item, const struct lore_claim_token *v, size_t n, struct lore_arena *arena)
{
    size_t first = 0, last;

    while (first < n && (!is_name(&v[first]) || is_preposition(item, &v[first])))
        first++;
    if (first == n)
        return trimmed(arena, item, strlen(item));
    for (last = first; last + 1 < n && !v[last + 1].inside && is_name(&v[last + 1]);)
        last++;
    const char *name = trimmed(arena, item + v[first].at, v[last].at + v[last].len - v[first].at);
    return *name ? name : trimmed(arena, item, strlen(item));
}

static void
set_end(struct reading *r, struct lore_f64 *end, double value, char unit)
{
    if (end->set || r->out->range == LORE_RANGE_CHANGE)
        return;
    *end = (struct lore_f64){true, value};
    r->out->range = LORE_RANGE_LEVEL;
    r->out->inclusive |= r->mode_inclusive;
    r->level_unit = unit;
}

/* A single number is the least change: no measurement is exactly "by 50 %". */
static void
set_change(struct reading *r, const struct lore_claim_token *low, double high)
{
    double a = low->value, b = high;

    if (r->out->range != LORE_RANGE_NONE)
        return;
    r->out->range = LORE_RANGE_CHANGE;
    r->out->low = (struct lore_f64){true, fmin(a, b)};
    r->out->high = (struct lore_f64){a != b, a != b ? fmax(a, b) : 0};
    r->level_unit = low->unit;
}

static void
set_target(struct reading *r, double low, double high, char unit)
{
    if (r->target_low.set)
        return;
    r->target_low = (struct lore_f64){true, fmin(low, high)};
    r->target_high = (struct lore_f64){true, fmax(low, high)};
    r->target_unit = unit;
}

static bool
has_direction(const struct reading *r)
{
    return r->up || r->down || r->better || r->worse || r->faster;
}

/* Use a number, or the range LOW to HIGH, according to the mode that earlier words set. */
static void
take_number(struct reading *r, const struct lore_claim_token *low, double high)
{
    bool is_change = low->unit == '%' || low->unit == 'x';

    switch (r->mode) {
    case BELOW:
        set_end(r, &r->out->high, high, low->unit);
        break;
    case ABOVE:
        set_end(r, &r->out->low, low->value, low->unit);
        break;
    case EQUAL:
    case TARGET:
        set_target(r, low->value, high, low->unit);
        break;
    case FROM:
        if (!r->from.set)
            r->from = (struct lore_f64){true, low->value};
        break;
    case PLAIN:
    case CHANGE:
        r->up |= low->sign == '+' && is_change;
        r->down |= low->sign == '-' && is_change;
        if (is_change && (r->mode == CHANGE || has_direction(r)))
            set_change(r, low, high);
        else if (r->mode == PLAIN)
            set_target(r, low->value, high, low->unit);
        break;
    }
    r->mode = PLAIN;
    r->mode_inclusive = false;
}

/* Numbers I and I + 2 with a dash or "to" between them form a range; the unit may follow only the
 * second. Returns the number of tokens that were used. */
static size_t
take_range(struct reading *r, size_t i)
{
    const struct lore_claim_token *v = &r->v[i];
    struct lore_claim_token low = v[0];
    bool is_range = i + 2 < r->n && v[2].kind == LORE_TOK_NUMBER && !v[2].sign &&
                    v[2].inside == r->inside && r->mode != FROM &&
                    (v[1].kind == LORE_TOK_DASH || v[1].kind == LORE_TOK_TO);

    if (is_range && v[1].kind == LORE_TOK_TO && !low.unit && !v[2].unit)
        is_range = false; /* "12 → 80": from, to */
    if (is_range && v[1].kind == LORE_TOK_TO && low.unit && r->mode == PLAIN && !has_direction(r))
        is_range = false;
    if (is_range && (!low.unit || low.unit == v[2].unit)) {
        if (!low.unit && v[2].plain > 0)
            low.value *= v[2].value / v[2].plain;
        low.unit = v[2].unit;
        take_number(r, &low, v[2].value);
        return 3;
    }
    if (i + 1 < r->n && v[1].kind == LORE_TOK_TO && r->mode == PLAIN) {
        r->mode = FROM; /* the number before "to" is the start value */
        take_number(r, v, v->value);
        return 1;
    }
    take_number(r, v, v->value);
    return 1;
}

static void
set_mode(struct reading *r, enum mode mode, bool inclusive)
{
    r->mode = mode;
    r->mode_inclusive = inclusive;
}

static size_t
read_token(struct reading *r, size_t i)
{
    const struct lore_claim_token *t = &r->v[i];

    switch (t->kind) {
    case LORE_TOK_UP:
        r->up = true;
        break;
    case LORE_TOK_DOWN:
        r->down = true;
        break;
    case LORE_TOK_SAME:
        r->same = true;
        break;
    case LORE_TOK_BETTER:
        r->better = true;
        break;
    case LORE_TOK_WORSE:
        r->worse = true;
        break;
    case LORE_TOK_FASTER:
        r->faster = true;
        break;
    case LORE_TOK_BELOW:
        set_mode(r, BELOW, t->inclusive);
        break;
    case LORE_TOK_ABOVE:
        set_mode(r, ABOVE, t->inclusive);
        break;
    case LORE_TOK_EQUAL:
        set_mode(r, EQUAL, true);
        break;
    case LORE_TOK_TO:
        set_mode(r, TARGET, true);
        break;
    case LORE_TOK_BY:
        set_mode(r, CHANGE, true);
        break;
    case LORE_TOK_FROM:
        set_mode(r, FROM, true);
        break;
    case LORE_TOK_NUMBER:
        return take_range(r, i);
    case LORE_TOK_WORD:
    case LORE_TOK_DASH:
    case LORE_TOK_FILLER:
        break;
    }
    return 1;
}

static void
read_tokens(struct reading *r, bool inside)
{
    r->inside = inside;
    set_mode(r, PLAIN, false);
    for (size_t i = 0; i < r->n;) {
        if (r->v[i].inside == inside)
            i += read_token(r, i);
        else
            i++;
    }
}

/* Text in parentheses may add a range. It may add a direction only if the other text has none. */
static void
read_inside(struct reading *r)
{
    struct reading outside = *r;

    read_tokens(r, true);
    if (has_direction(&outside) || outside.same) {
        r->up = outside.up;
        r->down = outside.down;
        r->same = outside.same;
        r->better = outside.better;
        r->worse = outside.worse;
        r->faster = outside.faster;
    }
}

static void
settle_direction(struct reading *r)
{
    const char *good = lore_claim_good(r->out->metric);
    bool higher = lore_streq(good, "higher"), lower = lore_streq(good, "lower");

    r->up |= (r->better && higher) || (r->worse && lower);
    r->down |= (r->better && lower) || (r->worse && higher);
    if (r->faster) { /* for times "faster" means down, for other metrics the better direction */
        r->up |= higher;
        r->down |= lower;
    }
    if (r->from.set && r->target_low.set && !r->up && !r->down) {
        r->up = r->target_low.v > r->from.v;
        r->down = r->target_high.v < r->from.v;
    }
    int ways = r->up + r->down + r->same;
    if (ways == 1)
        r->out->direction = r->up ? "up" : r->down ? "down" : "same";
}

/* With a direction the target is one end of the range, otherwise both. */
static void
settle_target(struct reading *r)
{
    struct lore_movement *m = r->out;

    if (!r->target_low.set || m->range != LORE_RANGE_NONE)
        return;
    m->range = LORE_RANGE_LEVEL;
    m->inclusive = true;
    r->level_unit = r->target_unit;
    if (!lore_streq(m->direction, "down"))
        m->low = r->target_low;
    if (!lore_streq(m->direction, "up"))
        m->high = r->target_high;
}

static void
drop_range(struct lore_movement *m)
{
    m->range = LORE_RANGE_NONE;
    m->low = m->high = (struct lore_f64){0};
}

/* Levels must have the metric's unit; factors become percentages. */
static void
settle_units(struct reading *r)
{
    struct lore_movement *m = r->out;
    bool time = lore_streq(lore_claim_unit(m->metric), "ns");
    bool down = lore_streq(m->direction, "down");

    if (m->range == LORE_RANGE_LEVEL) {
        m->percent = r->level_unit == '%';
        bool is_ratio = lore_claim_kind(m->metric) == LORE_CLAIM_SPEEDUP;
        if ((time != (r->level_unit == 'n')) || (r->level_unit == 'x' && !is_ratio) ||
            (m->low.set && m->high.set && m->low.v > m->high.v))
            drop_range(m);
    } else if (m->range == LORE_RANGE_CHANGE && r->level_unit == 'x') {
        double low = m->low.v, high = m->high.v;
        if (low <= 0 || !m->direction) {
            drop_range(m);
            return;
        }
        m->low.v = down ? 100 * (1 - 1 / low) : 100 * (low - 1);
        if (m->high.set)
            m->high.v = down ? 100 * (1 - 1 / high) : 100 * (high - 1);
    }
}

/* Read directions before numbers. In "50-70 % lower" the direction comes last, and it makes the
 * percentage a change. */
static void
read_directions(struct reading *r)
{
    for (size_t i = 0; i < r->n; i++) {
        if (!r->v[i].inside && r->v[i].kind >= LORE_TOK_UP && r->v[i].kind <= LORE_TOK_FASTER)
            read_token(r, i);
    }
}

void
lore_claims_read(
    const char *item, const char *metric, struct lore_arena *arena, struct lore_movement *out)
{
    struct lore_claim_token v[LORE_CLAIMS_TOKENS];
    struct reading r = {.v = v, .n = lore_claims_tokens(item, v, LORE_CLAIMS_TOKENS), .out = out};

    *out = (struct lore_movement){.metric = metric ? metric : metric_name(item, v, r.n, arena)};
    if (lore_claim_kind(out->metric) == LORE_CLAIM_SPEEDUP) {
        for (size_t i = 0; i < r.n; i++) /* "speedup 1.5x" states the value, not a change */
            v[i].unit = v[i].unit == 'x' ? 0 : v[i].unit;
    }
    read_directions(&r);
    read_tokens(&r, false);
    if (out->range == LORE_RANGE_NONE && !r.target_low.set)
        read_inside(&r);
    settle_direction(&r);
    settle_target(&r);
    settle_units(&r);
}
