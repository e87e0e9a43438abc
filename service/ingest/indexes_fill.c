/* The load at the start. The evidence loads on the caller's thread and the board on another with
 * its own connection, without locks because no reader sees them yet. Recommendations need only the
 * evidence, the smaller part, so a large database answers before the rest is loaded. A reader of
 * the board waits for it. The moves, which take longest, stay empty until they are loaded.
 *
 * A row that cannot be read must not look like a missing row: the process exits. */
#include "service/ingest/indexes_fill.h"

#include <pthread.h>
#include <unistd.h>

#include "db/store.h"
#include "service/base/log.h"
#include "service/base/xalloc.h"

/* A database with fewer experiments loads completely within a tenth of a second. */
enum { SMALL = 10000 };

struct part {
    pthread_t thread;
    struct lore_db *db;
    bool runs; /* the thread was started and not yet joined */
};

struct lore_indexes_filling {
    struct lore_indexes_parts parts;
    struct lore_index_position position;
    struct part board, moves;
    pthread_mutex_t lock;
    pthread_cond_t loaded;
    bool board_loaded; /* guarded by lock */
    atomic_bool moves_loaded;
};

static _Noreturn void
die(const struct lore_err *err)
{
    lore_log(LORE_ERROR, "indexes_failed", "code", err->code, "error", err->msg, NULL);
    _exit(70);
}

static bool
add_workload(void *ctx, const char *id, const struct lore_workload *w)
{
    struct lore_shape shape = {.dims = &w->dims, .dtype = w->dtype, .layout = w->layout};

    lore_evidence_workload(ctx, w->op, id, &shape);
    return true;
}

static bool
add_evidence(void *ctx, const struct lore_evidence_in *in)
{
    lore_evidence_add(ctx, in);
    return true;
}

static bool
add_entry(void *ctx, const struct lore_entry *in)
{
    lore_board_add(ctx, in);
    return true;
}

static bool
add_limit(void *ctx, const struct lore_limit_in *in)
{
    lore_board_limit(ctx, in);
    return true;
}

static enum lore_status
fill_evidence(struct lore_db *db, struct lore_evidence_index *ix,
    struct lore_index_position *position, struct lore_err *err)
{
    enum lore_status status =
        lore_db_each_workload(db, 0, add_workload, ix, &position->workload, err);

    if (status == LORE_OK)
        status = lore_db_each_evidence(db, 0, add_evidence, ix, &position->evidence, err);
    return status == LORE_OK
               ? lore_db_each_witness(db, 0, add_evidence, ix, &position->witness, err)
               : status;
}

static void *
fill_board(void *arg)
{
    struct lore_indexes_filling *f = arg;
    struct lore_board *board = f->parts.board;
    struct lore_err err = {0};
    enum lore_status status = lore_db_snapshot(f->board.db, &err);

    lore_board_load_begin(board);
    if (status == LORE_OK)
        status = lore_db_each_run_entry(f->board.db, 0, add_entry, board, &f->position.run, &err);
    if (status == LORE_OK)
        status =
            lore_db_each_claim_entry(f->board.db, 0, add_entry, board, &f->position.claim, &err);
    if (status == LORE_OK)
        status = lore_db_each_limit(f->board.db, 0, add_limit, board, &f->position.limit, &err);
    if (status != LORE_OK)
        die(&err);
    lore_db_snapshot_end(f->board.db);
    lore_board_load_end(board);
    pthread_mutex_lock(&f->lock);
    f->board_loaded = true;
    pthread_cond_broadcast(&f->loaded);
    pthread_mutex_unlock(&f->lock);
    return NULL;
}

static void *
fill_moves(void *arg)
{
    struct lore_indexes_filling *f = arg;
    struct lore_moves_index *m = f->parts.moves, next = {.lock = m->lock};
    struct lore_trials *empty = m->trials;
    struct lore_err err = {0};
    bool changed = false;
    enum lore_status status = lore_db_snapshot(f->moves.db, &err);

    if (status == LORE_OK)
        status = lore_indexes_moves_refresh(&next, f->moves.db, &changed, &err);
    if (status != LORE_OK)
        die(&err);
    lore_db_snapshot_end(f->moves.db);
    lore_rwlock_write(m->lock);
    lore_indexes_moves_replace(m, &next);
    lore_rwlock_unlock(m->lock);
    lore_trials_free(empty);
    atomic_fetch_add(f->parts.generation, 1);
    atomic_store(&f->moves_loaded, true);
    return NULL;
}

static enum lore_status
start(struct lore_indexes_filling *f, struct part *p, void *(*fn)(void *), struct lore_db *db,
    struct lore_err *err)
{
    enum lore_status status = lore_db_open_beside(db, &p->db, err);

    if (status != LORE_OK)
        return status;
    p->runs = pthread_create(&p->thread, NULL, fn, f) == 0;
    return p->runs ? LORE_OK
                   : lore_fail(err, LORE_IO, "cannot start a thread that loads the indexes");
}

static void
finish(struct part *p)
{
    if (p->runs)
        pthread_join(p->thread, NULL);
    p->runs = false;
    lore_db_close(p->db);
    p->db = NULL;
}

enum lore_status
lore_indexes_fill(struct lore_db *db, const struct lore_indexes_parts *parts,
    struct lore_indexes_filling **out, struct lore_index_position *position, struct lore_err *err)
{
    struct lore_indexes_filling *f = lore_xalloc(sizeof *f);
    enum lore_status status;

    f->parts = *parts;
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->loaded, NULL);
    parts->moves->trials = lore_trials_new();
    status = start(f, &f->board, fill_board, db, err);
    if (status == LORE_OK)
        status = fill_evidence(db, parts->evidence, position, err);
    if (status == LORE_OK)
        status = start(f, &f->moves, fill_moves, db, err);
    if (status != LORE_OK) {
        lore_indexes_fill_end(f);
        return status;
    }
    if (position->evidence < SMALL) {
        finish(&f->board);
        finish(&f->moves);
    }
    *out = f;
    return LORE_OK;
}

void
lore_indexes_fill_wait_board(struct lore_indexes_filling *f, struct lore_index_position *position)
{
    pthread_mutex_lock(&f->lock);
    while (!f->board_loaded)
        pthread_cond_wait(&f->loaded, &f->lock);
    pthread_mutex_unlock(&f->lock);
    position->run = f->position.run;
    position->claim = f->position.claim;
    position->limit = f->position.limit;
}

bool
lore_indexes_fill_has_moves(struct lore_indexes_filling *f)
{
    return atomic_load(&f->moves_loaded);
}

void
lore_indexes_fill_end(struct lore_indexes_filling *f)
{
    if (!f)
        return;
    finish(&f->board);
    finish(&f->moves);
    pthread_cond_destroy(&f->loaded);
    pthread_mutex_destroy(&f->lock);
    lore_xfree(f);
}
