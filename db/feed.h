/* Feeding the in-memory indexes of advice and the board (feed.c). */
#ifndef LORE_DB_FEED_H
#define LORE_DB_FEED_H

#include "service/base/status.h"
#include "service/wire/feed.h"
#include <stdint.h>

struct lore_db;
/* Feed the memory: every experiment (with its verdict in force) and every run after the given seqs.
 * Texts are valid only during the call. Return false to stop. */
typedef bool (*lore_evidence_fn)(void *ctx, const struct lore_evidence_in *in);
typedef bool (*lore_entry_fn)(void *ctx, const struct lore_entry *in);
enum lore_status lore_each_evidence(struct lore_db *db, int64_t after_seq, lore_evidence_fn fn,
    void *ctx, int64_t *last_seq, struct lore_err *err) LORE_MUST;
/* Runs (kernel timings), and experiments; a stated time only when there is no after-run. */
enum lore_status lore_each_run_entry(struct lore_db *db, int64_t after_seq, lore_entry_fn fn,
    void *ctx, int64_t *last_seq, struct lore_err *err) LORE_MUST;
enum lore_status lore_each_claim_entry(struct lore_db *db, int64_t after_seq, lore_entry_fn fn,
    void *ctx, int64_t *last_seq, struct lore_err *err) LORE_MUST;
/* Workloads in the order in which they were stored; the seq is their place in it. */
typedef bool (*lore_workload_fn)(void *ctx, const char *id, const struct lore_workload *w);
enum lore_status lore_each_workload(struct lore_db *db, int64_t after_seq, lore_workload_fn fn,
    void *ctx, int64_t *last_seq, struct lore_err *err) LORE_MUST;
/* One experiment as it stands now, as evidence and as an entry. */
enum lore_status lore_feed_experiment(struct lore_db *db, const char *experiment,
    lore_evidence_fn evidence, lore_entry_fn entry, void *ctx, struct lore_err *err) LORE_MUST;

#endif
