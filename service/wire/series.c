/* Reads, writes, packs and unpacks series (series.h). A packed series begins with a byte that says
 * how: DISTINCT has the values once each, then the number of each configuration's; NUMBERS has the
 * configurations with a value as lengths of runs, then the values as doubles. NUMBERS is used for
 * values whose text is the shortest one of the double, so that the text comes back. */
#include "service/wire/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/decimal.h"
#include "service/base/fnv.h"
#include "service/base/json.h"
#include "service/base/text.h"

enum { DISTINCT = 0, NUMBERS = 1 };
enum { FEW = 8 /* a value that occurs this often is worth a table of values */ };

/* ---- equal values ---- */

struct lore_series_table {
    struct lore_arena *arena;
    struct lore_series s;
    size_t cap, room; /* room: of s.at */
    uint32_t *slot;   /* index of a value + 1 */
    size_t n_slots;   /* a power of two */
};

struct lore_series_table *
lore_series_new(struct lore_arena *arena, size_t n)
{
    struct lore_series_table *t = lore_alloc(arena, sizeof *t);

    t->arena = arena;
    lore_series_extend(t, n);
    return t;
}

void
lore_series_extend(struct lore_series_table *t, size_t n)
{
    if (t->room < n + 1) {
        size_t room = 2 * t->room > n + 1 ? 2 * t->room : n + 1;
        uint32_t *at = lore_alloc_array(t->arena, room, sizeof *at);
        if (t->s.n > 0)
            memcpy(at, t->s.at, t->s.n * sizeof *at);
        t->s.at = at;
        t->room = room;
    }
    t->s.n = n > t->s.n ? n : t->s.n;
}

/* Where a value stands in the table, or where it would. */
static size_t
slot_of(const struct lore_series_table *t, const char *scalar, size_t len)
{
    uint64_t h = lore_fnv_bytes(LORE_FNV, scalar, len);
    size_t i = (h ^ h >> 32) & (t->n_slots - 1);

    for (; t->slot[i] != 0; i = (i + 1) & (t->n_slots - 1)) {
        const char *known = t->s.value[t->slot[i] - 1];
        if (strncmp(known, scalar, len) == 0 && known[len] == '\0')
            break;
    }
    return i;
}

static void
grow(struct lore_series_table *t)
{
    if (2 * t->s.n_values < t->n_slots)
        return;
    t->n_slots = t->n_slots > 0 ? 4 * t->n_slots : 64;
    t->slot = lore_alloc_array(t->arena, t->n_slots, sizeof *t->slot);
    for (size_t i = 0; i < t->s.n_values; i++)
        t->slot[slot_of(t, t->s.value[i], strlen(t->s.value[i]))] = (uint32_t)i + 1;
}

/* The index + 1 of a value, or where to note it. */
static uint32_t *
find(struct lore_series_table *t, const char *scalar, size_t len)
{
    grow(t);
    return &t->slot[slot_of(t, scalar, len)];
}

static uint32_t
add(struct lore_series_table *t, uint32_t *slot, const char *scalar, size_t len)
{
    *LORE_PUSH(t->arena, t->s.value, t->s.n_values, t->cap) = lore_strndup(t->arena, scalar, len);
    return *slot = (uint32_t)t->s.n_values;
}

void
lore_series_set(struct lore_series_table *t, size_t i, const char *scalar, size_t len)
{
    uint32_t *slot = find(t, scalar, len);

    t->s.at[i] = *slot != 0 ? *slot : add(t, slot, scalar, len);
}

void
lore_series_end(const struct lore_series_table *t, struct lore_series *out)
{
    *out = t->s;
}

/* ---- text ---- */

static const char *
digits(const char *p)
{
    const char *from = p;

    while (lore_is_digit(*p))
        p++;
    return p > from ? p : NULL;
}

