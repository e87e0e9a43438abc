/* Line diff (diff.h): Myers' greedy algorithm on the lines between the common beginning and end.
 * All steps are stored for backtracking; LORE_DIFF_MAX_EDITS bounds that memory. */
#include "service/base/diff.h"

#include <stdint.h>
#include <string.h>

#include "service/base/fnv.h"

enum { CONTEXT = 3 };

struct line {
    const char *p;
    size_t len; /* with its newline */
    uint64_t hash;
};
struct side {
    struct line *v;
    size_t n;
    bool *changed; /* removed from A, added in B */
};

/* False when there are too many lines. */
static bool
split(const struct lore_buf *in, struct lore_arena *arena, struct side *out)
{
    const char *text = in->data;
    size_t n = 0, len = in->len;

    for (size_t i = 0; i < len; i++)
        n += text[i] == '\n' || i + 1 == len;
    if (n > LORE_DIFF_MAX_LINES)
        return false;
    out->v = lore_alloc_array(arena, n + 1, sizeof *out->v);
    out->changed = lore_alloc_array(arena, n + 1, sizeof *out->changed);
    for (size_t at = 0; at < len; out->n++) {
        const char *end = memchr(text + at, '\n', len - at);
        size_t size = end != NULL ? (size_t)(end - (text + at)) + 1 : len - at;

        out->v[out->n] = (struct line){text + at, size, lore_fnv_bytes(LORE_FNV, text + at, size)};
        at += size;
    }
    return true;
}

static bool
equal(const struct line *a, const struct line *b)
{
    return a->hash == b->hash && a->len == b->len && memcmp(a->p, b->p, a->len) == 0;
}

/* The lines of both sides between the common beginning and end. */
struct middle {
    const struct line *a, *b;
    int n, m;
    bool *removed, *added;
};

/* Whether step D reaches diagonal K from K + 1, by adding a line. Otherwise it comes from K - 1, by
 * removing one. LAST holds the furthest x of step D - 1 by diagonal. */
static bool
goes_down(const int *last, int k, int d)
{
    bool has_left = k - 1 >= -(d - 1), has_right = k + 1 <= d - 1;

    return !has_left || (has_right && last[k - 1] < last[k + 1]);
}

/* Backtrack through the stored steps and mark the lines that the path removes and adds. TRACE[d]
 * holds x after step d, by diagonal k from -d to d. */
static void
walk_back(const struct middle *s, int *const *trace, int d)
{
    int x = s->n, y = s->m;

    for (; d > 0; d--) {
        const int *v = trace[d - 1] + (d - 1); /* v[k], -(d-1) <= k <= d-1 */
        int k = x - y;
        bool down = goes_down(v, k, d);

        x = down ? v[k + 1] : v[k - 1];
        y = x - (down ? k + 1 : k - 1);
        if (down)
            s->added[y] = true;
        else
            s->removed[x] = true;
    }
}

/* One step: the furthest x on each diagonal after D edits. True when the end is reached. */
static bool
step(const struct middle *s, int *const *trace, int d)
{
    int *v = trace[d] + d;
    const int *last = d > 0 ? trace[d - 1] + (d - 1) : NULL;

    for (int k = -d; k <= d; k += 2) {
        int x = 0;

        if (d > 0)
            x = goes_down(last, k, d) ? last[k + 1] : last[k - 1] + 1;
        while (x < s->n && x - k < s->m && x - k >= 0 && equal(&s->a[x], &s->b[x - k]))
            x++;
        v[k] = x;
        if (x >= s->n && x - k >= s->m)
            return true;
    }
    return false;
}

/* Mark the shortest difference; false when it is longer than the bound. */
static bool
shortest(const struct middle *s, struct lore_arena *arena)
{
    int most = s->n + s->m < LORE_DIFF_MAX_EDITS ? s->n + s->m : LORE_DIFF_MAX_EDITS;
    int **trace = lore_alloc_array(arena, (size_t)most + 1, sizeof *trace);

    for (int d = 0; d <= most; d++) {
        trace[d] = lore_alloc_array(arena, 2 * (size_t)d + 1, sizeof **trace);
        if (step(s, trace, d)) {
            walk_back(s, trace, d);
            return true;
        }
    }
    return false;
}

