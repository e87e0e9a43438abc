/* Versions, runs and experiments on their way into the memory of moves (memory_moves.h).
 *
 * Versions come first: a run or an experiment whose version is not there is left out, and the
 * writer commits a version before or with what names it. */
#include "memory_moves.h"

#include "feed_moves.h"
#include "learned.h"
#include "log.h"
#include "standing.h"
#include "store.h"

#define NUMBERS "moves@1"

struct filling {
    pthread_rwlock_t *lock; /* NULL: nobody else sees it yet */
    struct lore_trials *trials;
    bool any, stale;
};

static void
lock(struct filling *f)
{
    if (f->lock != NULL)
        pthread_rwlock_wrlock(f->lock);
}

static void
unlock(struct filling *f)
{
    if (f->lock != NULL)
        pthread_rwlock_unlock(f->lock);
}

static bool
add_version(void *ctx, const struct lore_trial_version *v)
{
    struct filling *f = ctx;

    lock(f);
    lore_trials_version(f->trials, v);
    unlock(f);
    f->any = true;
    return true;
}

static bool
add_run(void *ctx, const struct lore_trial_run *r)
{
    struct filling *f = ctx;

    lock(f);
    lore_trials_run(f->trials, r);
    unlock(f);
    f->any = true;
    return true;
}

static bool
add_move(void *ctx, const struct lore_trial_move *m)
{
    struct filling *f = ctx;

    lock(f);
    f->any |= lore_trials_move(f->trials, m);
    unlock(f);
    return true;
}

/* The experiment as it stands now: it counts, or what it said must be forgotten. */
static bool
look_again(void *ctx, const struct lore_trial_move *m)
{
    struct filling *f = ctx;

    lock(f);
    if (m->counts)
        f->any |= lore_trials_move(f->trials, m);
    else
        f->stale |= lore_trials_told(f->trials, m);
    unlock(f);
    return true;
}

/* Numbers that this program does not understand are those of another one: the defaults hold. */
static enum lore_status
read_numbers(struct lore_trials *t, struct lore_db *db, struct lore_err *err)
{
    struct lore_arena a = {0};
    struct lore_learned learned;
    struct lore_err why = {0};
    enum lore_status st = lore_get_learned(db, NUMBERS, &a, &learned, &why);

    if (st == LORE_OK &&
        lore_moves_numbers_set(lore_trials_model(t), learned.numbers, &why) != LORE_OK)
        lore_log(LORE_WARN, "learned", "name", NUMBERS, "problem", why.msg, NULL);
    lore_arena_free(&a);
    if (st == LORE_OK || st == LORE_NOTFOUND)
        return LORE_OK;
    *err = why;
    return st;
}

static enum lore_status
fill(struct filling *f, struct lore_db *db, struct lore_memory_moves *seq, struct lore_err *err)
{
    enum lore_status st =
        lore_each_trial_version(db, seq->version_seq, add_version, f, &seq->version_seq, err);

    if (st == LORE_OK)
        st = lore_each_trial_run(db, seq->run_seq, add_run, f, &seq->run_seq, err);
    if (st == LORE_OK)
        st = lore_each_trial_move(db, seq->move_seq, add_move, f, &seq->move_seq, err);
    if (st != LORE_OK || !f->any)
        return st;
    lock(f);
    lore_trials_index(f->trials);
    unlock(f);
    return LORE_OK;
}

/* All of it, into a memory that takes the place of the one there is. */
static enum lore_status
fill_anew(struct lore_memory_moves *m, struct lore_db *db, struct lore_err *err)
{
    struct lore_memory_moves next = {.lock = m->lock, .trials = lore_trials_new()};
    struct filling f = {.trials = next.trials};
    struct lore_trials *old = m->trials;
    enum lore_status st = read_numbers(next.trials, db, err);

    if (st == LORE_OK)
        st = fill(&f, db, &next, err);
    if (st != LORE_OK) {
        lore_trials_free(next.trials);
        return st;
    }
    pthread_rwlock_wrlock(m->lock);
    *m = next;
    pthread_rwlock_unlock(m->lock);
    lore_trials_free(old);
    return LORE_OK;
}

void
lore_memory_moves_free(struct lore_memory_moves *m)
{
    lore_trials_free(m->trials);
    m->trials = NULL;
}

void
lore_memory_moves_forget(struct lore_memory_moves *m)
{
    m->forget = true;
}

enum lore_status
lore_memory_moves_refresh(
    struct lore_memory_moves *m, struct lore_db *db, bool *changed, struct lore_err *err)
{
    struct filling f = {.lock = m->lock, .trials = m->trials};
    enum lore_status st;

    if (m->trials == NULL || m->forget) {
        *changed = true;
        return fill_anew(m, db, err);
    }
    st = fill(&f, db, m, err);
    *changed |= f.any;
    return st;
}

static enum lore_status
follow_retraction(struct filling *f, struct lore_db *db, const char *record, struct lore_err *err)
{
    struct lore_arena a = {0};
    struct lore_found found = {0};
    enum lore_status st = lore_find_record(db, record, &a, &found, err);

    lore_arena_free(&a);
    if (st == LORE_NOTFOUND)
        return LORE_OK;
    f->stale |= st == LORE_OK && (found.kind == LORE_K_RUN || found.kind == LORE_K_VERSION);
    return st;
}

enum lore_status
lore_memory_moves_follow(struct lore_memory_moves *m, struct lore_db *db,
    const struct lore_effects *effects, struct lore_err *err)
{
    struct filling f = {.lock = m->lock, .trials = m->trials};
    enum lore_status st = LORE_OK;

    for (size_t i = 0; i < effects->retracted.n && st == LORE_OK && !m->forget && !f.stale; i++)
        st = follow_retraction(&f, db, effects->retracted.v[i], err);
    for (size_t i = 0; i < effects->judged.n && st == LORE_OK && !m->forget && !f.stale; i++)
        st = lore_feed_trial_move(db, effects->judged.v[i], look_again, &f, err);
    for (size_t i = 0; i < effects->shown.n && st == LORE_OK && !m->forget && !f.stale; i++)
        st = lore_feed_trial_move(db, effects->shown.v[i], look_again, &f, err);
    m->forget |= f.stale;
    if (st == LORE_OK && f.any) {
        lock(&f);
        lore_trials_index(f.trials);
        unlock(&f);
    }
    return st;
}
