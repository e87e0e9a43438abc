/* What the files of db/ share: the connection, cached names, the pieces of a put and of a row.
 * Nothing outside db/ and its tests includes this header. */
#ifndef LORE_DB_INTERNAL_H
#define LORE_DB_INTERNAL_H

#include "buf.h"
#include "db.h"
#include "knowledge.h"
#include "migrations.h"
#include "rebuild.h"
#include "standing.h"
#include "wire.h"

#define LORE_DB_STATEMENTS 512 /* slots; the whole of db/ has fewer literals than half of it */

struct lore_slot {
    const char *sql; /* address of the literal: the key */
    sqlite3_stmt *s;
    bool busy;
};

/* Something the writer has seen in the database: saves a SELECT on the hot path. */
struct lore_name {
    const char *key; /* kind letter, then the name */
    int64_t n;
    const char *a, *b;
};
#define LORE_NAMES_PLACES 256
struct lore_names {
    struct lore_name **slot;
    size_t n;
    struct lore_arena arena;
    /* The metrics of the record before, by place: records of one tool have the same in the same
     * order. */
    const struct lore_name *metrics[LORE_NAMES_PLACES];
};

struct lore_db {
    sqlite3 *handle;
    bool writer, snapshot;
    int64_t wal_pages; /* in the log after the last commit */
    int lock_fd;       /* writer: DIR/lock; -1: none */
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
void lore_bind_opt_f64(struct lore_stmt *q, int n, struct lore_f64 v);
void lore_bind_opt_i64(struct lore_stmt *q, int n, struct lore_i64 v);
void lore_bind_time(struct lore_stmt *q, int n, const char *rfc3339); /* NULL binds NULL */
struct lore_f64 lore_col_opt_f64(struct lore_stmt *q, int n);
struct lore_i64 lore_col_opt_i64(struct lore_stmt *q, int n);
/* RFC 3339 text of a column of microseconds; NULL for NULL. */
const char *lore_col_time(struct lore_stmt *q, int n, struct lore_arena *a);

/* migrate.c: bring DB to the last of LIST. */
enum lore_status lore_migrate(struct lore_db *db, const char *dir,
    const struct lore_migration *list, struct lore_err *err) LORE_MUST;
enum lore_status lore_schema_version(struct lore_db *db, int *out, struct lore_err *err) LORE_MUST;

/* names.c. Kinds: k kernel (a: operator, b: language), v version (same), o operator (a: family),
 * t technique, m metric name and unit (n: id), w workload, e environment (a: chip). */
const struct lore_name *lore_names_find(struct lore_db *db, char kind, const char *key);
const struct lore_name *lore_names_add(
    struct lore_db *db, char kind, const char *key, int64_t n, const char *a, const char *b);
void lore_names_clear(struct lore_db *db);
void lore_names_trim(struct lore_db *db); /* empty when half full: between transactions */

/* seen.c: N texts behind a kind and an id. Thread-safe. Kinds: x title of an experiment, v head of
 * a version, w workload, i words of a lesson; of what may change, R the run of
 * version|chip|workload, G a number of chip|name; L is told of when a lesson is stored. */
struct lore_seen *lore_seen_new(void);
struct lore_seen *lore_seen_share(struct lore_seen *s); /* one lore_seen_free more */
void lore_seen_free(struct lore_seen *s);
/* Texts in A; false: not there, or DB belongs to no pool. */
bool lore_seen_get(struct lore_db *db, char kind, const char *id, struct lore_arena *a,
    const char **texts, size_t n);
void
lore_seen_put(struct lore_db *db, char kind, const char *id, const char *const *texts, size_t n);
struct lore_told {
    uint64_t changed, all; /* changes told when the last one came: of a subject, of everything */
};
struct lore_told lore_seen_told(struct lore_db *db, char kind, const char *subject);
/* A reader's snapshot is about to begin. */
void lore_seen_snapshot(struct lore_db *db);
/* The writer's transaction changes what KIND says of SUBJECT; anything that may change. */
void lore_seen_change(struct lore_db *db, char kind, const char *subject);
void lore_seen_change_all(struct lore_db *db);
/* The writer's transaction stores an experiment. */
void lore_seen_title(struct lore_db *db, const char *id, const char *title);
void lore_seen_tell(struct lore_db *db, bool committed); /* after the commit, or in its place */

/* catalogue.c: names that submissions bring. */
enum lore_status lore_catalogue_sync(struct lore_db *db, struct lore_err *err) LORE_MUST;
/* Canonical name of OP in *name, registered with FAMILY (NULL: unclassified) when new. */
enum lore_status lore_name_operator(struct lore_db *db, const char *op, const char *family,
    struct lore_arena *a, const char **name, struct lore_err *err) LORE_MUST;
enum lore_status lore_name_technique(struct lore_db *db, const char *name, struct lore_arena *a,
    const char **slug, struct lore_err *err) LORE_MUST;
/* PLACE: the metric's index in its record, only to find it sooner. */
enum lore_status lore_name_metric(struct lore_db *db, size_t place, const char *name,
    const char *unit, int64_t *id, struct lore_err *err) LORE_MUST;
/* Operator and language of a kernel or of a version's kernel; unknown_reference at PATH. */
enum lore_status lore_name_kernel(struct lore_db *db, const char *id, const char *path,
    const struct lore_name **out, struct lore_err *err) LORE_MUST;
enum lore_status lore_name_version(struct lore_db *db, const char *id, const char *path,
    const struct lore_name **out, struct lore_err *err) LORE_MUST;
/* CHIP, or the one of ENVIRONMENT; *out NULL when neither says. */
enum lore_status lore_name_chip(struct lore_db *db, const char *chip, const char *environment,
    const char **out, struct lore_err *err) LORE_MUST;

/* put.c: one insert of a record with an id. */
struct lore_insert {
    const char *noun, *id;
    const unsigned char *digest;
    enum lore_put state;
    int64_t seq;       /* when stored */
    bool no_reference; /* a foreign key refused the row: say which, with lore_reference */
};
/* Step Q, an INSERT … ON CONFLICT (id) DO NOTHING. When nothing was inserted, DIGESTS (SELECT
 * digest … WHERE id = $1, bound here) decides between duplicate and conflict. */
enum lore_status lore_insert_run(struct lore_stmt *q, struct lore_stmt *digests,
    struct lore_insert *in, struct lore_err *err) LORE_MUST;
enum lore_ref {
    LORE_REF_KERNEL,
    LORE_REF_VERSION,
    LORE_REF_ENVIRONMENT,
    LORE_REF_RUN,
    LORE_REF_HYPOTHESIS,
    LORE_REF_EXPERIMENT,
    LORE_REF_CHIP,
    LORE_REF_SOURCE_DOCUMENT,
    LORE_REF_SPEC,
    LORE_REF_CAMPAIGN
};
/* LORE_OK when ID is NULL or stored, else unknown_reference at PATH. */
enum lore_status lore_reference(struct lore_db *db, enum lore_ref kind, const char *path,
    const char *id, struct lore_err *err) LORE_MUST;
/* The specs that targets name. */
enum lore_status lore_reference_targets(struct lore_db *db, const struct lore_target *targets,
    size_t n, struct lore_err *err) LORE_MUST;
/* A foreign key failed and every reference was found. */
enum lore_status lore_reference_lost(const struct lore_insert *in, struct lore_err *err) LORE_MUST;

/* rest.c: records as JSON. */
/* The members of RECORD as object text in ARENA; NULL when there are none. */
enum lore_status lore_rest_write(enum lore_kind kind, const void *record, struct lore_arena *a,
    const char **out, struct lore_err *err) LORE_MUST;
/* Decode REST, completed by HEAD (members with a trailing comma, or ""), into *doc: one record. */
enum lore_status lore_rest_read(enum lore_kind kind, const char *head, const char *rest,
    struct lore_arena *a, struct lore_submission *doc, struct lore_err *err) LORE_MUST;
/* A flat JSON object as pairs; values are JSON scalar text. */
enum lore_status lore_rest_kvs(
    const char *object, struct lore_arena *a, struct lore_kvs *out, struct lore_err *err) LORE_MUST;
bool lore_rest_provenance(const struct lore_provenance *p); /* anything in it? */
void lore_split(const char *text, char separator, struct lore_arena *a, struct lore_texts *out);
const char *
lore_join(const struct lore_texts *t, char separator, struct lore_arena *a); /* "" for none */

/* Text back to an enum; the zero value for NULL and unknown text. */
enum lore_evidence lore_evidence_of(const char *s);
enum lore_version_kind lore_version_kind_of(const char *s);
enum lore_edge_kind lore_edge_kind_of(const char *s);
enum lore_check lore_check_of(const char *s);
enum lore_base lore_base_of(const char *s);
enum lore_run_role lore_run_role_of(const char *s);

/* workload.c */
#define LORE_WORKLOAD_COLUMNS "w.id, w.operator, w.canonical, w.label, w.dims, w.dtype, w.layout"
/* Store W when it is new. OP is the kernel's operator; W may name only that. *id NULL: none given.
 */
enum lore_status lore_workload_put(const struct lore_put_ctx *c, const struct lore_workload *w,
    const char *op, const char **id, struct lore_err *err) LORE_MUST;
void lore_workload_columns(
    struct lore_stmt *q, int *col, struct lore_arena *a, struct lore_workload_row *out);

/* blob.c */
enum lore_status lore_blob_put(struct lore_db *db, const void *p, size_t n, const char *media_type,
    char hash[65], struct lore_err *err) LORE_MUST;

/* filter.c: make the row of drv_experiment that EXPERIMENT (seq) has by its facts and its verdict
 * in force; none without a verdict. */
enum lore_status
lore_filter_put(struct lore_db *db, int64_t experiment, struct lore_err *err) LORE_MUST;

/* The columns that every row of knowledge.h starts with, and laying them over ROW (a pointer). */
#define LORE_KNOWN(table)                                                                          \
    "SELECT t.rest, t.seq, d.received_us, d.id, d.actor FROM " table                               \
    " t JOIN fact_document d ON d.seq = t.document"
#define LORE_KNOWN_COLUMNS(q, a, row)                                                              \
    ((row)->rest = lore_col_text((q), 0, (a)), (row)->seq = lore_col_i64((q), 1),                  \
        (row)->received_us = lore_col_i64((q), 2), (row)->document = lore_col_text((q), 3, (a)),   \
        (row)->actor = lore_col_text((q), 4, (a)))
/* Conditions: record T is not retracted; curation C counts. */
#define LORE_NOT_RETRACTED(t)                                                                      \
    " NOT EXISTS (SELECT 1 FROM drv_curated z WHERE z.record = " t                                 \
    ".id AND z.retraction IS NOT NULL)"
/* Run R counts: neither it nor its version is retracted. Not IN (…): that makes a table per row. */
#define LORE_RUN_COUNTS(r)                                                                         \
    LORE_NOT_RETRACTED(r)                                                                          \
    " AND NOT EXISTS (SELECT 1 FROM drv_curated y WHERE y.record = " r                             \
    ".version AND y.retraction IS NOT NULL)"
/* The seq of the last curation of the named actions about record T that counts. */
#define LORE_LAST_CURATION(t, actions)                                                             \
    "(SELECT c.seq FROM fact_curation_subject s JOIN fact_curation c ON c.seq = s.curation"        \
    " WHERE s.subject = " t ".id AND c.action IN (" actions                                        \
    ") AND" LORE_NOT_RETRACTED("c") " ORDER BY c.seq DESC LIMIT 1)"

/* quote.c: QUOTE must stand on LINE (from 1) of the text of source document ID. */
enum lore_status lore_check_quote(struct lore_db *db, const char *id, struct lore_i64 line,
    const char *quote, struct lore_err *err) LORE_MUST;

/* curated.c: what curation R, stored as SEQ, changes: fact_mask, drv_curated, what follows. Again:
 * without the masks, when derived tables are made anew. */
enum lore_status lore_curate(const struct lore_put_ctx *c, const struct lore_curation *r,
    int64_t seq, struct lore_err *err) LORE_MUST;
enum lore_status lore_curate_again(const struct lore_put_ctx *c, const struct lore_curation *r,
    int64_t seq, struct lore_err *err) LORE_MUST;
/* effects.c: the experiment ID was hidden or shown; is to be judged again. Not for C without
 * effects. LORE_TOOBIG, code too_big: one document bears on too much. */
enum lore_status
lore_note_shown(const struct lore_put_ctx *c, const char *id, struct lore_err *err) LORE_MUST;
enum lore_status
lore_note_judged(const struct lore_put_ctx *c, const char *id, struct lore_err *err) LORE_MUST;
/* verification.c: the experiments that VERIFICATION bears on are to be judged again. */
enum lore_status lore_verification_bears(
    const struct lore_put_ctx *c, const char *verification, struct lore_err *err) LORE_MUST;
/* checks.c: a check of RUN was stored; experiments whose verdicts it may change are to be judged
 * again. */
enum lore_status lore_check_bears(
    const struct lore_put_ctx *c, const struct lore_run *run, struct lore_err *err) LORE_MUST;
/* The same of everything that RECORD, a run or a version, bears on. */
enum lore_status
lore_runs_bear(const struct lore_put_ctx *c, const char *record, struct lore_err *err) LORE_MUST;
/* mask.c: the same as lore_put_mask, for curation (0: none). */
enum lore_status
lore_mask_put(struct lore_db *db, const char *experiment, bool masked, const char *reason,
    const char *actor, int64_t now_us, int64_t curation, struct lore_err *err) LORE_MUST;
/* old_masks.c: make submissions of the masks that none brought. Inside a transaction. */
enum lore_status lore_masks_as_curations(struct lore_db *db, struct lore_err *err) LORE_MUST;
/* withheld.c: find again what may not be passed on. Inside a transaction. */
enum lore_status lore_withheld_all(struct lore_db *db, struct lore_err *err) LORE_MUST;

/* feedback_link.c: what EXPERIMENT (seq) is the outcome of, into drv_advice_outcome; A: scratch. */
enum lore_status lore_link_advice(
    struct lore_db *db, int64_t experiment, struct lore_arena *a, struct lore_err *err) LORE_MUST;
/* "gfx942|hip|0123…": a question's ISA, language and workload, each empty when NULL. */
const char *lore_advice_context(
    struct lore_arena *a, const char *isa, const char *language, const char *workload);

/* One per kind that is searched: what lore_search_put gets for R, the record as stored. Of C the
 * document is not used. */
enum lore_status lore_words_version(
    const struct lore_put_ctx *c, const struct lore_version *r, struct lore_err *err) LORE_MUST;
enum lore_status lore_words_hypothesis(
    const struct lore_put_ctx *c, const struct lore_hypothesis *r, struct lore_err *err) LORE_MUST;
enum lore_status lore_words_experiment(
    const struct lore_put_ctx *c, const struct lore_experiment *r, struct lore_err *err) LORE_MUST;
enum lore_status lore_words_insight(
    const struct lore_put_ctx *c, const struct lore_insight *r, struct lore_err *err) LORE_MUST;
enum lore_status lore_words_source_document(const struct lore_put_ctx *c,
    const struct lore_source_document *r, struct lore_err *err) LORE_MUST;
enum lore_status lore_words_technique(const struct lore_put_ctx *c,
    const struct lore_technique_def *r, struct lore_err *err) LORE_MUST;
enum lore_status lore_words_campaign(
    const struct lore_put_ctx *c, const struct lore_campaign *r, struct lore_err *err) LORE_MUST;
enum lore_status lore_words_direction(
    const struct lore_put_ctx *c, const struct lore_direction *r, struct lore_err *err) LORE_MUST;
/* search.c: lore_search_put of the words that are there. */
enum lore_status lore_search_words(const struct lore_put_ctx *c, const char *kind, const char *id,
    const char *title, const char *const *words, size_t n, struct lore_err *err) LORE_MUST;

/* outcome.c */
#define LORE_OUTCOME_COLUMNS                                                                       \
    "o.policy, o.effect, o.correctness, o.process, o.rules, o.basis, o.speedup, o.low, o.high,"    \
    " o.before_ns, o.after_ns, o.disagrees, o.at_us, o.superseded_us, o.flags"
void lore_outcome_columns(
    struct lore_stmt *q, int *col, struct lore_arena *a, struct lore_outcome_row *out);

/* experiment_row.c: the columns of a list row, and what belongs to it in other tables. */
#define LORE_EXPERIMENT_SELECT                                                                     \
    "SELECT e.seq, e.id, e.kernel, e.hypothesis, e.from_version, e.to_version, e.chip, e.title,"   \
    " e.labels, e.raw_label, e.evidence, e.claimed_before_ns, e.claimed_after_ns,"                 \
    " e.claimed_speedup, e.claimed_low, e.claimed_high, e.base, e.base_name, e.typed_outcome,"     \
    " e.correctness, e.violations, e.notes, e.lesson, e.author, e.happened_us, e.rest,"            \
    " k.operator, p.family, k.name, k.language, x.masked, d.id, "                                  \
    "d.received_us, g.document, " LORE_WORKLOAD_COLUMNS ", " LORE_OUTCOME_COLUMNS                  \
    ", b.labels, b.rule_set, b.basis, b.run, e.metrics_before, e.metrics_after"                    \
    " FROM fact_experiment e JOIN drv_experiment x ON x.seq = e.seq"                               \
    " JOIN fact_kernel k ON k.id = e.kernel JOIN cat_operator p ON p.name = k.operator"            \
    " JOIN fact_document d ON d.seq = e.document"                                                  \
    " LEFT JOIN drv_withheld g ON g.document = e.document"                                         \
    " LEFT JOIN drv_bottleneck b ON b.experiment = e.seq"                                          \
    " LEFT JOIN fact_workload w ON w.id = e.workload"                                              \
    " LEFT JOIN drv_outcome o ON o.experiment = e.seq AND o.superseded_us IS NULL"
/* Reads a row of LORE_EXPERIMENT_SELECT; *col is left at e.metrics_before. */
void lore_experiment_columns(
    struct lore_stmt *q, int *col, struct lore_arena *a, struct lore_experiment_row *out);
enum lore_status lore_experiment_uses(struct lore_db *db, int64_t seq, struct lore_arena *a,
    struct lore_experiment *e, struct lore_err *err) LORE_MUST;

/* search.c */
/* TEXT as an FTS5 query: each word quoted, the last a prefix unless it is very short. NULL: no word
 * in it. */
const char *lore_search_query(const char *text, struct lore_arena *a);
/* Rows of drv_search below this are not ranked: the newest LORE_SEARCH_MATCHES matches are. */
#define LORE_SEARCH_MATCHES 10000
enum lore_status lore_search_floor(
    struct lore_db *db, const char *query, int64_t *floor, struct lore_err *err) LORE_MUST;
/* Make a row findable. In a transaction the row waits for lore_search_flush: FTS5 writes a segment
 * of its own for every savepoint that it lives through, a sixth of the cost of a small document. */
#define LORE_UNSEARCHED_MAX (4u << 20) /* bytes that may wait outside of a savepoint */
enum lore_status lore_search_put(struct lore_db *db, const char *kind, const char *id,
    const char *title, const struct lore_buf *body, struct lore_err *err) LORE_MUST;
/* Insert the rows that wait. For the commit, outside of savepoints. */
enum lore_status lore_search_flush(struct lore_db *db, struct lore_err *err) LORE_MUST;

#endif
