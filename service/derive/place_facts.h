/* The numbers by which the needs of techniques are tested (service/catalogue/technique_applies.h):
 * from a shape, two numbers of the chip, and a run. What is not recorded stays unknown. Pure. */
#ifndef LORE_DERIVE_PLACE_FACTS_H
#define LORE_DERIVE_PLACE_FACTS_H

#include "service/catalogue/technique_applies.h"
#include "service/wire/record.h"

struct lore_place_seen {
    const char *op;              /* canonical name */
    const struct lore_kvs *dims; /* NULL: not known, as is the type */
    const char *dtype;
    struct lore_f64 units, l2_bytes, shared_bytes; /* of the chip; shared_bytes: of one unit */
    const struct lore_run *run; /* of the version that is asked about; NULL: none */
    bool here; /* that run is of this shape and chip, so that its time and its waves count, too */
};
/* Set *OUT to the facts of the place SEEN. Texts and readings of the run's metrics live in ARENA.
 */
void lore_place_facts_find(
    const struct lore_place_seen *seen, struct lore_arena *arena, struct lore_place_facts *out);

#endif
