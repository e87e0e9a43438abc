/* The agent's spool: records wait here, on disk, until the service has them. A record is a head and
 * a payload (spool_record.h) with a keyed checksum over both, in segments of at most 4 MiB (a
 * larger record has its own), fsynced before lore_spool_add returns. Damage is found, stepped over
 * and kept aside; what is whole is never lost. Several processes may add; one at a time drains.
 * Full means refused, never "oldest dropped". A struct lore_spool is used by one thread at a time.
 */
#ifndef LORE_SPOOL_SPOOL_H
#define LORE_SPOOL_SPOOL_H

#include <stdint.h>

#include "service/base/arena.h"
#include "service/base/buf.h"

struct lore_spool;
struct lore_spool_limits {
    uint64_t max_bytes;  /* 0: 1 GiB; what waits plus what is set aside */
    uint64_t free_bytes; /* leave this much of the disk free; 0: 64 MiB */
};
#define LORE_SPOOL_FREE_MIB 64            /* what free_bytes is by default */
#define LORE_SPOOL_RECORD_MAX (32u << 20) /* payload bytes */
/* Open or create DIR (0700, files 0600, no symbolic links followed). */
enum lore_status lore_spool_open(const char *dir, const struct lore_spool_limits *limits,
    struct lore_spool **out, struct lore_err *err) LORE_MUST;
void lore_spool_close(struct lore_spool *s);
/* Add one record: on LORE_OK it is on disk. *seq (may be NULL) is its number, greater than all
 * before, also of other processes and after a crash. LORE_TOOBIG code spool_full. */
enum lore_status lore_spool_add(struct lore_spool *s, const void *payload, size_t n, uint64_t *seq,
    struct lore_err *err) LORE_MUST;
/* The same for a payload that depends on its number: FILL appends it to PAYLOAD while no other
 * process can add; what it returns other than LORE_OK ends the call. */
typedef enum lore_status (*lore_spool_fill)(
    void *ctx, uint64_t seq, struct lore_buf *payload, struct lore_err *err);
enum lore_status lore_spool_add_made(struct lore_spool *s, lore_spool_fill fill, void *ctx,
    uint64_t *seq, struct lore_err *err) LORE_MUST;

struct lore_spool_item {
    uint64_t seq;
    int64_t added_us;
    const unsigned char *payload; /* in the arena */
    size_t n;
};
/* Take the right to drain; LORE_BUSY when another process has it. Ends with close. */
enum lore_status lore_spool_own(struct lore_spool *s, struct lore_err *err) LORE_MUST;
struct lore_spool_limit {
    size_t items, bytes;
};
/* Waiting items up to LIMIT (one item at least, whatever its bytes), in order. */
enum lore_status
lore_spool_peek(struct lore_spool *s, struct lore_spool_limit limit, struct lore_arena *arena,
    struct lore_spool_item **items, size_t *n, struct lore_err *err) LORE_MUST;
/* The service has SEQS: durable before it returns. Segments with nothing left are removed. */
enum lore_status lore_spool_done(
    struct lore_spool *s, const uint64_t *seqs, size_t n, struct lore_err *err) LORE_MUST;
/* The service refuses SEQ for good: moved to DIR/dead/SEQ.json with WHY beside it, never deleted.
 */
enum lore_status lore_spool_dead(
    struct lore_spool *s, uint64_t seq, const char *why, struct lore_err *err) LORE_MUST;
struct lore_spool_stats {
    uint64_t waiting, waiting_bytes, next_seq;
    uint64_t dead, damaged; /* records refused; spans of bytes that are no record */
    int64_t oldest_us;      /* when the oldest waiting record was added; 0: none */
};
enum lore_status lore_spool_stats(
    struct lore_spool *s, struct lore_spool_stats *out, struct lore_err *err) LORE_MUST;

#endif
