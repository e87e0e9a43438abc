/* Of 15, 16 and 17 significant digits the first that reads back equal, in whole numbers: a double
 * is M * 2^-S, times 10^K it has as many digits before its point as are wanted, and for numbers
 * from 0.0001 to 10^15 that product fits into 128 bits. So rounding is exact, and so is the
 * question whether the text reads back: it does when it lies within half a step of M.
 *
 * Below a power of two steps are half as long, and on the middle between two doubles reading goes
 * to the even one: both are left to printf and strtod, as are numbers out of that range. */
#include "decimal.h"

#include <math.h>
#include <string.h>

#define SMALLEST 1e-4 /* %g writes smaller ones with an exponent */
#define LARGEST 1e15  /* 15 digits cannot write larger ones without */

__extension__ typedef unsigned __int128 wide;

struct decimal {
    uint64_t digits; /* N of them, the first is not 0 */
    int n, point;    /* point: the power of ten of the first digit */
};

size_t
lore_decimal_i64(int64_t v, char out[24])
{
    uint64_t left = v < 0 ? -(uint64_t)v : (uint64_t)v;
    char reversed[20];
    size_t n = 0, at = 0;

    do
        reversed[n++] = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    if (v < 0)
        out[at++] = '-';
    while (n > 0)
        out[at++] = reversed[--n];
    out[at] = '\0';
    return at;
}

static wide
power_of_ten(int n)
{
    wide p = 1;

    for (uint64_t base = 10; n > 0; n /= 2, base *= base)
        if (n % 2 != 0)
            p *= base;
    return p;
}

/* The power of ten of the first digit. No double lies between a power of ten and its constant. */
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

/* M * 2^-S to D->n digits; does that read back as the same number? *SURE says whether the answer
 * was found. */
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

static void
write(const struct decimal *d, bool negative, char out[32])
{
    char digits[24], *to = out;
    int n = (int)lore_decimal_i64((int64_t)d->digits, digits);
    int point = d->point + (n - d->n); /* 9.99… may have become 10.0 */

    while (n > 1 && digits[n - 1] == '0')
        n--;
    if (negative)
        *to++ = '-';
    for (int i = point < 0 ? point : 0; i < n || i <= point; i++) {
        if (i == point + 1 && point >= 0)
            *to++ = '.';
        *to++ = i < 0 || i >= n ? '0' : digits[i];
        if (i == point && point < 0)
            *to++ = '.';
    }
    *to = '\0';
}

bool
lore_decimal_f64(double v, char out[32])
{
    double size = fabs(v);
    uint64_t bits;
    struct decimal d;
    bool sure = true, same = false;

    if (size < LARGEST && v == floor(v) && !(v == 0 && signbit(v))) {
        lore_decimal_i64((int64_t)v, out);
        return true;
    }
    if (!(size >= SMALLEST && size < LARGEST))
        return false;
    memcpy(&bits, &size, sizeof bits);
    d = (struct decimal){.n = 14, .point = first_digit(size)};
    while (sure && !same && d.n++ < 17)
        same = round_to((bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52,
            1075 - (int)(bits >> 52), &d, &sure);
    if (!sure || !same)
        return false;
    write(&d, v < 0, out);
    return true;
}
