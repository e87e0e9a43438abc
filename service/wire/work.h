/* The least work of an operator: operations and bytes, computed from its shape. What the shape
 * does not determine is unknown, never guessed. */
#ifndef LORE_WIRE_WORK_H
#define LORE_WIRE_WORK_H

#include "service/wire/record_base.h"

struct lore_work {
    struct lore_f64 flops; /* multiplications and additions */
    struct lore_f64 bytes; /* each input read once and, unless small, each output written once, all
                              in one data type */
    double sure;           /* share of the operations that every algorithm needs: causal attention
                              needs half of them */
    const char *rule;      /* "2MNK; MK + KN + MN elements": static */
};
/* OP is a canonical name. Returns false and an empty *OUT if the work is unknown. */
bool
lore_work_of(const char *op, const struct lore_kvs *dims, const char *dtype, struct lore_work *out);
/* The dims that the work of OP needs, for a reader: "M, N, K" or "one or more of rows, cols, …".
 * NULL: its work is not known. Static. */
const char *lore_work_dims(const char *op);
/* Bits of an element of DTYPE ("bf16", "e4m3"); 0: the type is not known. */
double lore_work_element_bits(const char *dtype);

#endif
