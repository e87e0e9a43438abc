/* Full text over experiments, hypotheses, insights, versions and what is known beside them. What a
 * person types is taken apart into words and each is quoted, so no character has a meaning of its
 * own to FTS5; the last word may be the beginning of one.
 *
 * Ranking costs per match, so only the newest LORE_SEARCH_MATCHES matches are ranked. */
#include <ctype.h>
#include <string.h>

#include "internal.h"

#define WORDS_MAX 16

static bool
in_word(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

const char *
lore_search_query(const char *text, struct lore_arena *a)
{
    struct lore_buf b = {0};
    const char *query = NULL;
    int words = 0;

    while (*text != '\0' && words < WORDS_MAX) {
        size_t n = 0;

        while (*text != '\0' && !in_word(*text))
            text++;
        while (text[n] != '\0' && in_word(text[n]))
            n++;
        if (n == 0)
            break;
        lore_buf_puts(&b, words++ > 0 ? " \"" : "\"");
        lore_buf_add(&b, text, n);
        lore_buf_putc(&b, '"');
        text += n;
    }
    if (words > 0) {
        lore_buf_putc(&b, '*');
        query = lore_strndup(a, b.data, b.len);
    }
    lore_buf_free(&b);
    return query;
}

enum lore_status
lore_search_floor(struct lore_db *db, const char *query, int64_t *floor, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT rowid FROM drv_search WHERE drv_search MATCH $1"
                               " ORDER BY rowid DESC LIMIT 1 OFFSET $2");

    lore_bind_text(&q, 1, query);
    lore_bind_i64(&q, 2, LORE_SEARCH_MATCHES - 1);
    *floor = lore_row(&q) ? lore_col_i64(&q, 0) : 0;
    return lore_done(&q, err);
}

static enum lore_status
insert(struct lore_db *db, const char *const row[4], struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "INSERT INTO drv_search (title, body, kind, ref) VALUES ($1, $2, $3, $4)");

    for (int i = 0; i < 4; i++)
        lore_bind_text(&q, i + 1, row[i]);
    return lore_done(&q, err);
}

enum lore_status
lore_search_put(struct lore_db *db, const char *kind, const char *id, const char *title,
    const struct lore_buf *body, struct lore_err *err)
{
    const char *const row[4] = {
        title != NULL ? title : "", body->len > 0 ? body->data : "", kind, id};
    enum lore_status status = lore_buf_status(body, "search text", err);

    if (status != LORE_OK)
        return status;
    if (sqlite3_get_autocommit(db->handle))
        return insert(db, row, err);
    for (int i = 0; i < 4; i++)
        lore_buf_add(&db->unsearched, row[i], strlen(row[i]) + 1);
    status = lore_buf_status(&db->unsearched, "search text", err);
    /* Within a savepoint it must wait: undoing that would take the rows of others with it. */
    if (status == LORE_OK && !db->saved && db->unsearched.len > LORE_UNSEARCHED_MAX)
        status = lore_search_flush(db, err);
    return status;
}

enum lore_status
lore_search_words(const struct lore_put_ctx *c, const char *kind, const char *id, const char *title,
    const char *const *words, size_t n, struct lore_err *err)
{
    struct lore_buf *b = &c->db->words;

    lore_buf_reset(b);
    for (size_t i = 0; i < n; i++)
        if (words[i] != NULL)
            lore_buf_printf(b, "%s\n", words[i]);
    return lore_search_put(c->db, kind, id, title, b, err);
}

enum lore_status
lore_search_flush(struct lore_db *db, struct lore_err *err)
{
    const char *at = db->unsearched.data, *end;
    enum lore_status status = LORE_OK;

    if (db->unsearched.len == 0)
        return LORE_OK;
    end = at + db->unsearched.len;
    while (status == LORE_OK && at < end) {
        const char *row[4];

        for (int i = 0; i < 4; i++) {
            row[i] = at;
            at += strlen(at) + 1;
        }
        status = insert(db, row, err);
    }
    lore_buf_reset(&db->unsearched);
    return status;
}

enum lore_status
lore_search(struct lore_db *db, const char *text, const char *kind, size_t offset, size_t limit,
    struct lore_arena *a, struct lore_hit **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT kind, ref, title, snippet(drv_search, -1, $1, $2, '…', 24), rank FROM drv_search"
        " WHERE drv_search MATCH $3 AND rank MATCH 'bm25(4.0, 1.0)' AND rowid >= $4"
        " AND ($5 IS NULL OR kind = $5) ORDER BY rank LIMIT $6 OFFSET $7");
    const char *query = lore_search_query(text, a);
    struct lore_hit *rows = NULL;
    size_t count = 0, cap = 0;
    enum lore_status status = LORE_OK;
    int64_t floor = 0;

    if (query != NULL)
        status = lore_search_floor(db, query, &floor, err);
    if (status != LORE_OK)
        return status;
    lore_bind_text(&q, 1, "\x02");
    lore_bind_text(&q, 2, "\x03");
    lore_bind_text(&q, 3, query);
    lore_bind_i64(&q, 4, floor);
    lore_bind_text(&q, 5, kind);
    lore_bind_i64(&q, 6, (int64_t)limit);
    lore_bind_i64(&q, 7, (int64_t)offset);
    while (query != NULL && lore_row(&q)) {
        struct lore_hit *h = LORE_PUSH(a, rows, count, cap);

        h->kind = lore_col_text(&q, 0, a);
        h->id = lore_col_text(&q, 1, a);
        h->title = lore_col_text(&q, 2, a);
        h->snippet = lore_col_text(&q, 3, a);
        h->rank = lore_col_f64(&q, 4);
    }
    status = query != NULL ? lore_done(&q, err) : LORE_OK;
    if (status == LORE_OK) {
        *out = rows;
        *n = count;
    }
    return status;
}
