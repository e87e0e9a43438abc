/* Numbers and texts as bytes: small numbers take one byte. For what is stored as a blob. */
#ifndef LORE_WIRE_PACK_H
#define LORE_WIRE_PACK_H

#include <stdbool.h>
#include <stdint.h>

#include "service/base/arena.h"
#include "service/base/buf.h"

/* Bytes being unpacked. After a fault every read gives 0. */
struct lore_unpack {
    const unsigned char *p, *end;
    bool bad;
};
uint64_t lore_unpack_u64(struct lore_unpack *u); /* a number of lore_pack_u64 */
const unsigned char *lore_unpack_bytes(struct lore_unpack *u, size_t n); /* NULL: fault */
const char *lore_unpack_text(struct lore_unpack *u, struct lore_arena *arena);
void lore_pack_u64(struct lore_buf *out, uint64_t v); /* 7 bits a byte, the lowest first */
void lore_pack_text(struct lore_buf *out, const char *text);
static inline uint64_t
lore_pack_sign(int64_t v) /* small numbers of either sign as small ones */
{
    return (uint64_t)v << 1 ^ (uint64_t)(v >> 63);
}
static inline int64_t
lore_unpack_sign(uint64_t v)
{
    return (int64_t)(v >> 1 ^ (~(v & 1) + 1));
}
/* N doubles, bit by bit, as bytes of equal weight. */
void lore_pack_f64s(struct lore_buf *out, const double *v, size_t n);
double *lore_unpack_f64s(struct lore_unpack *u, size_t n, struct lore_arena *arena);

#endif
