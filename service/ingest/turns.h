/* A fair read-write lock. Readers share it; a change has it alone and waits only for the readers
 * that already hold it. When the change ends, the waiting readers go first. So neither side
 * starves, and a queue of readers does not delay an acknowledged change. Not recursive. Private to
 * ingest/. */
#ifndef LORE_INGEST_TURNS_H
#define LORE_INGEST_TURNS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct lore_turns_waiter;
struct lore_turns {
    pthread_mutex_t lock;
    struct lore_turns_waiter *first, *last; /* in order of arrival */
    unsigned readers;                       /* holding the lock */
    bool changing, readers_next; /* readers_next: waiting readers go first, after a change */
};
void lore_turns_init(struct lore_turns *t);
void lore_turns_destroy(struct lore_turns *t);
void lore_turns_read(struct lore_turns *t);
void lore_turns_change(struct lore_turns *t);
void lore_turns_leave(struct lore_turns *t); /* unlock, once per lock of either kind */

/* A lock for many small changes. Taking the lock costs more than a change, so it is kept from one
 * change to the next and released to others every few milliseconds. A struct that is zero except
 * for `turns` is valid. */
struct lore_turn {
    struct lore_turns *turns; /* NULL: no other thread sees the data */
    bool held;
    int64_t since_us;
};
void lore_turn_keep(struct lore_turn *t); /* before each change */
void lore_turn_end(struct lore_turn *t);  /* after the last change; valid without any change, too */

#endif
