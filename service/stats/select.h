/* How numbers are ordered, and order statistics without sorting, for what is looked at many times a
 * comparison. Pure. */
#ifndef LORE_STATS_SELECT_H
#define LORE_STATS_SELECT_H

#include <stddef.h>

/* For qsort of int64_t, and of double without NaN. */
int lore_select_by_i64(const void *a, const void *b);
int lore_select_by_f64(const void *a, const void *b);
/* The value that stands at index K < N once V is sorted; V, without NaN, is reordered so that
 * nothing before K is larger and nothing behind it smaller. */
double lore_select_nth(double *v, size_t n, size_t k);
/* The median of N >= 1 values, the mean of the two middle ones when N is even; V is reordered. */
double lore_select_median(double *v, size_t n);
/* The middle of N values and those at index K and N - 1 - K, K < N / 2 (they may be the middle); V
 * is reordered. */
void lore_select_nth_ends(double *v, size_t n, size_t k, double *low, double *middle, double *high);
/* Put X into the N sorted values V, which has room for one more. */
void lore_select_insert_sorted(double *v, size_t n, double x);

#endif
