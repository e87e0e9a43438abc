/* The start: both indexes are filled at once, without locks, the evidence on the caller's thread
 * and connection, the board on a second one. The two meet only in the database, which nobody writes
 * to. */
#include "memory_fill.h"

#include <pthread.h>

#include "store.h"

struct filling {
    struct lore_db *db;
    struct lore_board_index *board;
    struct lore_memory_seen seen;
    enum lore_status status;
    struct lore_err err;
};

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

static enum lore_status
fill_evidence(struct lore_db *db, struct lore_evidence_index *ix, struct lore_memory_seen *seen,
    struct lore_err *err)
{
    enum lore_status st = lore_each_workload(db, 0, add_workload, ix, &seen->workload, err);

    return st == LORE_OK ? lore_each_evidence(db, 0, add_evidence, ix, &seen->evidence, err) : st;
}

static void *
fill_board(void *arg)
{
    struct filling *f = arg;

    lore_board_fill(f->board);
    f->status = lore_db_snapshot(f->db, &f->err);
    if (f->status == LORE_OK)
        f->status = lore_each_run_entry(f->db, 0, add_entry, f->board, &f->seen.run, &f->err);
    if (f->status == LORE_OK)
        f->status = lore_each_claim_entry(f->db, 0, add_entry, f->board, &f->seen.claim, &f->err);
    lore_db_snapshot_end(f->db);
    lore_board_filled(f->board);
    return NULL;
}

enum lore_status
lore_memory_fill(struct lore_db *db, struct lore_evidence_index *evidence,
    struct lore_board_index *board, struct lore_memory_seen *seen, struct lore_err *err)
{
    struct filling f = {.board = board};
    struct lore_memory_seen mine = {0};
    pthread_t thread;
    enum lore_status st = lore_db_open_beside(db, &f.db, err);

    if (st != LORE_OK)
        return st;
    bool beside = pthread_create(&thread, NULL, fill_board, &f) == 0;
    st = fill_evidence(db, evidence, &mine, err);
    if (beside)
        pthread_join(thread, NULL);
    else
        fill_board(&f);
    lore_db_close(f.db);
    if (st == LORE_OK && f.status != LORE_OK) {
        st = f.status;
        *err = f.err;
    }
    if (st == LORE_OK)
        *seen = (struct lore_memory_seen){mine.evidence, f.seen.run, f.seen.claim, mine.workload};
    return st;
}
