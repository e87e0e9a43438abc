/* The test for well-formed UTF-8, eight bytes at a time where all are ASCII. */
#include "service/base/utf8.h"

#include <stdint.h>
#include <string.h>

/* Bytes of the well-formed sequence at S (Unicode table 3-7), 0 when it is not one. */
static size_t
sequence(const unsigned char *s, size_t n)
{
    unsigned char low = 0x80, high = 0xbf;
    size_t len, i;

    if (s[0] < 0x80)
        return 1;
    if (s[0] < 0xc2 || s[0] > 0xf4)
        return 0;
    len = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    if (n < len)
        return 0;
    if (s[0] == 0xe0)
        low = 0xa0; /* overlong encodings */
    else if (s[0] == 0xed)
        high = 0x9f; /* surrogates */
    else if (s[0] == 0xf0)
        low = 0x90;
    else if (s[0] == 0xf4)
        high = 0x8f; /* past U+10FFFF */
    if (s[1] < low || s[1] > high)
        return 0;
    for (i = 2; i < len; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    return len;
}

size_t
lore_utf8_prefix(const char *s, size_t n)
{
    const unsigned char *p = (const unsigned char *)s;
    size_t i = 0;

    while (i < n) {
        uint64_t word;
        if (n - i >= sizeof word) {
            memcpy(&word, p + i, sizeof word);
            if ((word & 0x8080808080808080u) == 0) {
                i += sizeof word;
                continue;
            }
        }
        size_t len = sequence(p + i, n - i);
        if (len == 0)
            break;
        i += len;
    }
    return i;
}

bool
lore_utf8_valid(const char *s, size_t n)
{
    return lore_utf8_prefix(s, n) == n;
}
