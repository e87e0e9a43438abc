/* The agent's spool stores records on disk until the service has them. A record is a head and a
 * payload with a keyed checksum over both (spool_record.h). A segment holds at most 4 MiB; a larger
 * record has its own. lore_spool_add returns after the record is synced. Damage is detected,
 * skipped and saved aside; whole records are never lost. Several processes may add, but only one
 * drains. A full spool refuses new records and never drops old ones. One thread at a time may use a
 * struct lore_spool. */
#ifndef LORE_SPOOL_SPOOL_H
#define LORE_SPOOL_SPOOL_H

#include <stdint.h>

#include "service/base/arena.h"
#include "service/base/buf.h"

struct lore_spool;
struct lore_spool_limits {
    uint64_t max_bytes;  /* 0: 1 GiB; of all files in DIR, DIR/dead and DIR/damaged */
    uint64_t free_bytes; /* leave this much of the disk free; 0: 64 MiB */
    uint64_t sent_bytes; /* 0: 256 MiB; of DIR/sent */
};
#define LORE_SPOOL_FREE_MIB 64            /* default of free_bytes */
#define LORE_SPOOL_RECORD_MAX (32u << 20) /* payload bytes */
/* Open or create DIR (0700, files 0600, no symbolic links followed). */
enum lore_status lore_spool_open(const char *dir, const struct lore_spool_limits *limits,
    struct lore_spool **out, struct lore_err *err) LORE_MUST;
void lore_spool_close(struct lore_spool *s);
/* Add one record: on LORE_OK it is on disk. *seq (may be NULL) is its number, greater than all
 * numbers ever used by any process. LORE_TOOBIG code spool_full. */
enum lore_status lore_spool_add(struct lore_spool *s, const void *payload, size_t n, uint64_t *seq,
    struct lore_err *err) LORE_MUST;
/* Add a record whose payload depends on its number. FILL appends the payload to PAYLOAD under the
 * writers' lock; any result but LORE_OK ends the call. */
typedef enum lore_status (*lore_spool_fill)(
    void *ctx, uint64_t seq, struct lore_buf *payload, struct lore_err *err);
enum lore_status lore_spool_add_built(struct lore_spool *s, lore_spool_fill fill, void *ctx,
    uint64_t *seq, struct lore_err *err) LORE_MUST;

struct lore_spool_item {
    uint64_t seq;
    int64_t added_us;
    const unsigned char *payload; /* in the arena */
    size_t n;
};
/* Become the draining process until lore_spool_close; LORE_BUSY when another process is. */
enum lore_status lore_spool_lock_drain(struct lore_spool *s, struct lore_err *err) LORE_MUST;
struct lore_spool_limit {
    size_t items, bytes;
};
/* List waiting items in order, up to LIMIT but at least one. */
enum lore_status
lore_spool_peek(struct lore_spool *s, struct lore_spool_limit limit, struct lore_arena *arena,
    struct lore_spool_item **items, size_t *n, struct lore_err *err) LORE_MUST;
/* Mark SEQS as delivered; the mark is on disk when the call returns. Segments with nothing left go
 * to DIR/sent. */
enum lore_status lore_spool_done(
    struct lore_spool *s, const uint64_t *seqs, size_t n, struct lore_err *err) LORE_MUST;
/* Move SEQ, which the service refuses for good, to DIR/dead/SEQ.json with WHY beside it. It is
 * never deleted. */
enum lore_status lore_spool_set_aside(
    struct lore_spool *s, uint64_t seq, const char *why, struct lore_err *err) LORE_MUST;
/* Delivered records stay in DIR/sent until there are more than limits.sent_bytes of them or the
 * disk is full. Remove those that were delivered more than DAYS days ago. */
void lore_spool_prune(struct lore_spool *s, int days);
/* Let all delivered records that are still here wait again, except those with the numbers EXCEPT,
 * which ascend. *again: how many. For the draining process. */
enum lore_status lore_spool_again(struct lore_spool *s, const uint64_t *except, size_t n,
    uint64_t *again, struct lore_err *err) LORE_MUST;
struct lore_spool_stats {
    uint64_t waiting, waiting_bytes, next_seq;
    uint64_t dead, damaged; /* records refused; spans of bytes that are no record */
    int64_t oldest_us;      /* when the oldest waiting record was added; 0: none */
};
enum lore_status lore_spool_stats(
    struct lore_spool *s, struct lore_spool_stats *out, struct lore_err *err) LORE_MUST;

#endif
