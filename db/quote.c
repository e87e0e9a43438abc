/* Checks that a document contains the quote of a spec, on the line that the spec names. A run of
 * white space counts as one space, and the marks of Markdown (emphasis, code, table cells) are
 * ignored, because people quote the rendered text. Numbers must match as a whole: "3.35 TB/s" is
 * not in "13.35 TB/s", nor "232" in "2*32".
 *
 * Dozens of specs may quote one document, so its text and line offsets are cached between checks.
 * The key is the hash of the text, so a rollback cannot make the cache wrong. */
#include <inttypes.h>
#include <string.h>

#include "db/internal.h"
#include "db/quote.h"
#include "db/read.h"
#include "service/base/text.h"

#define HINT_MAX 160 /* bytes of the line that a hint shows */
/* The bytes searched for the quotes of one document: a second of the writer, and far more than a
 * hardware catalogue needs. */
#define LOOK_MAX (64u << 20)

static enum lore_status
blob_of(struct lore_db *db, const char *id, char hash[65], struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT blob FROM fact_source_document WHERE id = $1");
    const char *text;

    lore_bind_text(&q, 1, id);
    if (!lore_row(&q)) {
        enum lore_status status = lore_done(&q, err);

        return status != LORE_OK
                   ? status
                   : lore_fail_at(err, LORE_INVALID, "unknown_reference", "source_document",
                         "source_document: there is no source document %s", id);
    }
    text = lore_col_text(&q, 0, NULL);
    memcpy(hash, text, strlen(text) < 65 ? strlen(text) + 1 : 65);
    hash[64] = '\0';
    return lore_done(&q, err);
}

/* Count N more bytes of search against the limit. */
static enum lore_status
count_searched(struct lore_db *db, size_t n, struct lore_err *err)
{
    db->quoted_bytes += n;
    if (db->quoted_bytes <= LOOK_MAX)
        return LORE_OK;
    (void)lore_fail_at(err, LORE_TOOBIG, "too_big", "quote",
        "quote: to check the quotes of this document, too much text must be searched");
    if (err)
        lore_err_hint(err, "group the specs by source document, and quote from shorter lines");
    return LORE_TOOBIG;
}

/* Find the lines; an empty last line is not counted. */
static void
find_lines(const struct lore_buf *text, struct lore_buf *lines)
{
    const char *at = text->data, *end = at + text->len;

    while (at < end) {
        uint32_t start = (uint32_t)(at - text->data);
        const char *feed = memchr(at, '\n', (size_t)(end - at));

        lore_buf_add(lines, &start, sizeof start);
        at = feed != NULL ? feed + 1 : end;
    }
}

static enum lore_status
open_text(struct lore_db *db, const char *id, struct lore_err *err)
{
    char hash[65];
    enum lore_status status = blob_of(db, id, hash, err);

    if (status != LORE_OK || strcmp(hash, db->quoted) == 0)
        return status;
    db->quoted[0] = '\0';
    lore_buf_reset(&db->quoted_text);
    lore_buf_reset(&db->quoted_lines);
    status = lore_db_get_blob(db, hash, &db->quoted_text, NULL, NULL, err);
    if (status == LORE_OK)
        status = count_searched(db, db->quoted_text.len, err);
    if (status != LORE_OK)
        return status;
    find_lines(&db->quoted_text, &db->quoted_lines);
    status = lore_buf_status(&db->quoted_lines, "source document", err);
    if (status == LORE_OK)
        memcpy(db->quoted, hash, sizeof hash);
    return status;
}

static bool
is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v' || c == '|';
}

static bool
is_mark(char c)
{
    return c == '*' || c == '`';
}

/* Whether mark I of S is between digits: then it means a product or a power. */
static bool
between_digits(const char *s, size_t n, size_t i)
{
    size_t from = i, to = i;

    while (from > 0 && is_mark(s[from]))
        from--;
    while (to + 1 < n && is_mark(s[to]))
        to++;
    return lore_is_digit(s[from]) && lore_is_digit(s[to]);
}

