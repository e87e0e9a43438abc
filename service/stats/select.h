/* Comparison functions for qsort, and order statistics without sorting, for the inner loops of the
 * comparisons. Pure. */
#ifndef LORE_STATS_SELECT_H
#define LORE_STATS_SELECT_H

#include <stddef.h>
#include <stdint.h>

/* For qsort of int64_t, and of double without NaN. */
int lore_select_by_i64(const void *a, const void *b);
int lore_select_by_f64(const void *a, const void *b);
/* Sort V; shorter series than the samples of most runs without a call per comparison. */
void lore_select_sort_i64(int64_t *v, size_t n);
void lore_select_sort_f64(double *v, size_t n); /* without NaN */
/* The value at index K < N of the sorted order of V, which has no NaN. It reorders V: no value
 * before K is larger, and none after K is smaller. */
double lore_select_nth(double *v, size_t n, size_t k);
/* The median of N >= 1 values, the mean of the two middle ones when N is even; V is reordered. */
double lore_select_median(double *v, size_t n);
/* The median of N values, and the values at index K and N - 1 - K of their sorted order, K < N / 2.
 * V is reordered. */
void lore_select_nth_ends(double *v, size_t n, size_t k, double *low, double *middle, double *high);
/* Put X into the N sorted values V, which has room for one more. */
void lore_select_insert_sorted(double *v, size_t n, double x);

#endif
