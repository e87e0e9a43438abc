/* Doubles that should be equal up to EPS (0: exactly). cmocka's own macro goes through float. */
#ifndef LORE_TESTS_UNIT_NEAR_H
#define LORE_TESTS_UNIT_NEAR_H

#include <math.h>

#define assert_near(a, b, eps)                                                                     \
    do {                                                                                           \
        double near_a = (a), near_b = (b);                                                         \
        if (!(fabs(near_a - near_b) <= (eps)))                                                     \
            fail_msg("%s is %.15g, not %.15g", #a, near_a, near_b);                                \
    } while (0)

#endif