/* Write the visible text of N bytes: no marks, single spaces, none at the ends. */
static void
plain(const char *s, size_t n, struct lore_buf *out)
{
    bool gap = false;

    for (size_t i = 0; i < n; i++) {
        if (is_mark(s[i]) && !between_digits(s, n, i))
            continue;
        if (is_space(s[i])) {
            gap = true;
            continue;
        }
        if (gap && out->len > 0)
            lore_buf_putc(out, ' ');
        gap = false;
        lore_buf_putc(out, s[i]);
    }
    lore_buf_putc(out, '\0');
}

/* Line LINE of the cached text, without its end. */
static const char *
line_at(const struct lore_db *db, int64_t line, size_t *n)
{
    size_t count = db->quoted_lines.len / sizeof(uint32_t);
    uint32_t start, end = (uint32_t)db->quoted_text.len;

    if (line < 1 || (uint64_t)line > count)
        return NULL;
    memcpy(&start, db->quoted_lines.data + (size_t)(line - 1) * sizeof start, sizeof start);
    if ((uint64_t)line < count)
        memcpy(&end, db->quoted_lines.data + (size_t)line * sizeof end, sizeof end);
    while (end > start &&
           (db->quoted_text.data[end - 1] == '\n' || db->quoted_text.data[end - 1] == '\r'))
        end--;
    *n = end - start;
    return db->quoted_text.data + start;
}

/* Whether a number continues across the end P of a quote: true between any two characters of "13"
 * or "1.3". */
static bool
cuts_number(const char *text, const char *p)
{
    if (p == text || *p == '\0')
        return false;
    if (lore_is_digit(p[-1]) && lore_is_digit(*p))
        return true;
    if (lore_is_digit(*p) && (p[-1] == '.' || p[-1] == ','))
        return p - 1 > text && lore_is_digit(p[-2]);
    return lore_is_digit(p[-1]) && (*p == '.' || *p == ',') && lore_is_digit(p[1]);
}

static bool
stands_in(const char *text, const char *quote)
{
    size_t n = strlen(quote);

    for (const char *p = text; (p = strstr(p, quote)) != NULL; p++)
        if (!cuts_number(text, p) && !cuts_number(text, p + n))
            return true;
    return false;
}

static bool
says(const char *line, size_t n, const char *quote)
{
    LORE_BUF have = {0}, want = {0};
    bool found;

    plain(line, n, &have);
    plain(quote, strlen(quote), &want);
    found = !have.over && !want.over && want.data[0] != '\0' && stands_in(have.data, want.data);
    return found;
}

enum lore_status
lore_check_quote(struct lore_db *db, const char *id, struct lore_i64 line, const char *quote,
    struct lore_err *err)
{
    enum lore_status status = open_text(db, id, err);
    const char *text;
    size_t n = 0;

    if (status != LORE_OK || (!line.set && !quote))
        return status;
    if (!line.set)
        return lore_fail_at(err, LORE_INVALID, "missing_source", "line",
            "line: a quote needs the number of its line");
    text = line_at(db, line.v, &n);
    if (!text)
        return lore_fail_at(err, LORE_INVALID, "line_not_found", "line",
            "line: the document has %zu lines, there is no line %" PRId64,
            db->quoted_lines.len / sizeof(uint32_t), line.v);
    if (!quote)
        return LORE_OK;
    if ((status = count_searched(db, n, err)) != LORE_OK || says(text, n, quote))
        return status;
    (void)lore_fail_at(err, LORE_INVALID, "quote_not_found", "quote",
        "quote: line %" PRId64 " of the document does not contain this quote", line.v);
    n = lore_utf8_prefix(text, n < HINT_MAX ? n : HINT_MAX);
    if (err)
        lore_err_hint(err, "line %" PRId64 " is: %.*s", line.v, (int)n, text);
    return LORE_INVALID;
}
