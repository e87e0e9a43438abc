/* Numbers as decimal text, without printf: an answer has hundreds of them. */
#ifndef LORE_BASE_DECIMAL_H
#define LORE_BASE_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

/* Decimal text of V into OUT, with a NUL; its length. */
size_t lore_decimal_i64(int64_t v, char out[24]);
/* What lore_f64_text writes of V, when V is neither very large nor very small; its length. 0, and
 * OUT is not written: it has to be found with printf. */
size_t lore_decimal_f64(double v, char out[32]);

#endif
