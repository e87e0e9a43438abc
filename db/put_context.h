/* The context of a put, and the other records that a put affects. */
#ifndef LORE_DB_PUT_CONTEXT_H
#define LORE_DB_PUT_CONTEXT_H

#include <stdint.h>

#include "service/base/arena.h"
#include "service/wire/record.h"

struct lore_db;
struct lore_rates;
/* State of one record after a put. */
enum lore_put { LORE_PUT_STORED = 1, LORE_PUT_DUPLICATE };
/* What a put affects: new names, and the ids of earlier records: experiments in `shown` and
 * `judged`, records of any kind in `retracted`. The ids live in the arena. */
struct lore_new_name { /* a name that neither the catalogue nor an earlier record has */
    const char *kind;  /* operator | technique */
    const char *name;  /* as written */
};
struct lore_left {
    const char *experiment, *technique;
};
struct lore_effects {
    struct lore_texts shown;     /* hidden or shown by a curation; the indexes must follow */
    struct lore_texts judged;    /* may have other verdicts now: for lore_verdicts_judge */
    struct lore_texts retracted; /* retracted or restored; the indexes must follow */
    bool specs;                  /* a hardware number was stored or decided about */
    struct lore_left *left;      /* names that experiments, all in `judged`, no longer have */
    size_t n_left, cap_left;
    struct lore_new_name *named; /* names that the document brought */
    size_t n_named, cap_named;
};
struct lore_put_ctx {
    struct lore_db *db;
    int64_t document;
    struct lore_arena *arena;
    const char *actor; /* label of the token, or an actor as in put.h */
    int64_t now_us;
    struct lore_effects *effects; /* NULL: they are not collected */
    /* The numbers of chips that verdicts on this document's runs have read, in the arena; NULL:
     * they are read for each run. */
    struct lore_rates **rates;
};

#endif
