/* The order in which a source is looked at (source_shape.h): the host's constants, then the
 * kernels, statement by statement, with the innermost loops at hand. */
#include "service/catalogue/source_shape.h"

enum { LARGEST_GRID = 16384 /* blocks that a launch may call fixed */ };

static void
match_brackets(struct lore_code_walk *s)
{
    size_t n = s->c->live.n, depth = 0;
    uint32_t *open = lore_alloc_array(s->c->arena, n + 1, sizeof *open);

    s->match = lore_alloc_array(s->c->arena, n + 1, sizeof *s->match);
    for (size_t i = 0; i < n; i++) {
        s->match[i] = (uint32_t)i;
        if (s->v[i].kind != LORE_CODE_MARK || s->v[i].len != 1)
            continue;
        if (strchr("([{", *s->v[i].at)) {
            open[depth++] = (uint32_t)i;
        } else if (strchr(")]}", *s->v[i].at) && depth > 0) {
            s->match[i] = open[--depth];
            s->match[open[depth]] = (uint32_t)i;
        }
    }
    while (depth > 0) /* never closed */
        s->match[open[--depth]] = (uint32_t)n;
}

/* ---- loops ---- */

/* Whether the stride [FIRST, END) of a loop over blocks spans a grid of fixed size: it names
 * gridDim, or a constant that a launch names. */
static bool
spans_grid(struct lore_code_walk *s, size_t first, size_t end, int depth)
{
    for (size_t i = first; i < end && i < first + NEAR && s->budget > 0; i++, s->budget--) {
        const struct lore_code_symbol *y = lore_code_find_symbol(s->c, &s->v[i]);

        if (s->v[i].kind != LORE_CODE_WORD)
            continue;
        for (size_t g = 0; g < s->n_grids; g++) {
            if (is(s, i, "gridDim"))
                return true;
            for (size_t k = s->grid[g].at; k < s->grid[g].at + s->grid[g].n; k++)
                if (same(&s->v[k], &s->v[i]))
                    return true;
        }
        if (y && y->n_def > 0 && depth < 2 && y->def != first &&
            spans_grid(s, y->def, y->def + y->n_def, depth + 1))
            return true;
    }
    return false;
}

/* The clauses of "for (AT ...; FIRST ...; SECOND ...)", which ends at CLOSE. */
struct clauses {
    size_t at, first, second, close;
};

/* Note the variables that each turn of L moves on: "k++, at += plane". */
static void
find_moved(const struct lore_code_walk *s, const struct clauses *c, struct lore_code_walk_loop *l)
{
    if (l->var)
        l->moved[l->n_moved++] = l->var;
    for (size_t i = c->second + 2; i < c->close && i < c->second + NEAR && l->n_moved < MOVED; i++)
        if (lore_code_like(&s->v[i], "+= -= ++ --") && s->v[i - 1].kind == LORE_CODE_WORD)
            l->moved[l->n_moved++] = &s->v[i - 1];
}

/* The number of turns times STEP that the loop over VAR makes by its clauses; 0: not known. The
 * initial clause may also set the end: "end = k + 8; k < end". */
static long long
span_of(const struct lore_code_walk *s, const struct clauses *c, const struct lore_code_token *var)
{
    size_t set = find_like(s, c->at, c->first, "="), comma = find_like(s, set, c->first, ",");
    size_t less = find_like(s, c->first, c->second, "< <= >");
    long long from = 0, to = 0;

    if (set >= c->first || set == c->at || less >= c->second ||
        find_like(s, c->first, c->second, "&&") < c->second)
        return 0;
    if (less + 2 == c->second && same(&s->v[less - 1], var) &&
        same(&s->v[less + 1], &s->v[set - 1]) && comma > set + 3 && same(&s->v[set + 1], var) &&
        is(s, set + 2, "+"))
        return lore_code_value(s->c, s->v + set + 3, comma - set - 3, &to) ? to : 0;
    if (!lore_code_value(s->c, s->v + set + 1, comma - set - 1, &from) ||
        !lore_code_value(s->c, s->v + less + 1, c->second - less - 1, &to))
        return 0;
    return to > from ? to - from : from - to;
}

