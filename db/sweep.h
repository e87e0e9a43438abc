/* Sweeps: searches of tuners, packed (sweep.c). */
#ifndef LORE_DB_SWEEP_H
#define LORE_DB_SWEEP_H

#include "db/knowledge.h"
#include "service/wire/feed.h"
#include "service/wire/sweep.h"

/* r.configurations is left empty: `count` and the other members are known without unpacking. same:
 * the sweep that counts for this one, because both are records of one search; NULL: this one
 * counts. best_version, best_label: the version of its best configuration. */
LORE_ROW(sweep, lore_sweep, const char *op, *kernel_name, *language, *workload_id, *workload_label;
         int64_t count, timed, failed; struct lore_f64 best_ns, median_ns;
         const char *best_version, *best_label, *same; bool retracted;);
LORE_GETTER(sweep, LORE_K_SWEEP)
/* op, kernel, workload, chip, author; one per search. With a kernel also those that count at
 * another kernel: a copy in another project. */
LORE_LISTER(sweeps, sweep, LORE_K_SWEEP)

/* The configurations of a sweep; WHAT: LORE_SWEEP_SAMPLES, LORE_SWEEP_METRICS. */
enum lore_status lore_db_get_configurations(struct lore_db *db, const char *sweep, unsigned what,
    struct lore_arena *a, struct lore_sweep_data *out, struct lore_err *err) LORE_MUST;

/* The newest sweep of operator OP at a place; AT names no version. *id NULL: there is none. */
struct lore_run_place;
enum lore_status
lore_db_find_sweep(struct lore_db *db, const char *op, const struct lore_run_place *at,
    struct lore_arena *a, const char **id, struct lore_err *err) LORE_MUST;

/* For the index of moves: every sweep after a seq that names a chip, is not retracted and counts
 * for its search, in order; without samples and other values. */
typedef bool (*lore_sweep_fn)(void *ctx, const struct lore_trial_sweep *s);
enum lore_status lore_db_each_sweep(struct lore_db *db, int64_t after_seq, lore_sweep_fn fn,
    void *ctx, int64_t *last_seq, struct lore_err *err) LORE_MUST;

/* For the index of evidence: what sweeps after a seq say of techniques, one row per sweep and
 * technique; and what the sweep ID says, and other records of its search, after one was retracted.
 * Only the record that counts for its search is not masked. */
typedef bool (*lore_witness_fn)(void *ctx, const struct lore_evidence_in *in);
enum lore_status lore_db_each_witness(struct lore_db *db, int64_t after_seq, lore_witness_fn fn,
    void *ctx, int64_t *last_seq, struct lore_err *err) LORE_MUST;
enum lore_status lore_db_feed_witness(struct lore_db *db, const char *id, lore_witness_fn fn,
    void *ctx, struct lore_err *err) LORE_MUST;

/* Derive sweep ID again, by the limit that is stored for its place. */
enum lore_status
lore_sweep_judge(struct lore_db *db, const char *id, struct lore_err *err) LORE_MUST;
/* Derive all sweeps again. The indexes in memory know nothing of it until the service starts. */
enum lore_status lore_sweeps_all(struct lore_db *db, struct lore_err *err) LORE_MUST;

#endif
