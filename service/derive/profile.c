/* Finding a quantity among a run's metrics. Profilers, importers and people use different names for
 * one quantity; the catalogue lists these synonyms. Each metric is looked up in the catalogue only
 * once, when the profile is opened, because rule sets read the same metrics many times. */
#include "service/derive/profile.h"

#include <math.h>
#include <string.h>

#include "service/base/text.h"

/* Length and two letters: texts with other keys differ. Most names differ in them. */
static uint32_t
key_of(const char *text)
{
    size_t n = text ? strlen(text) : 0;

    return n == 0 ? 0
                  : (uint32_t)n << 16 | (uint32_t)(unsigned char)text[n / 2] << 8 |
                        (unsigned char)text[n - 1];
}

struct lore_profile
lore_profile_open(const struct lore_metrics *m, struct lore_arena *arena)
{
    struct lore_profile p = {.v = m->v, .n = m->n};

    p.defs = lore_alloc_array(arena, p.n + 1, sizeof *p.defs);
    p.keys = lore_alloc_array(arena, p.n + 1, sizeof *p.keys);
    for (size_t i = 0; i < p.n; i++) {
        p.defs[i] = lore_metric_find(p.v[i].name);
        p.keys[i].name = key_of(p.v[i].name);
        p.keys[i].canonical = p.defs[i] ? key_of(p.defs[i]->canonical) : 0;
    }
    return p;
}

struct lore_profile
lore_profile_of(const struct lore_profile *p, const char *vendor)
{
    struct lore_profile one = *p;

    one.vendor = vendor;
    return one;
}

bool
lore_profile_has_vendor(const struct lore_profile *p, const char *vendor)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->defs[i] && p->v[i].missing == LORE_MISS_NONE &&
            lore_streq(p->defs[i]->vendor, vendor))
            return true;
    return false;
}

/* How well metric I matches NAME, whose key is KEY and whose catalogue row DEF: 0 not at all, 1
 * entered by a person, 2 another metric with this canonical name, 3 exactly. */
static int
match(const struct lore_profile *p, size_t i, const char *name, uint32_t key,
    const struct lore_metric_def *def)
{
    const struct lore_metric_def *own = p->defs[i];

    if (p->keys[i].name != key && p->keys[i].canonical != key && own != def)
        return 0;
    if (p->vendor && own && *own->vendor != '\0' && !lore_streq(own->vendor, p->vendor))
        return 0;
    if (lore_streq(p->v[i].name, name))
        return 3;
    if (!own)
        return 0;
    if (*own->vendor == '\0')
        return lore_streq(own->canonical, name) ? 1 : 0;
    if (lore_streq(own->canonical, name))
        return 2;
    return own == def && !lore_streq(def->canonical, name) ? 3 : 0;
}

/* The index of the best metric for NAME, or p->n. Metrics with a value are preferred to those that
 * state why it is missing. */
static size_t
best(const struct lore_profile *p, const char *name)
{
    const struct lore_metric_def *def = lore_metric_find(name);
    uint32_t key = key_of(name);
    size_t at = p->n;
    int most = 0;

    for (size_t i = 0; i < p->n; i++) {
        bool value = p->v[i].missing == LORE_MISS_NONE && isfinite(p->v[i].value);
        int rank = match(p, i, name, key, def);

        if (rank > 0 && value)
            rank += 3;
        if (rank > most) {
            most = rank;
            at = i;
        }
    }
    return at;
}

struct lore_reading
lore_profile_read(const struct lore_profile *p, const char *names, struct lore_arena *arena)
{
    struct lore_reading r = {.missing = LORE_MISS_NOT_COLLECTED};

    for (const char *s = names; *s != '\0';) {
        size_t len = strcspn(s, "|"), at;
        const char *name = lore_strndup(arena, s, len);

        if (!r.name)
            r.name = name;
        at = best(p, name);
        if (at < p->n && p->v[at].missing == LORE_MISS_NONE && isfinite(p->v[at].value))
            return (struct lore_reading){
                .known = true, .value = p->v[at].value, .name = p->v[at].name};
        if (at < p->n && p->v[at].missing != LORE_MISS_NONE)
            r.missing = p->v[at].missing;
        s += len + (s[len] == '|');
    }
    return r;
}
