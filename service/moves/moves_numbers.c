/* The numbers that the model of moves begins with. */
#include "service/moves/moves_numbers.h"

/* Another chip of the same ISA has all but a tenth of what an operator does in common, or of what
 * single configurations do all but three tenths. */
void
lore_moves_numbers_default(struct moves_numbers *out)
{
    *out = (struct moves_numbers){
        .field = {[FIELD_TREND] = 0.2,
            [FIELD_TREND_WIDTH] = 1.5,
            [FIELD_VALUE] = 0.05,
            [FIELD_WIDE] = 0.2,
            [FIELD_WIDE_WIDTH] = 2,
            [FIELD_LOCAL] = 0.05,
            [FIELD_LOCAL_WIDTH] = 0.7,
            [FIELD_SAME] = 0.01,
            [FIELD_NOISE] = 0.001,
            [FIELD_DEEP] = 0.003},
        .kin = {0.4, 0.2, 0.2, 0.1, 0.1, 0.8, 8, 0.2, 0.2, 0.2, 0.1, 0.3, 0.8, 8},
        .odds = {0, 1},
        .tails = {-1.645, 1.645},
        .base = 0.25, /* either way of a change may gain, never both; half of them change little */
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
