/* Rows for the in-memory indexes of evidence and board (feed.c). */
#ifndef LORE_DB_FEED_H
#define LORE_DB_FEED_H

#include "service/base/status.h"
#include "service/wire/feed.h"
#include <stdint.h>

struct lore_db;
/* Read every experiment (with its verdict in force) or every run after the given seq. Strings are
 * valid only during the call. FN returns false to stop. */
typedef bool (*lore_evidence_fn)(void *ctx, const struct lore_evidence_in *in);
typedef bool (*lore_entry_fn)(void *ctx, const struct lore_entry *in);
typedef bool (*lore_limit_fn)(void *ctx, const struct lore_limit_in *in);
enum lore_status lore_db_each_evidence(struct lore_db *db, int64_t after_seq, lore_evidence_fn fn,
    void *ctx, int64_t *last_seq, struct lore_err *err) LORE_MUST;
/* Board entries of runs (kernel timings) and of experiments. An experiment's stated time is used
 * only when it has no after-run. */
enum lore_status lore_db_each_run_entry(struct lore_db *db, int64_t after_seq, lore_entry_fn fn,
    void *ctx, int64_t *last_seq, struct lore_err *err) LORE_MUST;
/* limit.c: limits that were stored or changed. */
enum lore_status lore_db_each_limit(struct lore_db *db, int64_t after_seq, lore_limit_fn fn,
    void *ctx, int64_t *last_seq, struct lore_err *err) LORE_MUST;
enum lore_status lore_db_each_claim_entry(struct lore_db *db, int64_t after_seq, lore_entry_fn fn,
    void *ctx, int64_t *last_seq, struct lore_err *err) LORE_MUST;
/* Workloads in the order of storing; seq is the position in that order. */
typedef bool (*lore_workload_fn)(void *ctx, const char *id, const struct lore_workload *w);
enum lore_status lore_db_each_workload(struct lore_db *db, int64_t after_seq, lore_workload_fn fn,
    void *ctx, int64_t *last_seq, struct lore_err *err) LORE_MUST;
/* The present state of one experiment, as evidence and as a board entry. */
enum lore_status lore_feed_experiment(struct lore_db *db, const char *experiment,
    lore_evidence_fn evidence, lore_entry_fn entry, void *ctx, struct lore_err *err) LORE_MUST;

#endif
