/* The one writer. Callers prepare their documents, queue them and wait. The writer stores the
 * queue, and the documents that arrive meanwhile (at most BATCH), in one transaction; one fsync
 * acknowledges all. The next group gathers during the commit, so groups grow with the load without
 * a timer.
 *
 * Crash-only: after an I/O error of the database, no state in memory can be trusted, and a second
 * fsync may report a false success. The process exits with 70. SQLite's recovery at the next
 * start finds out which transactions are on disk. A full disk is no such error: the transaction is
 * rolled back and the callers are told to try again.
 *
 * Lock order: the queue's lock is never held while the database or the indexes are used. */
#include "service/ingest/ingest.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "db/store.h"
#include "service/base/clock.h"
#include "service/base/guard.h"
#include "service/base/log.h"
#include "service/base/xalloc.h"
#include "service/ingest/indexes.h"
#include "service/ingest/projected.h"
#include "service/ingest/writer.h"

/* A checkpoint stalls the writer in proportion to the size of the log, so checkpoints are early and
 * frequent. Open readers make the log grow; beyond WAL_MAX it is truncated. */
#define WAL_STEP (8 << 20)
#define WAL_MAX (256 << 20)
/* One long reader prevents truncating the log, and every attempt waits for it. An attempt after
 * each commit would leave time for four commits per second. With the first pause, attempts take a
 * tenth of the writer's time; each one that fails doubles it, so that they take less than a
 * hundredth while a backup is copied. */
#define TRUNCATE_PAUSE_US 2000000
#define TRUNCATE_PAUSE_MAX_US 32000000
/* Checkpoint after this long without a job. */
#define IDLE_MS 1000
/* Jobs of lore_ingest_queue_write join the next commit, or get their own after this time. So
 * logging recommendations costs at most five commits per second. */
#define ASYNC_MS 200

static _Noreturn void
die(const struct lore_err *err)
{
    lore_log(LORE_ERROR, "storage_failed", "code", err->code, "error", err->msg, NULL);
    _exit(70);
}

/* ---- the queue ---- */

/* Microseconds until the queue is due for a commit: 0 now, -1 when it is empty. */
static int64_t
due_in(const struct lore_ingest *in)
{
    int64_t left = in->async_due_us - lore_ticks_us();

    if (!in->head)
        return -1;
    return !in->head->after || in->head->next || left < 0 ? 0 : left;
}

/* Wait for jobs. G stays empty when the wait timed out. *stopped: the queue is empty and the
 * service stops. */
static void
wait_for_jobs(struct lore_ingest *in, struct lore_group *g, bool *stopped)
{
    struct timespec until;
    int64_t left;

    *g = (struct lore_group){.end = &g->first,
        .in = in,
        .projection = in->projection,
        .indexes = in->indexes,
        .excerpt = in->excerpt};
    pthread_mutex_lock(&in->lock);
    while ((left = due_in(in)) != 0 && !in->stop && !in->journal_due) {
        int64_t us = left > 0 ? left : INT64_C(1000) * IDLE_MS;

        clock_gettime(CLOCK_MONOTONIC, &until);
        us += until.tv_nsec / 1000;
        until.tv_sec += us / 1000000;
        until.tv_nsec = us % 1000000 * 1000;
        if (left < 0 && in->uncopied == 0)
            pthread_cond_wait(&in->wake, &in->lock);
        else if (pthread_cond_timedwait(&in->wake, &in->lock, &until) == ETIMEDOUT && left < 0)
            break;
    }
    *stopped = !lore_group_gather(g) && in->stop;
    pthread_mutex_unlock(&in->lock);
}

/* ---- after the commit ---- */

static void
count(struct lore_ingest *in, const struct lore_job *j)
{
    if (!j->document)
        return;
    if (j->status != LORE_OK) {
        atomic_fetch_add(&in->stats.refused, 1);
        return;
    }
    atomic_fetch_add(j->stored.receipt.duplicate ? &in->stats.duplicates : &in->stats.documents, 1);
    for (size_t i = 0; i < j->stored.receipt.n_items; i++)
        if (j->stored.receipt.items[i].state == LORE_STORED)
            atomic_fetch_add(&in->stats.records, 1);
}

