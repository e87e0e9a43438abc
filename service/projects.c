/* Opening a project takes as long as its documents take to store again, the first time. A thread
 * does it while requests get 503. A database that was made by another program, or from another
 * state of the memory, or that is damaged, is made again.
 *
 * Another thread closes projects that nobody has asked for some time, and those asked longest ago
 * when more are open than may be. A request holds its project open until it is answered. */
#include "service/projects.h"

#include <dirent.h>
#include <malloc.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "db/store.h"
#include "service/base/clock.h"
#include "service/base/guard.h"
#include "service/base/hash.h"
#include "service/base/log.h"
#include "service/base/text.h"
#include "service/base/xalloc.h"
#include "service/http/answer_pool.h"
#include "service/ingest/excerpt.h"
#include "service/ingest/indexes.h"
#include "service/ingest/ingest.h"
#include "service/ingest/served.h"
#include "service/ingest/shipped.h"

/* Most projects are open within this time; for others the client comes again. */
#define WAIT_MS 5000
/* Requests that may wait so at a time; each holds a thread of the server. */
#define WAITERS 4
/* A project that could not be opened is tried again after this. */
#define AGAIN_US INT64_C(5000000)
#define READERS 4
/* How often the thread looks for projects to close. */
#define LOOK_MS 1000
/* Digits of the hash of a project's name in the name of its folder. */
#define DIGITS 16

enum state { OPENING, OPEN, FAILED, CLOSING, CLOSED };
struct project {
    struct project *next;
    struct lore_projects *all;
    char *name;
    char folder[4200];
    pthread_t opener;
    enum state state;
    int64_t failed_us, used_us;
    int users;        /* requests */
    int pool_threads; /* the pool itself may end, with the server, while the project is opened */
    struct lore_err why;
    struct lore_app app;
    struct lore_excerpt *excerpt;
};
struct lore_projects {
    struct lore_app *app;
    const struct lore_config *config;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* a state, or `stop` */
    struct project *first;
    int waiters;
    pthread_t closer;
    bool has_closer;
    _Atomic bool stop;
};

/* ---- folders ---- */

static void
remove_folder(const char *folder)
{
    DIR *d = opendir(folder);
    char path[4500];

    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
            snprintf(path, sizeof path, "%s/%s", folder, e->d_name) >= (int)sizeof path)
            continue;
        if (unlink(path) != 0)
            remove_folder(path);
    }
    if (d)
        closedir(d);
    (void)rmdir(folder);
}

/* Remove what other programs made for the project whose folder is NAME. */
static void
remove_others(const char *parent, const char *name)
{
    DIR *d = opendir(parent);
    char path[4500];

    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d))
        if (strncmp(e->d_name, name, DIGITS) == 0 && strcmp(e->d_name, name) != 0 &&
            snprintf(path, sizeof path, "%s/%s", parent, e->d_name) < (int)sizeof path)
            remove_folder(path);
    if (d)
        closedir(d);
}

static enum lore_status
find_folder(struct project *p, struct lore_err *err)
{
    unsigned char hash[32];
    char parent[4100], hex[2 * DIGITS + 1], name[64];

    lore_hash(p->name, strlen(p->name), hash);
    lore_hex(hash, DIGITS / 2, hex);
    snprintf(name, sizeof name, "%s-" WARPLORE_VERSION, hex);
    if (snprintf(parent, sizeof parent, "%s/projects", p->all->config->data) >= (int)sizeof parent)
        return lore_fail(err, LORE_INVALID, "%s: path too long", p->all->config->data);
    snprintf(p->folder, sizeof p->folder, "%s/%s", parent, name);
    remove_others(parent, name);
    return LORE_OK;
}

/* ---- one project ---- */

static enum lore_status
check_pages(struct project *p, struct lore_err *err)
{
    struct lore_db *db = NULL;
    enum lore_status status = lore_db_open_reader(p->folder, &db, err);

    if (status == LORE_OK)
        status = lore_db_quick_check(db, err);
    lore_db_close(db);
    return status;
}

/* Open the database and find that it is of this state of the memory. */
static enum lore_status
open_database(struct project *p, struct lore_db **out, struct lore_err *err)
{
    const struct lore_excerpt_setup setup = {p->name, p->all->config->data, p->all->app->ingest};
    struct lore_db *db = NULL;
    enum lore_status status = lore_db_open_writer(p->folder, &db, err);

    if (status == LORE_OK && lore_db_was_unclean(db))
        status = check_pages(p, err);
    if (status == LORE_OK)
        status = lore_excerpt_open(&setup, db, &p->excerpt, err);
    if (status == LORE_OK)
        *out = db;
    else
        lore_db_close(db);
    return status;
}

