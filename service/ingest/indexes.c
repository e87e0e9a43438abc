/* The in-memory indexes of evidence, board entries and moves. Facts are only inserted, so an
 * update reads only the rows after the last sequence number. A new fact can change the verdict, the
 * visibility or the retraction of earlier records. The effects of the commit name those records,
 * and the writer reads them again.
 *
 * Readers and the writer share a fair lock (rwlock.h); without it a busy service would never show
 * an acknowledged record. The lock is not recursive and a handler may hold two views, so nesting is
 * counted per thread. The writer holds the lock once for a small commit and in several steps for a
 * large one, which keeps waits short. An answer computed in between may have only some rows of a
 * commit; the generation grows after the last row. */
#include "service/ingest/indexes.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "db/store.h"
#include "service/base/text.h"
#include "service/base/xalloc.h"
#include "service/ingest/indexes_fill.h"
#include "service/ingest/indexes_moves.h"
#include "service/ingest/rwlock.h"

struct lore_indexes {
    struct lore_rwlock lock;
    struct lore_write_batch batch; /* used by the writer only */
    struct lore_evidence_index *evidence;
    struct lore_board *board;
    struct lore_moves_index moves;
    struct lore_indexes_filling *filling;
    bool board_loaded;    /* writer only: it has waited for the board */
    bool moves_loaded;    /* writer only: the moves are loaded, and the writer now updates them */
    bool moves_overtaken; /* writer only: a record changed during the load, which may have read its
                             old state */
    struct lore_index_position position; /* used by the writer only */
    atomic_uint_fast64_t generation;
};

/* The index of moves loads up to this number of rows within a tenth of a second. */
enum { MOVES_AT_ONCE = 10000 };

/* Read locks held by this thread; a process has one set of indexes. */
static _Thread_local int held;

static bool
add_evidence(void *ctx, const struct lore_evidence_in *in)
{
    struct lore_indexes *m = ctx;

    lore_write_batch_next(&m->batch);
    lore_evidence_add(m->evidence, in);
    return true;
}

/* A name that an experiment no longer has: its row is masked, and counts for nothing. */
struct leaving {
    struct lore_indexes *m;
    const char *technique;
};

static bool
mask_evidence(void *ctx, const struct lore_evidence_in *in)
{
    const struct leaving *l = ctx;
    struct lore_evidence_in left = *in;

    left.technique = l->technique;
    left.masked = true;
    return add_evidence(l->m, &left);
}

static bool
ignore_entry(void *ctx, const struct lore_entry *in)
{
    (void)ctx, (void)in;
    return true;
}

static bool
add_workload(void *ctx, const char *id, const struct lore_workload *w)
{
    struct lore_indexes *m = ctx;
    struct lore_shape shape = {.dims = &w->dims, .dtype = w->dtype, .layout = w->layout};

    lore_write_batch_next(&m->batch);
    lore_evidence_workload(m->evidence, w->op, id, &shape);
    return true;
}

static bool
add_entry(void *ctx, const struct lore_entry *in)
{
    struct lore_indexes *m = ctx;

    lore_write_batch_next(&m->batch);
    lore_board_add(m->board, in);
    return true;
}

static bool
add_limit(void *ctx, const struct lore_limit_in *in)
{
    struct lore_indexes *m = ctx;

    lore_write_batch_next(&m->batch);
    lore_board_limit(m->board, in);
    return true;
}

/* The board and the moves may finish loading after the start. The writer waits for the board before
 * it adds entries. It leaves the moves alone until they are loaded; they are loaded once more after
 * a change that the load may have missed. */
static void
await_board(struct lore_indexes *m)
{
    struct lore_index_position position;

    if (m->board_loaded)
        return;
    lore_indexes_fill_wait_board(m->filling, &position);
    m->position.run = position.run;
    m->position.claim = position.claim;
    m->position.limit = position.limit;
    m->board_loaded = true;
}

static bool
are_moves_loaded(struct lore_indexes *m)
{
    if (m->moves_loaded)
        return true;
    m->moves_loaded = lore_indexes_fill_has_moves(m->filling);
    if (m->moves_loaded && m->moves_overtaken)
        lore_indexes_moves_request_rebuild(&m->moves);
    return m->moves_loaded;
}

