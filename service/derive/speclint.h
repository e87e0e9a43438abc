/* Hardware numbers against each other: arithmetic that vendors' tables obey, and values that
 * disagree about one thing. Findings are questions for a curator; nothing is corrected, and no
 * value is made from another. */
#ifndef LORE_DERIVE_SPECLINT_H
#define LORE_DERIVE_SPECLINT_H

#include "service/base/arena.h"
#include "service/wire/record.h"

/* One recorded value. Names of throughput are what.type.unit.sparsity: "peak_tflops.bf16.matrix.
 * dense", "peak_tflops.tf32.matrix.sparse"; others are free: "memory_bandwidth", "l2_size". */
struct lore_speclint_value {
    const char *chip; /* "mi308x"; required, as is metric */
    const char *metric, *qualifier /* NULL: none */;
    double value;
    const char *unit;     /* "TFLOPS", "GB/s", "KB", "MHz", "" */
    const char *id;       /* of the spec value, for the findings */
    const char *evidence; /* class: "device_reported", "derived"; NULL: not said */
    const char *quote;    /* the words that state it; NULL: not checked */
};

struct lore_spec_finding {
    const char *code;     /* dense_sparse, tf32_bf16, fp8_bf16, unit_scaling, unknown_unit,
                             device_differs, quote_lacks_value, other_name */
    const char *ids[2];   /* the spec values; ids[1] NULL for a finding on one */
    const char *sentence; /* with both numbers and the ratio expected */
};
/* Arithmetic of one chip's values: sparse = 2 * dense, BF16 = 2 * TF32, FP8 = 2 * BF16 (same unit
 * and sparsity; ~1 % for rounding). A value that is absent is not checked. With SIBLING (values of
 * another chip, given because somebody says that the two differ only in unit count) also
 * throughput / units equal on both (5 %: clocks); "units" is the metric compute_units. A value that
 * a device reports is compared with what others say of the same thing. A quote that holds no such
 * number, also not in thousands of it, is found, unless the value is derived. So is a metric that
 * has another name in the vocabulary (spec_names.h). Sources that say the same lead to one finding.
 * *n may be 0. */
const struct lore_spec_finding *lore_spec_lint(const struct lore_speclint_value *v, size_t n,
    const struct lore_speclint_value *sibling, size_t n_sibling, struct lore_arena *arena,
    size_t *n_out);

struct lore_spec_dispute {
    const char *chip, *metric, *qualifier;
    const struct lore_speclint_value *const *members; /* all values of it that can be compared */
    size_t n_members;
    double low, high; /* in base units */
    const char *dimension;
};
/* Values of one (chip, metric, qualifier) that differ after normalisation by more than 1e-6; equal
 * ones, whatever their units, are no dispute. Sizes in KB, MB and GB agree when they do under a
 * decimal or a binary reading: 32 MB of L2 are the 32768 KB that a driver reports. Values whose
 * units are unknown, or measure different things, are never compared. In order of appearance. */
const struct lore_spec_dispute *lore_spec_disputes(
    const struct lore_speclint_value *v, size_t n, struct lore_arena *arena, size_t *n_out);

#endif
