/* Tables that describe JSON answers. A table of members says the name, the type and the
 * meaning of each member of a JSON object, and where its value lies in a C struct. The same table
 * writes the JSON of a row (object.c), its schema in /openapi.json (openapi_types.c) and, through
 * that, web/src/types.ts (tests/unit/api/test_web_types.c). docs/adding.md shows how to add a
 * member.
 *
 * A file defines ROW as the struct of a table's rows; AT and its kin take members of ROW:
 *
 *     #define ROW struct lore_kernel_row
 *     static const struct lore_object_member kernel[] = {
 *         {"!id", AT(k.id), "ulid"},
 *         {"family", AT(family)},
 *         {"!language", NAMED(k.language, lore_language_name)},
 *         {"time_ns", AT(time_ns), NULL, "median of its samples"},
 *     };
 *     const struct lore_object lore_kernel_object = LORE_OBJECT("Kernel", kernel);
 *
 * `!` before a name: always there, null when there is no value. Without it the member is left out
 * when there is no value: text that is NULL or empty, an optional number that is not set, a time or
 * a plain number of 0, false, a list pointer that is NULL, an object that is not there.
 *
 * A request's body is described the same way, and read by its table (lore_object_read). */
#ifndef LORE_API_OBJECT_H
#define LORE_API_OBJECT_H

#include <stddef.h>

#include "service/base/json.h"
#include "service/base/jsonw.h"
#include "service/http/http.h"
#include "service/wire/record.h"
#include "service/wire/wire.h"

enum lore_holds {
    LORE_BY_HAND, /* described here; the handler writes it or, of a body, reads it */
    LORE_AT_TEXT, /* const char * */
    LORE_AT_I64,
    LORE_AT_INT,
    LORE_AT_SIZE,
    LORE_AT_F64,
    LORE_AT_BOOL,
    LORE_AT_SET_I64,      /* struct lore_i64 */
    LORE_AT_SET_F64,      /* struct lore_f64 */
    LORE_AT_TEXTS,        /* struct lore_texts */
    LORE_AT_KVS,          /* struct lore_kvs: a flat object */
    LORE_AT_TIME,         /* int64_t, µs */
    LORE_AT_NAMED,        /* an enum, and the function that names its values */
    LORE_AT_LABELS,       /* uint32_t: bottleneck labels as bits */
    LORE_AT_HEX,          /* bytes in the row itself, as hex digits */
    LORE_AT_BASE64,       /* the same as base64 */
    LORE_AT_WORDS,        /* const char *: comma-separated, written as a list */
    LORE_AT_RAW,          /* const char *: JSON text */
    LORE_AT_LIST,         /* pointer to structs, and their number */
    LORE_AT_ARRAY,        /* structs in the row itself, and their number */
    LORE_AT_STRINGS,      /* pointer to texts, and their number */
    LORE_AT_STRING_ARRAY, /* texts in the row itself, and their number */
    LORE_AT_OBJECT,       /* a struct */
    LORE_AT_POINTER,      /* pointer to a struct */
    LORE_AT_MEMBERS,      /* a struct whose members are written as if they were the row's */
    LORE_AT_SPREAD,       /* pointer to such a struct; NULL: none of them */
    LORE_AT_RECORD,       /* a stored record, with the JSON of members without a column */
    LORE_AT_FIELDS,       /* a stored record, whose fields are written as if they were the row's */
    LORE_WRITTEN_ONE,     /* an object, or null, by a function */
    LORE_WRITTEN_LIST,    /* a list of objects, by a function */
    LORE_AT_RAW_LIST,     /* const char *: JSON text of a list of objects */
    LORE_WRITTEN          /* by a function */
};

struct lore_object;
struct lore_paging; /* params.h */

struct lore_object_member {
    const char *name;
    const struct lore_object *of;     /* table of the nested or spread object */
    const char *(*name_of)(unsigned); /* NAMED */
    /* WRITTEN: key and value, or nothing. */
    void (*write)(struct lore_jsonw *w, const char *key, const void *row);
    /* at: offset of the value in the row; count_at: of its count or rest; item: bytes of one item,
     * or the kind of the record. */
    unsigned at, count_at, item;
    enum lore_holds holds;
    const char *type; /* as in openapi.h; NULL: what the C type says */
    const char *help; /* what it means, where the name does not say it */
};

