/* Hoare's selection with the median of three as pivot: 2 n to 3 n comparisons where sorting takes n
 * log n, and no calls per comparison. Short ranges are sorted by insertion. An adversarial order
 * would take n^2 / 4 comparisons, so a range that remains after ROUNDS rounds is sorted. */
#include "service/stats/select.h"

#include <stdlib.h>

enum { SHORT = 12, ROUNDS = 48, INSERTED = 64 };

int
lore_select_by_i64(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int
lore_select_by_f64(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void
lore_select_insert_sorted(double *v, size_t n, double x)
{
    while (n > 0 && v[n - 1] > x) {
        v[n] = v[n - 1];
        n--;
    }
    v[n] = x;
}

void
lore_select_sort_i64(int64_t *v, size_t n)
{
    if (n > INSERTED) {
        qsort(v, n, sizeof *v, lore_select_by_i64);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        int64_t x = v[i];
        size_t at = i;

        for (; at > 0 && v[at - 1] > x; at--)
            v[at] = v[at - 1];
        v[at] = x;
    }
}

void
lore_select_sort_f64(double *v, size_t n)
{
    if (n > INSERTED) {
        qsort(v, n, sizeof *v, lore_select_by_f64);
        return;
    }
    for (size_t i = 1; i < n; i++)
        lore_select_insert_sorted(v, i, v[i]);
}

static double
middle_of_three(double a, double b, double c)
{
    double low = a < b ? a : b, high = a < b ? b : a;

    return c < low ? low : c > high ? high : c;
}

double
lore_select_nth(double *v, size_t n, size_t k)
{
    size_t from = 0, to = n; /* the index lies within [from, to) */

    for (unsigned round = 0; to - from > SHORT; round++) {
        if (round == ROUNDS) {
            qsort(v + from, to - from, sizeof *v, lore_select_by_f64);
            return v[k];
        }
        double pivot = middle_of_three(v[from], v[from + (to - from) / 2], v[to - 1]);
        size_t i = from, j = to - 1;
        for (;;) { /* the pivot is among the values, so both walks stop within the range */
            while (v[i] < pivot)
                i++;
            while (pivot < v[j])
                j--;
            if (i >= j)
                break;
            double t = v[i];
            v[i++] = v[j];
            v[j--] = t;
        }
        size_t right = i == j ? i + 1 : i; /* v[from..i) <= pivot <= v[right..to) */
        if (k < i)
            to = i;
        else if (k >= right)
            from = right;
        else
            return v[k];
    }
    for (size_t i = from + 1; i < to; i++)
        lore_select_insert_sorted(v + from, i - from, v[i]);
    return v[k];
}

double
lore_select_median(double *v, size_t n)
{
    double upper = lore_select_nth(v, n, n / 2), lower;

    if (n % 2 == 1)
        return upper;
    lower = v[0];
    for (size_t i = 1; i < n / 2; i++)
        lower = v[i] > lower ? v[i] : lower;
    return lower + 0.5 * (upper - lower);
}

void
lore_select_nth_ends(double *v, size_t n, size_t k, double *low, double *middle, double *high)
{
    size_t rest = n - 2 * k; /* values without the K smallest and the K largest; at least 1 */

    *low = lore_select_nth(v, n, k);
    *high = lore_select_nth(v + k, n - k, rest - 1);
    *middle = lore_select_median(v + k, rest);
}
