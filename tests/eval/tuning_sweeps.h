/* The sweeps of the tuning files below a folder, made by the importer: what is evaluated is what a
 * service would store. Used by tuning_data.c. */
#ifndef LORE_TESTS_EVAL_TUNING_SWEEPS_H
#define LORE_TESTS_EVAL_TUNING_SWEEPS_H

#include "service/wire/sweep.h"
#include "tests/eval/tuning_files.h"

struct tuning_sweep {
    const char *file, *kernel; /* names: "convolution_A100", "convolution" */
    const struct lore_sweep *record;
    struct lore_sweep_data d;
    char print[33]; /* equal for two records of one search */
};
typedef enum lore_status (*tuning_sweep_fn)(
    void *ctx, const struct tuning_sweep *s, struct lore_err *err);
/* Hand the sweeps of FROM to FN, whose argument lives until FN returns. NOTES gets a line where the
 * file was unfinished or has refused configurations. An error names the file. */
enum lore_status tuning_sweeps(const struct tuning_path *from, struct lore_buf *notes,
    tuning_sweep_fn fn, void *ctx, struct lore_err *err) LORE_MUST;

#endif
