/* Integer arithmetic as the formula's own language has it: int() cuts towards zero, so that a
 * slowdown typed as a success takes points away, and // rounds down, so that a negative id does.
 * The order is by (score, position), which is what a stable sort gives. */
#include "service/recommend/seed_score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"

enum { W_KERNEL = 40, W_BACKEND = 50, W_CHIP = 20, W_BOTTLENECK = 30 };
enum { SUCCESS_MAX = 10, RECENCY_MAX = 5, DEFAULT_LIMIT = 5, LAST_ROWS = 5 };

static int64_t
points(const char *row, const char *asked, int64_t weight)
{
    return asked && lore_streq(row, asked) ? weight : 0;
}

static bool
is_success(const struct lore_seed_row *row)
{
    return lore_streq(row->outcome, "success");
}

static int64_t
success_points(const struct lore_seed_row *row)
{
    double s = row->speedup.v;

    if (!is_success(row) || !row->speedup.set || s == 0 || !isfinite(s) || s <= -1)
        return 0;
    double cut = trunc(log(s + 1) * 5);
    return cut > SUCCESS_MAX ? SUCCESS_MAX : (int64_t)cut;
}

static int64_t
recency_points(int64_t id)
{
    int64_t tens = id / 10 - (id % 10 < 0);

    return tens > RECENCY_MAX ? RECENCY_MAX : tens;
}

struct lore_seed_terms
lore_seed_score(const struct lore_seed_row *row, const struct lore_seed_query *query)
{
    const char *backend = row->backend && *row->backend ? row->backend : "cuda";
    struct lore_seed_terms t = {
        .kernel = points(row->kernel, query->kernel, W_KERNEL),
        .backend = points(backend, query->backend, W_BACKEND),
        .chip = points(row->chip, query->chip, W_CHIP),
        .bottleneck = points(row->bottleneck_before, query->bottleneck, W_BOTTLENECK),
        .success = success_points(row),
        .recency = recency_points(row->id),
    };

    t.total = t.kernel + t.backend + t.chip + t.bottleneck + t.success + t.recency;
    return t;
}

static int
by_rank(const void *a, const void *b)
{
    const struct lore_seed_hit *x = a, *y = b;

    if (x->terms.total != y->terms.total)
        return x->terms.total < y->terms.total ? 1 : -1;
    return (x->row > y->row) - (x->row < y->row);
}

/* The name of an optimisation without its parameters; NULL when there is none. */
static const char *
bare_name(struct lore_arena *arena, const char *optimization)
{
    size_t n = optimization ? strcspn(optimization, "{") : 0;

    return n > 0 ? lore_strndup(arena, optimization, n) : NULL;
}

struct tally {
    const char *name;
    size_t count, first;
};

static int
by_name(const void *a, const void *b)
{
    const struct tally *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order ? order : (x->first > y->first) - (x->first < y->first);
}

/* NAMES in rank order, sorted here so that equal ones are neighbours. */
static void
most_frequent(struct tally *names, size_t n, struct lore_seed_answer *out)
{
    size_t first = SIZE_MAX;

    qsort(names, n, sizeof *names, by_name);
    for (size_t i = 0, next; i < n; i = next) {
        for (next = i + 1; next < n && strcmp(names[i].name, names[next].name) == 0;)
            next++;
        size_t count = next - i;
        if (count > out->best_count || (count == out->best_count && names[i].first < first)) {
            out->best = names[i].name;
            out->best_count = count;
            first = names[i].first;
        }
    }
}

/* Counts, failures and the most successful optimisation over every scored row. */
static void
summarise(const struct lore_seed_row *rows, const struct lore_seed_hit *hits, size_t n,
    struct lore_arena *arena, struct lore_seed_answer *out)
{
    struct tally *names = lore_alloc_array(arena, n, sizeof *names);
    size_t n_names = 0;

    out->failures = lore_alloc_array(arena, n, sizeof *out->failures);
    for (size_t i = 0; i < n; i++) {
        const struct lore_seed_row *row = &rows[hits[i].row];
        if (is_success(row)) {
            const char *name = bare_name(arena, row->optimization);
            out->n_success++;
            if (name)
                names[n_names++] = (struct tally){.name = name, .first = i};
        } else if (lore_streq(row->outcome, "failure")) {
            out->failures[out->n_failures++] = hits[i].row;
        } else if (lore_streq(row->outcome, "neutral")) {
            out->n_neutral++;
        }
    }
    out->n_failure = out->n_failures;
    out->avoid = out->n_success == 0 && out->n_failures > 0;
    most_frequent(names, n_names, out);
}

void
lore_seed_recommend(const struct lore_seed_row *rows, size_t n, const struct lore_seed_query *query,
    struct lore_arena *arena, struct lore_seed_answer *out)
{
    size_t limit = query->limit ? query->limit : DEFAULT_LIMIT;

    *out = (struct lore_seed_answer){.kind = LORE_SEED_EMPTY};
    if (n == 0)
        return;
    struct lore_seed_hit *hits = lore_alloc_array(arena, n, sizeof *hits);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        hits[kept] = (struct lore_seed_hit){i, lore_seed_score(&rows[i], query)};
        kept += hits[kept].terms.total > 0;
    }
    out->hits = hits;
    out->n_scored = kept;
    if (kept == 0) {
        out->kind = LORE_SEED_NO_MATCH;
        out->n_hits = n < LAST_ROWS ? n : LAST_ROWS;
        for (size_t i = 0; i < out->n_hits; i++) {
            size_t row = n - out->n_hits + i;
            hits[i] = (struct lore_seed_hit){row, lore_seed_score(&rows[row], query)};
        }
        return;
    }
    out->kind = LORE_SEED_MATCHED;
    qsort(hits, kept, sizeof *hits, by_rank);
    out->n_hits = kept < limit ? kept : limit;
    summarise(rows, hits, kept, arena, out);
}
