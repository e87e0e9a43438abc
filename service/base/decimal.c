/* Finds the first of 15, 16 and 17 significant digits that reads back as the same double, in
 * integer arithmetic. A double is M * 2^-S. Multiplied by 10^K, it has the wanted number of digits
 * before the decimal point. For values from 0.0001 to 10^15 that product fits into 128 bits, so
 * rounding is exact. The digits read back as the same double when they lie within half a unit in
 * the last place of M.
 *
 * printf and strtod handle values outside that range and two special cases. One is a power of two,
 * because the doubles below it lie twice as close. The other is a text halfway between two doubles,
 * where strtod rounds to even. */
#include "service/base/decimal.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define SMALLEST 1e-4 /* %g writes smaller ones with an exponent */
#define LARGEST 1e15  /* 15 digits cannot write larger ones without an exponent */

__extension__ typedef unsigned __int128 wide;

struct decimal {
    uint64_t digits; /* N of them, the first is not 0 */
    int n, point;    /* point: the power of ten of the first digit */
};

static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                            "25262728293031323334353637383940414243444546474849"
                            "50515253545556575859606162636465666768697071727374"
                            "75767778798081828384858687888990919293949596979899";

/* Write the digits of V so that they end before END. Returns their start. */
static char *
write_digits(uint64_t v, char *end)
{
    for (; v >= 100; v /= 100)
        memcpy(end -= 2, pairs + v % 100 * 2, 2);
    if (v >= 10)
        return memcpy(end - 2, pairs + v * 2, 2);
    *--end = (char)('0' + v);
    return end;
}

size_t
lore_decimal_i64(int64_t v, char out[24])
{
    char digits[20], *end = digits + sizeof digits;
    char *first = write_digits(v < 0 ? -(uint64_t)v : (uint64_t)v, end);
    size_t n = (size_t)(end - first);

    if (v < 0)
        *out++ = '-';
    memcpy(out, first, n);
    out[n] = '\0';
    return n + (v < 0);
}

static wide
power_of_ten(int n)
{
    static const uint64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000,
        1000000000, UINT64_C(10000000000), UINT64_C(100000000000), UINT64_C(1000000000000),
        UINT64_C(10000000000000), UINT64_C(100000000000000), UINT64_C(1000000000000000),
        UINT64_C(10000000000000000), UINT64_C(100000000000000000), UINT64_C(1000000000000000000),
        UINT64_C(10000000000000000000)};
    const int most = sizeof powers / sizeof *powers - 1; /* 0.0001 with 17 digits needs 10^20 */

    return n <= most ? powers[n] : (wide)powers[most] * powers[n - most];
}

/* The power of ten of the first digit. Each constant is the double nearest to its power of ten, so
 * the comparison is exact. */
static int
first_digit(double v)
{
    static const double powers[] = {1e-4, 1e-3, 1e-2, 1e-1, 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7,
        1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14};
    int n = sizeof powers / sizeof *powers;

    while (v < powers[--n])
        ;
    return n - 4;
}

/* Round M * 2^-S to D->n digits. Returns whether they read back as the same double. *SURE is false
 * when this arithmetic cannot tell. */
static bool
round_to(uint64_t m, int s, struct decimal *d, bool *sure)
{
    wide scale = power_of_ten(d->n - 1 - d->point), exact = m * scale;
    wide half = (wide)1 << (s - 1), rest = exact & ((half << 1) - 1), off;

    d->digits = (uint64_t)(exact >> s);
    if (rest > half || (rest == half && d->digits % 2 != 0))
        d->digits++;
    off = (wide)d->digits << s;
    off = 2 * (off > exact ? off - exact : exact - off);
    *sure = off != scale && (off == 0 || m != UINT64_C(1) << 52);
    return off < scale;
}

