/* Versions to start from, with their configurations. Private to moves/. */
#ifndef LORE_MOVES_START_VERSIONS_H
#define LORE_MOVES_START_VERSIONS_H

#include "service/moves/start.h"

/* The fastest configuration with a result at P; NONE: nothing ran there. */
uint32_t lore_start_best(const struct lore_start_place *p);
/* What is known of configuration STATE, which has a result at P. */
void lore_start_here(const struct lore_start_place *p, uint32_t state, struct lore_arena *arena,
    struct lore_start *out);
/* lore_start_moves from configuration FROM, whether or not it has a version. LIKE: of versions of
 * one configuration, the one of this version's kernel; NULL: any. */
struct lore_moves_asked {
    uint32_t from;
    const char *like;
    bool new;
    size_t limit;
};
size_t lore_start_moves_of(const struct lore_start_place *p, const struct lore_moves_asked *a,
    struct lore_arena *arena, struct lore_start_move **out);
/* At most LIMIT proposals of the model. */
size_t lore_start_proposed(const struct lore_start_place *p, size_t limit, struct lore_arena *arena,
    struct lore_start *out);

#endif
