/* Metric values of one record packed into one blob: a run carries forty of them, and forty rows
 * would cost more than all the rest of it. Little-endian, values one after the other:
 *
 *   u32 metric   cat_metric.id
 *   u8  missing  enum lore_missing; 0: there is a value
 *   u8  flags    bit 0: n, std, min, max follow; bit 1: precision was lost before we got it
 *   f64 value    0 when missing
 *   u64 n        only with bit 0; 2^64-1: not set
 *   f64 std, min, max   only with bit 0; NaN: not set
 *
 * Names and units live in cat_metric. Decoding trusts nothing: LORE_CORRUPT. */
#ifndef LORE_DB_METRICS_H
#define LORE_DB_METRICS_H

#include "service/base/arena.h"
#include "service/base/buf.h"
#include "service/wire/record.h"

struct lore_db;
/* Append M to OUT and register new names. Writes nothing when M is empty. */
enum lore_status lore_metrics_pack(struct lore_db *db, const struct lore_metrics *m,
    struct lore_buf *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_metrics_unpack(struct lore_db *db, const void *p, size_t n,
    struct lore_arena *a, struct lore_metrics *out, struct lore_err *err) LORE_MUST;
/* The same for the writer's verdicts: names and units may be borrowed from the connection, until
 * the transaction ends. */
enum lore_status lore_metrics_borrow(struct lore_db *db, const void *p, size_t n,
    struct lore_arena *a, struct lore_metrics *out, struct lore_err *err) LORE_MUST;

#endif