static void
compare(struct side *a, struct side *b, struct lore_arena *arena, struct lore_diff *result)
{
    size_t head = 0, tail = 0;

    while (head < a->n && head < b->n && equal(&a->v[head], &b->v[head]))
        head++;
    while (tail < a->n - head && tail < b->n - head &&
           equal(&a->v[a->n - 1 - tail], &b->v[b->n - 1 - tail]))
        tail++;
    struct middle s = {a->v + head, b->v + head, (int)(a->n - head - tail),
        (int)(b->n - head - tail), a->changed + head, b->changed + head};
    if (!shortest(&s, arena)) {
        result->coarse = true;
        memset(s.removed, true, (size_t)s.n * sizeof *s.removed);
        memset(s.added, true, (size_t)s.m * sizeof *s.added);
    }
    for (size_t i = 0; i < a->n; i++)
        result->removed += a->changed[i];
    for (size_t i = 0; i < b->n; i++)
        result->added += b->changed[i];
}

/* False when OUT is full. */
static bool
put_line(struct lore_buf *out, char mark, const struct line *l)
{
    static const char no_newline[] = "\n\\ No newline at end of file\n";
    bool ends = l->p[l->len - 1] == '\n';

    if (out->len + l->len + 1 + sizeof no_newline > lore_buf_max(out))
        return false;
    lore_buf_putc(out, mark);
    lore_buf_add(out, l->p, l->len);
    if (!ends)
        lore_buf_puts(out, no_newline);
    return true;
}

/* The lines from_a..to_a of A and from_b..to_b of B, without the last index of each. */
struct hunk {
    size_t from_a, from_b, to_a, to_b;
};

/* The hunk that starts with the change at (I, K). Changes share a hunk when at most 2 * CONTEXT
 * common lines separate them. */
static struct hunk
hunk_at(const struct side *a, const struct side *b, size_t i, size_t k)
{
    struct hunk h = {i, k, i, k};
    size_t same = 0;

    while ((i < a->n || k < b->n) && same <= 2 * CONTEXT) {
        bool removed = i < a->n && a->changed[i], added = k < b->n && b->changed[k];

        if (removed || added) {
            i += removed;
            k += added;
            same = 0;
            h.to_a = i;
            h.to_b = k;
        } else {
            i++;
            k++;
            same++;
        }
    }
    return h;
}

/* H extended by CONTEXT lines on both sides. */
static struct hunk
with_context(struct hunk h, const struct side *a)
{
    size_t lead = h.from_a < CONTEXT ? h.from_a : CONTEXT;
    size_t trail = a->n - h.to_a < CONTEXT ? a->n - h.to_a : CONTEXT;

    return (struct hunk){h.from_a - lead, h.from_b - lead, h.to_a + trail, h.to_b + trail};
}

static bool
put_hunk(struct lore_buf *out, const struct side *a, const struct side *b, struct hunk h)
{
    size_t i = h.from_a, k = h.from_b, n = h.to_a - i, m = h.to_b - k;

    if (out->len + 100 > lore_buf_max(out))
        return false;
    lore_buf_printf(out, "@@ -%zu,%zu +%zu,%zu @@\n", n > 0 ? i + 1 : i, n, m > 0 ? k + 1 : k, m);
    while (i < h.to_a || k < h.to_b) {
        bool removed = i < h.to_a && a->changed[i];
        bool added = !removed && k < h.to_b && b->changed[k];

        if (!put_line(out, removed ? '-' : added ? '+' : ' ', added ? &b->v[k] : &a->v[i]))
            return false;
        i += !added;
        k += !removed;
    }
    return true;
}

/* False when OUT is full. */
static bool
put_all(struct lore_buf *out, const struct side *a, const struct side *b)
{
    size_t i = 0, k = 0;

    while (i < a->n || k < b->n) {
        struct hunk h;

        if (!(i < a->n && a->changed[i]) && !(k < b->n && b->changed[k])) {
            i++;
            k++;
            continue;
        }
        h = hunk_at(a, b, i, k);
        if (!put_hunk(out, a, b, with_context(h, a)))
            return false;
        i = h.to_a;
        k = h.to_b;
    }
    return true;
}

void
lore_diff_unified(const struct lore_buf *a, const struct lore_buf *b, struct lore_arena *arena,
    struct lore_buf *out, struct lore_diff *result)
{
    struct side left = {0}, right = {0};

    *result = (struct lore_diff){0};
    if (!split(a, arena, &left) || !split(b, arena, &right)) {
        result->cut = true;
        result->why = "too many lines to compare";
        return;
    }
    compare(&left, &right, arena, result);
    if (put_all(out, &left, &right))
        return;
    result->cut = true;
    result->why = "too long to show in full";
}