/* Add the rows after *POSITION, in one transaction: beginning a transaction costs more than reading
 * the rows of a small commit. */
static enum lore_status
add_new(struct lore_indexes *m, struct lore_db *db, struct lore_index_position *position,
    bool *moves_changed, struct lore_err *err)
{
    enum lore_status status;

    if ((status = lore_db_snapshot(db, err)) != LORE_OK)
        return status;
    status = lore_db_each_workload(
        db, m->position.workload, add_workload, m, &m->position.workload, err);
    if (status == LORE_OK)
        status = lore_db_each_evidence(
            db, position->evidence, add_evidence, m, &position->evidence, err);
    if (status == LORE_OK)
        status =
            lore_db_each_witness(db, position->witness, add_evidence, m, &position->witness, err);
    if (status == LORE_OK)
        status = lore_db_each_run_entry(db, position->run, add_entry, m, &position->run, err);
    if (status == LORE_OK)
        status = lore_db_each_claim_entry(db, position->claim, add_entry, m, &position->claim, err);
    if (status == LORE_OK)
        status = lore_db_each_limit(db, position->limit, add_limit, m, &position->limit, err);
    lore_write_batch_end(&m->batch);
    if (status == LORE_OK && are_moves_loaded(m))
        status = lore_indexes_moves_refresh(&m->moves, db, moves_changed, err);
    lore_db_snapshot_end(db);
    return status;
}

enum lore_status
lore_indexes_refresh(struct lore_indexes *m, struct lore_db *db, struct lore_err *err)
{
    await_board(m);
    struct lore_index_position position = m->position;
    bool moves_changed = false;
    enum lore_status status = add_new(m, db, &position, &moves_changed, err);

    if (status != LORE_OK)
        return status;
    if (moves_changed || position.evidence != m->position.evidence ||
        position.witness != m->position.witness || position.run != m->position.run ||
        position.claim != m->position.claim || position.limit != m->position.limit)
        atomic_fetch_add(&m->generation, 1);
    position.workload = m->position.workload;
    m->position = position;
    return LORE_OK;
}

enum lore_status
lore_indexes_load(struct lore_db *db, struct lore_indexes **out, struct lore_err *err)
{
    struct lore_indexes *m = lore_xalloc(sizeof *m);
    enum lore_status status;

    lore_rwlock_init(&m->lock);
    m->batch.lock = &m->lock;
    m->evidence = lore_evidence_new();
    m->board = lore_board_new();
    m->moves = (struct lore_moves_index){
        .lock = &m->lock, .at_once = MOVES_AT_ONCE, .generation = &m->generation};
    const struct lore_indexes_parts parts = {m->evidence, m->board, &m->moves, &m->generation};
    status = lore_indexes_fill(db, &parts, &m->filling, &m->position, err);
    atomic_fetch_add(&m->generation, 1);
    if (status != LORE_OK) {
        lore_indexes_free(m);
        return status;
    }
    *out = m;
    return LORE_OK;
}

void
lore_indexes_free(struct lore_indexes *m)
{
    if (!m)
        return;
    lore_indexes_fill_end(m->filling);
    lore_evidence_free(m->evidence);
    lore_board_free(m->board);
    lore_indexes_moves_free(&m->moves);
    lore_rwlock_destroy(&m->lock);
    lore_xfree(m);
}

/* Tell the board whether RECORD counts. */
static enum lore_status
follow_retraction(
    struct lore_indexes *m, struct lore_db *db, const char *record, struct lore_err *err)
{
    LORE_SCRATCH a = {0};
    struct lore_standing standing = {0};
    enum lore_status status = lore_db_get_standing(db, record, &a, &standing, err);

    if (status == LORE_OK) {
        lore_write_batch_next(&m->batch);
        lore_board_follow(m->board, record,
            &(struct lore_board_standing){standing.retracted, standing.copy, standing.beyond});
        status = lore_db_feed_witness(db, record, add_evidence, m, err);
    }
    return status;
}

