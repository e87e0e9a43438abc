/* Rows of a query as structs (row_shape.c). A table of members names the member that each column
 * fills, and the type of the member says how the column is read:
 *
 *     #define ROW struct lore_event_row
 *     static const struct lore_row_member members[] = {AT(seq), AT(at_us), AT(actor)};
 *     static const struct lore_row_shape shape = {LORE_MEMBERS(members), .noun = "event"};
 *
 * For the files of this folder. */
#ifndef LORE_DB_ROW_SHAPE_H
#define LORE_DB_ROW_SHAPE_H

#include <stddef.h>

#include "db/db.h"
#include "service/wire/record.h"
#include "service/wire/wire.h"

enum lore_member_type {
    LORE_MEMBER_TEXT,
    LORE_MEMBER_I64, /* NULL reads as 0 */
    LORE_MEMBER_F64,
    LORE_MEMBER_BOOL,
    LORE_MEMBER_THERE, /* bool: the column is not NULL */
    LORE_MEMBER_OPT_I64,
    LORE_MEMBER_OPT_F64,
    LORE_MEMBER_WORDS,  /* struct lore_texts: "a+b" */
    LORE_MEMBER_LABELS, /* uint32_t: bottleneck labels as bits */
    LORE_MEMBER_TIME,   /* const char *: microseconds as RFC 3339 */
    LORE_MEMBER_ENUM
};
struct lore_row_member {
    size_t at; /* offset of the member in the row */
    enum lore_member_type type;
    unsigned (*find)(const char *text); /* ENUM: its value; NULL reads as 0 */
};
#define LORE_MEMBER_OF(m)                                                                          \
    _Generic(&((ROW *)0)->m, const char **: LORE_MEMBER_TEXT, int64_t *: LORE_MEMBER_I64,          \
        double *: LORE_MEMBER_F64, bool *: LORE_MEMBER_BOOL,                                       \
        struct lore_i64 *: LORE_MEMBER_OPT_I64, struct lore_f64 *: LORE_MEMBER_OPT_F64,            \
        struct lore_texts *: LORE_MEMBER_WORDS, uint32_t *: LORE_MEMBER_LABELS)
/* AS, an enum lore_member_type; an error unless M is of TYPE. */
#define LORE_MEMBER_IF(m, type, as) _Generic(&((ROW *)0)->m, type : as)
/* 0; an error unless M has the size of an enum. */
#define LORE_MEMBER_FITS(m) (0 * sizeof(char[sizeof((ROW *)0)->m == sizeof(unsigned) ? 1 : -1]))
#define AT(m)                                                                                      \
    {                                                                                              \
        offsetof(ROW, m), LORE_MEMBER_OF(m), NULL                                                  \
    }
#define AT_ENUM(m, f)                                                                              \
    {                                                                                              \
        offsetof(ROW, m) + LORE_MEMBER_FITS(m), LORE_MEMBER_ENUM, (f)                              \
    }
#define AT_THERE(m)                                                                                \
    {                                                                                              \
        offsetof(ROW, m), LORE_MEMBER_IF(m, bool *, LORE_MEMBER_THERE), NULL                       \
    }
#define AT_TIME(m)                                                                                 \
    {                                                                                              \
        offsetof(ROW, m), LORE_MEMBER_IF(m, const char **, LORE_MEMBER_TIME), NULL                 \
    }

/* When the record of a row is decoded from its `rest`. */
enum lore_decode {
    LORE_DECODE_NEVER,
    LORE_DECODE_WHOLE, /* when one record is read: rest holds every member */
    LORE_DECODE_UNDER, /* when one record is read: rest has the members without a column, or is
                          NULL; the columns are read after it */
    LORE_DECODE_LISTS  /* in lists, too: rest holds every member */
};
typedef enum lore_status (*lore_row_fn)(
    struct lore_stmt *q, struct lore_arena *a, void *row, struct lore_err *err);
struct lore_row_shape {
    const struct lore_row_member *members;
    size_t n_members, size;
    const char *noun; /* in messages: "source document" */
    /* Of a stored record: its kind, the offsets of its struct and its rest, and the JSON members to
     * put before those of rest (LORE_REST_…; NULL: none). */
    enum lore_kind kind;
    enum lore_decode decode;
    size_t record, rest;
    const char *head;
    /* Offsets of what lists are sorted and restricted by (list.c); author, happened 0: none. */
    size_t seq, document, received, author, happened;
    /* Functions that read the columns after those of the table, from n_members on. `more` is called
     * for every row, then `whole` for a row read by its id; NULL: none. */
    lore_row_fn more, whole;
    /* Statements of a kind of record (LORE_LITERAL): its row by the id $1, and rows by the named
     * parameters of a filter (list.c). */
    const char *get, *list;
};
#define LORE_MEMBERS(table)                                                                        \
    .members = (table), .n_members = sizeof(table) / sizeof *(table), .size = sizeof(ROW)
#define LORE_RECORD(k, how, m)                                                                     \
    .kind = (k), .decode = (how), .record = offsetof(ROW, m), .rest = offsetof(ROW, rest),         \
    LORE_LISTED
#define LORE_LISTED                                                                                \
    .seq = offsetof(ROW, seq), .document = offsetof(ROW, document),                                \
    .received = offsetof(ROW, received_us)
/* For LORE_DECODE_UNDER: required members with dummy values, which the columns then replace. */
#define LORE_REST_HEAD(reference)                                                                  \
    "\"id\":\"00000000000000000000000000\",\"" reference "\":\"00000000000000000000000001\","
#define LORE_REST_RUN LORE_REST_HEAD("version")
#define LORE_REST_EXPERIMENT LORE_REST_HEAD("kernel")
/* SQL text that is a literal. */
#define LORE_LITERAL(text) ("" text)

/* Fill the members of ROW that the table names from the row of Q. Without an arena, text is
 * borrowed until the next row. */
void lore_row_fill(
    struct lore_stmt *q, const struct lore_row_shape *shape, struct lore_arena *a, void *row);
/* Fill ROW from the row of Q with the members that a list gives. */
enum lore_status lore_row_read(struct lore_stmt *q, const struct lore_row_shape *shape,
    struct lore_arena *a, void *row, struct lore_err *err) LORE_MUST;
/* All rows of Q: OUT is the address of a pointer to the structs, which live in A. */
enum lore_status lore_db_collect(struct lore_stmt *q, const struct lore_row_shape *shape,
    struct lore_arena *a, void *out, size_t *n, struct lore_err *err) LORE_MUST;
/* The first column of every row, added to *OUT. */
enum lore_status lore_db_texts(struct lore_stmt *q, struct lore_arena *a, struct lore_texts *out,
    struct lore_err *err) LORE_MUST;
/* Bind ID as parameter 1 and read the row of Q into OUT. LORE_NOTFOUND: there is none. */
enum lore_status lore_db_one(struct lore_stmt *q, const struct lore_row_shape *shape,
    const char *id, struct lore_arena *a, void *out, struct lore_err *err) LORE_MUST;

#endif
