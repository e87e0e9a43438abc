/* A set is compared as the text of its sorted members; a newline cannot be part of a slug. */
#include "service/derive/techset.h"

#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"

const char *
lore_techset_key(struct lore_arena *arena, const char *const *techniques, size_t n)
{
    const char **v = lore_alloc_array(arena, n, sizeof *v);
    size_t kept = 0, size = 1;

    for (size_t i = 0; i < n; i++) {
        if (techniques[i] && *techniques[i]) {
            v[kept++] = techniques[i];
            size += strlen(techniques[i]) + 1;
        }
    }
    qsort(v, kept, sizeof *v, lore_by_text);
    char *key = lore_alloc(arena, size), *end = key;
    for (size_t i = 0; i < kept; i++) {
        size_t len = strlen(v[i]);
        if (i > 0 && strcmp(v[i - 1], v[i]) == 0)
            continue;
        if (end > key)
            *end++ = '\n';
        memcpy(end, v[i], len);
        end += len;
    }
    return key;
}