static enum lore_status
open_or_make(struct project *p, struct lore_db **out, struct lore_err *err)
{
    enum lore_status status = find_folder(p, err);

    if (status == LORE_OK)
        status = open_database(p, out, err);
    if (status != LORE_CORRUPT)
        return status;
    lore_log(LORE_INFO, "project_made_again", "project", p->name, "why", err->msg, NULL);
    remove_folder(p->folder);
    return open_database(p, out, err);
}

struct lore_served *
lore_projects_advice_log(struct lore_ingest *ingest, const struct lore_config *c)
{
    const int64_t day_us = INT64_C(86400) * 1000000;
    const struct lore_served_limits limits = {.window_us = c->advice_window_days * day_us,
        .keep = c->advice_keep,
        .keep_us = c->advice_keep_days * day_us};

    return lore_served_new(ingest, &limits);
}

static enum lore_status
start_writer(struct project *p, struct lore_db *db, struct lore_err *err)
{
    struct lore_app *app = &p->app;
    const struct lore_config *c = p->all->config;
    struct lore_ingest_parts parts = {
        .indexes = app->indexes, .queue_max = (size_t)c->queue, .excerpt = p->excerpt};
    enum lore_status status =
        lore_shipped_store(db, &(struct lore_ingest_parts){.indexes = app->indexes}, err);

    if (status == LORE_OK)
        status = lore_ingest_start(db, &parts, &app->ingest, err);
    if (status != LORE_OK)
        lore_db_close(db);
    return status;
}

static void
leave(struct lore_app *app)
{
    struct project *p = (struct project *)(void *)((char *)app - offsetof(struct project, app));

    pthread_mutex_lock(&p->all->lock);
    p->users--;
    p->used_us = lore_ticks_us();
    pthread_mutex_unlock(&p->all->lock);
}

/* The project's part of the service: what answers are made from is its own, the rest is shared. */
static enum lore_status
open_project(struct project *p, struct lore_err *err)
{
    struct lore_app *app = &p->app, *whole = p->all->app;
    struct lore_db *db = NULL;
    enum lore_status status = open_or_make(p, &db, err);

    if (status != LORE_OK)
        return status;
    app->project = p->name;
    app->routes = whole->routes;
    app->config = whole->config;
    app->settings = whole->settings;
    app->applied = whole->applied;
    app->counters = whole->counters;
    app->hosts = whole->hosts;
    app->limits = whole->limits;
    app->started_us = whole->started_us;
    app->version = whole->version;
    app->resolve = whole->resolve;
    app->priors = whole->priors;
    app->excerpt = p->excerpt;
    app->caught_up = lore_excerpt_wait;
    app->leave = leave;
    status = lore_readers_open(p->folder, READERS, &app->readers, err);
    if (status == LORE_OK) {
        lore_readers_follow(app->readers, db);
        status = lore_readers_open_beside(app->readers, p->pool_threads, &app->pool_readers, err);
    }
    if (status == LORE_OK)
        status = lore_indexes_load(db, &app->indexes, err);
    if (status != LORE_OK) {
        lore_db_close(db);
        return status;
    }
    if ((status = start_writer(p, db, err)) != LORE_OK)
        return status;
    app->served = lore_projects_advice_log(app->ingest, p->all->config);
    return lore_excerpt_follow(p->excerpt, app->ingest, &p->all->stop, err);
}

static void
close_project(struct project *p)
{
    struct lore_app *app = &p->app;

    lore_excerpt_stop(p->excerpt);
    lore_ingest_stop(app->ingest);
    lore_served_free(app->served);
    lore_readers_close(app->pool_readers);
    lore_readers_close(app->readers);
    lore_indexes_free(app->indexes);
    lore_excerpt_close(p->excerpt);
    memset(app, 0, sizeof *app);
    p->excerpt = NULL;
}

static void *
run_opener(void *arg)
{
    struct project *p = arg;
    struct lore_projects *all = p->all;
    struct lore_err err = {0};
    int64_t since = lore_ticks_us();
    enum lore_status status = open_project(p, &err);
    char ms[24];

    snprintf(ms, sizeof ms, "%lld", (long long)((lore_ticks_us() - since) / 1000));
    if (status == LORE_OK) {
        lore_log(
            LORE_INFO, "project_open", "project", p->name, "folder", p->folder, "ms", ms, NULL);
    } else {
        lore_log(LORE_ERROR, "project_failed", "project", p->name, "error", err.msg, NULL);
        close_project(p);
    }
    pthread_mutex_lock(&all->lock);
    p->state = status == LORE_OK ? OPEN : FAILED;
    p->failed_us = p->used_us = lore_ticks_us();
    p->why = err;
    pthread_cond_broadcast(&all->changed);
    pthread_mutex_unlock(&all->lock);
    return NULL;
}

/* ---- all of them; the lock is held ---- */

static void
join_opener(struct project *p)
{
    if (p->opener)
        pthread_join(p->opener, NULL);
    p->opener = 0;
}

