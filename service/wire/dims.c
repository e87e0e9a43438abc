/* Dims as people and tools write them: "M=1,N=2", "M=1 N=2", "{'M': 1, 'N': 2}", "{"M":1}", "--M=1
 * --N 2". A value that is a whole number is kept as a number, anything else as text. The parser
 * never guesses names: "4096x4096" is an error. */
#include <stdio.h>
#include <string.h>

#include "service/base/text.h"
#include "service/wire/decoder.h"

#define MAX_DIMS 64
#define MAX_VALUE 200

static bool
name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
}

static const char *
skip(const char *s, const char *what)
{
    return s + strspn(s, what);
}

/* A name, quoted or bare, into *name. Returns where it ends, or NULL when there is none. */
static const char *
read_name(const char *s, struct lore_arena *arena, const char **name)
{
    char quote = *s == '\'' || *s == '"' ? *s : '\0';
    const char *end = s += quote != '\0';

    while (name_char(*end) || (*end == '-' && end > s))
        end++;
    if (end == s || end - s > LORE_MAX_NAME || (quote != '\0' && *end != quote))
        return NULL;
    *name = lore_strndup(arena, s, (size_t)(end - s));
    return end + (quote != '\0');
}

/* The end of a bare value: at a separator that is not inside brackets. */
static const char *
bare_end(const char *s)
{
    int open = 0;

    for (; *s != '\0'; s++) {
        if (*s == '(' || *s == '[')
            open++;
        else if ((*s == ')' || *s == ']') && open > 0)
            open--;
        else if (open == 0 && strchr(",; \t\r\n}", *s))
            break;
    }
    return s;
}

static bool
whole_number(const char *s)
{
    const char *digits = s + (*s == '-');
    size_t n = strspn(digits, "0123456789");

    return n > 0 && n <= 18 && digits[n] == '\0' && (digits[0] != '0' || n == 1) &&
           strcmp(s, "-0") != 0;
}

static const char *
read_value(const char *s, struct lore_arena *arena, const char **value)
{
    char quote = *s == '\'' || *s == '"' ? *s : '\0';
    const char *start = s + (quote != '\0'),
               *end = quote != '\0' ? strchr(start, quote) : bare_end(start);
    const char *text;

    if (!end || end == start || end - start > MAX_VALUE)
        return NULL;
    text = lore_strndup(arena, start, (size_t)(end - start));
    *value = whole_number(text) && quote == '\0' ? text : lore_kvs_quote(arena, text);
    return end + (quote != '\0');
}

static enum lore_status
bad(const char *text, const char *at, struct lore_err *err)
{
    char near[64];

    snprintf(near, sizeof near, "%.60s", at);
    lore_decode_tidy_utf8(near);
    (void)lore_fail_at(err, LORE_INVALID, "invalid_dims", "dims",
        "dims: cannot read '%s' at byte %zu", near, (size_t)(at - text));
    lore_err_hint(err, "write M=1024,N=1024");
    return LORE_INVALID;
}

enum lore_status
lore_dims_parse(
    const char *text, struct lore_arena *arena, struct lore_kvs *out, struct lore_err *err)
{
    struct lore_kvs dims = {0};
    const char *s = skip(text, " \t\r\n{}");

    if (!lore_utf8_valid(text, strlen(text)))
        return lore_fail_at(err, LORE_INVALID, "invalid_utf8", "dims", "dims: not UTF-8");
    while (*s != '\0') {
        const char *name, *value, *at = s;

        s = read_name(skip(s, "-"), arena, &name);
        if (!s)
            return bad(text, at, err);
        s = skip(s, " \t");
        if (*s == '=' || *s == ':')
            s = skip(s + 1, " \t");
        else if (*at != '-')
            return bad(text, at, err);
        s = read_value(s, arena, &value);
        if (!s)
            return bad(text, at, err);
        if (lore_kvs_get(&dims, name))
            return lore_fail_at(
                err, LORE_INVALID, "duplicate_key", "dims", "dims: %s is given twice", name);
        if (dims.n == MAX_DIMS)
            return lore_fail_at(
                err, LORE_INVALID, "too_many", "dims", "dims: more than %d", MAX_DIMS);
        lore_kvs_set(arena, &dims, name, value);
        s = skip(s, " \t\r\n,;}");
    }
    *out = dims;
    return LORE_OK;
}
