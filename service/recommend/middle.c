/* The median by narrowing down: what is below a pivot goes to the front, by turns of exchanges that
 * are made whether they are needed or not, since which of the two it is nobody can guess. */
#include "service/recommend/middle.h"

/* The one in the middle of three that are spread over V. */
static float
pivot_of(const float *v, size_t n)
{
    float a = v[0], b = v[n / 2], c = v[n - 1], low = a < b ? a : b, high = a < b ? b : a;

    return c < low ? low : c > high ? high : c;
}

/* What is below PIVOT, or, if UP_TO, not above it, to the front: how many there are. */
static size_t
sweep(float *v, size_t n, float pivot, int up_to)
{
    size_t front = 0;

    for (size_t i = 0; i < n; i++) {
        float x = v[i];
        v[i] = v[front];
        v[front] = x;
        front += (x < pivot) | (up_to & (x == pivot));
    }
    return front;
}

/* The K-th smallest, none before it is larger. */
static float
nth(float *v, size_t n, size_t k)
{
    while (n > 1) {
        float pivot = pivot_of(v, n);
        size_t below = sweep(v, n, pivot, 0);
        if (k < below) {
            n = below;
            continue;
        }
        v += below, n -= below, k -= below;
        size_t equal = sweep(v, n, pivot, 1);
        if (k < equal)
            return pivot;
        v += equal, n -= equal, k -= equal;
    }
    return v[0];
}

float
lore_middle(float *v, size_t n)
{
    float upper = nth(v, n, n / 2), lower = v[0];

    if (n % 2 == 1)
        return upper;
    for (size_t i = 1; i < n / 2; i++)
        lower = v[i] > lower ? v[i] : lower;
    return (upper + lower) / 2;
}
