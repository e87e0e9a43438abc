/* Canonical quantities for both vendors, computed from the counters of a run. Each row is a formula
 * over vendor counters and facts of the device. If several rows compute the same quantity, the
 * first whose inputs are all known is used. A missing input or a division by zero makes the result
 * unknown, never zero, and the result names the cause. */
#ifndef LORE_DERIVE_ONTOLOGY_H
#define LORE_DERIVE_ONTOLOGY_H

#include "service/base/arena.h"
#include "service/wire/record.h"

/* Facts of the launch and the device. Not set: unknown. */
struct lore_device_facts {
    struct lore_f64 dur_ns;       /* of the launch; unset: formulas with $dt are unknown */
    struct lore_f64 units;        /* CUs or SMs: 304 */
    struct lore_f64 xcds;         /* dies over which counters are summed: 8 on MI300X in SPX mode */
    struct lore_f64 hbm_gb_per_s; /* peak bandwidth, decimal GB, from a spec with a source */
    struct lore_f64 waves_per_unit; /* maximum number of waves per CU: 32 on CDNA */
};

struct lore_ontology_row {
    const char *canonical, *unit; /* "dram_read_bytes", "byte" */
    const char *vendor;           /* amd | nvidia */
    /* + - * / and parentheses over numbers, counters and the facts $dt $units $xcds $hbm $waves */
    const char *formula;
    const char *fidelity; /* same: defines the quantity; close: differs in detail, see note */
    const char *note;     /* what differs; NULL: nothing */
};
const struct lore_ontology_row *lore_ontology_rows(size_t *n); /* sorted by canonical, vendor */

struct lore_ontology_value {
    const struct lore_ontology_row
        *row; /* the formula that was used, else the first of the quantity */
    bool set;
    double value;
    const char *unknown; /* when not set: "TCC_HIT_sum, TCC_MISS_sum" or "division by zero" */
};
/* Write every canonical quantity of VENDOR, known or unknown, to *OUT (*N values in ARENA). A
 * metric counts as missing if it is marked so, is not finite, or has another unit than in the
 * catalogue. */
void lore_ontology(const struct lore_metrics *metrics, const char *vendor,
    const struct lore_device_facts *facts, struct lore_arena *arena,
    struct lore_ontology_value **out, size_t *n);

#endif
