/* The value of a number of JSON: exact for integers that fit, correctly rounded for all others. */
#include <math.h>
#include <string.h>

#include "service/base/decimal.h"
#include "service/base/json.h"
#include "service/base/text.h"

/* Whether the exponent has at most nine digits. No double needs more, and json_digest.c relies on
 * it. */
static bool
exponent_is_sane(const char *s)
{
    const char *e = s + strcspn(s, "eE");

    if (*e == '\0')
        return true;
    e += 1 + (e[1] == '+' || e[1] == '-');
    e += strspn(e, "0");
    return strlen(e) <= 9;
}

bool
lore_json_is_number(const char *s, size_t n)
{
    size_t i = n > 0 && s[0] == '-', first = i;

    while (i < n && lore_is_digit(s[i]))
        i++;
    if (i == first || (s[first] == '0' && i > first + 1))
        return false;
    if (i < n && s[i] == '.') {
        first = ++i;
        while (i < n && lore_is_digit(s[i]))
            i++;
        if (i == first)
            return false;
    }
    if (i < n && (s[i] == 'e' || s[i] == 'E')) {
        i += 1 + (i + 1 < n && (s[i + 1] == '+' || s[i + 1] == '-'));
        first = i;
        while (i < n && lore_is_digit(s[i]))
            i++;
        if (i == first)
            return false;
    }
    return i == n;
}

/* The integer that the N characters at S are; false: they have a point or an exponent, or more than
 * 18 digits. */
static bool
short_integer(const char *s, size_t n, int64_t *out)
{
    size_t i = s[0] == '-';
    int64_t v = 0;

    if (n - i > 18)
        return false;
    for (; i < n && lore_is_digit(s[i]); i++)
        v = v * 10 + (s[i] - '0');
    *out = s[0] == '-' ? -v : v;
    return i == n;
}

bool
lore_json_number(const char *text, size_t n, struct lore_json *node)
{
    long long big;
    int64_t i = 0;
    bool is_int = short_integer(text, n, &i);
    double f = (double)i; /* an integer is rounded once, as strtod does */

    if (!is_int || (i == 0 && text[0] == '-')) {
        f = lore_decimal_read(text, NULL);
        if (!isfinite(f) || !exponent_is_sane(text))
            return false;
    }
    if (!is_int && n > 18 && strpbrk(text, ".eE") == NULL &&
        lore_parse_i64(text, "", &big, NULL) == LORE_OK) {
        is_int = true;
        i = big;
    }
    node->type = LORE_J_NUMBER;
    node->str = text;
    node->is_int = is_int;
    node->i = is_int ? i : 0;
    node->f = f;
    return true;
}
