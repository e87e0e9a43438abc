/* Opening a journal beside a database, appending to it, following it. */
#include "service/ingest/projected.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "db/auth_copy.h"
#include "db/journal_place.h"
#include "db/store.h"
#include "service/base/clock.h"
#include "service/base/log.h"
#include "service/base/text.h"
#include "service/base/xalloc.h"
#include "service/ingest/writer.h"

/* How long the follower waits for news before it looks by itself, and before it tries again. */
#define WAIT_MS 500

/* ---- opening ---- */

enum lore_status
lore_projection_holds_documents(struct lore_db *db, bool *out, struct lore_err *err)
{
    LORE_SCRATCH a = {0};
    struct lore_document_row *rows = NULL;
    size_t n = 0;
    enum lore_status status =
        lore_db_list_documents(db, &(struct lore_list_filter){.page.limit = 1}, &a, &rows, &n, err);

    *out = n > 0;
    return status;
}

enum lore_status
lore_projection_stand_alone(struct lore_db *db, bool leave, struct lore_err *err)
{
    struct lore_journal_head place;
    enum lore_status status = lore_db_journal_place(db, &place.seq, place.hash, err);

    if (status != LORE_OK || place.seq == 0)
        return status;
    if (!leave) {
        status = lore_fail_at(err, LORE_INVALID, "journal_missing", "journal",
            "journal: this database was made from a journal, up to entry %" PRId64
            "; give that journal",
            place.seq);
        lore_err_hint(err, "--leave-journal lets the database stand alone from now on");
        return status;
    }
    if ((status = lore_db_begin(db, err)) != LORE_OK)
        return status;
    status = lore_put_journal_left(db, err);
    if (status == LORE_OK)
        status = lore_db_commit(db, err);
    if (status != LORE_OK)
        lore_db_rollback(db);
    return status;
}

/* The first meeting of a journal and a database. */
static enum lore_status
meet(struct lore_projection *p, struct lore_db *db, struct lore_err *err)
{
    struct lore_journal_head end;
    bool documents = false;
    enum lore_status status = lore_journal_find_head(p->journal, &end, err);

    if (status != LORE_OK || p->head.seq != 0)
        return status;
    if (end.seq == 0) {
        status = lore_projection_copy(p, db, err);
        if (status == LORE_CONFLICT) /* another node began it in this moment */
            status = lore_journal_find_head(p->journal, &end, err);
        if (status != LORE_OK || p->head.seq != 0)
            return status;
    }
    status = lore_projection_holds_documents(db, &documents, err);
    if (status != LORE_OK || !documents)
        return status;
    status = lore_fail_at(err, LORE_INVALID, "journal_mixed", "journal",
        "journal: it holds %" PRId64 " entries, but this database was not made from it", end.seq);
    lore_err_hint(err, "start with an empty data directory, or with an empty journal");
    return status;
}

/* A database that was made from a journal needs it, and makes no other one. The first entry of a
 * journal is on its disk before a lag begins, so no power cut leaves an empty one. */
static enum lore_status
open_own(struct lore_projection *p, const char *journal, struct lore_err *err)
{
    enum lore_status status = lore_journal_open_begun(journal, &p->journal, err);

    if (status == LORE_INVALID && strcmp(err->code, "journal_empty") == 0)
        lore_err_hint(err,
            "this database needs its journal, up to entry %" PRId64 ": is the path right? When that"
            " journal is lost, start once with --leave-journal and no --journal, then with a new"
            " one",
            p->head.seq);
    return status;
}

enum lore_status
lore_projection_open_parts(struct lore_projection *p, const char *journal, const char *data,
    struct lore_db *db, struct lore_err *err)
{
    enum lore_status status = lore_db_journal_place(db, &p->head.seq, p->head.hash, err);

    if (status == LORE_OK)
        status = p->head.seq > 0 ? open_own(p, journal, err)
                                 : lore_journal_open(journal, &p->journal, err);
    p->data = data;
    p->applied = lore_applied_new(p->journal);
    p->credentials = -1;
    if (gethostname(p->node, sizeof p->node - 1) != 0)
        p->node[0] = '\0';
    if (status == LORE_OK)
        status = lore_auth_open(data, true, &p->auth, err);
    p->stored = p->head;
    return status;
}

static void
log_applied(const struct lore_projection *p, int64_t n, int64_t since_us)
{
    char entries[24], seq[24], ms[24];

    snprintf(entries, sizeof entries, "%" PRId64, n);
    snprintf(seq, sizeof seq, "%" PRId64, p->head.seq);
    snprintf(ms, sizeof ms, "%" PRId64, (lore_ticks_us() - since_us) / 1000);
    lore_log(LORE_INFO, "journal", "name", lore_journal_name(p->journal), "entry", seq, "applied",
        entries, "ms", ms, NULL);
}

enum lore_status
lore_projection_open(const struct lore_projection_setup *setup, struct lore_db *db,
    struct lore_projection **out, struct lore_err *err)
{
    struct lore_projection *p;
    int64_t n = 0, since = lore_ticks_us();
    enum lore_status status;

    *out = NULL;
    if (!setup->journal || strcmp(setup->journal, "none") == 0) {
        status = lore_journal_set_lag(NULL, setup->lag_ms, err);
        return status == LORE_OK ? lore_projection_stand_alone(db, setup->leave, err) : status;
    }
    p = lore_xalloc(sizeof *p);
    status = lore_projection_open_parts(p, setup->journal, setup->data, db, err);
    if (status == LORE_OK)
        status = lore_projection_find_key(p, setup->key, db, err);
    if (status == LORE_OK)
        status = lore_projection_restore_tail(p, db, err);
    if (status == LORE_OK)
        status = meet(p, db, err);
    p->asked = setup->stop;
    if (status == LORE_OK)
        status = lore_projection_apply(p, db, NULL, 0, &n, err);
    p->asked = NULL;
    if (status == LORE_OK)
        status = lore_journal_set_lag(p->journal, setup->lag_ms, err);
    if (status != LORE_OK) {
        lore_projection_close(p);
        return status;
    }
    lore_applied_set(p->applied, p->head.seq);
    log_applied(p, n, since);
    *out = p;
    return LORE_OK;
}

