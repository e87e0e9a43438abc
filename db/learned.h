/* The fitted parameters of the models of service/recommend and service/moves (drv_model). */
#ifndef LORE_DB_LEARNED_H
#define LORE_DB_LEARNED_H

#include <stdint.h>

#include "service/base/arena.h"

struct lore_db;
struct lore_learned {
    const char *numbers, *basis; /* JSON */
    int64_t trained_us;
};
/* The newest parameters of model NAME, in ARENA; LORE_NOTFOUND when it was never fitted. */
enum lore_status lore_db_get_learned(struct lore_db *db, const char *name, struct lore_arena *arena,
    struct lore_learned *out, struct lore_err *err) LORE_MUST;
/* Store new parameters. Writer only. */
enum lore_status lore_put_learned(struct lore_db *db, const char *name,
    const struct lore_learned *in, struct lore_err *err) LORE_MUST;

#endif
