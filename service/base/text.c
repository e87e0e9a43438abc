/* Text helpers: comparing, slugs, did-you-mean, numbers in and out. Case folding
 * and number syntax are ASCII and the C locale's; no program here calls setlocale. */
#include "service/base/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/decimal.h"

enum { NEAR_MAX = 64 }; /* longest name lore_nearest considers */

static char
lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool
lore_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool
lore_is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || lore_is_digit(c) || c == '_';
}

int
lore_strorder(const char *a, const char *b)
{
    if (!a || !b)
        return (a != NULL) - (b != NULL);
    return strcmp(a, b);
}

int
lore_by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool
lore_choice(const char *choices, const char *value)
{
    size_t n = strlen(value);

    for (const char *c = choices; c != NULL && *c != '\0';) {
        size_t len = strcspn(c, "|");
        if (len == n && memcmp(c, value, n) == 0)
            return true;
        c += len + (c[len] == '|');
    }
    return false;
}

bool
lore_streq(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

bool
lore_streqi(const char *a, const char *b)
{
    if (!a || !b)
        return a == b;
    for (; *a != '\0' && lower(*a) == lower(*b); a++)
        b++;
    return *a == '\0' && *b == '\0';
}

bool
lore_starts(const char *s, const char *prefix)
{
    return s && prefix && strncmp(s, prefix, strlen(prefix)) == 0;
}

char *
lore_slug(struct lore_arena *a, const char *s)
{
    char *out, *to;

    if (!s)
        return NULL;
    out = to = lore_alloc(a, strlen(s) + 1);
    for (; *s != '\0'; s++) {
        char c = lower(*s);

        if ((c >= 'a' && c <= 'z') || lore_is_digit(c) || c == '.')
            *to++ = c;
        else if (to > out && to[-1] != '_')
            *to++ = '_';
    }
    if (to > out && to[-1] == '_')
        to--;
    *to = '\0';
    return out;
}

static unsigned
least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* The optimal string alignment distance of A and B: a swap of neighbours counts as one edit. Both
 * are at most NEAR_MAX long. */
static unsigned
edit_distance(const char *a, size_t na, const char *b, size_t nb)
{
    unsigned rows[3][NEAR_MAX + 1];
    unsigned *before = rows[0], *prev = rows[1], *cur = rows[2], *spare;
    size_t i, j;

    for (j = 0; j <= nb; j++)
        prev[j] = (unsigned)j;
    for (i = 1; i <= na; i++) {
        cur[0] = (unsigned)i;
        for (j = 1; j <= nb; j++) {
            unsigned differ = lower(a[i - 1]) != lower(b[j - 1]);

            cur[j] = least(least(prev[j], cur[j - 1]) + 1, prev[j - 1] + differ);
            if (i > 1 && j > 1 && differ && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]))
                cur[j] = least(cur[j], before[j - 2] + 1);
        }
        spare = before;
        before = prev;
        prev = cur;
        cur = spare;
    }
    return prev[nb];
}

static unsigned
edits_between(const char *a, const char *b)
{
    size_t na = strlen(a), nb = strlen(b);

    return na > NEAR_MAX || nb > NEAR_MAX ? NEAR_MAX : edit_distance(a, na, b, nb);
}

bool
lore_misspells(struct lore_arena *arena, const char *name, const char *known)
{
    enum { MOST = 2, LETTERS = 4 }; /* edits in all, and letters for each */
    static const char digits[] = "0123456789";
    size_t start = 0, end = 0, n = strlen(name), m = strlen(known);

    for (size_t i = 0; i < n && i < m && lower(name[i]) == lower(known[i]); i++)
        start = name[i] == '_' ? i + 1 : start;
    for (size_t i = 1; i + start <= n && i + start <= m && name[n - i] == known[m - i]; i++)
        end = name[n - i] == '_' ? i : end;
    const char *a = lore_strndup(arena, name + start, n - start - end),
               *b = lore_strndup(arena, known + start, m - start - end);
    unsigned edits = edits_between(a, b);
    a += strspn(a, digits);
    b += strspn(b, digits);
    while (*a && lower(*a) == lower(*b)) {
        a += 1 + strspn(a + 1, digits);
        b += 1 + strspn(b + 1, digits);
    }
    return edits <= MOST && edits * LETTERS <= n - start - end && (*a || *b);
}

int
lore_nearest(const char *s, const char *const *names, size_t n)
{
    size_t len = s != NULL ? strlen(s) : 0, i;
    unsigned best = (unsigned)(len / 3) + 1, d;
    int found = -1;

    if (len == 0 || len > NEAR_MAX)
        return -1;
    for (i = 0; i < n; i++) {
        size_t other = names[i] != NULL ? strlen(names[i]) : NEAR_MAX + 1;

        if (other > NEAR_MAX)
            continue;
        d = edit_distance(s, len, names[i], other);
        if (d < best) {
            best = d;
            found = (int)i;
        }
    }
    return found;
}

size_t
lore_f64_text(double v, char out[32])
{
    size_t n = lore_decimal_f64(v, out);

    /* A normal double preserves 15 digits, so fewer digits cannot be shorter than %.15g. A
     * subnormal number may need only a few. */
    int digits = fabs(v) < 2.2250738585072014e-308 ? 1 : 15;

    if (n > 0)
        return n;
    if (v == 0) /* -0 */
        return (size_t)snprintf(out, 32, "%.0f", v);
    for (; digits <= 17; digits++) {
        n = (size_t)snprintf(out, 32, "%.*g", digits, v);
        if (strtod(out, NULL) == v)
            break;
    }
    return n;
}

static enum lore_status
bad_number(struct lore_err *err, const char *what, const char *expected, const char *s)
{
    return lore_fail_at(err, LORE_INVALID, "invalid_number", what, "%s: expected %s, got \"%.60s\"",
        what, expected, s != NULL ? s : "");
}

enum lore_status
lore_parse_i64(const char *s, const char *what, long long *out, struct lore_err *err)
{
    const char *digits = s != NULL && *s == '-' ? s + 1 : s;
    long long value;
    char *end;

    if (!digits || !lore_is_digit(*digits))
        return bad_number(err, what, "an integer", s);
    errno = 0;
    value = strtoll(s, &end, 10);
    if (*end != '\0')
        return bad_number(err, what, "an integer", s);
    if (errno == ERANGE)
        return bad_number(err, what, "an integer of 64 bits", s);
    *out = value;
    return LORE_OK;
}

enum lore_status
lore_parse_f64(const char *s, const char *what, double *out, struct lore_err *err)
{
    double value;
    char *end;

    /* strtod also takes blanks, hexadecimal, nan and infinity */
    if (!s || *s == '\0' || *s == '+' || s[strspn(s, "0123456789+-.eE")] != '\0')
        return bad_number(err, what, "a number", s);
    value = strtod(s, &end);
    if (end == s || *end != '\0')
        return bad_number(err, what, "a number", s);
    if (!isfinite(value))
        return bad_number(err, what, "a number within the range of a double", s);
    *out = value;
    return LORE_OK;
}

bool
lore_text_lists(const char *list, const char *word, size_t len)
{
    for (const char *end; list && *list != '\0'; list = end + (*end == ',')) {
        end = strchrnul(list, ',');
        if ((size_t)(end - list) == len && memcmp(list, word, len) == 0)
            return true;
    }
    return false;
}
