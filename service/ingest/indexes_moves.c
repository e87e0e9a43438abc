/* Loads versions, runs, sweeps and experiments into the index of moves (indexes_moves.h).
 *
 * Versions come first: a run or an experiment of an unknown version is skipped, and the writer
 * commits a version before or together with the records that name it.
 *
 * The index cannot remove a row, so a retraction rebuilds it. A thread with its own reader rebuilds
 * a large index while the writer continues with the present one. Before the thread swaps the new
 * index in, it applies the changes that the writer received meanwhile. The retractions that arrive
 * during a rebuild share one further rebuild. */
#include "service/ingest/indexes_moves.h"

#include <string.h>
#include <unistd.h>

#include "db/feed_moves.h"
#include "db/learned.h"
#include "db/standing.h"
#include "db/store.h"
#include "db/sweep.h"
#include "service/base/buf.h"
#include "service/base/clock.h"
#include "service/base/log.h"
#include "service/base/xalloc.h"

#define NUMBERS "moves@2"

struct filling {
    struct lore_write_batch batch;
    struct lore_trials *trials;
    const atomic_bool *stop; /* NULL: cannot be stopped */
    int64_t until_us;        /* end of the piece (lore_ticks_us); 0: everything is one piece */
    bool cut;                /* the piece ended before the last row */
    bool any, stale;
};

/* An index being rebuilt. */
struct lore_moves_rebuild {
    struct lore_moves_index *m;
    struct lore_db *db; /* used by the thread only */
    pthread_t thread;
    /* The writer holds it while it uses the index, the thread while it swaps the index. */
    pthread_mutex_t busy;
    /* NUL-terminated ids of experiments judged again, hidden or shown since the rebuild began. */
    struct lore_buf later;
    bool again, done; /* guarded by busy */
    atomic_bool stop;
};

static bool
goes_on(struct filling *f)
{
    f->cut =
        (f->until_us != 0 && lore_ticks_us() >= f->until_us) || (f->stop && atomic_load(f->stop));
    return !f->cut;
}

static bool
add_version(void *ctx, const struct lore_trial_version *v)
{
    struct filling *f = ctx;

    lore_write_batch_next(&f->batch);
    lore_trials_version(f->trials, v);
    f->any = true;
    return goes_on(f);
}

static bool
add_run(void *ctx, const struct lore_trial_run *r)
{
    struct filling *f = ctx;

    lore_write_batch_next(&f->batch);
    lore_trials_run(f->trials, r);
    f->any = true;
    return goes_on(f);
}

static bool
add_move(void *ctx, const struct lore_trial_move *m)
{
    struct filling *f = ctx;

    lore_write_batch_next(&f->batch);
    f->any |= lore_trials_move(f->trials, m);
    return goes_on(f);
}

static void
pause_filling(void *ctx)
{
    struct filling *f = ctx;

    lore_write_batch_next(&f->batch);
}

static bool
add_sweep(void *ctx, const struct lore_trial_sweep *s)
{
    struct filling *f = ctx;

    lore_trials_sweep(f->trials, s, pause_filling, f);
    f->any = true;
    return goes_on(f);
}

/* M is the present state of an experiment. Update its move. If it no longer counts but the index
 * holds it, demand a rebuild. */
static bool
update_move(void *ctx, const struct lore_trial_move *m)
{
    struct filling *f = ctx;

    lore_write_batch_next(&f->batch);
    if (m->counts)
        f->any |= lore_trials_move(f->trials, m);
    else
        f->stale |= lore_trials_told(f->trials, m);
    return true;
}

/* Another release of the program may have stored parameters that this one cannot read. Then the
 * defaults stay. */
static enum lore_status
read_numbers(struct lore_trials *t, struct lore_db *db, struct lore_err *err)
{
    LORE_SCRATCH a = {0};
    struct lore_learned learned;
    struct lore_err why = {0};
    enum lore_status status = lore_db_get_learned(db, NUMBERS, &a, &learned, &why);

    if (status == LORE_OK &&
        lore_moves_numbers_set(lore_trials_model(t), learned.numbers, &why) != LORE_OK)
        lore_log(LORE_WARN, "learned", "name", NUMBERS, "problem", why.msg, NULL);
    if (status == LORE_OK || status == LORE_NOTFOUND)
        return LORE_OK;
    *err = why;
    return status;
}

