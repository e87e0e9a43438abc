/* Reads rows by their tables of members (row_shape.h): one row, the row of an id, a list. */
#include "db/row_shape.h"

#include <string.h>

#include "db/columns.h"
#include "db/rest.h"
#include "service/catalogue/catalogue.h"

static void
fill(struct lore_stmt *q, int n, const struct lore_row_member *member, struct lore_arena *a,
    void *to)
{
    const char *text;

    switch (member->type) {
    case LORE_MEMBER_TEXT:
        *(const char **)to = lore_col_text(q, n, a);
        break;
    case LORE_MEMBER_I64:
        *(int64_t *)to = lore_col_i64(q, n);
        break;
    case LORE_MEMBER_F64:
        *(double *)to = lore_col_f64(q, n);
        break;
    case LORE_MEMBER_BOOL:
        *(bool *)to = lore_col_i64(q, n) != 0;
        break;
    case LORE_MEMBER_THERE:
        *(bool *)to = !lore_col_null(q, n);
        break;
    case LORE_MEMBER_OPT_I64:
        *(struct lore_i64 *)to = lore_col_opt_i64(q, n);
        break;
    case LORE_MEMBER_OPT_F64:
        *(struct lore_f64 *)to = lore_col_opt_f64(q, n);
        break;
    case LORE_MEMBER_WORDS:
        *(struct lore_texts *)to = (struct lore_texts){0};
        lore_split(lore_col_text(q, n, NULL), '+', a, to);
        break;
    case LORE_MEMBER_LABELS:
        *(uint32_t *)to = lore_labels_parse(lore_col_text(q, n, NULL), NULL);
        break;
    case LORE_MEMBER_TIME:
        *(const char **)to = lore_col_time(q, n, a);
        break;
    case LORE_MEMBER_ENUM:
        text = lore_col_text(q, n, NULL);
        *(unsigned *)to = text ? member->find(text) : 0;
        break;
    }
}

void
lore_row_fill(
    struct lore_stmt *q, const struct lore_row_shape *shape, struct lore_arena *a, void *row)
{
    for (size_t i = 0; i < shape->n_members; i++)
        fill(q, (int)i, &shape->members[i], a, (char *)row + shape->members[i].at);
}

static enum lore_status
decode(const struct lore_row_shape *shape, struct lore_arena *a, void *row, struct lore_err *err)
{
    const char *rest = *(const char **)((char *)row + shape->rest);
    struct lore_submission doc = {0};
    enum lore_status status;
    size_t n, size;

    if (!rest && shape->decode == LORE_DECODE_UNDER)
        return LORE_OK;
    status = lore_rest_read(shape->kind, shape->head ? shape->head : "", rest, a, &doc, err);
    if (status == LORE_OK) {
        const void *record = lore_wire_list(&doc, shape->kind, &n, &size);
        memcpy((char *)row + shape->record, record, size);
    }
    return status;
}

enum lore_status
lore_row_read(struct lore_stmt *q, const struct lore_row_shape *shape, struct lore_arena *a,
    void *row, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    lore_row_fill(q, shape, a, row);
    if (shape->decode == LORE_DECODE_LISTS)
        status = decode(shape, a, row, err);
    return status == LORE_OK && shape->more ? shape->more(q, a, row, err) : status;
}

/* As lore_row_read, with the members that only a record read by its id gets. */
static enum lore_status
read_whole(struct lore_stmt *q, const struct lore_row_shape *shape, struct lore_arena *a, void *row,
    struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    lore_row_fill(q, shape, a, row);
    if (shape->decode != LORE_DECODE_NEVER)
        status = decode(shape, a, row, err);
    if (status == LORE_OK && shape->decode == LORE_DECODE_UNDER)
        lore_row_fill(q, shape, a, row);
    if (status == LORE_OK && shape->more)
        status = shape->more(q, a, row, err);
    return status == LORE_OK && shape->whole ? shape->whole(q, a, row, err) : status;
}

enum lore_status
lore_db_collect(struct lore_stmt *q, const struct lore_row_shape *shape, struct lore_arena *a,
    void *out, size_t *n, struct lore_err *err)
{
    enum lore_status status = LORE_OK;
    size_t count = 0, cap = 0;
    char *rows = NULL;

    while (status == LORE_OK && lore_row(q)) {
        if (count == cap) {
            size_t more = cap > 0 ? 2 * cap : 8;
            char *grown = lore_alloc_array(a, more, shape->size);
            if (count > 0)
                memcpy(grown, rows, count * shape->size);
            rows = grown;
            cap = more;
        }
        status = lore_row_read(q, shape, a, rows + count++ * shape->size, err);
    }
    return status == LORE_OK ? lore_db_rows(q, rows, count, out, n, err) : status;
}

enum lore_status
lore_db_texts(
    struct lore_stmt *q, struct lore_arena *a, struct lore_texts *out, struct lore_err *err)
{
    while (lore_row(q))
        *LORE_PUSH(a, out->v, out->n, out->cap) = lore_col_text(q, 0, a);
    return lore_done(q, err);
}

enum lore_status
lore_db_one(struct lore_stmt *q, const struct lore_row_shape *shape, const char *id,
    struct lore_arena *a, void *out, struct lore_err *err)
{
    void *row = lore_alloc(a, shape->size);
    enum lore_status status;

    lore_bind_text(q, 1, id);
    if (!lore_row(q))
        return lore_end(q, err, LORE_NOTFOUND, "%s %s: no such %s", shape->noun, id, shape->noun);
    status = read_whole(q, shape, a, row, err);
    if (status == LORE_OK)
        memcpy(out, row, shape->size);
    return status;
}
