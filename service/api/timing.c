/* Grouping times that compare (timing.h). Pure, except that environments are read. */
#include "service/api/timing.h"

#include "service/base/text.h"

enum { MAX_GROUPS = 64 };

enum lore_status
lore_timing_environment_hash(struct lore_db *db, struct lore_environment_hashes *cache,
    const char *id, struct lore_arena *arena, const char **out, struct lore_err *err)
{
    struct lore_environment_row row = {0};
    LORE_SCRATCH scratch = {0};
    enum lore_status status;

    if (!id) {
        *out = NULL;
        return LORE_OK;
    }
    for (size_t i = 0; i < cache->n; i++) {
        if (!lore_streq(cache->v[i].id, id))
            continue;
        *out = cache->v[i].hash;
        return LORE_OK;
    }
    status = lore_db_get_environment(db, id, &scratch, &row, err);
    if (status == LORE_OK) {
        struct lore_environment_hash *h = LORE_PUSH(arena, cache->v, cache->n, cache->cap);

        *h = (struct lore_environment_hash){
            lore_strdup(arena, id), lore_strdup(arena, row.hard_hash)};
        *out = h->hash;
    }
    return status;
}

static bool
alike(const char *a, const char *b)
{
    return a == b || (a && b && lore_streq(a, b));
}

/* An unrecorded environment agrees with any. */
static bool
environments_agree(const struct lore_timing *a, const struct lore_timing *b)
{
    return !a->hard || !b->hard || lore_streq(a->hard, b->hard);
}

bool
lore_timing_is_measured(enum lore_evidence e)
{
    return e == LORE_EV_CONFIRMED || e == LORE_EV_MEASURED;
}

bool
lore_timing_comparable(const struct lore_timing *a, const struct lore_timing *b)
{
    return alike(a->workload, b->workload) && alike(a->chip, b->chip) &&
           alike(a->method, b->method) && environments_agree(a, b);
}

static const char *
add(struct lore_arena *arena, const char *to, const char *what, const char *value)
{
    const char *text = !value ? lore_format(arena, "%s not recorded", what)
                              : lore_format(arena, "%s %s", what, value);

    return !to ? text : lore_format(arena, "%s, %s", to, text);
}

const char *
lore_timing_differences(
    const struct lore_timing *a, const struct lore_timing *b, struct lore_arena *arena)
{
    const char *out = NULL;

    if (!alike(a->workload, b->workload))
        out = add(arena, out, "workload", a->workload_label);
    if (!alike(a->chip, b->chip))
        out = add(arena, out, "chip", a->chip);
    if (!alike(a->method, b->method))
        out = add(arena, out, "method", a->method);
    if (!environments_agree(a, b))
        out = add(arena, out, "environment", a->environment);
    return out;
}

const struct lore_timing *
lore_timing_choose(const struct lore_timing_of *all, size_t n)
{
    struct {
        const struct lore_timing *t;
        size_t versions, aside, last; /* last: version that counted, from 1 */
    } found[MAX_GROUPS];
    const struct lore_timing *best = NULL;
    size_t n_found = 0, most = 0, most_aside = 0;

    /* collect distinct conditions; an unrecorded environment is one of its own */
    for (size_t i = 0; i < n; i++) {
        size_t at = 0;

        while (at < n_found && !(lore_timing_comparable(found[at].t, &all[i].t) &&
                                   alike(found[at].t->hard, all[i].t.hard)))
            at++;
        if (at == n_found && n_found < MAX_GROUPS) {
            found[n_found].t = &all[i].t;
            found[n_found].versions = found[n_found].aside = found[n_found].last = 0;
            n_found++;
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n_found; k++) {
            if (!lore_timing_comparable(found[k].t, &all[i].t))
                continue;
            if (found[k].last != all[i].version + 1)
                *(all[i].aside ? &found[k].aside : &found[k].versions) += 1;
            found[k].last = all[i].version + 1;
        }
    }
    for (size_t k = 0; k < n_found; k++) {
        /* on a tie, prefer a recorded environment */
        bool equal = found[k].versions == most && found[k].aside == most_aside;
        bool more =
            found[k].versions > most || (found[k].versions == most && found[k].aside > most_aside);

        if (!more && !(equal && best && !best->hard && found[k].t->hard))
            continue;
        most = found[k].versions;
        most_aside = found[k].aside;
        best = found[k].t;
    }
    return best;
}
