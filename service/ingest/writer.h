/* The writer from inside: its queue and what waits in it. For the files of this folder that bring
 * work: ingest.c, many.c. */
#ifndef LORE_INGEST_WRITER_H
#define LORE_INGEST_WRITER_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "service/ingest/document.h"

/* Documents larger than this are in memory at most LORE_BIG_SLOTS at a time: a tree may need twenty
 * times the bytes of its text. */
#define LORE_BIG (512u << 10)
#define LORE_BIG_SLOTS 4

struct lore_job {
    struct lore_job *next;
    const struct lore_document *document; /* or, when there is none, */
    lore_ingest_fn *write;
    void *ctx;
    lore_ingest_after_fn *after; /* of what was set aside: nobody sleeps, and the job is ours */
    struct lore_arena *arena;    /* the caller's, who sleeps meanwhile */
    size_t limit;                /* of the caller's guard */
    struct lore_stored stored;
    enum lore_status status;
    struct lore_err err;
    sem_t done;
};

struct lore_ingest {
    struct lore_db *db;
    struct lore_memory *memory;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct lore_job *head, **tail;
    size_t queued, queue_max;
    int64_t aside_due_us; /* ticks: when a lone job that was set aside is done */
    bool stop;
    sem_t big;
    unsigned uncopied; /* commits since the last checkpoint; the writer's */
    int64_t cut_again; /* lore_ticks_us from which cutting the log may be tried; the same */
    struct {
        atomic_uint_fast64_t documents, records, duplicates, refused, commits;
        atomic_int_fast64_t wal_bytes, last_commit_us;
    } stats;
};

/* A place for BYTES of documents until the block ends: `LORE_BIG_PLACE place = lore_big_enter(…)`.
 */
struct lore_ingest *lore_big_enter(struct lore_ingest *in, size_t bytes); /* NULL: not big */
void lore_big_leave(struct lore_ingest **place);
#define LORE_BIG_PLACE __attribute__((cleanup(lore_big_leave), unused)) struct lore_ingest *

/* Queue the N jobs, all or none, and sleep until the writer has answered each. LORE_BUSY: none. */
enum lore_status lore_ingest_queue(
    struct lore_ingest *in, struct lore_job *jobs, size_t n, struct lore_err *err) LORE_MUST;
/* Whether a status says something of the service and not of what it was given. */
bool lore_ingest_is_ours(enum lore_status st);

#endif
