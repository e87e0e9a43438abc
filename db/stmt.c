/* Statements that keep their first error, prepared once per connection and cached by the address of
 * their literal. A statement that is requested while in use (a query inside a loop over the same
 * query) gets a second handle.
 *
 * lore_sql takes literals only, never SQL made at run time. */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "db/internal.h"

enum lore_status
lore_db_fail(struct lore_db *db, int rc, struct lore_err *err)
{
    const char *why = db->handle ? sqlite3_errmsg(db->handle) : sqlite3_errstr(rc);

    switch (rc & 0xff) {
    case SQLITE_INTERRUPT:
        return lore_fail(err, LORE_BUSY, "the query exceeded its time limit");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return lore_fail(err, LORE_BUSY, "%s: %s", db->path, why);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return lore_fail(err, LORE_CORRUPT, "%s: %s", db->path, why);
    case SQLITE_FULL: /* nothing is damaged; it works again once there is space */
        return lore_fail_at(err, LORE_BUSY, "disk_full", "", "%s: %s", db->path, why);
    case SQLITE_TOOBIG:
        return lore_fail(err, LORE_TOOBIG, "%s: %s", db->path, why);
    default:
        return lore_fail(err, LORE_IO, "%s: %s (%d)", db->path, why, rc);
    }
}

/* Whether the numbers $1, $2 … of the parameters equal those that SQLite gives them by first use;
 * the others have a name that starts with a letter (list.c). Used by an assertion only. */
__attribute__((unused)) static bool
parameters_ascend(sqlite3_stmt *s)
{
    int n = sqlite3_bind_parameter_count(s), named = 0, in_place = 0;
    char name[16];

    for (int i = 1; i <= n; i++) {
        snprintf(name, sizeof name, "$%d", i);
        in_place += sqlite3_bind_parameter_index(s, name) == i;
        named += sqlite3_bind_parameter_name(s, i)[1] >= 'a';
    }
    return in_place + named == n;
}

static int
prepare(struct lore_db *db, const char *sql, unsigned flags, sqlite3_stmt **out)
{
    int rc = sqlite3_prepare_v3(db->handle, sql, -1, flags, out, NULL);

    assert(rc != SQLITE_OK || parameters_ascend(*out));
    return rc;
}

static struct lore_slot *
slot_of(struct lore_db *db, const char *sql)
{
    size_t i = ((uintptr_t)sql * UINT64_C(0x9e3779b97f4a7c15)) >> 55; /* 9 bits: 512 slots */

    for (size_t n = 0; n < LORE_DB_STATEMENTS; n++) {
        struct lore_slot *slot = &db->slots[(i + n) % LORE_DB_STATEMENTS];

        if (slot->sql == sql || !slot->sql)
            return slot;
    }
    return NULL;
}

struct lore_stmt
lore_sql_once(struct lore_db *db, const char *text)
{
    struct lore_stmt q = {.db = db};

    q.rc = prepare(db, text, 0, &q.s);
    return q;
}

struct lore_stmt
lore_sql_prepare(struct lore_db *db, const char *sql)
{
    struct lore_stmt q = {.db = db};
    struct lore_slot *slot = slot_of(db, sql);

    if (!slot || slot->busy)
        return lore_sql_once(db, sql);
    if (!slot->s)
        q.rc = prepare(db, sql, SQLITE_PREPARE_PERSISTENT, &slot->s);
    if (!slot->s)
        return q;
    slot->sql = sql;
    slot->busy = true;
    q.slot = slot;
    q.s = slot->s;
    return q;
}

void
lore_stmt_close(struct lore_stmt *q)
{
    if (q->slot) {
        sqlite3_reset(q->s);
        sqlite3_clear_bindings(q->s);
        q->slot->busy = false;
    } else {
        sqlite3_finalize(q->s);
    }
    q->slot = NULL;
    q->s = NULL;
}

void
lore_stmts_free(struct lore_db *db)
{
    for (size_t i = 0; i < LORE_DB_STATEMENTS; i++)
        sqlite3_finalize(db->slots[i].s);
    memset(db->slots, 0, sizeof db->slots);
}