void
lore_projection_close(struct lore_projection *p)
{
    if (!p)
        return;
    lore_projection_unfollow(p);
    lore_journal_close(p->journal);
    lore_auth_close(p->auth);
    lore_applied_free(p->applied);
    lore_xfree(p);
}

struct lore_applied *
lore_projection_applied(struct lore_projection *p)
{
    return p ? p->applied : NULL;
}

/* ---- appending ---- */

static void
add_document(struct lore_logging *to, const struct lore_job *j)
{
    const struct lore_document *d = j->document;
    struct lore_journal_entry *e = lore_logging_add(to, "document", d->actor);

    e->owner = d->owner ? d->owner : "";
    e->curator = d->curator;
    e->body = d->zstd.data;
    e->len = d->zstd.len;
}

static bool
is_new(const struct lore_job *j)
{
    return j->document && j->stored.keep && !j->stored.receipt.duplicate;
}

static enum lore_status
append_entries(struct lore_projection *p, struct lore_db *db, const struct lore_job *list,
    struct lore_logging *all, struct lore_err *err)
{
    enum lore_status status;

    p->stored = p->head;
    for (size_t i = 0; i < all->n; i++)
        all->v[i].node = p->node;
    if (all->n == 0)
        return LORE_OK;
    status = lore_journal_append(p->journal, &p->stored, all->v, all->n, err);
    if (status == LORE_OK)
        status = lore_projection_keep_tail(p, db, list, all, err);
    return status == LORE_OK ? lore_put_journal_place(db, p->stored.seq, p->stored.hash, err)
                             : status;
}

enum lore_status
lore_projection_append(struct lore_projection *p, struct lore_db *db, const struct lore_job *list,
    int64_t now_us, struct lore_err *err)
{
    struct lore_logging all = {.arena = {.kept = true}, .now_us = now_us};
    enum lore_status status;

    if (!p)
        return LORE_OK;
    for (const struct lore_job *j = list; j; j = j->next) {
        if (j->status != LORE_OK)
            continue;
        if (is_new(j))
            add_document(&all, j);
        for (size_t i = 0; j->logged && i < j->entries->n; i++)
            *LORE_PUSH(&all.arena, all.v, all.n, all.cap) = j->entries->v[i];
    }
    status = append_entries(p, db, list, &all, err);
    lore_arena_free(&all.arena);
    return status;
}

void
lore_projection_committed(struct lore_projection *p)
{
    if (!p)
        return;
    p->head = p->stored;
    p->credentials = p->credentials_stored;
}

void
lore_projection_publish(struct lore_projection *p)
{
    if (p)
        lore_applied_set(p->applied, p->head.seq);
}

int64_t
lore_projection_seq(const struct lore_projection *p)
{
    return p->head.seq;
}

/* ---- following ---- */

enum lore_status
lore_projection_catch_up(struct lore_projection *p, struct lore_db *db,
    struct lore_indexes *indexes, struct lore_err *err)
{
    int64_t n;

    return p ? lore_projection_apply(p, db, indexes, 0, &n, err) : LORE_OK;
}

bool
lore_projection_credentials_due(struct lore_projection *p)
{
    struct lore_err err;
    int64_t now = 0;

    return p && lore_auth_version(p->auth, &now, &err) == LORE_OK && now != p->credentials;
}

enum lore_status
lore_projection_log_credentials(
    struct lore_db *db, void *ctx, struct lore_logging *to, struct lore_err *err)
{
    (void)ctx;
    return lore_logging_credentials(db, to, err);
}

static void *
follow(void *arg)
{
    struct lore_projection *p = arg;
    bool answers = true;
    int64_t version = -1;

    while (!p->stop) {
        struct lore_applied_state state;
        struct lore_err err = {0};
        int64_t head = 0, now = 0;
        enum lore_status status;

        lore_applied_get(p->applied, &state);
        status = lore_journal_wait(p->journal, state.seq, WAIT_MS, &head, &err);
        if (status == LORE_OK)
            lore_applied_saw(p->applied, head);
        else if (answers)
            lore_log(LORE_WARN, "journal_silent", "error", err.msg, NULL);
        if (status != LORE_OK)
            usleep(WAIT_MS * 1000);
        else if (!answers)
            lore_log(LORE_INFO, "journal_answers", NULL);
        answers = status == LORE_OK;
        if (lore_auth_version(p->auth, &now, &err) == LORE_OK && now != version) {
            version = now;
            p->wake(p->wake_ctx);
        } else if (answers && head > state.seq) {
            p->wake(p->wake_ctx);
            (void)lore_applied_wait(p->applied, head, WAIT_MS);
        }
    }
    return NULL;
}

enum lore_status
lore_projection_follow(
    struct lore_projection *p, void (*wake)(void *ctx), void *ctx, struct lore_err *err)
{
    if (!p)
        return LORE_OK;
    p->wake = wake;
    p->wake_ctx = ctx;
    if (pthread_create(&p->follower, NULL, follow, p) != 0)
        return lore_fail(err, LORE_IO, "cannot start the thread that follows the journal");
    p->following = true;
    return LORE_OK;
}

void
lore_projection_unfollow(struct lore_projection *p)
{
    if (!p || !p->following)
        return;
    p->stop = true;
    pthread_join(p->follower, NULL);
    p->following = false;
}
