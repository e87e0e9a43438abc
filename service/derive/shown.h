/* What a version has by its own source, parameters and summary, what its source certainly lacks,
 * and what is pointless in it: padding where the tile is swizzled. Pure functions.
 *
 * The source is the whole truth about what its rules can see (service/catalogue/source.h): of that,
 * words add nothing, and parameters what it does not certainly lack: they may be its constants.
 * Parameters and the summary count by the resolver of words (service/catalogue/words.h), where they
 * affirm a technique: a parameter that is 0, none or false states that it is absent, and so does 1
 * where the parameter is a count. Block sizes and the like name no technique that one could have or
 * lack. */
#ifndef LORE_DERIVE_SHOWN_H
#define LORE_DERIVE_SHOWN_H

#include "service/base/arena.h"
#include "service/wire/record.h"

/* Increase it when the answer for some version changes, so that stored answers are derived again.
 */
enum { LORE_SHOWN_RULES = 2 };
/* Texts live in ARENA or are static. Returns false when nothing is shown. */
bool lore_shown_of(
    const struct lore_version *v, struct lore_arena *arena, struct lore_version_shown *out);

#endif
