/* A pool of read-only connections: take one, read, give it back. A connection belongs to one thread
 * while it is taken.
 *
 * The pool does not grow. When every connection is taken, lore_readers_take waits and then gives
 * up. */
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "db/cache.h"
#include "db/files.h"
#include "db/internal.h"
#include "db/lesson_cache.h"
#include "db/memo.h"
#include "service/base/xalloc.h"

struct lore_readers {
    pthread_mutex_t mutex;
    pthread_cond_t given;
    struct lore_db **db; /* all connections, for closing */
    struct lore_db **idle;
    int n, n_idle;
    struct lore_cache *cache;
    struct lore_lesson_cache *lessons;
    struct lore_memos *memos;
    bool beside; /* its cache belongs to another pool */
};

/* Open a pool in DIR, or beside the readers OF. */
static enum lore_status
open_readers(const char *dir, const struct lore_readers *of, int n, struct lore_readers **out,
    struct lore_err *err)
{
    struct lore_readers *r = lore_xalloc(sizeof *r);
    pthread_condattr_t attr;

    pthread_mutex_init(&r->mutex, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&r->given, &attr);
    pthread_condattr_destroy(&attr);
    r->db = lore_xalloc((size_t)n * sizeof *r->db);
    r->idle = lore_xalloc((size_t)n * sizeof *r->idle);
    r->beside = of != NULL;
    r->cache = of != NULL ? of->cache : lore_cache_new();
    r->lessons = of != NULL ? of->lessons : lore_lesson_cache_new();
    r->memos = of != NULL ? of->memos : lore_memos_new();
    for (; r->n < n; r->n++) {
        enum lore_status status = of != NULL ? lore_db_open_beside(of->db[0], &r->db[r->n], err)
                                             : lore_db_open_reader(dir, &r->db[r->n], err);

        if (status != LORE_OK) {
            lore_readers_close(r);
            return status;
        }
        r->db[r->n]->cache = r->cache;
        r->db[r->n]->lessons = r->lessons;
        r->db[r->n]->memos = r->memos;
        r->idle[r->n_idle++] = r->db[r->n];
    }
    *out = r;
    return LORE_OK;
}

enum lore_status
lore_readers_open(const char *dir, int n, struct lore_readers **out, struct lore_err *err)
{
    return open_readers(dir, NULL, n, out, err);
}

enum lore_status
lore_readers_open_beside(
    const struct lore_readers *of, int n, struct lore_readers **out, struct lore_err *err)
{
    return open_readers(NULL, of, n, out, err);
}

void
lore_readers_follow(struct lore_readers *r, struct lore_db *writer)
{
    lore_cache_free(writer->cache);
    writer->cache = lore_cache_share(r->cache);
}

struct lore_db *
lore_readers_take(struct lore_readers *r, int wait_ms)
{
    struct lore_db *db = NULL;
    struct timespec until;
    int rc = 0;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += wait_ms / 1000;
    until.tv_nsec += (long)(wait_ms % 1000) * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    pthread_mutex_lock(&r->mutex);
    while (r->n_idle == 0 && rc != ETIMEDOUT)
        rc = pthread_cond_timedwait(&r->given, &r->mutex, &until);
    if (r->n_idle > 0)
        db = r->idle[--r->n_idle];
    pthread_mutex_unlock(&r->mutex);
    return db;
}

void
lore_readers_give(struct lore_readers *r, struct lore_db *db)
{
    if (!db)
        return;
    /* A transaction left open by the caller would block checkpoints. */
    lore_db_snapshot_end(db);
    lore_db_deadline(db, 0);
    lore_memo_release(db);
    pthread_mutex_lock(&r->mutex);
    r->idle[r->n_idle++] = db;
    pthread_cond_signal(&r->given);
    pthread_mutex_unlock(&r->mutex);
}

void
lore_readers_close(struct lore_readers *r)
{
    if (!r)
        return;
    for (int i = 0; i < r->n; i++)
        lore_db_close(r->db[i]);
    lore_cache_free(r->beside ? NULL : r->cache);
    lore_lesson_cache_free(r->beside ? NULL : r->lessons);
    lore_memos_free(r->beside ? NULL : r->memos);
    pthread_cond_destroy(&r->given);
    pthread_mutex_destroy(&r->mutex);
    lore_xfree(r->db);
    lore_xfree(r->idle);
    lore_xfree(r);
}