/* The end of a JSON number at P; NULL: there is none, or it is too large for a double. */
static const char *
number_end(const char *p)
{
    const char *from = p, *end;

    p += *p == '-';
    end = *p == '0' ? p + 1 : digits(p);
    if (end && *end == '.')
        end = digits(end + 1);
    if (end && (*end == 'e' || *end == 'E')) {
        end++;
        end = digits(end + (*end == '+' || *end == '-'));
    }
    return end && isfinite(lore_decimal_read(from, NULL)) ? end : NULL;
}

/* The end of a JSON string at P; NULL: it does not end. */
static const char *
string_end(const char *p)
{
    for (p++; *p != '"'; p++) {
        if (*p == '\\')
            p++;
        if (*p == '\0')
            return NULL;
    }
    return p + 1;
}

/* The end of the word at P: of a string its quote, of other words a blank. */
static const char *
word_end(const char *p)
{
    const char *end = *p == '"' ? string_end(p) : NULL;

    return end ? end : p + strcspn(p, " ");
}

static bool
is_scalar(const char *word, size_t len, struct lore_arena *arena)
{
    struct lore_json *root;
    struct lore_err ignored;

    if (*word == '"')
        return lore_json_parse(word, len, NULL, arena, &root, &ignored) == LORE_OK &&
               root->type == LORE_J_STRING;
    return (len == 4 && memcmp(word, "true", 4) == 0) ||
           (len == 5 && memcmp(word, "false", 5) == 0) || number_end(word) == word + len;
}

static enum lore_status
read_word(struct lore_series_table *t, size_t i, const char *word, size_t len, struct lore_err *err)
{
    uint32_t *slot;

    if (len == 1 && *word == '-')
        return LORE_OK;
    slot = find(t, word, len);
    if (*slot == 0 && !is_scalar(word, len, t->arena))
        return lore_fail(err, LORE_INVALID,
            "value %zu, %.*s: expected a JSON number, text or boolean, or - for none", i + 1,
            (int)lore_utf8_prefix(word, len < 40 ? len : 40), word);
    t->s.at[i] = *slot != 0 ? *slot : add(t, slot, word, len);
    return LORE_OK;
}

enum lore_status
lore_series_read(const char *text, size_t n, struct lore_arena *arena, struct lore_series *out,
    struct lore_err *err)
{
    struct lore_series_table *t = lore_series_new(arena, n);
    enum lore_status status = LORE_OK;
    size_t i = 0;

    for (const char *p = text + strspn(text, " "); *p != '\0' && status == LORE_OK; i++) {
        const char *end = word_end(p);
        if (i < n)
            status = read_word(t, i, p, (size_t)(end - p), err);
        if (*end != '\0' && *end != ' ')
            return lore_fail(err, LORE_INVALID, "value %zu: expected a blank after it", i + 1);
        p = end + strspn(end, " ");
    }
    if (status == LORE_OK && i != n)
        status = lore_fail(err, LORE_INVALID, "has %zu values for %zu configurations", i, n);
    if (status == LORE_OK)
        *out = t->s;
    return status;
}

void
lore_series_write(struct lore_buf *out, const struct lore_series *s)
{
    for (size_t i = 0; i < s->n; i++) {
        const char *value = lore_series_value(s, i);
        if (i > 0)
            lore_buf_putc(out, ' ');
        lore_buf_puts(out, value ? value : "-");
    }
}

/* ---- packed series ---- */

static bool
is_shortest(const char *text)
{
    char shortest[32];

    if (*text == '"' || *text == 't' || *text == 'f')
        return false;
    lore_f64_text(lore_decimal_read(text, NULL), shortest);
    return strcmp(shortest, text) == 0;
}

static bool
are_numbers(const struct lore_series *s)
{
    for (size_t i = 0; i < s->n_values; i++)
        if (!is_shortest(s->value[i]))
            return false;
    return FEW * s->n_values > s->n;
}

