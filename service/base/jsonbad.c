/* Finds mistakes in JSON text and writes their messages: forbidden characters, and syntax errors
 * with line, column and likely cause. Columns count characters from 1. */
#include "service/base/jsonbad.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"

/* Four hexadecimal digits after "\u" at TEXT[I], or -1. */
static int
code_unit(const char *text, size_t len, size_t i)
{
    int v = 0;

    if (len - i < 6 || text[i] != '\\' || text[i + 1] != 'u')
        return -1;
    for (int k = 2; k < 6; k++) {
        char c = text[i + (size_t)k];

        if (!isxdigit((unsigned char)c))
            return -1;
        v = v * 16 + (c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
    }
    return v;
}

const char *
lore_json_bad_text(const char *text, size_t len, size_t *at)
{
    size_t good = lore_utf8_prefix(text, len), i = 0;
    const char *slash;

    while (i < good && (slash = memchr(text + i, '\\', good - i))) {
        int unit, low;

        i = (size_t)(slash - text);
        unit = code_unit(text, good, i);
        *at = i;
        if (unit == 0)
            return "U+0000 is not allowed";
        if (unit < 0xd800 || unit > 0xdfff) {
            i += 2; /* the escaped character may itself be a backslash */
            continue;
        }
        low = good - i >= 12 ? code_unit(text, good, i + 6) : -1;
        if (unit > 0xdbff || low < 0xdc00 || low > 0xdfff)
            return "half a surrogate pair is not a character";
        i += 12;
    }
    *at = good;
    return good < len ? "not UTF-8" : NULL;
}

static bool
is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '+' || c == '-';
}

/* The start of the token that ends with TEXT[AT]. */
static size_t
token_start(const char *text, size_t at)
{
    if (text[at] == '"') {
        while (at > 0 && text[at - 1] != '"' && text[at - 1] != '\n')
            at--;
        return at > 0 && text[at - 1] == '"' ? at - 1 : at;
    }
    while (at > 0 && is_word(text[at]) && is_word(text[at - 1]))
        at--;
    return at;
}

/* The start of the token that yajl refused. yajl's offset is usually after that token. In a string
 * or comment it is at the wrong byte. After a missing comma it is inside the next token when that
 * is a string, and at the start of any other token. */
static size_t
stop_start(const struct lore_json_stop *s)
{
    size_t at = s->at < s->len ? s->at : s->len - 1;

    if (strstr(s->why, "inside a string") || strstr(s->why, "inside string") ||
        strstr(s->why, "comment"))
        return at;
    if (strstr(s->why, "after key and value"))
        return at >= 2 && s->text[at - 2] == '"' ? at - 2 : at;
    if (s->at > s->len)
        while (at > 0 && strchr(" \t\r\n", s->text[at]))
            at--;
    else
        at = s->at - (s->at > 0);
    return token_start(s->text, at);
}

static bool
word_is(const char *text, size_t len, size_t at, const char *word)
{
    size_t n = strlen(word);

    at += at < len && (text[at] == '-' || text[at] == '+');
    return len - at >= n && memcmp(text + at, word, n) == 0;
}

/* The last byte before AT that is no blank, or 0. */
static char
byte_before(const char *text, size_t at)
{
    while (at > 0 && strchr(" \t\r\n", text[at - 1]))
        at--;
    return at > 0 ? text[at - 1] : '\0';
}

/* A hint for a common mistake at AT, or NULL. */
static const char *
common_mistake(const char *text, size_t len, size_t at)
{
    char c = text[at], before = byte_before(text, at);

    if ((c == '}' || c == ']') && before == ',')
        return "remove the comma before it";
    if (c == '\'')
        return "JSON quotes with \", not with '";
    if (c == '/' || c == '#')
        return "JSON has no comments";
    if (word_is(text, len, at, "True") || word_is(text, len, at, "False") ||
        word_is(text, len, at, "None"))
        return "JSON writes true, false and null";
    if (isalpha((unsigned char)c) && strchr("{[:,", before))
        return "text needs double quotes";
    if (before == '{' || before == '}' || before == ']' || before == '"' || is_word(before))
        return NULL;
    return is_word(c) ? "numbers are written like 0.5, -3 or 1e-9" : NULL;
}

static void
add_hint(const struct lore_json_stop *s, size_t at, struct lore_err *err)
{
    const char *hint = common_mistake(s->text, s->len, at), *colon = strstr(s->why, ": ");

    if (s->done)
        hint = "one document holds one value";
    else if (strstr(s->why, "inside string") && (unsigned char)s->text[at] < 0x20)
        hint = "in text, write a line end as \\n and a tab as \\t";
    else if (strstr(s->why, "inside a string"))
        hint = "in text, write a backslash as \\\\";
    if (hint)
        lore_err_hint(err, "%s", hint);
    else if (colon) /* "parse error: what yajl expected\n" */
        lore_err_hint(err, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
}

static void
position(const char *text, size_t at, unsigned long *line, unsigned long *column)
{
    *line = *column = 1;
    for (size_t i = 0; i < at; i++) {
        if (text[i] == '\n') {
            ++*line;
            *column = 1;
        } else if (((unsigned char)text[i] & 0xc0) != 0x80) {
            ++*column;
        }
    }
}

static enum lore_status
ended_early(const struct lore_json_stop *s, struct lore_err *err)
{
    unsigned long line, column;

    position(s->text, s->len, &line, &column);
    (void)lore_fail_at(err, LORE_INVALID, "invalid_json", s->path,
        "%s: line %lu, column %lu: the document ends too soon", s->path, line, column);
    lore_err_hint(err, "a closing \", ] or } is missing, or the bytes were cut off");
    return LORE_INVALID;
}

enum lore_status
lore_json_syntax(const struct lore_json_stop *s, struct lore_err *err)
{
    unsigned long line, column;
    char c, shown[] = "x";
    size_t at;

    if (byte_before(s->text, s->len) == '\0')
        return lore_fail_at(err, LORE_INVALID, "invalid_json", "$", "the document is empty");
    if (s->at > s->len && !s->done)
        return ended_early(s, err);
    at = stop_start(s);
    position(s->text, at, &line, &column);
    if (word_is(s->text, s->len, at, "NaN") || word_is(s->text, s->len, at, "Inf") ||
        word_is(s->text, s->len, at, "nan") || word_is(s->text, s->len, at, "inf")) {
        (void)lore_fail_at(err, LORE_INVALID, "invalid_number", s->path,
            "%s: line %lu, column %lu: JSON has no NaN or infinity", s->path, line, column);
        lore_err_hint(err, "leave the field out when there is no value");
        return LORE_INVALID;
    }
    c = s->text[at];
    shown[0] = c;
    (void)lore_fail_at(err, LORE_INVALID, "invalid_json", s->path,
        "%s: line %lu, column %lu: unexpected %s", s->path, line, column,
        c > 0x20 && c < 0x7f ? shown : "character");
    add_hint(s, at, err);
    return LORE_INVALID;
}
