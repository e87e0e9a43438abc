/* What every file of db/ starts from: the connection, what columns say (columns.h), the SQL that
 * statements share (shared_sql.h). Nothing outside db/ and its tests includes this header. */
#ifndef LORE_DB_INTERNAL_H
#define LORE_DB_INTERNAL_H

#include "db/columns.h"
#include "db/db.h"
#include "db/names_inner.h"
#include "db/shared_sql.h"
#include "service/base/buf.h"

#define LORE_DB_STATEMENTS 512 /* slots; the whole of db/ has fewer literals than half of it */

struct lore_slot {
    const char *sql; /* address of the literal: the key */
    sqlite3_stmt *s;
    bool busy;
};

struct lore_db {
    sqlite3 *handle;
    bool writer, snapshot;
    int64_t wal_pages; /* in the log after the last commit */
    int lock_fd;       /* writer: DIR/lock; -1: none */
    uint32_t identity; /* writer: noted beside it (identity.h); 0: not yet */
    char *path;
    int64_t deadline_us; /* ticks; 0: none */
    struct lore_slot slots[LORE_DB_STATEMENTS];
    struct lore_names names;
    struct lore_seen *seen;            /* of the pool that it reads for or tells; NULL: of none */
    struct lore_lessons_kept *lessons; /* of its pool (lesson_kept.h) */
    uint64_t seen_at;                  /* reader: what its snapshot had been told (seen.c) */
    struct lore_buf changed;           /* writer: hashes of what the transaction changes */
    bool changed_all;                  /* … and that may be anything */
    struct lore_buf titles;            /* writer: id and title of experiments that it stores */
    size_t titles_mark;                /* its length at the savepoint */
    struct lore_buf scratch, words;    /* for a put: packed values, search text */
    struct lore_buf unsearched;        /* rows for drv_search that wait for the commit */
    size_t unsearched_mark;            /* its length at the savepoint */
    bool saved;                        /* between a savepoint and its end */
    struct lore_ranking *ranking;      /* of the full-text query that runs (search_rank.h) */
    bool event_known;
    int64_t event_seq;
    unsigned char event_hash[32];
    int withheld; /* is anything withheld? 0: not known, 1: yes, -1: no */
    /* The source document that a quote was last looked for in, by the hash of its words. */
    char quoted[65];
    size_t quoted_bytes;                       /* looked through for the document at hand */
    struct lore_buf quoted_text, quoted_lines; /* lines: uint32_t each, where one starts */
};

/* open.c: zeroed handle on PATH with the pragmas every connection needs. */
enum lore_status lore_db_open_file(
    const char *path, int flags, struct lore_db **out, struct lore_err *err) LORE_MUST;
/* Run fixed text: pragmas, transactions, migrations. */
enum lore_status lore_db_exec(struct lore_db *db, const char *sql, struct lore_err *err) LORE_MUST;
/* stmt.c: an sqlite result as a status that names the file. */
enum lore_status lore_db_fail(struct lore_db *db, int rc, struct lore_err *err);
void lore_stmts_free(struct lore_db *db);

/* feedback_link.c: what EXPERIMENT (seq) is the outcome of, into drv_advice_outcome; A: scratch. */
enum lore_status lore_link_advice(
    struct lore_db *db, int64_t experiment, struct lore_arena *a, struct lore_err *err) LORE_MUST;
/* "gfx942|hip|0123…": a question's ISA, language and workload, each empty when NULL. */
const char *lore_advice_context(
    struct lore_arena *a, const char *isa, const char *language, const char *workload);

#endif
