/* The packed metrics of the newest runs in a few bytes each, in the memory of the writer. They tell
 * that no run of a window has the metrics of another one, and save the search for it. For the files
 * of this folder. */
#ifndef LORE_DB_RECENT_PROFILES_H
#define LORE_DB_RECENT_PROFILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "service/base/ulid.h"

#define LORE_RECENT_PROFILES 1024 /* runs; more than most documents have */
struct lore_recent_profile {
    int64_t seq; /* of the run; 0: free */
    uint64_t mark;
};
struct lore_recent_profiles {
    struct lore_recent_profile v[LORE_RECENT_PROFILES]; /* at the seq modulo the size */
};
#define LORE_UNPROFILED 64 /* versions; an importer starts all experiments from a few */
struct lore_unprofiled {   /* whether the newest runs of a version have metrics, by version */
    struct lore_unprofiled_version {
        char version[LORE_ULID_SIZE]; /* empty: free */
        int64_t document;             /* seq; of runs up to this one, as far as they are searched */
        bool none;                    /* none has; false: one had */
    } v[LORE_UNPROFILED];
};

/* Run SEQ was stored with the N bytes P as its metrics. */
void lore_recent_profiles_add(struct lore_recent_profiles *r, int64_t seq, const void *p, size_t n);
/* Whether none of the runs with FROM < seq < TO has the N bytes P as its metrics. False also when
 * one of these runs is not known here. */
bool lore_recent_profiles_lack(
    const struct lore_recent_profiles *r, int64_t from, int64_t to, const void *p, size_t n);

/* Whether the newest runs of VERSION up to DOCUMENT are known to lack metrics, *none, or to have
 * some. Returns false when that is not known. Add it only when no run of the version is of a later
 * document; drop it when a run with metrics is stored. */
bool lore_unprofiled_find(
    const struct lore_unprofiled *u, const char *version, int64_t document, bool *none);
void
lore_unprofiled_add(struct lore_unprofiled *u, const char *version, int64_t document, bool none);
void lore_unprofiled_drop(struct lore_unprofiled *u, const char *version);

#endif
