/* What every put is given, and what it reports beside its row. */
#ifndef LORE_DB_PUT_CONTEXT_H
#define LORE_DB_PUT_CONTEXT_H

#include <stdint.h>

#include "service/base/arena.h"
#include "service/wire/record.h"

struct lore_db;
/* State of one record after a put. */
enum lore_put { LORE_PUT_STORED = 1, LORE_PUT_DUPLICATE };
/* What puts change beside their own record, as ids, of experiments unless said; the texts live in
 * the arena. */
struct lore_effects {
    struct lore_texts shown;     /* hidden or shown by a curation: the memory follows */
    struct lore_texts judged;    /* their verdicts may be others now: for lore_verdicts_judge */
    struct lore_texts retracted; /* any records, retracted or given back: the memory follows */
};
struct lore_put_ctx {
    struct lore_db *db;
    int64_t document;
    struct lore_arena *arena;
    const char *actor; /* label of the token */
    int64_t now_us;
    struct lore_effects *effects; /* NULL: nobody asks */
};

#endif
