/* Failures that came back: grouped by type and code, without a code by the first words that were
 * said. Pure. */
#ifndef LORE_DERIVE_FAILURES_H
#define LORE_DERIVE_FAILURES_H

#include "service/base/arena.h"
#include "service/wire/record.h"

struct lore_failed { /* one failure, newest first */
    const struct lore_pitfall *p;
    const char *experiment, *run; /* NULL: none */
    int64_t at_us;
};
#define LORE_FAILURE_EXAMPLES 5
struct lore_failure_group {
    const char *type, *code, *words; /* code or words; both NULL: nothing was said */
    int64_t count;                   /* as stated, else one each */
    int64_t recurrences;             /* different experiments, and runs of none */
    const char *message, *root_cause, *fix, *lesson; /* of the newest that says */
    const char *experiments[LORE_FAILURE_EXAMPLES];  /* newest first */
    const char *run;                                 /* the newest */
    size_t n_experiments;                            /* in `experiments` */
    int64_t last_us;
};
/* Those that came back most often first; of equals the newest. */
void lore_failures_group(const struct lore_failed *in, size_t n, struct lore_arena *arena,
    struct lore_failure_group **out, size_t *n_out);

#endif
