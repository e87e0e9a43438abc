/* Marks of metrics: the bytes in words, multiplied and added up. Equal metrics have equal marks;
 * different ones that happen to have equal marks cost a search (recent_profiles.h). */
#include "db/recent_profiles.h"

#include <string.h>

#include "service/base/fnv.h"

static uint64_t
mark_of(const void *p, size_t n)
{
    const unsigned char *at = p;
    uint64_t mark = n, word;

    for (; n >= sizeof word; at += sizeof word, n -= sizeof word) {
        memcpy(&word, at, sizeof word);
        mark = (mark ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        mark ^= mark >> 32;
    }
    for (; n > 0; at++, n--)
        mark = (mark ^ *at) * UINT64_C(0x9e3779b97f4a7c15);
    return mark;
}

void
lore_recent_profiles_add(struct lore_recent_profiles *r, int64_t seq, const void *p, size_t n)
{
    r->v[seq % LORE_RECENT_PROFILES] = (struct lore_recent_profile){seq, mark_of(p, n)};
}

bool
lore_recent_profiles_lack(
    const struct lore_recent_profiles *r, int64_t from, int64_t to, const void *p, size_t n)
{
    uint64_t mark = mark_of(p, n);

    for (int64_t seq = from < 0 ? 1 : from + 1; seq < to; seq++) {
        const struct lore_recent_profile *one = &r->v[seq % LORE_RECENT_PROFILES];

        if (one->seq != seq || one->mark == mark)
            return false;
    }
    return true;
}

static size_t
place_of(const char *version)
{
    return lore_fnv_text(LORE_FNV, version) % LORE_UNPROFILED;
}

bool
lore_unprofiled_find(
    const struct lore_unprofiled *u, const char *version, int64_t document, bool *none)
{
    const struct lore_unprofiled_version *v = &u->v[place_of(version)];

    if (strcmp(v->version, version) != 0 || document < v->document)
        return false;
    *none = v->none;
    return true;
}

void
lore_unprofiled_add(struct lore_unprofiled *u, const char *version, int64_t document, bool none)
{
    struct lore_unprofiled_version *v = &u->v[place_of(version)];
    size_t n = strlen(version);

    if (n >= sizeof v->version)
        return;
    memcpy(v->version, version, n + 1);
    v->document = document;
    v->none = none;
}

void
lore_unprofiled_drop(struct lore_unprofiled *u, const char *version)
{
    struct lore_unprofiled_version *v = &u->v[place_of(version)];

    if (strcmp(v->version, version) == 0)
        v->version[0] = '\0';
}
