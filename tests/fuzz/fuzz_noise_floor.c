// uses: run
/* The file of noise floors, which people may edit: any bytes give floors that can be used, or an
 * error. And any text as the words of a command. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/run/command_words.h"
#include "collectors/run/noise_floor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lore_arena arena = {0};
    struct lore_floors all = {0};
    struct lore_err err = {0};
    char *const *words = NULL;
    const char *text = lore_strndup(&arena, (const char *)data, size);

    if (lore_floors_parse((const char *)data, size, &arena, &all, &err) == LORE_OK) {
        for (size_t i = 0; i < all.n; i++) {
            const struct lore_floor *f = &all.v[i];
            if (!(f->floor > 0 && f->floor < 1) || !f->device || !f->chip || !f->duration)
                abort();
        }
        (void)lore_floors_find(&all, "GPU-1", "h200", 5e4);
    }
    if (lore_command_words(text, NULL, 0, &arena, &words, &err) == LORE_OK && !*words[0])
        abort();
    lore_arena_free(&arena);
    return 0;
}
