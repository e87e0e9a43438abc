/* A fair read-write lock. Readers share it; a thread that changes the data holds it alone. That
 * thread goes before the waiting readers, but after a change the waiting readers go first. So
 * neither side starves, and a queue of readers does not delay an acknowledged change. Not
 * recursive. Private to ingest/. */
#ifndef LORE_INGEST_RWLOCK_H
#define LORE_INGEST_RWLOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct lore_rwlock_waiter;
struct lore_rwlock {
    pthread_mutex_t lock;
    struct lore_rwlock_waiter *first, *last; /* in order of arrival */
    unsigned readers;                        /* holding the lock */
    bool changing, readers_next; /* readers_next: waiting readers go first, after a change */
};
void lore_rwlock_init(struct lore_rwlock *t);
void lore_rwlock_destroy(struct lore_rwlock *t);
void lore_rwlock_read(struct lore_rwlock *t);
void lore_rwlock_write(struct lore_rwlock *t);
void lore_rwlock_unlock(struct lore_rwlock *t); /* unlock, once per lock of either kind */

/* A lock for many small changes. Taking the lock costs more than a change, so it is kept from one
 * change to the next and released to others every few milliseconds. A struct that is zero except
 * for `lock` is valid. */
struct lore_write_batch {
    struct lore_rwlock *lock; /* NULL: no other thread sees the data */
    bool held;
    int64_t since_us;
};
void lore_write_batch_next(struct lore_write_batch *t); /* before each change */
void lore_write_batch_end(
    struct lore_write_batch *t); /* after the last change; valid without any change, too */

#endif
