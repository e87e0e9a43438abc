/* Checks for well-formed UTF-8. */
#ifndef LORE_BASE_UTF8_H
#define LORE_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes at the start of S that are well-formed UTF-8: N when all are. U+0000 is well-formed. */
size_t lore_utf8_prefix(const char *s, size_t n);
bool lore_utf8_valid(const char *s, size_t n);

#endif