/* Read from SEQ to the last row, or until the piece is cut. */
static enum lore_status
read_rows(struct filling *f, struct lore_db *db, struct lore_moves_index *seq, struct lore_err *err)
{
    enum lore_status status =
        lore_db_each_trial_version(db, seq->version_seq, add_version, f, &seq->version_seq, err);

    if (status == LORE_OK && !f->cut)
        status = lore_db_each_trial_run(db, seq->run_seq, add_run, f, &seq->run_seq, err);
    if (status == LORE_OK && !f->cut)
        status = lore_db_each_sweep(db, seq->sweep_seq, add_sweep, f, &seq->sweep_seq, err);
    if (status == LORE_OK && !f->cut)
        status = lore_db_each_trial_move(db, seq->move_seq, add_move, f, &seq->move_seq, err);
    return status;
}

/* Index the rows that read_rows added. */
static void
index_rows(struct filling *f)
{
    if (f->any) {
        lore_write_batch_next(&f->batch);
        lore_trials_index(f->trials);
    }
    lore_write_batch_end(&f->batch);
}

static enum lore_status
fill(struct filling *f, struct lore_db *db, struct lore_moves_index *seq, struct lore_err *err)
{
    enum lore_status status = read_rows(f, db, seq, err);

    f->any &= status == LORE_OK;
    index_rows(f);
    return status;
}

/* Load in many short snapshots: an open snapshot prevents truncating the write-ahead log. */
static enum lore_status
fill_by_pieces(struct filling *f, int64_t piece_us, struct lore_db *db,
    struct lore_moves_index *seq, struct lore_err *err)
{
    enum lore_status status;

    do {
        f->until_us = lore_ticks_us() + piece_us;
        f->cut = false;
        status = lore_db_snapshot(db, err);
        if (status == LORE_OK) {
            status = read_rows(f, db, seq, err);
            lore_db_snapshot_end(db);
        }
    } while (status == LORE_OK && f->cut && (!f->stop || !atomic_load(f->stop)));
    f->until_us = 0;
    if (status == LORE_OK)
        index_rows(f);
    return status;
}

void
lore_indexes_moves_replace(struct lore_moves_index *m, const struct lore_moves_index *next)
{
    m->trials = next->trials;
    m->version_seq = next->version_seq;
    m->run_seq = next->run_seq;
    m->move_seq = next->move_seq;
    m->sweep_seq = next->sweep_seq;
}

/* Rebuild the whole index beside the present one, then swap them. */
static enum lore_status
rebuild_here(struct lore_moves_index *m, struct lore_db *db, struct lore_err *err)
{
    struct lore_moves_index next = {.trials = lore_trials_new()};
    struct filling f = {.trials = next.trials};
    struct lore_trials *old = m->trials;
    enum lore_status status = read_numbers(next.trials, db, err);

    if (status == LORE_OK)
        status = fill(&f, db, &next, err);
    if (status != LORE_OK) {
        lore_trials_free(next.trials);
        return status;
    }
    lore_rwlock_write(m->lock);
    lore_indexes_moves_replace(m, &next);
    lore_rwlock_unlock(m->lock);
    m->rebuild_due = false;
    lore_trials_free(old);
    return LORE_OK;
}

/* ---- rebuilding beside the writer ---- */

static _Noreturn void
die(const struct lore_err *err)
{
    lore_log(LORE_ERROR, "indexes_failed", "code", err->code, "error", err->msg, NULL);
    _exit(70);
}

/* Apply to NEXT the changes that arrived since its rebuild began. The writer waits meanwhile. */
static enum lore_status
catch_up(struct lore_moves_rebuild *a, struct lore_moves_index *next, struct lore_err *err)
{
    struct filling f = {.trials = next->trials};
    enum lore_status status = lore_db_snapshot(a->db, err);

    if (status != LORE_OK)
        return status;
    status = fill(&f, a->db, next, err);
    f.any = false;
    for (size_t at = 0; status == LORE_OK && at < a->later.len;
         at += strlen(a->later.data + at) + 1)
        status = lore_feed_trial_move(a->db, a->later.data + at, update_move, &f, err);
    lore_db_snapshot_end(a->db);
    if (f.any)
        lore_trials_index(f.trials);
    a->again |= f.stale;
    return status;
}