/* Called for a request, while the server answers. */
static void
start_opener(struct project *p)
{
    join_opener(p);
    p->state = OPENING;
    p->app.pool = p->all->app->pool;
    p->pool_threads = lore_answer_pool_threads(p->app.pool);
    if (pthread_create(&p->opener, NULL, run_opener, p) == 0)
        return;
    p->state = FAILED;
    p->opener = 0;
}

/* The project that was asked longest ago, if it is to be closed. */
static struct project *
find_idle(struct lore_projects *all)
{
    struct project *oldest = NULL;
    int64_t open = 0, idle_us = all->config->project_idle_s * 1000000;

    for (struct project *p = all->first; p; p = p->next) {
        open += p->state == OPEN;
        if (p->state == OPEN && p->users == 0 && (!oldest || p->used_us < oldest->used_us))
            oldest = p;
    }
    return oldest && (open > all->config->projects_open ||
                         lore_ticks_us() - oldest->used_us >= idle_us)
               ? oldest
               : NULL;
}

/* Wait for a change until UNTIL; false when it has passed. */
static bool
rest(struct lore_projects *all, const struct timespec *until)
{
    return pthread_cond_timedwait(&all->changed, &all->lock, until) == 0;
}

static struct timespec
after(int ms)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += ms / 1000;
    return t;
}

static void *
run_closer(void *arg)
{
    struct lore_projects *all = arg;
    LORE_LOCKED(&all->lock);

    while (!all->stop) {
        struct project *p = find_idle(all);

        if (!p) {
            const struct timespec until = after(LOOK_MS);

            (void)rest(all, &until);
            continue;
        }
        p->state = CLOSING;
        pthread_mutex_unlock(&all->lock);
        close_project(p);
        (void)malloc_trim(0); /* small blocks go back to the system only when asked for */
        lore_log(LORE_INFO, "project_closed", "project", p->name, NULL);
        pthread_mutex_lock(&all->lock);
        p->state = CLOSED;
        pthread_cond_broadcast(&all->changed);
    }
    return NULL;
}

static struct project *
find(struct lore_projects *all, const char *name)
{
    struct project *p = all->first;

    while (p && strcmp(p->name, name) != 0)
        p = p->next;
    if (!p) {
        p = lore_xalloc(sizeof *p);
        p->all = all;
        p->name = lore_xstrdup(name);
        p->next = all->first;
        all->first = p;
        start_opener(p);
    } else if (p->state == CLOSED ||
               (p->state == FAILED && lore_ticks_us() - p->failed_us > AGAIN_US)) {
        start_opener(p);
    }
    return p;
}

enum lore_status
lore_projects_enter(
    struct lore_app *app, const char *project, struct lore_app **out, struct lore_err *err)
{
    struct lore_projects *all = app->projects;
    LORE_LOCKED(&all->lock);
    struct project *p = find(all, project);
    const struct timespec until = after(WAIT_MS);

    if (all->waiters < WAITERS) {
        all->waiters++;
        while ((p->state == OPENING || p->state == CLOSING) && rest(all, &until))
            if (p->state == CLOSED)
                start_opener(p);
        all->waiters--;
    }
    if (p->state == OPEN) {
        p->users++;
        *out = &p->app;
        return LORE_OK;
    }
    if (p->state == FAILED)
        return lore_fail_at(err, LORE_BUSY, "project_failed", "",
            "the records of this project cannot be opened now; the log of the service says why");
    return lore_fail_at(err, LORE_BUSY, "project_opening", "",
        "the records of this project are being put together; try again");
}

struct lore_projects *
lore_projects_new(struct lore_app *app, const struct lore_config *c)
{
    struct lore_projects *p = lore_xalloc(sizeof *p);
    pthread_condattr_t attr;

    p->app = app;
    p->config = c;
    pthread_mutex_init(&p->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&p->changed, &attr);
    pthread_condattr_destroy(&attr);
    p->has_closer = pthread_create(&p->closer, NULL, run_closer, p) == 0;
    if (!p->has_closer)
        lore_log(LORE_WARN, "projects_stay_open", "error", "cannot start a thread", NULL);
    return p;
}

void
lore_projects_stop(struct lore_projects *all)
{
    if (!all)
        return;
    pthread_mutex_lock(&all->lock);
    all->stop = true;
    pthread_cond_broadcast(&all->changed);
    pthread_mutex_unlock(&all->lock);
    if (all->has_closer)
        pthread_join(all->closer, NULL);
    for (struct project *p = all->first, *next; p; p = next) {
        next = p->next;
        join_opener(p);
        close_project(p);
        lore_xfree(p->name);
        lore_xfree(p);
    }
    pthread_cond_destroy(&all->changed);
    pthread_mutex_destroy(&all->lock);
    lore_xfree(all);
}
