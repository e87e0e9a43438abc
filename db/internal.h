/* The common base of the files of db/: the connection, column types (columns.h), shared SQL
 * (shared_sql.h). Only db/ and its tests include this header. */
#ifndef LORE_DB_INTERNAL_H
#define LORE_DB_INTERNAL_H

#include "db/columns.h"
#include "db/db.h"
#include "db/name_cache.h"
#include "db/recent_ids.h"
#include "db/recent_profiles.h"
#include "db/shared_sql.h"
#include "service/base/arena.h"
#include "service/base/buf.h"

#include <stdatomic.h>

#define LORE_DB_STATEMENTS 512 /* slots; db/ has fewer statements */

struct lore_slot {
    const char *sql; /* the key: address of the literal */
    sqlite3_stmt *s;
    bool busy;
};

struct lore_db {
    sqlite3 *handle;
    bool writer, snapshot;
    bool facts_only;   /* scratch writer: nothing is derived (verify.h) */
    int64_t wal_pages; /* pages in the log after the last commit */
    int lock_fd;       /* writer: DIR/lock; -1: none */
    bool unclean;      /* writer: the database was not closed cleanly before */
    uint32_t identity; /* writer: identity of the database (identity.h); 0: not yet known */
    char *path;
    int64_t deadline_us;     /* ticks; 0: none */
    const atomic_bool *stop; /* ends a read, like the deadline; NULL: nothing does */
    struct lore_slot slots[LORE_DB_STATEMENTS];
    struct lore_name_cache names;
    struct lore_recent_profiles profiles; /* writer: of the runs it has stored */
    struct lore_unprofiled unprofiled;    /* writer */
    struct lore_recent_ids ids;           /* writer: of the records it has stored */
    struct lore_cache *cache; /* reader: of its pool; writer: the one to invalidate; NULL: none */
    struct lore_known *known; /* what the scans of the snapshot have read (feed_known.h) */
    struct lore_lesson_cache *lessons; /* cache of its pool (lesson_cache.h) */
    struct lore_memos *memos;          /* reader: of its pool (memo.h); NULL: none */
    struct lore_memo **memo;           /* reader: the values that its request uses */
    size_t n_memo, cap_memo;
    uint64_t cache_at;       /* reader: the invalidations its snapshot includes (cache.c) */
    struct lore_buf changed; /* writer: hashes of the subjects that the transaction changes */
    bool changed_all;        /* the transaction may change any subject */
    struct lore_buf titles;  /* writer: id and title of the experiments it stores */
    size_t titles_mark;      /* its length at the savepoint */
    struct lore_buf scratch, words; /* for one put: packed values, search words */
    struct lore_buf unsearched;     /* rows that the commit inserts into drv_search */
    size_t unsearched_mark;         /* its length at the savepoint */
    bool saved;                     /* between a savepoint and its end */
    struct lore_ranking *ranking;   /* state of the running full-text query (search_rank.h) */
    bool event_known;
    int64_t event_seq;
    unsigned char event_hash[32];
    bool sweeps_known;    /* writer: newest_sweep is */
    int64_t newest_sweep; /* writer: no stored sweep has a larger seq */
    int withheld;         /* whether any record is withheld: 0 unknown, 1 yes, -1 no */
    /* The source document in which a quote was last searched, by the hash of its text. */
    char quoted[65];
    size_t quoted_bytes;                       /* bytes searched for the present document */
    struct lore_buf quoted_text, quoted_lines; /* lines: the offset of each line, as uint32_t */
};

/* open.c: make the file, for its owner alone, before SQLite opens it; -wal and -shm inherit its
 * mode. A file that is there is not opened: POSIX drops all locks that a process has on a file,
 * those of its other connections too, when it closes any descriptor of it. */
enum lore_status lore_db_make_private(const char *path, struct lore_err *err) LORE_MUST;
/* open.c: open PATH and apply the settings of every connection. */
enum lore_status lore_db_open_file(
    const char *path, int flags, struct lore_db **out, struct lore_err *err) LORE_MUST;
/* Run fixed text: pragmas, transactions, migrations. */
enum lore_status lore_db_exec(struct lore_db *db, const char *sql, struct lore_err *err) LORE_MUST;
/* stmt.c: turn an sqlite result into a status that names the file. */
enum lore_status lore_db_fail(struct lore_db *db, int rc, struct lore_err *err);
void lore_stmts_free(struct lore_db *db);

/* feedback_link.c: link EXPERIMENT (seq) in drv_advice_outcome to the advice whose outcome it is;
 * A: scratch. */
enum lore_status lore_feedback_link(
    struct lore_db *db, int64_t experiment, struct lore_arena *a, struct lore_err *err) LORE_MUST;
/* The context of a question, "gfx942|hip|0123…": ISA, language and workload, each empty when
 * NULL. */
const char *lore_advice_context(
    struct lore_arena *a, const char *isa, const char *language, const char *workload);

#endif
