/* A chip's facts for the model of moves, by any of its names. The memory and the evaluation ask
 * here, so that one is judged by what the other knows. */
#ifndef LORE_MOVES_MOVES_CHIP_DATA_H
#define LORE_MOVES_MOVES_CHIP_DATA_H

#include "service/moves/moves.h"

/* Fill name (the catalogue's), vendor, arch and isa of PLACE; the workload
 * stays. false, and nothing is written: the catalogue does not know the name. */
bool lore_moves_chip_known(const char *name, struct lore_moves_chip *place);

#endif
