/* Full text of experiments, hypotheses, insights, versions and other records. A query is split into
 * words and each is quoted, so that no character has a special meaning to FTS5. The last word is a
 * prefix when it has four letters or more: a shorter prefix matches so many words that collecting
 * their rows takes too long.
 *
 * Ranking has a cost per match, so only the newest LORE_SEARCH_MATCHES matches are ranked. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "db/internal.h"
#include "db/query.h"
#include "db/search.h"
#include "db/search_rank.h"

enum {
    BEGINNING = 4,  /* least bytes of a word used as a prefix */
    COUNTED = 1000, /* rows by which the frequency of a word is estimated */
};

static size_t
least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool
in_word(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

const char *
lore_search_query(const char *text, struct lore_arena *a)
{
    LORE_BUF b = {0};
    const char *query = NULL;
    int words = 0;
    size_t last = 0;

    while (*text != '\0' && words < LORE_SEARCH_PHRASES) {
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
        last = n - (text[-1] == 's' || text[-1] == 'S'); /* a plural s, which the stemmer removes */
    }
    if (words > 0) {
        if (last >= BEGINNING)
            lore_buf_putc(&b, '*');
        query = lore_strndup(a, b.data, b.len);
    }
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
    /* Within a savepoint the rows must wait: its rollback would remove rows of other documents. */
    if (status == LORE_OK && !db->saved && db->unsearched.len > LORE_UNSEARCHED_MAX)
        status = lore_search_flush(db, err);
    return status;
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

/* The inverse document frequency of WORD (as lore_search_query quotes it) among TOTAL rows, by the
 * formula of bm25(). Its newest COUNTED rows give its density. */
static enum lore_status
idf_of(struct lore_db *db, const char *word, int64_t total, int64_t newest, double *out,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT count(*), min(m.rowid) FROM (SELECT rowid FROM drv_search WHERE drv_search"
        " MATCH $1 ORDER BY rowid DESC LIMIT $2) AS m");
    double n = 0;

    lore_bind_text(&q, 1, word);
    lore_bind_i64(&q, 2, COUNTED);
    if (lore_row(&q)) {
        n = lore_col_f64(&q, 0);
        if (n >= COUNTED)
            n *= (double)newest / (double)(newest - lore_col_i64(&q, 1) + 1);
    }
    *out = log(((double)total - n + 0.5) / (n + 0.5));
    if (!(*out > 0))
        *out = 1e-6;
    return lore_done(&q, err);
}

static enum lore_status
size_of(struct lore_db *db, int64_t *total, int64_t *newest, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT coalesce(max(id), 0) FROM drv_search_docsize");

    if (lore_row(&q))
        *newest = lore_col_i64(&q, 0);
    *total = *newest; /* rows are only added, so the newest row number is their count */
    return lore_done(&q, err);
}

/* Weigh the words of QUERY: quoted, separated by one space; the last one may end in a star. */
static enum lore_status
weigh(struct lore_db *db, const char *query, struct lore_arena *a, struct lore_ranking *r,
    struct lore_err *err)
{
    int64_t total = 0, newest = 0;
    enum lore_status status = size_of(db, &total, &newest, err);

    for (size_t i = 0; status == LORE_OK && *query == '"' && i < LORE_SEARCH_PHRASES; i++) {
        size_t n = (size_t)(strchr(query + 1, '"') + 1 - query);

        status = idf_of(db, lore_strndup(a, query, n), total, newest, &r->idf[i], err);
        query += n;
        query += strspn(query, "* ");
    }
    return status;
}

/* Rank the newest matches of QUERY; *bounded: there are more. A row of another kind is skipped but
 * counts towards the limit. */
static enum lore_status
rank_matches(struct lore_db *db, const char *query, const char *kind, struct lore_arena *a,
    bool *bounded, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT CASE WHEN $1 IS NOT NULL AND kind <> $1 THEN NULL WHEN "
        "lore_rank_match(drv_search) THEN"
        " snippet(drv_search, -1, $2, $3, '…', 24) END FROM drv_search WHERE drv_search MATCH $4"
        " ORDER BY rowid DESC LIMIT $5");
    int64_t looked = 0;

    lore_bind_text(&q, 1, kind);
    lore_bind_text(&q, 2, "\x02");
    lore_bind_text(&q, 3, "\x03");
    lore_bind_text(&q, 4, query);
    lore_bind_i64(&q, 5, LORE_SEARCH_MATCHES + 1);
    for (; looked < LORE_SEARCH_MATCHES && lore_row(&q); looked++)
        if (!lore_col_null(&q, 0))
            db->ranking->best[db->ranking->at].snippet = lore_col_text(&q, 0, a);
    db->ranking->closed = true;
    *bounded = looked == LORE_SEARCH_MATCHES && lore_row(&q);
    return lore_done(&q, err);
}

static enum lore_status
fill_hit(struct lore_db *db, const struct lore_search_ranked *from, struct lore_arena *a,
    struct lore_hit *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT kind, ref, title FROM drv_search WHERE rowid = $1");

    lore_bind_i64(&q, 1, from->rowid);
    if (lore_row(&q))
        *out = (struct lore_hit){.kind = lore_col_text(&q, 0, a),
            .id = lore_col_text(&q, 1, a),
            .title = lore_col_text(&q, 2, a),
            .snippet = from->snippet,
            .rank = from->rank};
    return lore_done(&q, err);
}

enum lore_status
lore_search(struct lore_db *db, const struct lore_search_for *what, struct lore_arena *a,
    struct lore_found_hits *out, struct lore_err *err)
{
    const char *query = lore_search_query(what->text, a);
    struct lore_ranking r = {.cap = least(what->offset + what->limit, LORE_SEARCH_MATCHES)};
    struct lore_found_hits found = {0};
    enum lore_status status = LORE_OK;

    if (query) {
        r.best = lore_alloc_array(a, r.cap + 1, sizeof *r.best);
        db->ranking = &r;
        status = weigh(db, query, a, &r, err);
        if (status == LORE_OK)
            status = rank_matches(db, query, what->kind, a, &found.bounded, err);
        db->ranking = NULL;
    }
    found.n = r.n > what->offset ? r.n - what->offset : 0;
    found.rows = lore_alloc_array(a, found.n + 1, sizeof *found.rows);
    for (size_t i = 0; status == LORE_OK && i < found.n; i++)
        status = fill_hit(db, &r.best[what->offset + i], a, &found.rows[i], err);
    if (status == LORE_OK)
        *out = found;
    return status;
}
