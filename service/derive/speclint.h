/* Checks hardware specs against each other: ratios that vendors' tables obey, and values that
 * disagree about the same quantity. A curator answers the findings; no value is corrected or
 * computed from another. */
#ifndef LORE_DERIVE_SPECLINT_H
#define LORE_DERIVE_SPECLINT_H

#include "service/base/arena.h"
#include "service/wire/record.h"

/* One recorded value. A throughput is named metric.type.unit.sparsity:
 * "peak_tflops.bf16.matrix.dense", "peak_tflops.tf32.matrix.sparse". Other names have no fixed
 * form: "memory_bandwidth", "l2_size". */
struct lore_speclint_value {
    const char *chip; /* "mi308x"; required, as is metric */
    const char *metric, *qualifier /* NULL: none */;
    double value;
    const char *unit;     /* "TFLOPS", "GB/s", "KB", "MHz", "" */
    const char *id;       /* of the spec value, for the findings */
    const char *evidence; /* class: "device_reported", "derived"; NULL: unknown */
    const char *quote;    /* the source text that states it; NULL: not checked */
};

struct lore_spec_finding {
    const char *code;     /* dense_sparse, tf32_bf16, fp8_bf16, unit_scaling, unknown_unit,
                             device_differs, quote_lacks_value, other_name */
    const char *ids[2];   /* the spec values; ids[1] NULL for a finding on one */
    const char *sentence; /* with both numbers and the ratio expected */
};
/* Arithmetic of one chip's values: sparse = 2 * dense, BF16 = 2 * TF32, FP8 = 2 * BF16 (same unit
 * and sparsity; ~1 % for rounding). A value that is absent is not checked. SIBLING holds the values
 * of a chip that differs only in the number of units (compute_units). Then throughput / units must
 * be equal on both within 5 %, because their clocks may differ. A value that a device reports is
 * compared with the documented ones. Two more findings: a quote that does not contain the value in
 * any common scale, unless the value is derived; a metric with another name in the vocabulary
 * (spec_names.h). Equal findings from several sources are merged. *n_out may be 0. */
const struct lore_spec_finding *lore_spec_lint(const struct lore_speclint_value *v, size_t n,
    const struct lore_speclint_value *sibling, size_t n_sibling, struct lore_arena *arena,
    size_t *n_out);

struct lore_spec_dispute {
    const char *chip, *metric, *qualifier;
    const struct lore_speclint_value *const *members; /* all comparable values */
    size_t n_members;
    double low, high; /* in base units */
    const char *dimension;
};
/* Find values of one (chip, metric, qualifier) that differ by more than 1e-6 after normalisation of
 * their units. Sizes in KB, MB and GB agree if they are equal with either decimal or binary
 * prefixes: 32 MB of L2 equal the 32768 KB that a driver reports. Values with unknown or
 * incompatible units are not compared. Disputes are in order of appearance. */
const struct lore_spec_dispute *lore_spec_disputes(
    const struct lore_speclint_value *v, size_t n, struct lore_arena *arena, size_t *n_out);

#endif
