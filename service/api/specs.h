/* Specs for handlers: all specs of a chip, the one in force, and citations. */
#ifndef LORE_API_SPECS_H
#define LORE_API_SPECS_H

#include "db/store.h"
#include "service/derive/speclint.h"

struct lore_specs {
    const struct lore_spec_row **rows; /* newest first */
    size_t n, cap;
    struct lore_speclint_value *values; /* of the rows that count and have a number */
    size_t n_values;
    const struct lore_spec_dispute *disputes;
    size_t n_disputes;
};
/* All of CHIP (NULL: of every chip). LORE_TOOBIG for more than 20,000. */
enum lore_status lore_specs_load(struct lore_db *db, const char *chip, struct lore_arena *arena,
    struct lore_specs *out, struct lore_err *err) LORE_MUST;
/* The spec in force for METRIC of the loaded chip; NULL: none, so the number is unknown. MEASURED:
 * the newest measured one instead. */
const struct lore_spec_row *
lore_specs_in_force(const struct lore_specs *s, const char *metric, bool measured);
/* "hbm_bandwidth: 5.3 TB/s <- docs/mi300x.md:34", "l2_bytes (per GCD): …", "… UNKNOWN (no_source)",
 * with a document that leaves it open "… UNKNOWN (no_source in docs/mi300x.json)". */
const char *lore_spec_cite(struct lore_arena *arena, const struct lore_spec_row *row);
#endif