/* The loop whose "for" is at I, to END. Returns the index of its body. */
static size_t
enter_loop(struct lore_code_walk *s, size_t i, size_t end)
{
    size_t open = i + 1, close = closed(s, open, end), body = close + 1, first, second,
           at = open + 1;
    struct lore_code_walk_loop l = {.id = ++s->last_loop, .var = NULL};
    long long step = 1;

    first = find_like(s, at, close, ";");
    second = first < close ? find_like(s, first + 1, close, ";") : close;
    lore_code_walk_statement(s, at, first < close ? first : close);
    if (second < close) {
        size_t add = find_like(s, second, close, "+= ++ -- -= /= >>= <<="), eq = add;
        bool suffix = add > second + 1 && s->v[add - 1].kind == LORE_CODE_WORD;
        l.var = suffix ? &s->v[add - 1] : add + 1 < close ? &s->v[add + 1] : NULL;
        const struct clauses c = {at, first, second, close};
        if (lore_code_like(&s->v[add < close ? add : close], "+="))
            (void)lore_code_value(
                s->c, s->v + eq + 1, find_like(s, eq, close, ",") - eq - 1, &step);
        find_moved(s, &c, &l);
        l.counted = l.var && step > 0 && span_of(s, &c, l.var) >= 2 * step;
        bool blocks = find_like(s, at, first, "blockIdx") < first ||
                      first_with(s, at, first, LORE_SYMBOL_BLOCK) < first ||
                      (l.var && lore_code_find_symbol(s->c, l.var) &&
                          lore_code_find_symbol(s->c, l.var)->flags & LORE_SYMBOL_BLOCK);
        if (blocks && add < close && is(s, add, "+=") && spans_grid(s, add + 1, close, 0))
            found(s, PERSISTENT);
    }
    for (size_t k = 0; k < LOOPS && body < end; k++) { /* for (…) for (…) one; */
        if (is(s, body, "{") || !lore_code_like(&s->v[body], "for if while #"))
            break;
        body = body + 1 < end && is(s, body + 1, "(") ? closed(s, body + 1, end) + 1 : body + 1;
    }
    l.end = body < end && is(s, body, "{") ? closed(s, body, end) : body;
    for (size_t k = 0; k < NEAR && l.end < end && !lore_code_like(&s->v[l.end], "; }"); k++)
        l.end++;
    if (s->n_loops == LOOPS)
        memmove(s->loop, s->loop + 1, --s->n_loops * sizeof *s->loop);
    s->loop[s->n_loops++] = l;
    return close + 1;
}

/* The end of the statement at I. */
static size_t
statement_end(const struct lore_code_walk *s, size_t i, size_t end)
{
    for (size_t first = i; i < end; i++) {
        if (lore_code_like(&s->v[i], "( ["))
            i = closed(s, i, end);
        else if (is(s, i, "{") && i > first && lore_code_like(&s->v[i - 1], "= , ( ] return"))
            i = closed(s, i, end);
        else if (lore_code_like(&s->v[i], "; { }"))
            return i;
    }
    return end;
}

/* Pointers among the parameters of a kernel point to global memory. */
static size_t
parameters(struct lore_code_walk *s, const struct lore_code_part *p)
{
    size_t i = p->first, end = p->first + p->n;

    while (i < end && !(s->v[i].at == p->name && i + 1 < end && is(s, i + 1, "(")))
        i++;
    if (i == end)
        return p->first;
    size_t close = closed(s, ++i, end);
    for (bool pointer = false; ++i < close;) {
        lore_code_walk_word(s, i, close + 1);
        pointer = is(s, i, ",") ? false : pointer || lore_code_like(&s->v[i], "* [");
        if (pointer && p->kernel && s->v[i].kind == LORE_CODE_WORD &&
            lore_code_like(&s->v[i + 1], ", ) ["))
            lore_code_walk_own(s, i)->flags = LORE_SYMBOL_GLOBAL;
    }
    return close < end ? close + 1 : end;
}

static void
walk(struct lore_code_walk *s, const struct lore_code_part *p)
{
    size_t end = p->first + p->n, i, stop;

    s->part++;
    s->n_loops = 0;
    s->guarded = 0;
    s->maxima.n = s->decays.n = s->copies.n = 0;
    i = p->device ? parameters(s, p) : p->first;
    while (i < end) {
        while (s->n_loops > 0 && s->loop[s->n_loops - 1].end < i)
            s->n_loops--;
        if (is(s, i, "for") && i + 1 < end && is(s, i + 1, "(")) {
            i = enter_loop(s, i, end);
        } else if (lore_code_like(&s->v[i], "if while switch") && i + 1 < end &&
                   is(s, i + 1, "(")) {
            stop = closed(s, i + 1, end);
            for (size_t k = i + 2; k < stop; k++)
                lore_code_walk_word(s, k, stop);
            for (size_t k = i + 2; k + 1 < stop; k++)
                if (is(s, k, "==") && is(s, k + 1, "0"))
                    s->guarded = stop + 1 < end && is(s, stop + 1, "{")
                                     ? closed(s, stop + 1, end)
                                     : statement_end(s, stop + 1, end);
            i = stop + 1;
        } else if (lore_code_like(&s->v[i], "; { } else do")) {
            i++;
        } else if (is(s, i, "pragma")) { /* ends where its loop begins */
            while (i < end && !lore_code_like(&s->v[i], "for while do ; { }"))
                i++;
        } else {
            stop = statement_end(s, i, end);
            lore_code_walk_statement(s, i, stop);
            i = stop > i ? stop : i + 1;
        }
    }
    for (size_t k = 0; k < s->maxima.n; k++)
        if (!same(s->maxima.v[k].a, s->maxima.v[k].b) &&
            has_pair(&s->decays, s->maxima.v[k].a, s->maxima.v[k].b) &&
            has_pair(&s->copies, s->maxima.v[k].a, s->maxima.v[k].b))
            found(s, RUNNING_MAXIMUM);
}