struct lore_object {
    const char *name;
    const struct lore_object_member *members;
    size_t n, size;
    size_t key; /* offset of the member that is NULL or false when the object is absent */
    bool flag;  /* that member is a bool; else a pointer */
};
#define LORE_NO_KEY ((size_t)-1) /* the object is always present */

#define LORE_TABLE(name, table) name, table, sizeof(table) / sizeof((table)[0]), sizeof(ROW)
#define LORE_OBJECT(name, table)                                                                   \
    {                                                                                              \
        LORE_TABLE(name, table), LORE_NO_KEY, false                                                \
    }
/* A row whose pointer KEY is NULL, or whose FLAG is false, is no object: null, or left out. */
#define LORE_KEYED_OBJECT(name, table, key)                                                        \
    {                                                                                              \
        LORE_TABLE(name, table), offsetof(ROW, key), false                                         \
    }
#define LORE_FLAGGED_OBJECT(name, table, flag)                                                     \
    {                                                                                              \
        LORE_TABLE(name, table), offsetof(ROW, flag), true                                         \
    }

#define LORE_TYPED(m, type, as) .at = offsetof(ROW, m), .holds = _Generic(&((ROW *)0)->m, type : as)
/* Size of one item of M. Fails to compile unless TEST holds for the size of M, which tells a
 * pointer from an array. */
#define LORE_ITEM(m, test)                                                                         \
    (sizeof *((ROW *)0)->m + 0 * sizeof(char[sizeof((ROW *)0)->m test ? 1 : -1]))
#define LORE_BYTES(m) unsigned char(*)[sizeof((ROW *)0)->m]
#define LORE_MANY(m, n, test, as)                                                                  \
    .at = offsetof(ROW, m), .item = LORE_ITEM(m, test), .count_at = offsetof(ROW, n),              \
    .holds = _Generic(&((ROW *)0)->n, size_t *                                                     \
                      : as)

#define AT(m)                                                                                      \
    .at = offsetof(ROW, m),                                                                        \
    .holds = _Generic(&((ROW *)0)->m, const char **: LORE_AT_TEXT, int64_t *: LORE_AT_I64,         \
        int *: LORE_AT_INT, size_t *: LORE_AT_SIZE, double *: LORE_AT_F64, bool *: LORE_AT_BOOL,   \
        struct lore_i64 *: LORE_AT_SET_I64, struct lore_f64 *: LORE_AT_SET_F64,                    \
        struct lore_texts *: LORE_AT_TEXTS, struct lore_kvs *: LORE_AT_KVS)
#define TIME(m) LORE_TYPED(m, int64_t *, LORE_AT_TIME)
#define LABELS(m) LORE_TYPED(m, uint32_t *, LORE_AT_LABELS)
#define HEX(m) .item = sizeof((ROW *)0)->m, LORE_TYPED(m, LORE_BYTES(m), LORE_AT_HEX)
#define BASE64(m) .item = sizeof((ROW *)0)->m, LORE_TYPED(m, LORE_BYTES(m), LORE_AT_BASE64)
#define WORDS(m) LORE_TYPED(m, const char **, LORE_AT_WORDS)
#define RAW(m) LORE_TYPED(m, const char **, LORE_AT_RAW)
#define NAMED(m, f) .name_of = (f), .at = offsetof(ROW, m), .holds = LORE_AT_NAMED
#define STRINGS(m, n) LORE_MANY(m, n, == sizeof(void *), LORE_AT_STRINGS)
#define STRING_ARRAY(m, n) LORE_MANY(m, n, > sizeof(void *), LORE_AT_STRING_ARRAY)
#define ARRAY(m, n, object)                                                                        \
    .of = &(object), LORE_MANY(m, n, >= sizeof *((ROW *)0)->m, LORE_AT_ARRAY)
