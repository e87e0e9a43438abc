/* Find databases as states to advise on: a problem whose fastest matrix-multiplication solver runs,
 * and every other solver listed for it as a candidate to switch to, with its true speedup. Used by
 * eval_shapes. */
#ifndef LORE_TESTS_EVAL_MIOPEN_DATA_H
#define LORE_TESTS_EVAL_MIOPEN_DATA_H

#include "collectors/import/tuning/miopen.h"
#include "service/base/buf.h"

struct miopen_candidate {
    const char *technique;
    double effect; /* ln speedup against the base */
};
/* By a hash of the shape, the same in all directions and dtypes: one in five is held out, and of
 * the others one in five serves to choose numbers. */
enum miopen_part { MIOPEN_KNOWN, MIOPEN_CHOOSE, MIOPEN_HELD_OUT };
struct miopen_state {
    struct lore_miopen_problem problem;
    const char *workload; /* its key: what it is known by */
    struct miopen_candidate *candidate;
    size_t n;
    enum miopen_part part;
};
struct miopen_data {
    const char *chip; /* catalogue name */
    struct miopen_state *state;
    size_t n, cap, problems; /* problems: also those without a base or without a candidate */
};

/* Every *.fdb.txt and *.fdb.txt.bz2 in FOLDER, one entry per file, in ARENA. A file that the
 * importer does not read is named in LEFT_OUT, with the reason. LORE_NOTFOUND: none was read. */
enum lore_status
miopen_load(const char *folder, struct lore_arena *arena, struct lore_buf *left_out,
    struct miopen_data *out, size_t cap, size_t *n, struct lore_err *err) LORE_MUST;

#endif
