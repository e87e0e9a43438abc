/* Names of hardware numbers, shared by everything that reads or compares them: one quantity has one
 * name, whatever its table calls it. Values keep the unit that their source prints. */
#ifndef LORE_CATALOGUE_SPEC_NAMES_H
#define LORE_CATALOGUE_SPEC_NAMES_H

#include <stdbool.h>

#include "service/base/arena.h"

struct lore_spec_name {
    const char *name;   /* "lds_bytes_per_cu" */
    const char *unit;   /* where the source prints none: "count", "MHz" */
    const char *labels; /* comma-separated slugs of what tables call it */
    const char *help;   /* what it is, one sentence */
};
/* By name or label ("Memory Bandwidth", "l2_cache_mb"), ignoring case and separators. A label with
 * parentheses is also tried without that part. NULL when unknown. */
const struct lore_spec_name *lore_spec_name_find(const char *label);
const struct lore_spec_name *lore_spec_names(size_t *n);
/* The metric that names the peak rate of DTYPE ("bf16", "FP8", "int8"; one type, as printed):
 * "peak_tflops.bf16.matrix.dense", for integers "peak_tops.int8…". MATRIX: by matrix or tensor
 * units, else by vector units. NULL for a type that is not known. *unit (may be NULL) is "TFLOPS"
 * or "TOPS". */
const char *lore_spec_peak(
    struct lore_arena *arena, const char *dtype, bool matrix, bool sparse, const char **unit);
/* The metric that names the ridge point of DTYPE: "ridge_flops_per_byte.bf16.matrix"; NULL as
 * above. */
const char *lore_spec_ridge(struct lore_arena *arena, const char *dtype, bool matrix);
/* Whether code of DTYPE usually runs on matrix units: all but fp32 and fp64 does. */
bool lore_spec_by_matrix(const char *dtype);
/* Whether DTYPE is only computed by matrix units, so that a table that says otherwise is wrong. */
bool lore_spec_matrix_only(const char *dtype);
/* The evidence class of a spec for the word that its source uses: "architecture-analysis" ->
 * architecture_analysis, "derived-from-system-total" -> derived …; repository_reference for NULL
 * and "", NULL for an unknown word. */
const char *lore_spec_evidence(const char *text);

#endif
