/* The writer's cache of names that are in the database (name_cache.c); it saves a SELECT on the hot
 * path. For the files of this folder. */
#ifndef LORE_DB_NAME_CACHE_H
#define LORE_DB_NAME_CACHE_H

#include <stdint.h>

#include "service/base/arena.h"

struct lore_name {
    const char *key; /* kind letter, then the name */
    int64_t n;
    const char *a, *b;
};
struct lore_metric_name {
    uint32_t id; /* 0: free */
    const char *name, *unit;
    const struct lore_metric_def *def; /* NULL: not in the catalogue */
};
#define LORE_NAMES_POSITIONS 256
#define LORE_NAMES_METRIC_IDS 1024
struct lore_name_cache {
    struct lore_name **slot;
    size_t n;
    struct lore_arena arena;
    /* The metrics of the previous record by position: records of one tool list the same metrics in
     * the same order. */
    const struct lore_name *metrics[LORE_NAMES_POSITIONS];
    struct lore_metric_name metric_ids[LORE_NAMES_METRIC_IDS]; /* at the id modulo the size */
    size_t n_metric_names; /* in the arena; those replaced stay until it is cleared */
};

/* Kinds: k kernel (a: operator, b: language, n: 1 when it has a project), v version (a: operator,
 * b: id of its twin (copies.h) or NULL), t technique (a: the slug that it means), m metric name and
 * unit (n: id), w workload, e environment (a: chip), s version (a: its configuration, settings.h).
 */
const struct lore_name *
lore_name_cache_find(struct lore_name_cache *names, char kind, const char *key);
const struct lore_name *lore_name_cache_add(struct lore_name_cache *names, char kind,
    const char *key, int64_t n, const char *a, const char *b);
void lore_name_cache_clear(struct lore_name_cache *names);
void lore_name_cache_trim(struct lore_name_cache
        *names); /* clear the cache when it is half full; call it between transactions */

#endif
