/* The numbers that the model of moves begins with. */
#include "service/moves/moves_numbers.h"

/* Chips: another chip of the same kind loses a third, of another vendor most; a workload of the
 * same chip is as near as a chip of the same kind. The stack believes the vote of the sources, and
 * intervals are those of a normal law with its predictive deviation. */
void
lore_moves_numbers_default(struct moves_numbers *out)
{
    *out = (struct moves_numbers){
        .width = 0.2,
        .gamma = 1,
        .nu = 0.05,
        .own = 0.3,
        .fact = {-1.2, 0.9, 0.3, 0.2, 0.2, 0.2, -1.5, 0.2},
        .fact_df = 4,
        .stack = {0, 0.2, 0.5, 0.3},
        .mean = {0, 1},
        .low = {-1.645, -1.645, -1.645},
        .high = {1.645, 1.645, 1.645},
        .cut = {1e9, 1e9}, /* one third holds everything */
        .base = 0.2,
        .start = {[START_LACK] = 0.1,
            [START_SHIFT] = 0.1,
            [START_WORLDS] = 1,
            [START_SLOPE] = 0.1,
            [START_TREND] = 0.01,
            [START_LOCAL] = 0.1,
            [START_WIDTH] = 2,
            [START_NOISE] = 0.01,
            [START_DEEP] = 0.1,
            [START_BELIEF] = 1},
        .blank = {[START_LACK] = 0.7,
            [START_SHIFT] = 0.05,
            [START_TREND] = 0.05,
            [START_LOCAL] = 0.3,
            [START_WIDTH] = 2,
            [START_NOISE] = 0.05},
        .start_alike = 0.9,
    };
}
