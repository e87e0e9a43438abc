/* One vocabulary over two vendors: canonical quantities computed from the counters that a run has.
 * Each row is a formula over vendor counters and facts of the device; several rows may compute the
 * same quantity, the first that can wins. An input that is absent makes the result unknown and is
 * named; it is never read as zero, and neither is a division by zero. */
#ifndef LORE_DERIVE_ONTOLOGY_H
#define LORE_DERIVE_ONTOLOGY_H

#include "service/base/arena.h"
#include "service/wire/record.h"

/* Facts of the launch and the device. Not set: unknown. */
struct lore_device_facts {
    struct lore_f64 dur_ns;         /* of the launch; else the profiler's own duration is used */
    struct lore_f64 units;          /* CUs or SMs: 304 */
    struct lore_f64 xcds;           /* dies whose counters are summed: 8 on MI300X in SPX */
    struct lore_f64 hbm_gb_per_s;   /* peak of the memory, decimal: from a sourced spec */
    struct lore_f64 waves_per_unit; /* most waves a CU holds: 32 on CDNA */
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
    const struct lore_ontology_row *row; /* the formula used, or the first that could not be */
    bool set;
    double value;
    const char *unknown; /* when not set: "TCC_HIT_sum, TCC_MISS_sum" or "division by zero" */
};
/* Every canonical quantity of VENDOR, known or not, into *out (N values, ARENA's). A metric that is
 * marked missing, is not finite, or carries another unit than the catalogue's counts as absent. */
void lore_ontology(const struct lore_metrics *metrics, const char *vendor,
    const struct lore_device_facts *facts, struct lore_arena *arena,
    struct lore_ontology_value **out, size_t *n);

#endif
