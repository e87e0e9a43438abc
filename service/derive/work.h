/* What an operator must do at least: operations and bytes, from its shape. Only for operators where
 * both follow from the shape without doubt; anything else is unknown, never guessed. */
#ifndef LORE_DERIVE_WORK_H
#define LORE_DERIVE_WORK_H

#include "service/wire/record_base.h"

struct lore_work {
    struct lore_f64 flops; /* multiplications and additions */
    struct lore_f64 bytes; /* every input read once, every output written once, in one type */
    const char *rule;      /* "gemm: 2MNK; (MK + KN + MN) elements": static */
};
/* OP: canonical. False, and *OUT empty, when nothing is known of it. */
bool
lore_work_of(const char *op, const struct lore_kvs *dims, const char *dtype, struct lore_work *out);

#endif
