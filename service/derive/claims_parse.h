/* A parser for expectations in free text: "Global Load Efficiency ↑ above 80 %, latency ↓ 50-70 %".
 * Text that is not understood is kept as words and claims nothing. Pure functions.
 *
 * Direction: an arrow; up, increases, rises, higher …; down, drops, falls, lower …; same,
 * unchanged, stable …; a sign; "from A to B". For "improves", "better", "faster" and "worse" the
 * catalogue says which direction is better; without an entry they give no direction. Contradicting
 * directions give none.
 *
 * Level: a number after above, below, at least, at most, over, under, < > <= >= ≤ ≥, to or =, or a
 * number alone; times become ns. A number after "to" or "=", or alone, is a target. With a
 * direction it is the end of the range that the metric must reach; otherwise it is the whole range.
 *
 * Change: a percentage or factor ("2x") with a direction or after "by". A single number is the
 * least change. Text in parentheses is used only for a range or direction that the other text
 * lacks. */
#ifndef LORE_DERIVE_CLAIMS_PARSE_H
#define LORE_DERIVE_CLAIMS_PARSE_H

#include "service/base/arena.h"
#include "service/wire/record.h"

enum { LORE_CLAIMS_TOKENS = 96 };

enum lore_claim_range {
    LORE_RANGE_NONE,
    LORE_RANGE_LEVEL, /* low and high in the metric's unit, ns for times */
    LORE_RANGE_CHANGE /* low and high in percent of the value before, positive */
};
struct lore_movement {
    const char *metric;    /* the words that name it; the whole item if there are none */
    const char *direction; /* up | down | same; NULL: none claimed */
    enum lore_claim_range range;
    struct lore_f64 low, high;
    bool percent;   /* the level was written with % */
    bool inclusive; /* at least, at most, <=, >= */
};
/* Parse one item: "latency ↓ 50-70 %". METRIC names the metric for an item that does not, such as
 * "50-70 % lower"; NULL: take it from the item. At most LORE_CLAIMS_TOKENS tokens are read. */
void lore_claims_read(
    const char *item, const char *metric, struct lore_arena *arena, struct lore_movement *out);

#endif
