/* Learns the numbers by which starts are chosen. Private to moves/. */
#ifndef LORE_MOVES_MOVES_FIT_STARTS_H
#define LORE_MOVES_MOVES_FIT_STARTS_H

#include "service/moves/moves.h"

/* Learn them; the weights of facts come first. */
void lore_moves_fit_starts(struct lore_moves *m);

#endif
