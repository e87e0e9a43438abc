/* The thread checks now and then whether the database has grown enough. The size at the last fit is
 * in the database, so a restart repeats no fit. After a fit that failed or had too few data, the
 * thread waits for as much growth and time as after a success. A fit cannot be interrupted and
 * takes up to minutes, so a stopping service does not wait for it. The thread is then abandoned
 * with its own copies and connection, and checks for that before it touches anything of the
 * service. */
#include "service/ingest/learner.h"

#include <inttypes.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "db/learned.h"
#include "db/store.h"
#include "service/base/clock.h"
#include "service/base/json.h"
#include "service/base/log.h"
#include "service/base/text.h"
#include "service/base/xalloc.h"
#include "service/ingest/indexes.h"
#include "service/ingest/ingest.h"
#include "service/ingest/learn.h"
#include "service/recommend/train.h"

enum { LEAST_ROWS = 100 };

struct lore_learner {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool stops;
    bool learns; /* fits with its own data only; a stop abandons the thread */
    char *data;
    int ask_ms;
    int64_t period_us;
    int64_t tried_rows, tried_us; /* the last attempt in this process */
    struct lore_indexes *indexes;
    struct lore_ingest *ingest;
    struct lore_arena arena; /* of one fit */
};

/* Sleep; returns true when the service stops. */
static bool
sleep_for(struct lore_learner *l, int ms)
{
    struct timespec end;
    bool stops;

    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += ms / 1000;
    end.tv_nsec += (long)(ms % 1000) * 1000000;
    end.tv_sec += end.tv_nsec / 1000000000;
    end.tv_nsec %= 1000000000;
    pthread_mutex_lock(&l->lock);
    while (!l->stops && pthread_cond_timedwait(&l->wake, &l->lock, &end) == 0)
        continue;
    stops = l->stops;
    pthread_mutex_unlock(&l->lock);
    return stops;
}

struct last {
    int64_t rows, at_us; /* rows and time of the fit in force; 0: priors */
    struct lore_err why; /* set when the stored fit cannot be read */
};

static enum lore_status
read_last_fit(struct lore_db *db, struct lore_arena *arena, struct last *out, struct lore_err *err)
{
    struct lore_learned learned = {0};
    struct lore_json *basis = NULL;
    int64_t rows = 0;
    double numbers[LORE_M_COUNT];
    enum lore_status status = lore_db_get_learned(db, LORE_LEARNED_EVIDENCE, arena, &learned, err);

    *out = (struct last){0};
    if (status == LORE_NOTFOUND)
        return LORE_OK;
    if (status != LORE_OK)
        return status;
    status = lore_json_parse(learned.basis, strlen(learned.basis), NULL, arena, &basis, &out->why);
    if (status == LORE_OK)
        status = lore_json_i64(basis, "rows", &rows, &out->why);
    if (status == LORE_OK && rows <= 0)
        status = lore_fail(&out->why, LORE_INVALID, "rows: missing");
    if (status == LORE_OK)
        status = lore_train_numbers_parse(learned.numbers, numbers, &out->why);
    if (status == LORE_OK) { /* otherwise a fit is due */
        out->rows = rows;
        out->at_us = learned.trained_us;
    }
    return LORE_OK;
}

static enum lore_status
store(struct lore_db *db, void *ctx, int64_t now_us, struct lore_err *err)
{
    return lore_learn_store(db, ctx, now_us, err);
}

/* Until rejoin_service the thread touches nothing of the service. Returns false when the service
 * stops. */
static bool
leave_service(struct lore_learner *l)
{
    pthread_mutex_lock(&l->lock);
    l->learns = !l->stops;
    pthread_mutex_unlock(&l->lock);
    return l->learns;
}

/* Returns false when the thread was abandoned. */
static bool
rejoin_service(struct lore_learner *l)
{
    bool stays;

    pthread_mutex_lock(&l->lock);
    stays = !l->stops;
    l->learns = !stays; /* an abandoned thread frees L */
    pthread_mutex_unlock(&l->lock);
    return stays;
}

