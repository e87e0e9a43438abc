/* Attempts on a kernel and on other kernels of its operator, to compare a plan with them
 * (attempt.c). */
#ifndef LORE_DB_ATTEMPT_H
#define LORE_DB_ATTEMPT_H

#include <stdbool.h>
#include <stdint.h>

#include "service/base/arena.h"
#include "service/wire/wire.h"

struct lore_db;
struct lore_attempt_row {
    const char *id; /* of the experiment */
    const char *kernel, *kernel_name, *title, *claim, *chip, *workload, *from_version, *to_version;
    const char *base_label, *base_has; /* of from_version: its label, and the techniques that it
                                          shows itself, comma-separated */
    const char *author, *effect, *correctness; /* of the verdict in force */
    const char *slugs;                         /* techniques, comma-separated; NULL: none */
    const char *uses;                          /* JSON: techniques with parameters; NULL: none */
    struct lore_f64 speedup;
    int64_t at_us;
    bool not_built, not_run, timed_out; /* never measured: failed to compile, failed when it ran,
                                           took too long */
    bool loose;                         /* only compared with the attempt before it in its log */
    bool withdrawn;                     /* no result, because a run of it was retracted */
};
enum lore_attempts_of {
    LORE_ATTEMPTS_KERNEL,    /* of `kernel` */
    LORE_ATTEMPTS_OPERATOR,  /* of all kernels of `op` */
    LORE_ATTEMPTS_ELSEWHERE, /* of the kernels of `op` but `kernel` */
    LORE_ATTEMPTS_NEWEST     /* of all kernels, kernel by kernel */
};
struct lore_attempt_filter {
    enum lore_attempts_of of;
    const char *kernel, *op;
    size_t max; /* the newest; 0: all */
};
/* List the experiments that are not hidden, oldest first, in ARENA. */
enum lore_status lore_db_list_attempts(struct lore_db *db, const struct lore_attempt_filter *f,
    struct lore_arena *arena, struct lore_attempt_row **out, size_t *n,
    struct lore_err *err) LORE_MUST;

/* Whether EXPERIMENT was never measured because it did not compile or failed when it ran; false
 * when it is not stored. */
enum lore_status lore_db_never_ran(
    struct lore_db *db, const char *experiment, bool *out, struct lore_err *err) LORE_MUST;

/* The seq of the newest experiment; 0: there is none. */
enum lore_status
lore_db_newest_experiment(struct lore_db *db, int64_t *seq, struct lore_err *err) LORE_MUST;
/* The techniques of an experiment with their parameters, as JSON; *out is NULL when it states no
 * parameter. */
enum lore_status lore_db_get_uses(struct lore_db *db, const char *experiment,
    struct lore_arena *arena, const char **out, struct lore_err *err) LORE_MUST;

/* A version with the chip and the workload on which it ran. */
struct lore_run_place {
    const char *version, *chip, *workload; /* workload NULL: a run without one */
};
/* Find the newest run of a version on a chip and workload, in ARENA; *out is NULL when there is
 * none. */
enum lore_status lore_db_find_run(struct lore_db *db, const struct lore_run_place *at,
    struct lore_arena *arena, const char **out, struct lore_err *err) LORE_MUST;

#endif
