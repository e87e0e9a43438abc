/* A hash of a JSON value that does not depend on its formatting. Keys are sorted by bytes. Numbers
 * are exact decimals: 1, 1.0 and 10e-1 are one value; 0.1 and 0.10000000000000001 are two. The
 * encoding is injective: each value is a type letter, and lengths come before contents. So two
 * different values never feed the same bytes to the hash. */
#include "service/base/json.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/xalloc.h"

enum { FEW_KEYS = 64 };

struct digest {
    crypto_generichash_state state;
    unsigned char pending[1024]; /* small writes gathered: one update costs more than a copy */
    size_t n;
};

static void
flush(struct digest *d)
{
    (void)crypto_generichash_update(&d->state, d->pending, d->n);
    d->n = 0;
}

static void
put(struct digest *d, const void *p, size_t n)
{
    if (n > sizeof d->pending - d->n)
        flush(d);
    if (n > sizeof d->pending) {
        (void)crypto_generichash_update(&d->state, p, n);
        return;
    }
    if (n > 0)
        memcpy(d->pending + d->n, p, n);
    d->n += n;
}

/* Write a type letter and NUMBER in LEB128 to OUT; returns the length. */
enum { HEAD = 11 }; /* at most */
static size_t
write_head(unsigned char out[HEAD], char type, uint64_t number)
{
    size_t n = 0;

    out[n++] = (unsigned char)type;
    for (; number > 127; number >>= 7)
        out[n++] = (unsigned char)(number | 128);
    out[n++] = (unsigned char)number;
    return n;
}

static void
put_head(struct digest *d, char type, uint64_t number)
{
    if (sizeof d->pending - d->n < HEAD)
        flush(d);
    d->n += write_head(d->pending + d->n, type, number);
}

static void
put_text(struct digest *d, char type, const char *s, size_t n)
{
    put_head(d, type, n);
    put(d, s, n);
}

/* The zigzag encoding, which is small for small numbers of either sign: 0, -1, 1, -2, ... */
static uint64_t
zigzag(int64_t v)
{
    return v < 0 ? ~((uint64_t)v << 1) : (uint64_t)v << 1;
}

/* Hash the sign, the digits without leading and trailing zeros, and the power of ten of the last
 * digit. Each value has one such form. The parser bounds the exponent to nine digits, so nothing
 * here overflows. */
static void
put_number(struct digest *d, const char *s)
{
    bool negative = *s == '-', point = false;
    const char *m = s + negative;
    size_t n = 0, last = 0; /* digits without the leading zeros; those up to the last other one */
    int64_t power = 0;      /* of the last digit */
    unsigned char few[64], *digits = few;

    if (strlen(m) > sizeof few)
        digits = lore_xcalloc(strlen(m), 1);
    for (; *m != '\0' && *m != 'e' && *m != 'E'; m++) {
        if (*m == '.') {
            point = true;
            continue;
        }
        power -= point;
        digits[n] = (unsigned char)*m;
        n += n > 0 || *m != '0';
        last = *m != '0' ? n : last;
    }
    if (*m != '\0')
        power += strtoll(m + 1, NULL, 10);
    if (last == 0) {
        put_head(d, '0', 0);
    } else {
        power += (int64_t)(n - last);
        put_head(d, negative ? '-' : '+', zigzag(power));
        put_head(d, 'd', last);
        put(d, digits, last);
    }
    if (digits != few)
        lore_xfree(digits);
}

static int
compare_keys(const void *left, const void *right)
{
    const struct lore_json *a = *(const struct lore_json *const *)left;
    const struct lore_json *b = *(const struct lore_json *const *)right;
    int order = memcmp(a->key, b->key, a->key_len < b->key_len ? a->key_len : b->key_len);

    if (order != 0)
        return order;
    return a->key_len < b->key_len ? -1 : a->key_len > b->key_len;
}

/* The index in the N sorted members of M at which to insert ONE. */
static size_t
insert_index(const struct lore_json **m, size_t n, const struct lore_json *one)
{
    size_t low = 0, high = n;

    if (n == 0 || compare_keys(&m[n - 1], &one) <= 0)
        return n; /* documents are often sorted already */
    while (low < high) {
        size_t middle = (low + high) / 2;

        if (compare_keys(&m[middle], &one) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void
sort_members(const struct lore_json **m, size_t n)
{
    if (n > FEW_KEYS) {
        qsort(m, n, sizeof *m, compare_keys);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        const struct lore_json *one = m[i];
        size_t at = insert_index(m, i, one);

        memmove(m + at + 1, m + at, (i - at) * sizeof *m);
        m[at] = one;
    }
}

static void put_value(struct digest *d, const struct lore_json *node);

static void
put_object(struct digest *d, const struct lore_json *object)
{
    const struct lore_json *few[FEW_KEYS], **sorted = few, *m;
    size_t n = 0, i;

    if (object->len > FEW_KEYS)
        sorted = lore_xcalloc(object->len, sizeof *sorted);
    for (m = object->child; m != NULL; m = m->next)
        sorted[n++] = m;
    sort_members(sorted, n);
    put_head(d, 'o', n);
    for (i = 0; i < n; i++) {
        put_text(d, 'k', sorted[i]->key, sorted[i]->key_len);
        put_value(d, sorted[i]);
    }
    if (sorted != few)
        lore_xfree(sorted);
}

/* Recursion is as deep as the parser allowed. */
static void
put_value(struct digest *d, const struct lore_json *node)
{
    const struct lore_json *m;

    switch (node->type) {
    case LORE_J_NULL:
        put_head(d, 'n', 0);
        break;
    case LORE_J_BOOL:
        put_head(d, 'b', (uint64_t)node->i);
        break;
    case LORE_J_NUMBER:
        put_number(d, node->str);
        break;
    case LORE_J_STRING:
        put_text(d, 's', node->str, node->len);
        break;
    case LORE_J_ARRAY:
        put_head(d, 'a', node->len);
        for (m = node->child; m != NULL; m = m->next)
            put_value(d, m);
        break;
    case LORE_J_OBJECT:
        put_object(d, node);
        break;
    }
}

void
lore_json_digest(const struct lore_json *node, unsigned char out[32])
{
    struct digest d;

    d.n = 0;
    (void)crypto_generichash_init(&d.state, NULL, 0, 32);
    put_value(&d, node);
    flush(&d);
    (void)crypto_generichash_final(&d.state, out, 32);
}
