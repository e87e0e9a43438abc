/* The value that stands for a parameter that a configuration lacks (moves_absent.c). Private to
 * moves/. */
#ifndef LORE_MOVES_MOVES_ABSENT_H
#define LORE_MOVES_MOVES_ABSENT_H

#include "service/moves/moves_model.h"

/* Learn what missing parameters stand for, when there is reason to. */
void lore_moves_resolve(const struct lore_moves *m, struct moves_op *op);

#endif
