/* How far a target is reached. */
#ifndef LORE_DERIVE_TARGET_H
#define LORE_DERIVE_TARGET_H

#include "service/wire/wire.h"

struct lore_progress {
    struct lore_f64 progress; /* 0..1; unset: not known */
    const char *met;          /* yes | no | unknown */
    bool stated;              /* as the record says; else computed from CURRENT */
};
/* Of T with CURRENT in its unit. Without a value, a current value or a direction nothing is known
 * but what the record states. There is no record of where it began, so progress is the share of the
 * value that is reached: current / value when up is good, value / current when down is; unset for
 * numbers that are not above 0, and when what is stated says otherwise. */
struct lore_progress lore_target_progress(const struct lore_target *t, struct lore_f64 current);

#endif
