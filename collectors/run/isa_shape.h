/* The machine code of a kernel in a line of a profile: what a run needs of it when the line is
 * adopted. */
#ifndef LORE_RUN_ISA_SHAPE_H
#define LORE_RUN_ISA_SHAPE_H

#include "collectors/run/isa_facts.h"

/* Put the facts of kernel Q, or why there are none, into S. */
void lore_isa_shape_put(const struct lore_isa_facts *f, const struct lore_isa_kernel *q,
    struct lore_arena *arena, struct lore_profile_shape *s);
/* The facts that S has of kernel SYMBOL, into *out. */
void lore_isa_shape_facts(const struct lore_profile_shape *s, const char *symbol,
    struct lore_arena *arena, struct lore_isa_facts *out);
/* The techniques whose signatures the machine code of S shows; none when S has no code. */
struct lore_texts lore_isa_shape_shows(
    const struct lore_profile_shape *s, const char *symbol, struct lore_arena *arena);

#endif