static void
keep(struct lore_stmt *q, int rc)
{
    if (q->rc == SQLITE_OK && rc != SQLITE_ROW && rc != SQLITE_DONE)
        q->rc = rc;
}

void
lore_bind_i64(struct lore_stmt *q, int n, int64_t v)
{
    if (q->rc == SQLITE_OK)
        keep(q, sqlite3_bind_int64(q->s, n, v));
}

void
lore_bind_f64(struct lore_stmt *q, int n, double v)
{
    if (q->rc == SQLITE_OK)
        keep(q, sqlite3_bind_double(q->s, n, v));
}

void
lore_bind_text(struct lore_stmt *q, int n, const char *s)
{
    if (q->rc == SQLITE_OK)
        keep(q, sqlite3_bind_text(q->s, n, s, -1, SQLITE_STATIC));
}

void
lore_bind_blob(struct lore_stmt *q, int n, const void *p, size_t len)
{
    if (q->rc == SQLITE_OK)
        keep(q, sqlite3_bind_blob64(q->s, n, p, len, SQLITE_STATIC));
}

void
lore_bind_null(struct lore_stmt *q, int n)
{
    if (q->rc == SQLITE_OK)
        keep(q, sqlite3_bind_null(q->s, n));
}

bool
lore_row(struct lore_stmt *q)
{
    int rc;

    if (q->rc != SQLITE_OK || !q->s || q->done)
        return false;
    q->stepped = true;
    rc = sqlite3_step(q->s);
    q->done = rc != SQLITE_ROW;
    keep(q, rc);
    return rc == SQLITE_ROW;
}

int64_t
lore_col_i64(struct lore_stmt *q, int n)
{
    return sqlite3_column_int64(q->s, n);
}

double
lore_col_f64(struct lore_stmt *q, int n)
{
    return sqlite3_column_double(q->s, n);
}

bool
lore_col_null(struct lore_stmt *q, int n)
{
    return sqlite3_column_type(q->s, n) == SQLITE_NULL;
}

const char *
lore_col_text(struct lore_stmt *q, int n, struct lore_arena *a)
{
    const char *text = (const char *)sqlite3_column_text(q->s, n);

    if (!text || !a)
        return text;
    return lore_strndup(a, text, (size_t)sqlite3_column_bytes(q->s, n));
}

const void *
lore_col_blob(struct lore_stmt *q, int n, size_t *len, struct lore_arena *a)
{
    const void *p = sqlite3_column_blob(q->s, n);

    *len = (size_t)sqlite3_column_bytes(q->s, n);
    return !a || !p ? p : lore_memdup(a, p, *len);
}

/* Step to the end: an INSERT … RETURNING is complete only then. */
static enum lore_status
finish(struct lore_stmt *q, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    if (q->stepped && q->rc == SQLITE_OK && sqlite3_stmt_readonly(q->s) == 0)
        while (lore_row(q))
            ;
    if (q->rc != SQLITE_OK)
        status = lore_db_fail(q->db, q->rc, err);
    lore_stmt_close(q);
    return status;
}

enum lore_status
lore_done(struct lore_stmt *q, struct lore_err *err)
{
    if (!q->stepped)
        lore_row(q);
    return finish(q, err);
}

enum lore_status
lore_end(struct lore_stmt *q, struct lore_err *err, enum lore_status status, const char *fmt, ...)
{
    char msg[sizeof err->msg];
    enum lore_status failed;
    va_list ap;

    /* The arguments may be columns of this row, which the end of the statement frees. */
    va_start(ap, fmt);
    vsnprintf(msg, sizeof msg, fmt, ap);
    va_end(ap);
    failed = lore_done(q, err);
    if (failed != LORE_OK || status == LORE_OK)
        return failed;
    return lore_fail(err, status, "%s", msg);
}

enum lore_status
lore_db_rows(
    struct lore_stmt *q, void *rows, size_t count, void *out, size_t *n, struct lore_err *err)
{
    enum lore_status status = lore_done(q, err);

    if (status == LORE_OK) {
        memcpy(out, &rows, sizeof rows);
        *n = count;
    }
    return status;
}
