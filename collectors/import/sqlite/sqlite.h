/* Reads SQLite files that other programs wrote: Nsight Systems' exports, rocprofv3's databases. The
 * file may be hostile, so it is opened read-only in a connection that can only read: statements
 * other than SELECT, recursive queries, virtual tables, triggers and functions outside of a short
 * list are refused, and a query has a budget of work that follows from the size of the file. Views
 * are read, because rocprofv3's database is documented by its views. */
#ifndef LORE_IMPORT_SQLITE_SQLITE_H
#define LORE_IMPORT_SQLITE_SQLITE_H

#include "collectors/import/import.h"

struct lore_sqlite; /* an open file */
struct lore_sqlite_rows {
    const struct lore_json *row; /* an object of the columns, valid until the next call; a NULL and
                                    a BLOB are absent */
    size_t n;                    /* rows so far */
    struct lore_sqlite_query *query; /* private */
};

/* Whether TEXT begins like an SQLite file. */
bool lore_sqlite_is(const char *text, size_t len);
/* Open the current file of IN. LORE_INVALID: it is no SQLite file, is damaged, or has a virtual
 * table. *out is freed with lore_sqlite_close. */
enum lore_status
lore_sqlite_open(struct lore_import *in, struct lore_sqlite **out, struct lore_err *err) LORE_MUST;
void lore_sqlite_close(struct lore_sqlite *s);

/* The names of tables and views, in the order of the file. */
const struct lore_texts *lore_sqlite_names(const struct lore_sqlite *s);
/* The table or view NAME; case does not matter. NULL: there is none. */
const char *lore_sqlite_find(const struct lore_sqlite *s, const char *name);
/* Whether NAME is a table and no view. */
bool lore_sqlite_is_table(const struct lore_sqlite *s, const char *name);
/* Whether the table or view NAME has the column COLUMN. */
bool lore_sqlite_has(struct lore_sqlite *s, const char *name, const char *column);

/* "start, end, deviceId": the columns of the table or view NAME. NULL: it cannot be read. */
const char *lore_sqlite_columns(struct lore_sqlite *s, const char *name);

/* Run SQL, one SELECT. LORE_INVALID with SQLite's words: it reads a table or column that the file
 * does not have, or something that is refused. Close R also after a failure. */
enum lore_status lore_sqlite_query(struct lore_sqlite *s, const char *sql,
    struct lore_sqlite_rows *r, struct lore_err *err) LORE_MUST;
/* The next row. False at the end, or when reading failed; lore_sqlite_end tells which. */
bool lore_sqlite_next(struct lore_sqlite_rows *r);
/* Close R. LORE_INVALID when its last row was not reached because the file is damaged, the budget
 * was spent, or a value is too long. */
enum lore_status lore_sqlite_end(struct lore_sqlite_rows *r, struct lore_err *err) LORE_MUST;

#endif
