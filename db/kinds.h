/* The kinds of records as the database stores them: one row of lore_db_kinds each (kinds.c). A row
 * says in which table the records of a kind are, which of their fields have columns, what they
 * refer to and which words find them. Put, dump, totals, rebuild and the checks over all kinds
 * follow it. For the files of this folder.
 *
 * Every table has the columns seq, id, digest, document and rest. The last holds, as JSON, the
 * whole record or its members without a column. */
#ifndef LORE_DB_KINDS_H
#define LORE_DB_KINDS_H

#include "db/db.h"
#include "db/put_context.h"
#include "db/read.h"
#include "db/row_shape.h"
#include "service/base/buf.h"
#include "service/wire/wire.h"

/* Values that `before` computes for the columns of a row. */
struct lore_made {
    const char *text[8];
    struct {
        const void *p;
        size_t n;
    } blob[3];
    int64_t number;
    bool has_rest;    /* rest is given below, and is not the whole record */
    const char *rest; /* NULL: every field has a column */
};

enum lore_column_type {
    LORE_COLUMN_TEXT,      /* const char * at an offset of the record */
    LORE_COLUMN_I64,       /* struct lore_i64 */
    LORE_COLUMN_F64,       /* struct lore_f64 */
    LORE_COLUMN_COUNT,     /* size_t */
    LORE_COLUMN_TIME,      /* RFC 3339 text, stored as microseconds */
    LORE_COLUMN_MADE_TEXT, /* lore_made.text, by index */
    LORE_COLUMN_MADE_BLOB, /* lore_made.blob, by index */
    LORE_COLUMN_MADE_I64   /* lore_made.number */
};
struct lore_column {
    const char *name;
    enum lore_column_type type;
    size_t at;
};

/* A field that names a stored record or a chip. Without a foreign key, the reference is checked
 * before the row is written. With one, it is checked only after the database refused the row, to
 * find the wrong field. */
#define LORE_REF_CHIP LORE_K_COUNT /* a chip, by its name */
struct lore_record_ref {
    const char *field;
    enum lore_kind to; /* or LORE_REF_CHIP */
    size_t at;         /* const char * in the record; with MADE: index of lore_made.text */
    bool has_key, made;
};

struct lore_db_kind {
    enum lore_kind kind;
    struct lore_buf *sql; /* LORE_SQL_KINDS texts, written by lore_kind_write_sql */
    const char *table;
    const char *noun; /* in messages: "source document" */
    const struct lore_column *columns;
    size_t n_columns;
    const struct lore_record_ref *refs;
    size_t n_refs;
    /* Full-text search. `searched` is the kind in search results; NULL: not searched. The title is
     * the first of two fields that is set, and `words` are more fields. `search` replaces both. */
    const char *searched;
    size_t title[2];
    const size_t *words;
    size_t n_words;
    enum lore_status (*search)(const struct lore_put_ctx *c, const void *record,
        const struct lore_made *made, struct lore_err *err);
    /* BEFORE checks the record and fills MADE; AFTER writes the rows that depend on the stored
     * record, whose row is SEQ. Both may be NULL. */
    enum lore_status (*before)(const struct lore_put_ctx *c, const void *record,
        struct lore_made *made, struct lore_err *err);
    enum lore_status (*after)(const struct lore_put_ctx *c, const void *record,
        const struct lore_made *made, int64_t seq, struct lore_err *err);
    const struct lore_row_shape *rows; /* how a record is read */
};
/* In the order in which the records of one document are stored: a kind stands after those that it
 * may refer to. */
extern const struct lore_db_kind lore_db_kinds[LORE_K_COUNT];
const struct lore_db_kind *lore_db_kind(enum lore_kind kind);

/* Statements built once from the names in the table, so each has one address as its cache key. */
enum lore_kind_sql {
    LORE_SQL_INSERT,  /* id, digest, document, the columns, rest */
    LORE_SQL_DIGEST,  /* SELECT digest … WHERE id = $1 */
    LORE_SQL_RECORDS, /* SELECT document, seq, id … ORDER BY seq */
    LORE_SQL_DUMP,    /* SELECT id, rest … ORDER BY id */
    LORE_SQL_KINDS
};
struct lore_stmt
lore_kind_open(struct lore_db *db, const struct lore_db_kind *kind, enum lore_kind_sql which);
/* Build the statements of K; call it once. Those of lore_db_kinds are built on first use. */
void lore_kind_write_sql(const struct lore_db_kind *k);

