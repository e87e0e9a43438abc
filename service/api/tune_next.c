/* A value is a number, or numbers joined by "x": each of them is a power of two that doubles, or a
 * count that grows by one, of which one alone (stage, consumer) would take the technique out. */
#include "service/api/tune_next.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"
#include "service/catalogue/words.h"
#include "service/wire/build.h"

enum { SIDES = 6, SHOWN = 4, LEAST_SIDE = 8 };

struct value {
    long side[SIDES];
    size_t n; /* 0: no number */
};

/* JSON text or plain text. */
static struct value
read(const char *s)
{
    struct value v = {0};

    s += s && *s == '"';
    while (s && lore_is_digit(*s) && v.n < SIDES) {
        char *end;
        v.side[v.n++] = strtol(s, &end, 10);
        if (*end == '\0' || *end == '"')
            return v;
        s = end + (*end == 'x');
        if (*end != 'x')
            break;
    }
    return (struct value){.n = 0};
}

static const char *
show(const struct value *v, struct lore_arena *arena)
{
    const char *text = "";

    for (size_t i = 0; i < v->n; i++)
        text = lore_format(arena, "%s%s%ld", text, i > 0 ? "x" : "", v->side[i]);
    return text;
}

static bool
same(const struct value *a, const struct value *b)
{
    return a->n == b->n && memcmp(a->side, b->side, a->n * sizeof *a->side) == 0;
}

/* Whether it was tried on this kernel, or a value between BASE and it failed there. */
static bool
is_blocked(const struct lore_tune_row *row, const struct value *base, const struct value *v)
{
    for (size_t i = 0; i < row->n_tried; i++) {
        const struct lore_tune_value *t = &row->tried[i];
        struct value at = read(t->text);

        if (t->op || at.n != v->n)
            continue;
        if (same(&at, v))
            return true;
        long low = base->side[0] < v->side[0] ? base->side[0] : v->side[0];
        long high = base->side[0] < v->side[0] ? v->side[0] : base->side[0];
        if (v->n == 1 && t->end >= LORE_ATTEMPT_NO_GAIN && at.side[0] > low && at.side[0] < high)
            return true;
    }
    return false;
}

/* X one step up or down; 0: there is none. */
static long
step(const char *parameter, long x, bool up)
{
    bool power = x > 0 && (x & (x - 1)) == 0;

    if (lore_words_is_counted(parameter) || (!power && x < 2 * LEAST_SIDE))
        return up ? x + 1 : x - 1;
    if (power)
        return up ? 2 * x : x / 2;
    if ((x & -x) < 2 * LEAST_SIDE)
        return 0;                            /* 132 is no size */
    return up ? x + (x & -x) : x - (x & -x); /* 192: 256 or 128 */
}

/* The largest value that any chip allows. WIDE: a wider access is better, so a smaller value is not
 * proposed. */
static const struct limit {
    const char *name;
    long most;
    bool wide;
} limits[] = {{"bytes", 16, true}, {"cluster", 16, false}, {"num_warps", 32, false},
    {"registers", 255, false}, {"threads", 1024, false}, {"vector_width", 16, true}};

static bool
is_allowed(const struct lore_tune_row *row, const struct value *v, bool up)
{
    long least = v->n > 1 ? LEAST_SIDE : lore_words_is_counted(row->parameter) ? 2 : 1;

    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (lore_streq(limits[i].name, row->parameter) &&
            (up ? v->side[0] > limits[i].most : limits[i].wide))
            return false;
    for (size_t i = 0; i < v->n; i++)
        if (v->side[i] < least)
            return false;
    return true;
}

static const char *
neighbour(const struct lore_tune_row *row, const struct value *base, struct lore_arena *arena)
{
    for (size_t i = 0; i < base->n; i++)
        for (int up = 1; up >= 0; up--) {
            struct value v = *base;
            v.side[i] = step(row->parameter, v.side[i], up);
            if (is_allowed(row, &v, up) && !is_blocked(row, base, &v))
                return lore_build_scalar(arena, show(&v, arena));
        }
    return NULL;
}

/* The value that gained most on another kernel and was not tried on this one. */
static const struct lore_tune_value *
best_elsewhere(const struct lore_tune_row *row)
{
    const struct lore_tune_value *best = NULL;

    for (size_t i = 0; i < row->n_tried; i++) {
        const struct lore_tune_value *v = &row->tried[i];
        bool here = lore_streq(v->value, row->from);
        for (size_t k = 0; k < row->n_tried; k++)
            here |= !row->tried[k].op && lore_streq(row->tried[k].value, v->value);
        if (v->op && v->end == LORE_ATTEMPT_GAIN && !here && (!best || v->speedup > best->speedup))
            best = v;
    }
    return best;
}

/* Whether a later attempt on this kernel tried the same value again. */
static bool
comes_again(const struct lore_tune_row *row, size_t at)
{
    for (size_t i = at + 1; i < row->n_tried; i++)
        if (!row->tried[i].op && lore_streq(row->tried[i].text, row->tried[at].text))
            return true;
    return false;
}

/* Whether attempt I tried another value than the present one on this kernel, the last time. */
static bool
is_other(const struct lore_tune_row *row, size_t i)
{
    const struct lore_tune_value *v = &row->tried[i];

    return !v->op && !lore_streq(v->value, row->from) && !comes_again(row, i);
}

static size_t
count_others(const struct lore_tune_row *row)
{
    size_t n = 0;

    for (size_t i = 0; i < row->n_tried; i++)
        n += is_other(row, i);
    return n;
}

/* "num_stages is 3 now; 4 was slower (0.93x), 5 did not compile; 2 won on gemm (1.2x)" */
static const char *
explain(
    const struct lore_tune_row *row, const struct lore_tune_value *won, struct lore_arena *arena)
{
    const char *text = "", *from = row->from, *mark = from ? "; " : ": ";
    size_t own = count_others(row), seen = 0;

    if (!row->parameter)
        return lore_format(arena, "set by %s; no value is recorded",
            lore_words_parameters_of(row->technique, arena));
    if (from)
        text = lore_format(arena, "%s is %.*s now", row->parameter,
            (int)(strlen(from) - (*from == '"' ? 2 : 0)), from + (*from == '"'));
    else
        text = row->parameter;
    for (size_t i = 0; i < row->n_tried; i++) {
        const struct lore_tune_value *v = &row->tried[i];
        const struct lore_repeats_attempt a = {.end = v->end, .speedup = v->speedup};
        if (!is_other(row, i) || seen++ + SHOWN < own)
            continue;
        text =
            lore_format(arena, "%s%s%s %s", text, mark, v->text, lore_attempt_end_text(&a, arena));
        mark = ", ";
    }
    if (won)
        text = lore_format(arena, "%s%s%s won on %s%s", text, *mark == ',' ? "; " : mark, won->text,
            won->op, won->speedup > 0 ? lore_format(arena, " (%.3gx)", won->speedup) : "");
    return text;
}

void
lore_tune_next(struct lore_tune_row *row, struct lore_arena *arena)
{
    const struct lore_tune_value *won = best_elsewhere(row);
    struct value base = read(row->from);

    /* from a value that failed, while the present one is not known; from two it is a guess */
    for (size_t i = 0; i < row->n_tried && !row->from && count_others(row) == 1; i++)
        base = is_other(row, i) ? read(row->tried[i].text) : base;
    if (!row->move)
        row->to = won                                       ? won->value
                  : lore_words_is_parameter(row->parameter) ? neighbour(row, &base, arena)
                                                            : NULL; /* a halo, a depth of what? */
    row->why = explain(row, won, arena);
}
