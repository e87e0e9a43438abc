/* Recurring failures, grouped by type and code; without a code, by the first words of the message.
 * Pure functions. */
#ifndef LORE_DERIVE_FAILURES_H
#define LORE_DERIVE_FAILURES_H

#include "service/base/arena.h"
#include "service/wire/record.h"

struct lore_failed { /* one failure; arrays of these are newest first */
    const struct lore_pitfall *p;
    const char *experiment, *run; /* NULL: none */
    int64_t at_us;
};
#define LORE_FAILURE_EXAMPLES 5
struct lore_failure_group {
    const char *type, *code, *words; /* the code, else the first words; both NULL: no message */
    int64_t count;                   /* sum of the stated counts; 1 for a failure without one */
    int64_t recurrences;             /* distinct experiments, and runs that belong to none */
    const char *message, *root_cause, *fix, *lesson; /* each from the newest failure that has one */
    const char *experiments[LORE_FAILURE_EXAMPLES];  /* newest first */
    const char *run;                                 /* the newest */
    size_t n_experiments;                            /* in `experiments` */
    int64_t last_us;
};
/* Groups in descending order of recurrences, then newest first. */
void lore_failures_group(const struct lore_failed *in, size_t n, struct lore_arena *arena,
    struct lore_failure_group **out, size_t *n_out);

#endif