/* One statement over all kinds. */
enum lore_kinds_sql {
    LORE_SQL_ANYWHERE, /* SELECT kind name, document id, actor of the records with id $1 */
    LORE_SQL_TWICE,    /* SELECT 1 for each kind that has a record with id $1 */
    LORE_SQL_GREATEST, /* SELECT the greatest id of all records, or NULL */
    LORE_SQL_WITHHELD, /* SELECT the first document with a record whose rest is like $1, or 0 */
    LORE_SQL_COUNTS,   /* SELECT table, rows: of all kinds and of some other facts, by table */
    LORE_SQL_BEGINS,   /* SELECT kind name, id of the records of kind $3 (NULL: any; then no
                          workloads) with $1 <= id < $2, at most $4 */
    LORE_SQL_OWNERS,   /* SELECT the owner of each document that brought a record with id $1 */
    LORE_SQL_ALL
};
struct lore_stmt lore_kinds_open(struct lore_db *db, enum lore_kinds_sql which);

/* lore_put_record by a row of the table. */
enum lore_status
lore_put_by_kind(const struct lore_put_ctx *c, const struct lore_db_kind *kind, const void *record,
    const unsigned char digest[32], enum lore_put *out, struct lore_err *err) LORE_MUST;
/* Make a record findable. MADE: the values computed for its row; NULL: RECORD was read from the
 * database. */
enum lore_status lore_kind_search(const struct lore_put_ctx *c, const struct lore_db_kind *kind,
    const void *record, const struct lore_made *made, struct lore_err *err) LORE_MUST;

/* LORE_OK when ID is NULL or names a stored record of kind TO (LORE_REF_CHIP: a chip), else
 * LORE_INVALID code unknown_reference at PATH. */
enum lore_status lore_reference(struct lore_db *db, enum lore_kind to, const char *path,
    const char *id, struct lore_err *err) LORE_MUST;
/* Check that the specs named in TARGETS are stored. */
enum lore_status lore_reference_targets(struct lore_db *db, const struct lore_target *targets,
    size_t n, struct lore_err *err) LORE_MUST;

/* Defined in the file of each kind. */
extern const struct lore_row_shape lore_kernel_rows, lore_version_rows, lore_environment_rows,
    lore_run_rows, lore_hypothesis_rows, lore_experiment_rows, lore_found_rows, lore_document_rows,
    lore_attribution_rows, lore_insight_rows, lore_source_document_rows, lore_spec_rows,
    lore_technique_def_rows, lore_verification_rows, lore_campaign_rows, lore_direction_rows,
    lore_curation_rows, lore_sweep_rows, lore_profile_rows;
extern const struct lore_row_shape lore_count_rows; /* name, n: struct lore_count */
extern const struct lore_row_shape lore_file_rows;  /* name, blob, bytes: struct lore_source_row */
#define LORE_KIND_BEFORE(noun)                                                                     \
    enum lore_status lore_##noun##_before(const struct lore_put_ctx *c, const void *record,        \
        struct lore_made *made, struct lore_err *err)
#define LORE_KIND_AFTER(noun)                                                                      \
    enum lore_status lore_##noun##_after(const struct lore_put_ctx *c, const void *record,         \
        const struct lore_made *made, int64_t seq, struct lore_err *err)
#define LORE_KIND_SEARCH(noun)                                                                     \
    enum lore_status lore_##noun##_search(const struct lore_put_ctx *c, const void *record,        \
        const struct lore_made *made, struct lore_err *err)
LORE_KIND_BEFORE(kernel);
LORE_KIND_BEFORE(version);
LORE_KIND_AFTER(version);
LORE_KIND_SEARCH(version);
LORE_KIND_BEFORE(environment);
LORE_KIND_BEFORE(run);
LORE_KIND_AFTER(run);
LORE_KIND_BEFORE(experiment);
LORE_KIND_AFTER(experiment);
LORE_KIND_SEARCH(experiment);
LORE_KIND_BEFORE(technique);
LORE_KIND_AFTER(technique);
LORE_KIND_BEFORE(attribution);
LORE_KIND_AFTER(attribution);
LORE_KIND_BEFORE(profile);
LORE_KIND_BEFORE(hypothesis);
LORE_KIND_BEFORE(insight);
LORE_KIND_AFTER(insight);
LORE_KIND_BEFORE(source_document);
LORE_KIND_BEFORE(spec);
LORE_KIND_AFTER(spec);
LORE_KIND_BEFORE(verification);
LORE_KIND_AFTER(verification);
LORE_KIND_BEFORE(campaign);
LORE_KIND_BEFORE(sweep);
LORE_KIND_AFTER(sweep);
LORE_KIND_BEFORE(curation);
LORE_KIND_AFTER(curation);

#endif
