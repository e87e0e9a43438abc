/* The spool's directory and one process's view of it; private to this folder.
 *     DIR/key         32 random bytes and their hash; every checksum is keyed with it
 *     DIR/lock        held while adding; its first 8 bytes hint at the newest segment
 *     DIR/drain       held by the process that drains
 *     DIR/SEQ.wsp     segments; SEQ (16 hex digits) is a lower bound of their records' numbers
 *     DIR/done        the drainer's log: finished records, and the highest number ever sent
 *     DIR/dead, DIR/damaged   set aside, for people
 *     DIR/sent     segments whose records were all delivered, for a while
 * No number is used twice: a new segment's name is above all used numbers, and after damage
 * counting resumes above every number that the damaged bytes could have held. */
#ifndef LORE_SPOOL_SPOOL_STORE_H
#define LORE_SPOOL_SPOOL_STORE_H

#include "collectors/spool/spool.h"
#include "collectors/spool/spool_record.h"

enum { LORE_SEGMENT_BYTES = 4 << 20, LORE_SEGMENT_NAME = 24, LORE_SPOOL_JUMP = 1 << 17 };
_Static_assert(LORE_SPOOL_JUMP > LORE_SEGMENT_BYTES / LORE_SPOOL_HEAD, "more than a segment holds");

struct lore_spool_entry {
    uint64_t seq;
    int64_t added_us;
    size_t at, n; /* of the whole record in its segment */
    bool done;
};
struct lore_span {
    size_t at, n;
    bool saved; /* in DIR/damaged */
};
struct lore_segment {
    uint64_t first;
    size_t scanned, n, cap, left;     /* left: entries not done */
    struct lore_spool_entry *entries; /* ascending by seq */
    struct lore_span *spans;
    size_t n_spans, cap_spans;
};
struct lore_spool {
    char path[512];            /* for messages */
    int dir, lock, drain, log; /* -1: none */
    unsigned char key[LORE_SPOOL_KEY];
    struct lore_spool_limits limits;
    /* adding; cached values are checked under the lock */
    int tail;
    uint64_t tail_first, next, used_bytes;
    size_t tail_end;
    bool tail_bad; /* the tail ends with damage: nothing may be appended */
    /* draining */
    bool owned;
    struct lore_segment *segments; /* ascending */
    size_t n, cap;
    uint64_t *done; /* ascending, from the log when it was loaded */
    size_t n_done, cap_done;
    uint64_t high;
    size_t log_end;
};

/* store.c */
int lore_store_open(const struct lore_spool *s, const char *name, int flags);
enum lore_status lore_store_fail(
    const struct lore_spool *s, const char *name, struct lore_err *err) LORE_MUST; /* by errno */
bool lore_store_lock(int fd, int how);
bool lore_store_write(int fd, const void *p, size_t n, size_t at);
/* Read N bytes from AT; free them with lore_xfree. NULL with errno when there are fewer. With HOLES
 * unreadable sectors become zeros, which are no valid record. */
unsigned char *lore_store_read(int fd, size_t at, size_t n, bool holes);
/* Write SUB/NAME durably, whole or not at all (SUB "": the spool's own folder). */
enum lore_status lore_store_put(const struct lore_spool *s, const char *sub, const char *name,
    const void *p, size_t n, struct lore_err *err) LORE_MUST;
void lore_store_name(uint64_t first, char out[LORE_SEGMENT_NAME]);
/* List the segments' numbers, ascending; free *OUT with lore_xfree. */
enum lore_status lore_store_list(
    const struct lore_spool *s, uint64_t **out, size_t *n, struct lore_err *err) LORE_MUST;
/* Files in SUB and their bytes; 0 when there is no SUB. */
void
lore_store_count(const struct lore_spool *s, const char *sub, uint64_t *files, uint64_t *bytes);

/* sent.c */
bool lore_sent_keep(const struct lore_spool *s, const char *name); /* move a segment to DIR/sent */
void lore_sent_drop(const struct lore_spool *s);                   /* empty DIR/sent */
/* add.c; both under the writers' lock */
enum lore_status lore_add_tail_find(struct lore_spool *s, struct lore_err *err) LORE_MUST;
enum lore_status lore_add_tail_roll(struct lore_spool *s, struct lore_err *err) LORE_MUST;

#endif