/* Lengths of runs: of configurations without a value, with one, without one … */
static void
pack_presence(struct lore_buf *out, const struct lore_series *s)
{
    bool present = false;
    size_t run = 0;

    for (size_t i = 0; i < s->n; i++, run++) {
        if ((s->at[i] > 0) == present)
            continue;
        lore_pack_u64(out, run);
        present = !present;
        run = 0;
    }
    lore_pack_u64(out, run);
}

static void
pack_numbers(struct lore_buf *out, const struct lore_series *s)
{
    LORE_BUF numbers = {.max = lore_buf_max(out)};
    size_t n = 0;

    pack_presence(out, s);
    for (size_t i = 0; i < s->n; i++) {
        if (s->at[i] == 0)
            continue;
        double v = lore_decimal_read(s->value[s->at[i] - 1], NULL);
        lore_buf_add(&numbers, &v, sizeof v);
        n++;
    }
    lore_pack_f64s(out, (const double *)(const void *)numbers.data, numbers.over ? 0 : n);
    out->over |= numbers.over;
}

void
lore_series_pack(struct lore_buf *out, const struct lore_series *s)
{
    if (are_numbers(s)) {
        lore_buf_putc(out, NUMBERS);
        pack_numbers(out, s);
        return;
    }
    lore_buf_putc(out, DISTINCT);
    lore_pack_u64(out, s->n_values);
    for (size_t i = 0; i < s->n_values; i++)
        lore_pack_text(out, s->value[i]);
    for (size_t i = 0; i < s->n; i++)
        lore_pack_u64(out, s->at[i]);
}

static void
unpack_distinct(struct lore_unpack *u, struct lore_arena *arena, struct lore_series *out)
{
    uint64_t n_values = lore_unpack_u64(u);

    u->bad |= n_values > out->n;
    if (u->bad)
        return;
    out->value = lore_alloc_array(arena, n_values + 1, sizeof *out->value);
    for (out->n_values = 0; out->n_values < n_values && !u->bad; out->n_values++) {
        const char *text = lore_unpack_text(u, arena);
        u->bad |= !text;
        out->value[out->n_values] = text;
    }
    for (size_t i = 0; i < out->n && !u->bad; i++) {
        uint64_t at = lore_unpack_u64(u);
        u->bad |= at > n_values;
        out->at[i] = (uint32_t)at;
    }
}

/* Write 1 for each configuration that has a value. Return how many have one. */
static size_t
unpack_presence(struct lore_unpack *u, size_t n, uint32_t *present)
{
    bool there = false;
    size_t count = 0, i = 0;

    do {
        uint64_t run = lore_unpack_u64(u);
        u->bad |= run > n - i;
        for (uint64_t k = 0; k < run && !u->bad; k++)
            present[i++] = there;
        count += there && !u->bad ? run : 0;
        there = !there;
    } while (i < n && !u->bad);
    return count;
}

static void
unpack_numbers(struct lore_unpack *u, struct lore_arena *arena, struct lore_series *out)
{
    struct lore_series_table *t = lore_series_new(arena, out->n);
    size_t n = unpack_presence(u, out->n, t->s.at);
    double *v = u->bad ? NULL : lore_unpack_f64s(u, n, arena);

    for (size_t i = 0, k = 0; v && i < out->n && !u->bad; i++) {
        char text[32];
        if (t->s.at[i] == 0)
            continue;
        u->bad |= !isfinite(v[k]);
        if (!u->bad)
            lore_series_set(t, i, text, lore_f64_text(v[k++], text));
    }
    lore_series_end(t, out);
}

void
lore_series_unpack(
    struct lore_unpack *u, size_t n, struct lore_arena *arena, struct lore_series *out)
{
    const unsigned char *how = lore_unpack_bytes(u, 1);

    *out = (struct lore_series){.n = n, .at = lore_alloc_array(arena, n + 1, sizeof *out->at)};
    if (!how)
        return;
    u->bad |= *how > NUMBERS;
    if (!u->bad && *how == NUMBERS)
        unpack_numbers(u, arena, out);
    else if (!u->bad)
        unpack_distinct(u, arena, out);
}
