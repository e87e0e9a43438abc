/* The value of a number of JSON: exact for integers that fit, correctly rounded for all others. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/json.h"
#include "service/base/text.h"

/* Parse the common case, a number without exponent in at most 18 characters. *DIGITS is the integer
 * of all its digits, *AFTER the number of digits after the point. */
static bool
plain_number(const char *s, size_t n, int64_t *digits, size_t *after)
{
    size_t i = s[0] == '-', point = n;
    int64_t v = 0;

    if (n - i > 18)
        return false;
    for (; i < n; i++) {
        if (s[i] >= '0' && s[i] <= '9')
            v = v * 10 + (s[i] - '0');
        else if (s[i] == '.')
            point = i + 1;
        else
            return false;
    }
    *digits = s[0] == '-' ? -v : v;
    *after = n - point;
    return true;
}

/* DIGITS / 10^AFTER, when both operands are exact doubles: the division then rounds once, as strtod
 * does. It refuses 0, because the integer has lost the sign of -0. */
static bool
quick_double(int64_t digits, size_t after, double *out)
{
    static const double tens[] = {
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const int64_t exact = (int64_t)1 << 53;

    if (digits == 0 || digits > exact || digits < -exact || after >= sizeof tens / sizeof tens[0])
        return false;
    *out = (double)digits / tens[after];
    return true;
}

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

bool
lore_json_number(const char *text, struct lore_json *node)
{
    size_t after = 0;
    long long big;
    int64_t i = 0;
    bool plain = plain_number(text, strlen(text), &i, &after), is_int = plain && after == 0;
    double f;

    if (!plain || !quick_double(i, after, &f)) {
        f = strtod(text, NULL);
        if (!isfinite(f) || !exponent_is_sane(text))
            return false;
    }
    if (!plain && strpbrk(text, ".eE") == NULL && lore_parse_i64(text, "", &big, NULL) == LORE_OK) {
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