static enum lore_status
learn_now(struct lore_learner *l, struct lore_db *db, struct lore_err *err)
{
    struct lore_fit fits[LORE_FITS];
    int64_t begun = lore_now_us();

    if (!leave_service(l))
        return LORE_OK;
    enum lore_status status = lore_learn(db, LORE_SNAPSHOT_US, &l->arena, fits, err);
    if (!rejoin_service(l))
        return LORE_OK;
    if (status == LORE_OK)
        status = lore_ingest_write(l->ingest, store, fits, err);
    if (status == LORE_OK)
        status = lore_learn_apply(db, l->indexes, err);
    if (status == LORE_OK)
        lore_log(LORE_INFO, "learned", "seconds",
            lore_format(&l->arena, "%.1f", (double)(lore_now_us() - begun) / 1e6), "evidence",
            fits[0].basis, NULL);
    return status;
}

/* A fit is due when the rows have grown by a quarter and `retrain_hours` have passed since the last
 * fit. When the rows have doubled, as in a fast import, it is due at once. All fits of such an
 * import together cost at most twice the last one. */
static bool
is_due(const struct lore_learner *l, const struct last *last, int64_t known)
{
    int64_t rows = last->rows > l->tried_rows ? last->rows : l->tried_rows;
    int64_t at_us = last->at_us > l->tried_us ? last->at_us : l->tried_us;

    return known >= rows + rows / 4 + 1 &&
           (known >= 2 * rows || lore_now_us() - at_us >= l->period_us);
}

static enum lore_status
fit_if_due(struct lore_learner *l, struct lore_err *err)
{
    struct lore_db *db = NULL;
    struct last last = {0};
    size_t known;
    enum lore_status status;

    known = lore_evidence_count(lore_indexes_evidence(l->indexes));
    lore_indexes_unlock(l->indexes);
    if (known < LEAST_ROWS)
        return LORE_OK;
    status = lore_db_open_reader(l->data, &db, err);
    if (status == LORE_OK)
        status = read_last_fit(db, &l->arena, &last, err);
    if (status == LORE_OK && is_due(l, &last, (int64_t)known)) {
        if (last.why.status != LORE_OK)
            lore_log(LORE_WARN, "learned", "name", LORE_LEARNED_EVIDENCE, "problem", last.why.msg,
                "learns", "anew", NULL);
        l->tried_rows = (int64_t)known;
        l->tried_us = lore_now_us();
        status = learn_now(l, db, err);
    }
    lore_db_close(db);
    return status;
}

static void
free_learner(struct lore_learner *l)
{
    pthread_cond_destroy(&l->wake);
    pthread_mutex_destroy(&l->lock);
    lore_xfree(l->data);
    lore_xfree(l);
}

static void *
run(void *arg)
{
    struct lore_learner *l = arg;

    (void)setpriority(PRIO_PROCESS, 0, 19); /* on Linux this affects the calling thread only */
    while (!sleep_for(l, l->ask_ms)) {
        struct lore_err err = {0};
        if (fit_if_due(l, &err) != LORE_OK)
            lore_log(LORE_WARN, "learning failed", "problem", err.msg, NULL);
        lore_arena_free(&l->arena);
    }
    if (l->learns)
        free_learner(l);
    return NULL;
}

enum lore_status
lore_learner_start(const char *data, struct lore_indexes *indexes, struct lore_ingest *ingest,
    const struct lore_learner_pace *pace, struct lore_learner **out, struct lore_err *err)
{
    pthread_condattr_t attr;

    *out = NULL;
    if (pace->hours == 0)
        return LORE_OK;
    struct lore_learner *l = lore_xalloc(sizeof *l);
    *l = (struct lore_learner){.data = lore_xstrdup(data),
        .ask_ms = pace->ask_ms,
        .period_us = (int64_t)pace->hours * 3600 * 1000000,
        .indexes = indexes,
        .ingest = ingest};
    pthread_mutex_init(&l->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&l->wake, &attr);
    pthread_condattr_destroy(&attr);
    if (pthread_create(&l->thread, NULL, run, l) != 0) {
        free_learner(l);
        return lore_fail(err, LORE_IO, "cannot start the learner's thread");
    }
    *out = l;
    return LORE_OK;
}

void
lore_learner_stop(struct lore_learner *l)
{
    if (!l)
        return;
    pthread_t thread = l->thread;
    pthread_mutex_lock(&l->lock);
    bool learns = l->learns;
    if (learns)
        (void)pthread_detach(thread); /* before the thread can see that it was abandoned */
    l->stops = true;
    pthread_cond_signal(&l->wake);
    pthread_mutex_unlock(&l->lock);
    if (learns)
        return;
    pthread_join(thread, NULL);
    free_learner(l);
}
