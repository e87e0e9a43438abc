/* The progress towards a target. */
#ifndef LORE_DERIVE_TARGET_H
#define LORE_DERIVE_TARGET_H

#include "service/wire/wire.h"

struct lore_progress {
    struct lore_f64 progress; /* 0..1; unset: not known */
    const char *met;          /* yes | no | unknown */
    bool stated;              /* `met` is from the record; false: computed from CURRENT */
};
/* The progress of T, with CURRENT in its unit. Without a target value, a current value or a
 * direction, only the stated result is returned. The start value is not recorded, so progress is
 * the reached share of the target: current / value if up is good, value / current if down is. It is
 * 1 if the target is met. Else it is unset if a number is not above 0. It is also unset if the
 * stated result contradicts the numbers. */
struct lore_progress lore_target_progress(const struct lore_target *t, struct lore_f64 current);

#endif