/* Swap the indexes. NEXT was built with the default parameters, so it gets those in use. BEHIND: a
 * change came that NEXT does not have. */
static void
replace(struct lore_moves_index *m, struct lore_moves_index *next, bool behind)
{
    struct lore_trials *old = m->trials;
    LORE_SCRATCH arena = {0};
    struct lore_err err = {0};

    lore_rwlock_write(m->lock);
    if (lore_moves_numbers_set(lore_trials_model(next->trials),
            lore_moves_numbers(lore_trials_model(old), &arena), &err) != LORE_OK)
        lore_log(LORE_WARN, "learned", "name", NUMBERS, "problem", err.msg, NULL);
    lore_indexes_moves_replace(m, next);
    atomic_store(&m->behind, behind);
    lore_rwlock_unlock(m->lock);
    if (m->generation)
        atomic_fetch_add(m->generation, 1);
    lore_trials_free(old);
}

static void
rebuild_once(struct lore_moves_rebuild *a)
{
    struct lore_moves_index next = {.trials = lore_trials_new()};
    struct filling f = {.trials = next.trials, .stop = &a->stop};
    struct lore_err err = {0};
    enum lore_status status;

    pthread_mutex_lock(&a->busy);
    a->again = false;
    lore_buf_reset(&a->later);
    pthread_mutex_unlock(&a->busy);
    status = fill_by_pieces(&f, LORE_SNAPSHOT_US, a->db, &next, &err);
    pthread_mutex_lock(&a->busy);
    if (status == LORE_OK && !atomic_load(&a->stop))
        status = catch_up(a, &next, &err);
    if (status != LORE_OK)
        die(&err);
    if (atomic_load(&a->stop))
        lore_trials_free(next.trials);
    else
        replace(a->m, &next, a->again);
    a->done = !a->again || atomic_load(&a->stop);
    pthread_mutex_unlock(&a->busy);
}

static void *
run_rebuild(void *arg)
{
    struct lore_moves_rebuild *a = arg;

    while (!a->done)
        rebuild_once(a);
    return NULL;
}

/* Begin a rebuild. Without a thread or a reader connection, the writer rebuilds the index itself.
 */
static enum lore_status
begin_rebuild(struct lore_moves_index *m, struct lore_db *db, struct lore_err *err)
{
    struct lore_moves_rebuild *a;
    struct lore_err why = {0};

    if (lore_trials_size(m->trials) + (size_t)m->move_seq < m->at_once)
        return rebuild_here(m, db, err);
    a = lore_xalloc(sizeof *a);
    a->m = m;
    pthread_mutex_init(&a->busy, NULL);
    m->rebuild_due = false;
    m->rebuild = a;
    atomic_store(&m->behind, true);
    if (lore_db_open_beside(db, &a->db, &why) == LORE_OK &&
        pthread_create(&a->thread, NULL, run_rebuild, a) == 0)
        return LORE_OK;
    atomic_store(&m->behind, false);
    m->rebuild = NULL;
    lore_db_close(a->db);
    pthread_mutex_destroy(&a->busy);
    lore_xfree(a);
    return rebuild_here(m, db, err);
}

static void
join_rebuild(struct lore_moves_index *m)
{
    struct lore_moves_rebuild *a = m->rebuild;

    pthread_join(a->thread, NULL);
    lore_db_close(a->db);
    pthread_mutex_destroy(&a->busy);
    lore_buf_free(&a->later);
    lore_xfree(a);
    m->rebuild = NULL;
}

/* Keep a rebuilt index from replacing this one until leave(), so that the writer can use it. */
static void
enter(struct lore_moves_index *m)
{
    if (!m->rebuild)
        return;
    pthread_mutex_lock(&m->rebuild->busy);
    if (!m->rebuild->done)
        return;
    pthread_mutex_unlock(&m->rebuild->busy);
    join_rebuild(m);
}

static void
leave(struct lore_moves_index *m)
{
    if (m->rebuild)
        pthread_mutex_unlock(&m->rebuild->busy);
}

