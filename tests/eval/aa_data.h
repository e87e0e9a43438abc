/* The ordered samples of exhaustively tuned spaces, from Kernel Tuner cache files. Used by eval_aa.
 */
#ifndef LORE_TESTS_EVAL_AA_DATA_H
#define LORE_TESTS_EVAL_AA_DATA_H

#include <stdbool.h>

#include "service/base/arena.h"

enum { AA_CHIPS = 32, AA_SAMPLES = 64 };

struct aa_series {
    double ns[AA_SAMPLES];
    size_t n;
    bool held_out; /* not of the half that constants were chosen on */
};
struct aa_chip {
    const char *name; /* "convolution_A100" */
    struct aa_series *series;
    size_t n, samples; /* configurations that ran; samples of most of them */
};
/* Every tuning file below FOLDER that holds ordered samples, in order of name; *n chips.
 * LORE_NOTFOUND when there is none. */
enum lore_status aa_load(const char *folder, struct lore_arena *arena, struct aa_chip *chips,
    size_t *n, struct lore_err *err) LORE_MUST;

#endif
