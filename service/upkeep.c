/* One thread that first checks the database, if it was not closed cleanly, and then makes a backup
 * whenever one is due. A damaged database is not backed up: the backups that there are, are good.
 */
#include "service/upkeep.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "db/backup.h"
#include "db/store.h"
#include "service/base/clock.h"
#include "service/base/log.h"
#include "service/base/xalloc.h"
#include "service/http/upkeep.h"
#include "service/ingest/ingest.h"

#define HOUR_US INT64_C(3600000000)
#define LOOK_S 10              /* how often the thread asks whether a backup is due */
#define AGAIN_US (HOUR_US / 4) /* after a failure */

struct lore_upkeep {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    atomic_bool stops;
    struct lore_app *app;
    const struct lore_config *config;
    bool check;
    int64_t not_before_us; /* ticks: no backup is tried until then */
};

/* ---- the check ---- */

static void
say_damaged(struct lore_upkeep *u, const struct lore_err *why)
{
    struct lore_err err = *why;

    err.hint[0] = '\0';
    lore_backup_hint(u->config->data, &err);
    lore_ingest_refuse(u->app->ingest);
    atomic_store(&u->app->upkeep.storage, LORE_STORAGE_DAMAGED);
    lore_log(LORE_ERROR, "storage_damaged", "error", err.msg, "now", "reads only", "hint",
        err.hint[0] != '\0' ? err.hint : "there is no backup that this directory knows of", NULL);
}

static void
check(struct lore_upkeep *u)
{
    struct lore_db *db = NULL;
    struct lore_err err = {0};
    int64_t begun = lore_ticks_us();
    enum lore_status status;
    char ms[24];

    atomic_store(&u->app->upkeep.storage, LORE_STORAGE_CHECKING);
    status = lore_db_open_reader(u->config->data, &db, &err);
    if (status == LORE_OK) {
        lore_db_stop_with(db, &u->stops);
        status = lore_db_quick_check(db, &err);
    }
    lore_db_close(db);
    if (atomic_load(&u->stops))
        return;
    if (status == LORE_CORRUPT || status == LORE_IO)
        return say_damaged(u, &err);
    atomic_store(
        &u->app->upkeep.storage, status == LORE_OK ? LORE_STORAGE_SOUND : LORE_STORAGE_UNCHECKED);
    snprintf(ms, sizeof ms, "%" PRId64, (lore_ticks_us() - begun) / 1000);
    lore_log(LORE_INFO, "storage_checked", "ms", ms, "found", status == LORE_OK ? "sound" : err.msg,
        NULL);
}

/* ---- backups ---- */

static void
learn_last(struct lore_app *app, const char *data)
{
    struct lore_upkeep_state *s = &app->upkeep;
    struct lore_backup last;
    struct lore_err ignored;

    if (lore_backup_last(data, &last, &ignored) != LORE_OK)
        return;
    atomic_store(&s->backup_bytes, last.bytes);
    atomic_store(&s->backup_took_us, last.took_us);
    atomic_store(&s->backup_us, last.made_us);
}

/* Whether the last backup is old enough, by the wall clock; a clock that was set back may delay
 * one. */
static bool
is_due(const struct lore_upkeep *u)
{
    const struct lore_upkeep_state *s = &u->app->upkeep;

    return u->config->backup_to && atomic_load(&s->storage) != LORE_STORAGE_DAMAGED &&
           lore_ticks_us() >= u->not_before_us &&
           lore_now_us() - atomic_load(&s->backup_us) >= u->config->backup_every * HOUR_US;
}

static void
back_up(struct lore_upkeep *u)
{
    const struct lore_config *c = u->config;
    struct lore_backup made;
    struct lore_err err = {0};
    char ms[24], bytes[24];
    const struct lore_backup_plan plan = {c->data, c->backup_to, WARPLORE_VERSION, &u->stops};
    enum lore_status status = lore_backup_make(&plan, &made, &err);

    if (atomic_load(&u->stops))
        return;
    if (status == LORE_OK)
        status = lore_backup_prune(c->data, c->backup_to, (int)c->backup_keep, &err);
    if (status != LORE_OK) {
        u->not_before_us = lore_ticks_us() + AGAIN_US;
        atomic_fetch_add(&u->app->upkeep.backups_failed, 1);
        lore_log(LORE_ERROR, "backup_failed", "code", err.code, "error", err.msg, NULL);
        return;
    }
    learn_last(u->app, c->data);
    atomic_fetch_add(&u->app->upkeep.backups, 1);
    snprintf(ms, sizeof ms, "%" PRId64, made.took_us / 1000);
    snprintf(bytes, sizeof bytes, "%" PRId64, made.bytes);
    lore_log(LORE_INFO, "backup", "path", made.path, "bytes", bytes, "ms", ms, NULL);
}

static void *
run(void *arg)
{
    struct lore_upkeep *u = arg;
    struct timespec until;

    if (u->check)
        check(u);
    while (!atomic_load(&u->stops)) {
        if (is_due(u))
            back_up(u);
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_sec += LOOK_S;
        pthread_mutex_lock(&u->lock);
        if (!atomic_load(&u->stops))
            (void)pthread_cond_timedwait(&u->wake, &u->lock, &until);
        pthread_mutex_unlock(&u->lock);
    }
    return NULL;
}

enum lore_status
lore_upkeep_start(struct lore_app *app, const struct lore_config *c, bool check_first,
    struct lore_upkeep **out, struct lore_err *err)
{
    struct lore_upkeep *u = lore_xalloc(sizeof *u);
    pthread_condattr_t attr;

    u->app = app;
    u->config = c;
    u->check = check_first;
    learn_last(app, c->data);
    pthread_mutex_init(&u->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&u->wake, &attr);
    pthread_condattr_destroy(&attr);
    if (pthread_create(&u->thread, NULL, run, u) != 0) {
        lore_xfree(u);
        return lore_fail(err, LORE_IO, "cannot start the thread that makes backups");
    }
    *out = u;
    return LORE_OK;
}

void
lore_upkeep_note(struct lore_app *app, const char *data)
{
    struct lore_db *db = lore_readers_take(app->readers, 0);
    struct lore_err err = {0};

    learn_last(app, data);
    if (!db)
        return; /* the next time */
    if (lore_db_note_identity(db, &err) != LORE_OK)
        lore_log(LORE_WARN, "identity_not_noted", "error", err.msg, NULL);
    lore_readers_give(app->readers, db);
}

void
lore_upkeep_stop(struct lore_upkeep *u)
{
    if (!u)
        return;
    pthread_mutex_lock(&u->lock);
    atomic_store(&u->stops, true);
    pthread_cond_signal(&u->wake);
    pthread_mutex_unlock(&u->lock);
    pthread_join(u->thread, NULL);
    pthread_cond_destroy(&u->wake);
    pthread_mutex_destroy(&u->lock);
    lore_xfree(u);
}