/* Update each experiment whose verdict or visibility changed, once. */
static enum lore_status
follow_experiments(
    struct lore_indexes *m, struct lore_db *db, const struct lore_effects *e, struct lore_err *err)
{
    size_t n = e->judged.n + e->shown.n;
    const char **all = lore_xalloc((n + 1) * sizeof *all);
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < n; i++)
        all[i] = i < e->judged.n ? e->judged.v[i] : e->shown.v[i - e->judged.n];
    qsort(all, n, sizeof *all, lore_by_text);
    for (size_t i = 0; i < n && status == LORE_OK; i++)
        if (i == 0 || strcmp(all[i], all[i - 1]) != 0)
            status = lore_feed_experiment(db, all[i], add_evidence, add_entry, m, err);
    lore_xfree(all);
    for (size_t i = 0; i < e->n_left && status == LORE_OK; i++)
        status = lore_feed_experiment(db, e->left[i].experiment, mask_evidence, ignore_entry,
            &(struct leaving){m, e->left[i].technique}, err);
    return status;
}

enum lore_status
lore_indexes_apply(struct lore_indexes *m, struct lore_db *db, const struct lore_effects *effects,
    struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    if (effects->shown.n + effects->judged.n + effects->retracted.n == 0)
        return LORE_OK;
    await_board(m);
    lore_write_batch_next(&m->batch);
    lore_board_batch_begin(m->board);
    for (size_t i = 0; i < effects->retracted.n && status == LORE_OK; i++)
        status = follow_retraction(m, db, effects->retracted.v[i], err);
    if (status == LORE_OK)
        status = follow_experiments(m, db, effects, err);
    lore_write_batch_end(&m->batch);
    if (status == LORE_OK && are_moves_loaded(m))
        status = lore_indexes_moves_follow(&m->moves, db, effects, err);
    else
        m->moves_overtaken = true;
    lore_write_batch_next(&m->batch);
    lore_board_batch_end(m->board);
    lore_write_batch_end(&m->batch);
    atomic_fetch_add(&m->generation, 1);
    return status;
}

enum lore_status
lore_indexes_finish_commit(struct lore_indexes *m, struct lore_db *db, struct lore_err *err)
{
    return m->moves.rebuild_due ? lore_indexes_refresh(m, db, err) : LORE_OK;
}

static void
hold(struct lore_indexes *m)
{
    if (held++ == 0)
        lore_rwlock_read(&m->lock);
}

const struct lore_evidence_index *
lore_indexes_evidence(struct lore_indexes *m)
{
    hold(m);
    return m->evidence;
}

void
lore_indexes_board_wait(struct lore_indexes *m)
{
    struct lore_index_position position;

    lore_indexes_fill_wait_board(m->filling, &position);
}

const struct lore_board *
lore_indexes_board(struct lore_indexes *m)
{
    lore_indexes_board_wait(m);
    hold(m);
    return m->board;
}

const struct lore_trials *
lore_indexes_moves(struct lore_indexes *m)
{
    hold(m);
    return m->moves.trials;
}

const char *
lore_moves_state_name(enum lore_moves_state state)
{
    return state == LORE_MOVES_READING ? "reading" : state == LORE_MOVES_BEHIND ? "behind" : NULL;
}

enum lore_moves_state
lore_indexes_moves_state(struct lore_indexes *m)
{
    if (!lore_indexes_fill_has_moves(m->filling))
        return LORE_MOVES_READING;
    return atomic_load(&m->moves.behind) ? LORE_MOVES_BEHIND : LORE_MOVES_CURRENT;
}

void
lore_indexes_unlock(struct lore_indexes *m)
{
    if (--held == 0)
        lore_rwlock_unlock(&m->lock);
}

void
lore_indexes_unlock_cleanup(struct lore_indexes **m)
{
    lore_indexes_unlock(*m);
}

uint64_t
lore_indexes_generation(struct lore_indexes *m)
{
    return atomic_load(&m->generation);
}

enum lore_status
lore_indexes_set_parameters(struct lore_indexes *m, const char *moves, struct lore_err *err)
{
    enum lore_status status;

    lore_rwlock_write(&m->lock);
    status = lore_moves_numbers_set(lore_trials_model(m->moves.trials), moves, err);
    lore_rwlock_unlock(&m->lock);
    atomic_fetch_add(&m->generation, 1);
    return status;
}