/* ---- the host's side, and what is called ---- */

/* Remember launches whose grid does not depend on the size of the problem. */
static void
read_launches(struct lore_code_walk *s)
{
    long long x;

    for (size_t i = 0; i + 1 < s->c->live.n && s->n_grids < LOOPS; i++) {
        size_t first = i + 1, end = first, n;
        if (!is(s, i, "<<<"))
            continue;
        while (end < s->c->live.n && end < first + NEAR && !is(s, end, ","))
            end = (is(s, end, "(") ? closed(s, end, first + NEAR) : end) + 1;
        const struct lore_code_symbol *y =
            end == first + 1 ? lore_code_find_symbol(s->c, &s->v[first]) : NULL;
        bool fixed = lore_code_value(s->c, s->v + first, end - first, &x);
        n = end - first;
        if (!fixed && y && y->n_def > 0 && y->n_def < NEAR) {
            first = y->def;
            n = y->n_def;
        }
        fixed |= find_like(s, first, first + n,
                     "min *_min *SMs* *SM_COUNT* *sms* *num_sm* *multiProcessor* *ccupancy*") <
                 first + n;
        for (size_t k = first; k < first + n; k++) /* min(65535, …) bounds nothing */
            fixed &= !lore_code_value(s->c, s->v + k, 1, &x) || x < LARGEST_GRID;
        if (fixed) {
            s->grid[s->n_grids].at = first;
            s->grid[s->n_grids++].n = n;
        }
    }
}

#define KNOWN_CALLS                                                                                \
    "__* atomic* make_* *f min max abs fabs sqrt exp log rsqrt int float double half unsigned "    \
    "char short long bool size_t uint*_t int*_t dim3 if for while switch return sizeof "           \
    "alignof asm volatile __volatile__ alignas decltype static_cast reinterpret_cast operator "    \
    "threads clock* ull* umin "                                                                    \
    "umax signbit isinf isnan assert printf range len static_range *_t memcpy h* nv_* "            \
    "static_assert"

/* Whether kernels call nothing that is neither here nor in the language. */
static bool
is_complete(const struct lore_code_walk *s)
{
    for (size_t p = 0; p < s->c->n_parts; p++) {
        const struct lore_code_part *part = &s->c->parts[p];
        for (size_t i = part->first; part->device && i + 2 < part->first + part->n; i++) {
            if (s->v[i].kind != LORE_CODE_WORD || !is(s, i + 1, "(") || is(s, i + 2, "*") ||
                lore_code_like(&s->v[i], KNOWN_CALLS))
                continue;
            if (i > 2 && is(s, i - 1, ".") &&
                (lore_code_like(&s->v[i - 2], "tl math libdevice debug extra") ||
                    s->c->family == LORE_CODE_PYTHON))
                continue;
            size_t k = 0;
            while (k < s->c->n_parts && k < 256 &&
                   !(s->c->parts[k].name && s->c->parts[k].len == s->v[i].len &&
                       memcmp(s->c->parts[k].name, s->v[i].at, s->v[i].len) == 0))
                k++;
            if (k == s->c->n_parts || k == 256)
                return false;
        }
    }
    return true;
}

void
lore_code_shape(struct lore_code *c)
{
    struct lore_code_walk s = {.c = c, .v = c->live.v, .budget = 1 << 16};

    match_brackets(&s);
    for (size_t pass = 0; pass < 2; pass++) { /* the host's constants before the kernels */
        for (size_t i = 0; i < c->n_parts; i++)
            if (c->parts[i].device == (pass == 1) && !c->parts[i].macro)
                walk(&s, &c->parts[i]);
        if (pass == 0)
            read_launches(&s);
    }
    c->complete = is_complete(&s);
    if (s.warp_row && s.shuffle && !s.barrier)
        found(&s, WARP_PER_ROW);
    if (c->complete &&
        find_like(&s, 0, c->live.n, "*sync*threads* *barrier* *bar.* *sync*block*") == c->live.n)
        found(&s, NO_BARRIER);
    if (c->complete && find_like(&s, 0, c->live.n, "*shared* ds_* *lds*") == c->live.n)
        found(&s, NO_SHARED);
    if (c->complete && find_like(&s, 0, c->live.n, "for while") == c->live.n)
        found(&s, NO_LOOP);
}