/* Copy the log into the database; returns the bytes that remain in the log. */
static int64_t
checkpoint(struct lore_ingest *in, bool truncate)
{
    struct lore_err err = {0};
    int64_t bytes = 0;

    enum lore_status status = lore_db_checkpoint(in->db, truncate, &bytes, &err);

    if (status == LORE_IO || status == LORE_CORRUPT)
        die(&err);
    in->uncopied = 0;
    if (truncate)
        lore_log(LORE_INFO, "checkpoint", NULL);
    return bytes;
}

static void
pause_truncating(struct lore_ingest *in)
{
    int64_t pause = in->truncate_pause_us > 0 ? 2 * in->truncate_pause_us : TRUNCATE_PAUSE_US;

    in->truncate_pause_us = pause < TRUNCATE_PAUSE_MAX_US ? pause : TRUNCATE_PAUSE_MAX_US;
    in->truncate_after_us = lore_ticks_us() + in->truncate_pause_us;
}

static void
bound_log(struct lore_ingest *in)
{
    int64_t bytes = lore_db_wal_bytes(in->db);

    atomic_store(&in->stats.wal_bytes, bytes);
    if (bytes > WAL_MAX && lore_ticks_us() >= in->truncate_after_us) {
        if (checkpoint(in, true) > WAL_MAX)
            pause_truncating(in);
        else
            in->truncate_pause_us = 0;
    } else if (bytes > WAL_STEP) {
        (void)checkpoint(in, false);
    }
}

/* Wake every caller. A job must not be touched after its caller was woken. */
static void
wake_callers(struct lore_job *list)
{
    while (list) {
        struct lore_job *next = list->next;
        if (list->after) {
            list->after(list->ctx, list->status == LORE_OK);
            lore_xfree(list);
        } else {
            sem_post(&list->done);
        }
        list = next;
    }
}

static void
run_group(struct lore_ingest *in, struct lore_group *g)
{
    struct lore_err err = {0};
    enum lore_status status = lore_group_store(in->db, g, &err);
    struct lore_job *list = g->first;

    if (status == LORE_IO || status == LORE_CORRUPT)
        die(&err);
    for (struct lore_job *j = list; status != LORE_OK && j; j = j->next) {
        j->status = status;
        j->err = err;
    }
    if (status == LORE_OK) {
        in->uncopied++;
        atomic_fetch_add(&in->stats.commits, 1);
        atomic_store(&in->stats.last_commit_us, lore_now_us());
        /* The facts are on disk; an index that missed them would give wrong answers from now on. */
        if (lore_group_index(in->indexes, in->db, list, &err) != LORE_OK)
            die(&err);
        lore_projection_publish(in->projection);
    }
    for (const struct lore_job *j = list; j != NULL; j = j->next)
        count(in, j);
    wake_callers(list);
    if (status == LORE_OK)
        bound_log(in);
}

static void
ignore(void *ctx, bool stored)
{
    (void)ctx;
    (void)stored;
}

/* Apply what other nodes wrote, and journal the credentials that another process changed. */
static void
follow_journal(struct lore_ingest *in)
{
    struct lore_err err = {0};
    enum lore_status status;

    pthread_mutex_lock(&in->lock);
    in->journal_due = false;
    pthread_mutex_unlock(&in->lock);
    status = lore_projection_catch_up(in->projection, in->db, in->indexes, &err);
    if (status == LORE_OK && lore_projection_credentials_due(in->projection)) {
        struct lore_logging entries = {.arena = {.kept = true}};
        struct lore_job *j = lore_xalloc(sizeof *j);
        struct lore_group alone = {.first = j,
            .end = &j->next,
            .n = 1,
            .projection = in->projection,
            .indexes = in->indexes};

        j->logged = lore_projection_log_credentials;
        j->entries = &entries;
        j->after = ignore;
        run_group(in, &alone);
        lore_arena_free(&entries.arena);
    }
    in->uncopied++; /* perhaps: what was applied is to be copied when the writer is idle */
    if (status == LORE_BUSY)
        lore_log(LORE_WARN, "journal_waits", "error", err.msg, NULL);
    else if (status != LORE_OK)
        die(&err);
}

static void
wake(void *ctx)
{
    struct lore_ingest *in = ctx;

    pthread_mutex_lock(&in->lock);
    in->journal_due = true;
    pthread_cond_signal(&in->wake);
    pthread_mutex_unlock(&in->lock);
}

