/* What people write about what they expect: "Global Load Efficiency ↑ above 80 %, latency ↓ 50-70
 * %". Tolerant: what is not understood keeps its words, and claims nothing. Pure.
 *
 * Direction: an arrow; up, increases, rises, higher …; down, drops, falls, lower …; same,
 * unchanged, stable …; a sign; "from A to B". "Improves", "better", "faster", "worse" go by the
 * catalogue's idea of better, and say nothing about a metric without one. Both ways say nothing.
 * Level: above, below, at least, at most, over, under, < > <= >= ≤ ≥, to, =, or a number with a
 * unit of time; times become ns. A target with a direction is the end of the range that must be
 * reached. Change: a percentage after a direction or "by", or a factor ("2x"); one number alone is
 * the least it should be. Parentheses are read for a range, or a direction, that the rest does not
 * give. */
#ifndef LORE_DERIVE_CLAIMS_PARSE_H
#define LORE_DERIVE_CLAIMS_PARSE_H

#include "service/base/arena.h"
#include "service/wire/record.h"

enum { LORE_CLAIMS_TOKENS = 96 };

enum lore_claim_range {
    LORE_RANGE_NONE,
    LORE_RANGE_LEVEL, /* low and high in the metric's unit, ns for times */
    LORE_RANGE_CHANGE /* low and high in percent of before, as a positive number */
};
struct lore_movement {
    const char *metric;    /* the words that name it; the whole item when none do */
    const char *direction; /* up | down | same; NULL: none claimed */
    enum lore_claim_range range;
    struct lore_f64 low, high;
    bool percent;   /* the level was written with % */
    bool inclusive; /* at least, at most, <=, >= */
};
/* One item: "latency ↓ 50-70 %". METRIC (NULL: read from the item) says what it is about when the
 * item does not: "50-70 % lower". At most LORE_CLAIMS_TOKENS words and signs are read. */
void lore_claims_read(
    const char *item, const char *metric, struct lore_arena *arena, struct lore_movement *out);

#endif
