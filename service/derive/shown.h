/* What a version has by its own source, parameters and summary, what its source certainly lacks,
 * and what is pointless in it: padding where the tile is swizzled. Pure functions.
 *
 * The source is the whole truth about what its rules can see (service/catalogue/source.h): of that,
 * words add nothing, and parameters what it does not certainly lack: they may be its constants.
 * Parameters and the summary count by the resolver of words (service/catalogue/words.h), where they
 * affirm a technique: a value that means "not in use" (service/catalogue/parameter_off.h) states
 * that it is absent, and a mode or order ("serial") counts only where no other parameter says so.
 * Block sizes and the like name no technique that one could have or lack. */
#ifndef LORE_DERIVE_SHOWN_H
#define LORE_DERIVE_SHOWN_H

#include "service/base/arena.h"
#include "service/wire/record.h"

/* Increase it when the answer for some version changes, so that stored answers are derived again.
 */
enum { LORE_SHOWN_RULES = 4 };
/* Texts live in ARENA or are static. Returns false when nothing is shown. */
bool lore_shown_of(
    const struct lore_version *v, struct lore_arena *arena, struct lore_version_shown *out);

#endif
