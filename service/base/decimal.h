/* Numbers as decimal text, faster than printf: an answer has hundreds of numbers. */
#ifndef LORE_BASE_DECIMAL_H
#define LORE_BASE_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

/* Write V as decimal text with a NUL into OUT. Returns its length. */
size_t lore_decimal_i64(int64_t v, char out[24]);
/* Write the text of lore_f64_text for V into OUT and return its length. Returns 0 without a text
 * when V needs printf, for example because it is very large or very small. */
size_t lore_decimal_f64(double v, char out[32]);
/* The same as strtod in the C locale, faster for plain numbers of up to 19 digits. *END is set
 * behind the number; END may be NULL. */
double lore_decimal_read(const char *s, char **end);

#endif