static void *
run(void *arg)
{
    struct lore_ingest *in = arg;
    bool stopped = false;

    while (!stopped) {
        struct lore_group g;
        wait_for_jobs(in, &g, &stopped);
        if (in->journal_due)
            follow_journal(in);
        if (g.n > 0)
            run_group(in, &g);
        else if (!stopped && !in->refuses)
            (void)checkpoint(in, false);
    }
    return NULL;
}

void
lore_ingest_refuse(struct lore_ingest *in)
{
    pthread_mutex_lock(&in->lock);
    in->refuses = true;
    pthread_mutex_unlock(&in->lock);
}

static enum lore_status
not_taken(bool refuses, struct lore_err *err)
{
    if (!refuses)
        return lore_fail_at(err, LORE_BUSY, "queue_full", "",
            "the queue of documents is full, or the service is stopping");
    (void)lore_fail_at(err, LORE_BUSY, "database_damaged", "",
        "the database is damaged, so the service only reads");
    lore_err_hint(err, "an operator must restore a backup; keep what you send until then");
    return LORE_BUSY;
}

/* Whether N jobs fit. A set larger than the whole queue is accepted when the queue is empty. */
static bool
has_room(const struct lore_ingest *in, size_t n)
{
    return n <= in->queue_max ? in->queued <= in->queue_max - n
                              : in->queued == 0 && in->queue_max > 0;
}

enum lore_status
lore_ingest_queue(struct lore_ingest *in, struct lore_job *jobs, size_t n, struct lore_err *err)
{
    bool taken, refuses;

    for (size_t i = 0; i < n; i++) {
        jobs[i].limit = lore_guard_limit();
        sem_init(&jobs[i].done, 0, 0);
    }
    pthread_mutex_lock(&in->lock);
    refuses = in->refuses;
    taken = !in->stop && !refuses && has_room(in, n);
    for (size_t i = 0; taken && i < n; i++) {
        *in->tail = &jobs[i];
        in->tail = &jobs[i].next;
        in->queued++;
    }
    if (taken)
        pthread_cond_signal(&in->wake);
    pthread_mutex_unlock(&in->lock);
    for (size_t i = 0; i < n; i++) {
        while (taken && sem_wait(&jobs[i].done) != 0 && errno == EINTR)
            ;
        sem_destroy(&jobs[i].done);
    }
    return taken ? LORE_OK : not_taken(refuses, err);
}

/* Queue one job and return its result. */
static enum lore_status
submit(struct lore_ingest *in, struct lore_job *j, struct lore_err *err)
{
    enum lore_status status = lore_ingest_queue(in, j, 1, err);

    if (status == LORE_OK && j->status != LORE_OK && err)
        *err = j->err;
    return status == LORE_OK ? j->status : status;
}

/* ---- the public side ---- */

struct lore_ingest *
lore_ingest_big_acquire(struct lore_ingest *in, size_t bytes)
{
    if (bytes <= LORE_BIG)
        return NULL;
    while (sem_wait(&in->big) != 0 && errno == EINTR)
        ;
    return in;
}

void
lore_ingest_big_release(struct lore_ingest **slot)
{
    if (*slot)
        sem_post(&(*slot)->big);
}

enum lore_status
lore_ingest_start(struct lore_db *db, const struct lore_ingest_parts *parts,
    struct lore_ingest **out, struct lore_err *err)
{
    struct lore_ingest *in = lore_xalloc(sizeof *in);
    pthread_condattr_t attr;

    in->db = db;
    in->indexes = parts->indexes;
    in->projection = parts->projection;
    in->excerpt = parts->excerpt;
    in->queue_max = parts->queue_max;
    in->tail = &in->head;
    sem_init(&in->big, 0, LORE_BIG_SLOTS);
    pthread_mutex_init(&in->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&in->wake, &attr);
    pthread_condattr_destroy(&attr);
    if (pthread_create(&in->thread, NULL, run, in) != 0) {
        lore_xfree(in);
        return lore_fail(err, LORE_IO, "cannot start the writer's thread");
    }
    *out = in;
    return lore_projection_follow(in->projection, wake, in, err);
}

