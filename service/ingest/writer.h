/* The inside of the writer: its queue and the jobs in it. For the files of this folder that queue
 * jobs: ingest.c, many.c. */
#ifndef LORE_INGEST_WRITER_H
#define LORE_INGEST_WRITER_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "service/ingest/document.h"
#include "service/journal/journal.h"

/* At most LORE_BIG_SLOTS requests whose documents have more bytes than this are handled at once: a
 * parsed tree may need twenty times the bytes of its text. */
#define LORE_BIG (512u << 10)
#define LORE_BIG_SLOTS 4

struct lore_excerpt;
struct lore_excerpted;
struct lore_projection;
struct lore_job {
    struct lore_job *next;
    const struct lore_document *document; /* NULL: the job is a call of WRITE or LOGGED with CTX */
    lore_ingest_fn *write;
    lore_ingest_logged_fn *logged;
    struct lore_logging *entries;      /* LOGGED: what it acknowledges; of the caller */
    const struct lore_excerpted *from; /* an excerpt takes it from its source; NULL: a client's */
    int64_t at_us;                     /* when it was acknowledged; 0: now */
    void *ctx;
    lore_ingest_after_fn *after; /* set for a job queued by lore_ingest_queue_write: no thread
                                    waits, and the writer frees the job */
    struct lore_arena *arena;    /* the arena of the caller, who waits */
    size_t limit;                /* the memory limit of the caller's guard */
    struct lore_stored stored;
    enum lore_status status;
    struct lore_err err;
    sem_t done;
};

struct lore_ingest {
    struct lore_db *db;
    struct lore_indexes *indexes;
    struct lore_projection *projection; /* NULL: there is no journal */
    struct lore_excerpt *excerpt;       /* NULL: the service's own database */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct lore_job *head, **tail;
    size_t queued, queue_max;
    int64_t async_due_us;     /* ticks: when a commit is due for a queue that holds a single job of
                                 lore_ingest_queue_write */
    bool stop, refuses;       /* refuses: the database is damaged */
    _Atomic bool journal_due; /* the journal or the credentials changed */
    sem_t big;
    unsigned uncopied;         /* writer only: commits since the last checkpoint */
    int64_t truncate_after_us; /* writer only: from this time (lore_ticks_us) truncating the log may
                                  be tried */
    int64_t truncate_pause_us; /* writer only: the present pause between attempts */
    struct {
        atomic_uint_fast64_t documents, records, duplicates, refused, commits;
        atomic_int_fast64_t wal_bytes, last_commit_us;
    } stats;
};

/* Wait for a slot for BYTES of documents and hold it until the block ends: `LORE_BIG_SLOT slot =
 * lore_ingest_big_acquire(…)`. */
struct lore_ingest *lore_ingest_big_acquire(
    struct lore_ingest *in, size_t bytes); /* NULL: small enough to need no slot */
void lore_ingest_big_release(struct lore_ingest **slot);
#define LORE_BIG_SLOT __attribute__((cleanup(lore_ingest_big_release), unused)) struct lore_ingest *

/* Queue all N jobs, or none (LORE_BUSY), and wait until the writer has answered each. */
enum lore_status lore_ingest_queue(
    struct lore_ingest *in, struct lore_job *jobs, size_t n, struct lore_err *err) LORE_MUST;
/* Whether a status is a fault of the service, not of the document. */
bool lore_ingest_is_service_fault(enum lore_status status);

/* ---- group.c: the jobs of one transaction, in order ---- */
struct lore_group {
    struct lore_job *first, **end;
    size_t n;
    struct lore_ingest *in;             /* the queue that fills it; NULL: a fixed list of jobs */
    struct lore_projection *projection; /* NULL: there is no journal */
    struct lore_indexes *indexes;       /* for entries of other nodes that come first; or NULL */
    const struct lore_excerpt *excerpt; /* NULL: all documents are taken */
};
/* Move the queued jobs to the end of G, with the lock held. Returns whether there were any. */
bool lore_group_gather(struct lore_group *g);
/* Store the jobs, append what they acknowledge to the journal, and commit. Each job has a status of
 * its own when the result is LORE_OK; otherwise nothing is stored. */
enum lore_status
lore_group_store(struct lore_db *db, struct lore_group *g, struct lore_err *err) LORE_MUST;
/* Store jobs that are entries up to HEAD. A job that fails fails all. */
enum lore_status lore_group_apply(struct lore_db *db, struct lore_group *g,
    const struct lore_journal_head *head, struct lore_err *err) LORE_MUST;
/* Update the indexes (may be NULL) after the commit of the jobs in LIST. */
enum lore_status lore_group_index(struct lore_indexes *m, struct lore_db *db,
    const struct lore_job *list, struct lore_err *err) LORE_MUST;

#endif
