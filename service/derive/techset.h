/* Sets of technique slugs, compared regardless of order and repetition. Pure. */
#ifndef LORE_DERIVE_TECHSET_H
#define LORE_DERIVE_TECHSET_H

#include "service/base/arena.h"
#include "service/wire/record.h"

/* The set as one sorted text, "a\nb", in ARENA; "" for the empty set. Equal sets give equal texts.
 * NULL and empty names are ignored. */
const char *lore_techset_key(struct lore_arena *arena, const char *const *techniques, size_t n);

#endif