#define LIST(m, n, object) .of = &(object), LORE_MANY(m, n, == sizeof(void *), LORE_AT_LIST)
#define OBJECT(m, object)                                                                          \
    .of = &(object), .at = offsetof(ROW, m), .item = sizeof((ROW *)0)->m, .holds = LORE_AT_OBJECT
/* An object made of other members of the same row. */
#define PART(object) .of = &(object), .item = sizeof(ROW), .holds = LORE_AT_OBJECT
#define POINTER(m, object)                                                                         \
    .of = &(object), .at = offsetof(ROW, m), .item = sizeof *((ROW *)0)->m, .holds = LORE_AT_POINTER
#define MEMBERS(m, object)                                                                         \
    .of = &(object), .at = offsetof(ROW, m), .item = sizeof((ROW *)0)->m, .holds = LORE_AT_MEMBERS
#define SPREAD(m, object)                                                                          \
    .of = &(object), .at = offsetof(ROW, m), .item = sizeof *((ROW *)0)->m, .holds = LORE_AT_SPREAD
#define MEMBERS_HERE(object) .of = &(object), .item = sizeof(ROW), .holds = LORE_AT_MEMBERS
#define RECORD(m, kind, rest)                                                                      \
    .at = offsetof(ROW, m), .item = (kind), .count_at = offsetof(ROW, rest), .holds = LORE_AT_RECORD
#define FIELDS(m, kind) .at = offsetof(ROW, m), .item = (kind), .holds = LORE_AT_FIELDS
/* What the service adds to a record that somebody submitted. */
#define STORED(row)                                                                                \
    {"received_at", TIME(row received_us)}, {"document", AT(row document), "ulid"},                \
        {"actor", AT(row actor)},                                                                  \
    {                                                                                              \
        "!seq", AT(row seq)                                                                        \
    }
#define WRITTEN(f) .write = (f), .holds = LORE_WRITTEN
#define WRITTEN_ONE(f, object) .write = (f), .of = &(object), .holds = LORE_WRITTEN_ONE
#define WRITTEN_LIST(f, object) .write = (f), .of = &(object), .holds = LORE_WRITTEN_LIST
#define RAW_LIST(m, object) .of = &(object), LORE_TYPED(m, const char **, LORE_AT_RAW_LIST)
#define BY_HAND .holds = LORE_BY_HAND

/* `{…}` of ROW; null when ROW is NULL or no object. */
void lore_object_write(struct lore_jsonw *w, const struct lore_object *o, const void *row);
/* Its members; the caller opens and closes the object. */
void lore_object_members(struct lore_jsonw *w, const struct lore_object *o, const void *row);
/* `[{…}, …]` of N rows. */
void lore_object_write_list(
    struct lore_jsonw *w, const struct lore_object *o, const void *rows, size_t n);

/* The whole reply: one object. */
enum lore_status lore_reply_object(struct lore_resp *resp, const struct lore_object *o,
    const void *row, struct lore_err *err) LORE_MUST;
/* Fill ROW with the texts of BODY. A member that O does not have is an error. The handler reads
 * the BY_HAND members and checks that required (`!`) members are present. */
enum lore_status lore_object_read(const struct lore_object *o, const struct lore_json *body,
    void *row, struct lore_err *err) LORE_MUST;

/* For WRITTEN members that read the database while the answer is written, because all rows at once
 * may exceed a request's memory. A failed read is stored here and becomes the reply. */
struct lore_object_reading {
    struct lore_db *db;
    enum lore_status status;
    struct lore_err err;
};
enum lore_status lore_reply_reading(struct lore_resp *resp, const struct lore_object *o,
    const void *row, const struct lore_object_reading *reading, struct lore_err *err) LORE_MUST;
/* The whole reply: the first of N rows, up to the limit of PAGING. The `seq` of the last one is the
 * cursor of the next page. PAGING NULL: all rows, and no next page. */
enum lore_status lore_reply_rows(struct lore_resp *resp, const struct lore_object *o,
    const void *rows, size_t n, const struct lore_paging *paging, struct lore_err *err) LORE_MUST;

#endif
