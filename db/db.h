/* The database file: open, transactions, statements. Only db/ includes this header. One writer
 * connection does all writes and all checkpoints; readers are opened READONLY. The WAL reset bug of
 * SQLite < 3.51.3 requires it (docs/architecture.md).
 *
 * A statement keeps its first error, so a caller may bind, step and read without a check. One
 * lore_done or lore_end then reports the error. */
#ifndef LORE_DB_DB_H
#define LORE_DB_DB_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "service/base/arena.h"
#include "service/base/status.h"

struct lore_db;
struct lore_stmt {
    struct lore_db *db;
    sqlite3_stmt *s;
    struct lore_slot
        *slot; /* its slot in the cache; NULL: a second concurrent use, finalized at the end */
    int rc;    /* first result other than OK, ROW or DONE */
    bool stepped, done; /* done: another step would restart the statement */
};
void lore_stmt_close(struct lore_stmt *q);
#define LORE_STMT __attribute__((cleanup(lore_stmt_close))) struct lore_stmt
/* Prepare once per connection; the cache key is the address of the literal. */
struct lore_stmt lore_sql_prepare(struct lore_db *db, const char *sql);
#define lore_sql(db, text) lore_sql_prepare((db), "" text)
/* Prepare TEXT, made of literals at run time, for one use; it is not cached. */
struct lore_stmt lore_sql_once(struct lore_db *db, const char *text);
void lore_bind_i64(struct lore_stmt *q, int n, int64_t v);
void lore_bind_f64(struct lore_stmt *q, int n, double v);
void lore_bind_text(
    struct lore_stmt *q, int n, const char *s); /* NULL binds NULL; borrowed until lore_end */
void lore_bind_blob(
    struct lore_stmt *q, int n, const void *p, size_t len); /* NULL binds NULL; borrowed */
void lore_bind_null(struct lore_stmt *q, int n);
bool lore_row(struct lore_stmt *q); /* true while there is a row */
int64_t lore_col_i64(struct lore_stmt *q, int n);
double lore_col_f64(struct lore_stmt *q, int n);
bool lore_col_null(struct lore_stmt *q, int n);
/* NULL for NULL. The value is copied into A, or borrowed until the next lore_row when A is NULL. */
const char *lore_col_text(struct lore_stmt *q, int n, struct lore_arena *a);
const void *lore_col_blob(struct lore_stmt *q, int n, size_t *len, struct lore_arena *a);
/* End the statement and report its first error. A statement without a step is run first. */
enum lore_status lore_done(struct lore_stmt *q, struct lore_err *err) LORE_MUST;
/* As lore_done, but without an error the result is STATUS with this message, for example
 * LORE_NOTFOUND "version %s: no such version". */
enum lore_status lore_end(struct lore_stmt *q, struct lore_err *err, enum lore_status status,
    const char *fmt, ...) LORE_PRINTF(4, 5) LORE_MUST;
/* End a list: call lore_done, then set *N to COUNT and the pointer at the address OUT to ROWS. */
enum lore_status lore_db_rows(struct lore_stmt *q, void *rows, size_t count, void *out, size_t *n,
    struct lore_err *err) LORE_MUST;

#endif