/* Write N digits with the decimal point after WHOLE of them, padded with zeros. */
static char *
put_digits(char *to, const char *digits, int n, int whole)
{
    if (whole <= 0) {
        memcpy(to, "0.0000", 6); /* no number is smaller than 0.0001 */
        memcpy(to + 2 - whole, digits, (size_t)n);
        return to + 2 - whole + n;
    }
    if (n <= whole) {
        memcpy(to, digits, (size_t)n);
        memset(to + n, '0', (size_t)(whole - n));
        return to + whole;
    }
    memcpy(to, digits, (size_t)whole);
    to[whole] = '.';
    memcpy(to + whole + 1, digits + whole, (size_t)(n - whole));
    return to + n + 1;
}

static size_t
write(const struct decimal *d, bool negative, char out[32])
{
    char text[20], *end = text + sizeof text, *digits = write_digits(d->digits, end), *to = out;
    int n = (int)(end - digits);
    int point = d->point + (n - d->n); /* 9.99… may have become 10.0 */

    while (n > 1 && digits[n - 1] == '0')
        n--;
    if (negative)
        *to++ = '-';
    to = put_digits(to, digits, n, point + 1);
    *to = '\0';
    return (size_t)(to - out);
}

size_t
lore_decimal_f64(double v, char out[32])
{
    double size = fabs(v);
    uint64_t bits;
    struct decimal d;
    bool sure = true, same = false;

    if (size < LARGEST && v == floor(v) && !(v == 0 && signbit(v)))
        return lore_decimal_i64((int64_t)v, out);
    if (!(size >= SMALLEST && size < LARGEST))
        return 0;
    memcpy(&bits, &size, sizeof bits);
    d = (struct decimal){.n = 14, .point = first_digit(size)};
    while (sure && !same && d.n++ < 17)
        same = round_to((bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52,
            1075 - (int)(bits >> 52), &d, &sure);
    return sure && same ? write(&d, v < 0, out) : 0;
}

/* ---- reading ---- */

/* DIGITS / 10^AFTER, rounded as strtod rounds. Both operands are exact in the wider type, so the
 * quotient is rounded once to its 64 bits; rounding it once more to the 53 of a double is right
 * unless the 64 bits lie exactly between two doubles. */
static bool
divide(uint64_t digits, size_t after, double *out)
{
#if LDBL_MANT_DIG == 64
    static const long double tens[] = {1e0L, 1e1L, 1e2L, 1e3L, 1e4L, 1e5L, 1e6L, 1e7L, 1e8L, 1e9L,
        1e10L, 1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L, 1e21L, 1e22L,
        1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
    const uint64_t below = ((uint64_t)1 << (64 - DBL_MANT_DIG)) - 1;
    uint64_t bits;

    if (after >= sizeof tens / sizeof tens[0])
        return false;
    long double q = (long double)digits / tens[after];
    memcpy(&bits, &q, sizeof bits); /* the fraction comes first */
    *out = (double)q;
    return (bits & below) != (below + 1) / 2;
#else
    static const double tens[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

    if (digits > (uint64_t)1 << DBL_MANT_DIG || after >= sizeof tens / sizeof tens[0])
        return false;
    *out = (double)digits / tens[after];
    return true;
#endif
}

/* Add the digits at P to *V; return what follows. */
static const char *
take_digits(const char *p, uint64_t *v)
{
    for (unsigned d; (d = (unsigned)*p - '0') < 10; p++)
        *v = 10 * *v + d;
    return p;
}

double
lore_decimal_read(const char *s, char **end)
{
    const char *first = s + (*s == '-'), *significant = first + (*first == '0');
    uint64_t digits = 0;
    size_t after = 0;
    double v;

    const char *p = take_digits(first, &digits);
    bool plain = p > first && p - significant <= 19;
    if (plain && *p == '.') {
        const char *fraction = p + 1;
        p = take_digits(fraction, &digits);
        after = (size_t)(p - fraction);
        plain = after > 0 && p - significant <= 20; /* with the point */
    }
    if (!plain || (*p | 0x20) == 'e' || (*p | 0x20) == 'x' || digits == 0 ||
        !divide(digits, after, &v))
        return strtod(s, end);
    if (end)
        *end = (char *)p;
    return *s == '-' ? -v : v;
}
