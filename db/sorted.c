/* Makes the statement of a list that is sorted, or restricted by author or time (sorted.h).
 *
 * The plain list becomes a table `r` with the columns c0, c1 …, in the order of the shape's
 * members. SQLite merges the two queries, so that conditions still use the indexes of the list. */
#include "db/sorted.h"

#include <assert.h>
#include <string.h>

#include "db/internal.h"
#include "db/kinds.h"

static int
column_of(const struct lore_row_shape *shape, size_t at)
{
    for (size_t i = 0; i < shape->n_members; i++)
        if (shape->members[i].at == at)
            return (int)i;
    return -1;
}

static bool
by_json(const struct lore_row_shape *shape, const struct lore_sort *s)
{
    return s->field && shape->decode == LORE_DECODE_LISTS;
}

bool
lore_sorted_by(enum lore_kind kind, const struct lore_sort *s)
{
    const struct lore_row_shape *shape = kind == LORE_K_EXPERIMENT ? &lore_found_rows
                                         : kind == LORE_K_COUNT    ? &lore_document_rows
                                                                   : lore_db_kind(kind)->rows;

    return column_of(shape, s->at) >= 0 || by_json(shape, s);
}

static void
put_member(struct lore_buf *b, const struct lore_row_shape *shape, const struct lore_sort *s)
{
    int column = column_of(shape, s->at);

    if (column >= 0)
        lore_buf_printf(b, "c%d", column);
    else
        lore_buf_printf(b, "json_extract(c%d, '$.%s')", column_of(shape, shape->rest), s->field);
}

static void
put_author(struct lore_buf *b, const struct lore_row_shape *shape)
{
    const struct lore_sort own = {.at = shape->author, .field = "author"};

    lore_buf_puts(b, " AND coalesce(");
    if (shape->author > 0 || by_json(shape, &own))
        put_member(b, shape, &own);
    else
        lore_buf_puts(b, "NULL");
    lore_buf_printf(b, ", (SELECT author FROM fact_document WHERE id = c%d)) = $author",
        column_of(shape, shape->document));
}

static void
put_time(struct lore_buf *b, const struct lore_row_shape *shape, const char *compare)
{
    if (shape->happened > 0)
        lore_buf_printf(b, " AND coalesce(nullif(c%d, 0), c%d) %s",
            column_of(shape, shape->happened), column_of(shape, shape->received), compare);
    else
        lore_buf_printf(b, " AND c%d %s", column_of(shape, shape->received), compare);
}

/* Rows without a value come last in both directions. Their key is '', which nothing else meets. */
static void
put_order(struct lore_buf *b, const struct lore_row_shape *shape, const struct lore_sort *s)
{
    const char *there = s->down ? "IS NOT NULL" : "IS NULL", *down = s->down ? " DESC" : "";
    int seq = column_of(shape, shape->seq);
    LORE_BUF key = {0};

    if (!s->given) {
        lore_buf_printf(
            b, " AND ($before = 0 OR c%d < $before) ORDER BY c%d DESC LIMIT $limit", seq, seq);
        return;
    }
    put_member(&key, shape, s);
    lore_buf_printf(b,
        " AND ($before = 0 OR (%s %s, coalesce(%s, ''), %sc%d) %s (SELECT %s %s, coalesce(%s, ''),"
        " %sc%d FROM r WHERE c%d = $before)) ORDER BY %s %s%s, %s%s, c%d DESC LIMIT $limit",
        key.data, there, key.data, s->down ? "" : "-", seq, s->down ? "<" : ">", key.data, there,
        key.data, s->down ? "" : "-", seq, seq, key.data, there, down, key.data, down, seq);
}

struct lore_stmt
lore_sorted_prepare(struct lore_db *db, const char *list, const struct lore_row_shape *shape,
    const struct lore_page *page, bool count)
{
    LORE_STMT plain = lore_sql_prepare(db, list);
    const char *end = strstr(list, LORE_PAGE_START);
    LORE_BUF b = {0};

    assert(end);
    if ((!page->author && page->since_us == 0 && page->until_us == 0 && !page->sort.given &&
            !count) ||
        plain.rc != SQLITE_OK) {
        struct lore_stmt q = plain;
        plain = (struct lore_stmt){0};
        return q;
    }
    lore_buf_puts(&b, "WITH r(c0");
    for (int i = 1; i < sqlite3_column_count(plain.s); i++)
        lore_buf_printf(&b, ", c%d", i);
    lore_buf_printf(&b, ") AS NOT MATERIALIZED (%.*s) SELECT %s FROM r WHERE 1", (int)(end - list),
        list, count ? "count(*)" : "r.*");
    if (page->author)
        put_author(&b, shape);
    if (page->since_us != 0)
        put_time(&b, shape, ">= $since");
    if (page->until_us != 0)
        put_time(&b, shape, "< $until");
    if (!count)
        put_order(&b, shape, &page->sort);
    return lore_sql_once(db, b.data);
}

struct lore_stmt
lore_sorted_open(struct lore_db *db, const char *list, const struct lore_row_shape *shape,
    const struct lore_list_filter *f)
{
    struct lore_stmt q = lore_sorted_prepare(db, list, shape, &f->page, false);

    lore_list_bind(&q, f);
    return q;
}

enum lore_status
lore_db_list(struct lore_db *db, enum lore_kind kind, const struct lore_list_filter *f,
    struct lore_list_rows *out, struct lore_err *err)
{
    const struct lore_row_shape *rows = lore_db_kind(kind)->rows;
    LORE_STMT q = lore_sorted_open(db, rows->list, rows, f);

    return lore_db_collect(&q, rows, out->arena, &out->v, &out->n, err);
}
