/* Operators and places by name. Private to moves/. */
#ifndef LORE_MOVES_MOVES_PLACES_H
#define LORE_MOVES_MOVES_PLACES_H

#include "service/moves/moves.h"

struct moves_names { /* texts by number */
    const char **text;
    size_t n, cap;
    uint32_t *slot, n_slots; /* number + 1, open addressing; 0: free */
};
struct moves_place { /* a place by numbers; NONE: nothing else is of that chip, on that workload */
    uint32_t who, work;
    double size;
};

uint32_t lore_moves_op(struct lore_moves *m, const char *name);
/* NONE when unknown. */
uint32_t lore_moves_op_find(const struct lore_moves *m, const char *name);
uint32_t lore_moves_work_find(const struct lore_moves *m, const char *workload);
uint32_t lore_moves_place_find(const struct lore_moves *m, const char *chip, const char *workload);
/* M with a place more, whose id is m->n_chips: what is asked about need not be in the memory, and a
 * reader may not write there. */
struct lore_moves *lore_moves_with_place(
    const struct lore_moves *m, const struct lore_moves_chip *place, struct lore_arena *arena);
void lore_moves_identify(const struct lore_moves *m, uint32_t place, struct moves_place *out);

#endif
