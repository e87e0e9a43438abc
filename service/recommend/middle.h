/* The middle of many numbers. Private to recommend/. */
#ifndef LORE_RECOMMEND_MIDDLE_H
#define LORE_RECOMMEND_MIDDLE_H

#include <stddef.h>

/* The median of V, N > 0 of them, none NAN; of an even number the mean of the two in the middle. V
 * is put into another order. */
float lore_middle(float *v, size_t n);

#endif