/* Start a rebuild, or demand one more round of the rebuild in progress. Call it after enter() and
 * in place of leave(). */
static enum lore_status
start_rebuild(struct lore_moves_index *m, struct lore_db *db, struct lore_err *err)
{
    if (!m->rebuild)
        return begin_rebuild(m, db, err);
    m->rebuild->again = true;
    m->rebuild_due = false;
    leave(m);
    return LORE_OK;
}

void
lore_indexes_moves_wait(struct lore_moves_index *m)
{
    if (m->rebuild)
        join_rebuild(m);
}

void
lore_indexes_moves_free(struct lore_moves_index *m)
{
    if (m->rebuild)
        atomic_store(&m->rebuild->stop, true);
    lore_indexes_moves_wait(m);
    lore_trials_free(m->trials);
    m->trials = NULL;
}

enum lore_status
lore_indexes_moves_copy(
    struct lore_db *db, int64_t piece_us, struct lore_trials **out, struct lore_err *err)
{
    struct lore_moves_index next = {.trials = lore_trials_new()};
    struct filling f = {.trials = next.trials};
    enum lore_status status = read_numbers(next.trials, db, err);

    if (status == LORE_OK)
        status = fill_by_pieces(&f, piece_us, db, &next, err);
    if (status != LORE_OK)
        lore_trials_free(next.trials);
    else
        *out = next.trials;
    return status;
}

void
lore_indexes_moves_request_rebuild(struct lore_moves_index *m)
{
    m->rebuild_due = true;
}

enum lore_status
lore_indexes_moves_refresh(
    struct lore_moves_index *m, struct lore_db *db, bool *changed, struct lore_err *err)
{
    struct filling f = {.batch.lock = m->lock};
    enum lore_status status;

    enter(m);
    if (!m->trials) { /* no rebuild can be in progress */
        *changed = true;
        return rebuild_here(m, db, err);
    }
    f.trials = m->trials;
    status = fill(&f, db, m, err);
    *changed |= f.any || m->rebuild_due;
    if (status == LORE_OK && m->rebuild_due)
        return start_rebuild(m, db, err);
    leave(m);
    return status;
}

static enum lore_status
follow_retraction(struct filling *f, struct lore_db *db, const char *record, struct lore_err *err)
{
    LORE_SCRATCH a = {0};
    struct lore_found found = {0};
    enum lore_status status = lore_db_find_record(db, record, &a, &found, err);

    if (status == LORE_NOTFOUND)
        return LORE_OK;
    f->stale |= status == LORE_OK && (found.kind == LORE_K_RUN || found.kind == LORE_K_VERSION ||
                                         found.kind == LORE_K_SWEEP);
    return status;
}

/* Update one experiment to its present state, also in an index being rebuilt. */
static enum lore_status
follow_experiment(struct lore_moves_index *m, struct filling *f, struct lore_db *db, const char *id,
    struct lore_err *err)
{
    if (m->rebuild)
        lore_buf_add(&m->rebuild->later, id, strlen(id) + 1);
    return f->stale || m->rebuild_due ? LORE_OK : lore_feed_trial_move(db, id, update_move, f, err);
}

enum lore_status
lore_indexes_moves_follow(struct lore_moves_index *m, struct lore_db *db,
    const struct lore_effects *effects, struct lore_err *err)
{
    struct filling f = {.batch.lock = m->lock, .stale = effects->n_left > 0};
    enum lore_status status = LORE_OK;

    enter(m);
    f.trials = m->trials;
    for (size_t i = 0; i < effects->retracted.n && status == LORE_OK && !m->rebuild_due && !f.stale;
         i++)
        status = follow_retraction(&f, db, effects->retracted.v[i], err);
    for (size_t i = 0; i < effects->judged.n && status == LORE_OK; i++)
        status = follow_experiment(m, &f, db, effects->judged.v[i], err);
    for (size_t i = 0; i < effects->shown.n && status == LORE_OK; i++)
        status = follow_experiment(m, &f, db, effects->shown.v[i], err);
    m->rebuild_due |= f.stale;
    if (status == LORE_OK && f.any) {
        lore_write_batch_next(&f.batch);
        lore_trials_index(f.trials);
    }
    lore_write_batch_end(&f.batch);
    leave(m);
    return status;
}
