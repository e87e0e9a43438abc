/* A series: one JSON scalar, or none, for each configuration of a sweep (sweep.h). In a submission
 * it is one text: the values in order, separated by blanks, '-' where there is none:
 *
 *     16 16 32 - 64 true "row major"
 *
 * Packed, it is bytes of a sweep's blob: distinct values and their numbers, or, where most values
 * are different numbers, the numbers by bytes of equal weight. Both keep every value as written. */
#ifndef LORE_WIRE_SERIES_H
#define LORE_WIRE_SERIES_H

#include <stdbool.h>
#include <stdint.h>

#include "service/base/arena.h"
#include "service/wire/pack.h"

#define LORE_SERIES_MAX 1000000u /* configurations of a sweep */

struct lore_series {
    size_t n;
    const char *
        *value; /* JSON scalars as text; in a packed series of numbers one may occur twice */
    size_t n_values;
    uint32_t *at; /* n: index into value + 1; 0: none */
};
/* The value of configuration I; NULL: none. */
static inline const char *
lore_series_value(const struct lore_series *s, size_t i)
{
    return s->at[i] > 0 ? s->value[s->at[i] - 1] : NULL;
}

/* Read TEXT, which must have N values. LORE_INVALID says which value is wrong. */
enum lore_status lore_series_read(const char *text, size_t n, struct lore_arena *arena,
    struct lore_series *out, struct lore_err *err) LORE_MUST;
void lore_series_write(struct lore_buf *out, const struct lore_series *s);
/* Make an empty series of N values in ARENA, and set one of them. */
struct lore_series_table; /* finds equal values */
struct lore_series_table *lore_series_new(struct lore_arena *arena, size_t n);
/* Make it a series of N values, unless it has more; the new ones are none. */
void lore_series_extend(struct lore_series_table *t, size_t n);
void lore_series_set(struct lore_series_table *t, size_t i, const char *scalar, size_t len);
void lore_series_end(const struct lore_series_table *t, struct lore_series *out);

void lore_series_pack(struct lore_buf *out, const struct lore_series *s);
/* Read a series of N values. U is bad afterwards when the bytes are none. */
void lore_series_unpack(
    struct lore_unpack *u, size_t n, struct lore_arena *arena, struct lore_series *out);
#endif