void
lore_ingest_stop(struct lore_ingest *in)
{
    if (!in)
        return;
    lore_projection_unfollow(in->projection);
    pthread_mutex_lock(&in->lock);
    in->stop = true;
    pthread_cond_signal(&in->wake);
    pthread_mutex_unlock(&in->lock);
    pthread_join(in->thread, NULL);
    if (in->refuses)
        lore_db_keep_open(in->db);
    else
        (void)checkpoint(in, true);
    lore_db_close(in->db);
    pthread_cond_destroy(&in->wake);
    pthread_mutex_destroy(&in->lock);
    sem_destroy(&in->big);
    lore_xfree(in);
}

enum lore_status
lore_ingest_submit(struct lore_ingest *in, const struct lore_ingest_doc *doc,
    struct lore_arena *arena, struct lore_receipt *out, struct lore_err *err)
{
    LORE_BIG_SLOT slot = lore_ingest_big_acquire(in, doc->len);
    LORE_DOCUMENT d = {0};
    struct lore_job j = {.document = &d, .arena = arena};
    enum lore_status status = lore_document_prepare(&d, doc, arena, err);

    if (status == LORE_OK)
        status = submit(in, &j, err);
    else
        atomic_fetch_add(&in->stats.refused, 1);
    if (status == LORE_OK)
        *out = j.stored.receipt;
    return status;
}

enum lore_status
lore_ingest_write(struct lore_ingest *in, lore_ingest_fn *fn, void *ctx, struct lore_err *err)
{
    struct lore_job j = {.write = fn, .ctx = ctx};

    return submit(in, &j, err);
}

enum lore_status
lore_ingest_write_logged(
    struct lore_ingest *in, lore_ingest_logged_fn *fn, void *ctx, struct lore_err *err)
{
    struct lore_logging entries = {.arena = {.kept = true}};
    struct lore_job j = {.logged = fn, .entries = &entries, .ctx = ctx};
    enum lore_status status = submit(in, &j, err);

    lore_arena_free(&entries.arena);
    return status;
}

bool
lore_ingest_queue_write(
    struct lore_ingest *in, lore_ingest_fn *fn, lore_ingest_after_fn *after, void *ctx)
{
    struct lore_job *j = lore_xalloc(sizeof *j);
    bool taken;

    j->write = fn;
    j->after = after;
    j->ctx = ctx;
    pthread_mutex_lock(&in->lock);
    taken = !in->stop && !in->refuses && has_room(in, 1);
    if (taken) {
        if (!in->head)
            in->async_due_us = lore_ticks_us() + INT64_C(1000) * ASYNC_MS;
        *in->tail = j;
        in->tail = &j->next;
        in->queued++;
        pthread_cond_signal(&in->wake);
    }
    pthread_mutex_unlock(&in->lock);
    if (!taken)
        lore_xfree(j);
    return taken;
}

enum lore_status
lore_ingest_now(struct lore_db *db, const struct lore_ingest_parts *parts,
    const struct lore_ingest_doc *doc, struct lore_arena *arena, struct lore_receipt *out,
    struct lore_err *err)
{
    LORE_DOCUMENT d = {0};
    struct lore_job j = {.document = &d, .arena = arena};
    struct lore_group alone = {.first = &j,
        .end = &j.next,
        .n = 1,
        .projection = parts->projection,
        .indexes = parts->indexes};
    struct lore_err why = {0};
    enum lore_status status = lore_document_prepare(&d, doc, arena, &why);

    if (status == LORE_OK)
        status = lore_group_store(db, &alone, &why);
    if (status == LORE_OK && j.status != LORE_OK) {
        status = j.status;
        why = j.err;
    }
    if (status == LORE_OK)
        status = lore_group_index(parts->indexes, db, &j, &why);
    if (status == LORE_OK) {
        lore_projection_publish(parts->projection);
        *out = j.stored.receipt;
    } else if (err != NULL) {
        *err = why;
    }
    return status;
}

void
lore_ingest_stats(struct lore_ingest *in, struct lore_ingest_stats *out)
{
    pthread_mutex_lock(&in->lock);
    out->queued = in->queued;
    pthread_mutex_unlock(&in->lock);
    out->documents = atomic_load(&in->stats.documents);
    out->records = atomic_load(&in->stats.records);
    out->duplicates = atomic_load(&in->stats.duplicates);
    out->refused = atomic_load(&in->stats.refused);
    out->commits = atomic_load(&in->stats.commits);
    out->wal_bytes = atomic_load(&in->stats.wal_bytes);
    out->last_commit_us = atomic_load(&in->stats.last_commit_us);
}
