/* Flat lists of key and JSON scalar text: dims, method, build facts. Setting keeps one pair per
 * key. The hash depends neither on the order of pairs nor on number notation, so two descriptions
 * of one environment have the same hash. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/wire/fields.h"

const char *
lore_kvs_get(const struct lore_kvs *kvs, const char *key)
{
    for (size_t i = 0; i < kvs->n; i++)
        if (strcmp(kvs->v[i].key, key) == 0)
            return kvs->v[i].value;
    return NULL;
}

void
lore_kvs_set(struct lore_arena *arena, struct lore_kvs *kvs, const char *key, const char *value)
{
    const char *copy = lore_strdup(arena, value);

    for (size_t i = 0; i < kvs->n; i++) {
        if (strcmp(kvs->v[i].key, key) != 0)
            continue;
        kvs->v[i].value = copy;
        return;
    }
    *LORE_PUSH(arena, kvs->v, kvs->n, kvs->cap) = (struct lore_kv){lore_strdup(arena, key), copy};
}

const char *
lore_kvs_quote(struct lore_arena *arena, const char *text)
{
    size_t len = strlen(text);
    char *out = lore_alloc(arena, 6 * len + 3), *p = out;

    *p++ = '"';
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];

        if (c < 0x20) {
            p += snprintf(p, 7, "\\u%04x", c);
            continue;
        }
        if (c == '"' || c == '\\')
            *p++ = '\\';
        *p++ = (char)c;
    }
    *p++ = '"';
    *p = '\0';
    return out;
}

/* The four hex digits at S, or -1. */
static int
hex4(const char *s)
{
    int v = 0;

    for (int i = 0; i < 4; i++) {
        const char *digits = "0123456789abcdef";
        const char *at =
            s[i] == '\0' ? NULL : strchr(digits, s[i] >= 'A' && s[i] <= 'F' ? s[i] + 32 : s[i]);

        if (!at)
            return -1;
        v = v * 16 + (int)(at - digits);
    }
    return v;
}

static char *
put_utf8(char *p, int c)
{
    if (c < 0x80) {
        *p++ = (char)c;
    } else if (c < 0x800) {
        *p++ = (char)(0xc0 | c >> 6);
        *p++ = (char)(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        *p++ = (char)(0xe0 | c >> 12);
        *p++ = (char)(0x80 | (c >> 6 & 0x3f));
        *p++ = (char)(0x80 | (c & 0x3f));
    } else {
        *p++ = (char)(0xf0 | c >> 18);
        *p++ = (char)(0x80 | (c >> 12 & 0x3f));
        *p++ = (char)(0x80 | (c >> 6 & 0x3f));
        *p++ = (char)(0x80 | (c & 0x3f));
    }
    return p;
}

/* Write the character of the escape at *S (behind the backslash) and advance *S. */
static char *
put_escape(char *p, const char **s)
{
    static const char from[] = "nrtbf", to[] = "\n\r\t\b\f";
    const char *at = strchr(from, **s);
    int c, low;

    if (**s != 'u' || (c = hex4(*s + 1)) < 0) {
        *p = at != NULL ? to[at - from] : **s;
        *s += 1;
        return p + 1;
    }
    *s += 5;
    if (c >= 0xd800 && c < 0xdc00 && (*s)[0] == '\\' && (*s)[1] == 'u' &&
        (low = hex4(*s + 2)) >= 0xdc00) {
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
        *s += 6;
    }
    return put_utf8(p, c);
}

const char *
lore_kvs_plain(struct lore_arena *arena, const char *value)
{
    size_t len = strlen(value);
    char *out, *p;

    if (len < 2 || value[0] != '"')
        return value;
    out = p = lore_alloc(arena, len);
    for (const char *s = value + 1; *s != '\0' && *s != '"';) {
        if (*s == '\\' && s[1] != '\0') {
            s++;
            p = put_escape(p, &s);
        } else {
            *p++ = *s++;
        }
    }
    *p = '\0';
    return out;
}

static int
by_key(const void *a, const void *b)
{
    return strcmp(((const struct lore_kv *)a)->key, ((const struct lore_kv *)b)->key);
}

struct lore_kv *
lore_kvs_sorted(struct lore_arena *arena, const struct lore_kvs *kvs)
{
    struct lore_kv *v = lore_memdup(arena, kvs->v, kvs->n * sizeof *v);

    for (size_t i = 0; i < kvs->n; i++)
        v[i].value = lore_kvs_scalar_canonical(arena, v[i].value);
    if (kvs->n > 1)
        qsort(v, kvs->n, sizeof *v, by_key);
    return v;
}

const char *
lore_kvs_scalar_canonical(struct lore_arena *arena, const char *value)
{
    char text[32];
    double v;

    if (strcmp(value, "-0") == 0)
        return "0";
    if (value[0] == '"' || value[0] == 't' || value[0] == 'f' || !strpbrk(value, ".eE"))
        return value; /* text, booleans and integers are canonical already */
    if (lore_parse_f64(value, "value", &v, NULL) != LORE_OK)
        return value;
    if (fabs(v) <= LORE_MAX_NS && v == floor(v))
        snprintf(text, sizeof text, "%.0f", v == 0 ? 0.0 : v); /* in integer notation */
    else
        lore_f64_text(v, text);
    return lore_strdup(arena, text);
}

/* Length prefixes keep two different lists from having the same text. */
void
lore_kvs_hash(const struct lore_kvs *kvs, char out[33])
{
    LORE_SCRATCH arena = {0};
    LORE_BUF buf = {0};
    struct lore_kv *v = lore_kvs_sorted(&arena, kvs);
    unsigned char hash[LORE_HASH_BYTES];

    for (size_t i = 0; i < kvs->n; i++)
        lore_buf_printf(
            &buf, "%zu:%s=%zu:%s;", strlen(v[i].key), v[i].key, strlen(v[i].value), v[i].value);
    lore_hash(buf.data ? buf.data : "", buf.len, hash);
    lore_hex(hash, 16, out);
}
