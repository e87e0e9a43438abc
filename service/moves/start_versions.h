/* Versions to start from, with their configurations. Private to moves/. */
#ifndef LORE_MOVES_START_VERSIONS_H
#define LORE_MOVES_START_VERSIONS_H

#include "service/moves/start.h"

/* The fastest configuration with a result at P; NONE: nothing ran there. */
uint32_t lore_start_best(const struct lore_start_place *p);
/* What is known of configuration STATE, which has a result at P. */
void lore_start_here(const struct lore_start_place *p, uint32_t state, struct lore_arena *arena,
    struct lore_start *out);
/* At most LIMIT proposals of the model. */
size_t lore_start_proposed(const struct lore_start_place *p, size_t limit, struct lore_arena *arena,
    struct lore_start *out);

#endif
