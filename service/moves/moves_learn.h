/* What the odds of a gain are learned from. Private to moves/. */
#ifndef LORE_MOVES_MOVES_LEARN_H
#define LORE_MOVES_MOVES_LEARN_H

#include "service/moves/moves_surface.h"

void lore_moves_odds(const struct moves_effect *e, double x[ODDS]);

#endif
