// uses: catalogue
/* Any text as a source of each family: what is found is known, nothing is both there and lacking,
 * and the same text gives the same answer. */
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/source.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void
must(bool true_of_every_input)
{
    if (!true_of_every_input)
        abort();
}

static void
check(const struct lore_source_shown *s)
{
    for (size_t i = 0; i < s->n_has; i++) {
        must(lore_technique_find(s->has[i]) != NULL);
        for (size_t k = 0; k < s->n_lacks; k++)
            must(!lore_streq(s->has[i], s->lacks[k]));
        for (size_t k = 0; k < s->n_moot; k++)
            must(!lore_streq(s->has[i], s->moot[k]));
    }
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static const char *const names[] = {"k.cu", "k.py", "k.ptx", "k"};
    struct lore_arena arena = {0};
    const char *text = lore_strndup(&arena, (const char *)data, size);

    struct lore_source_file files[] = {{names[size % 4], text}, {"other.h", text}};
    struct lore_source_shown shown, again;

    lore_source_read(files, 1 + size % 2, &arena, &shown);
    check(&shown);
    if (size % 8 == 0) {
        lore_source_read(files, 1 + size % 2, &arena, &again);
        must(shown.n_has == again.n_has && shown.n_lacks == again.n_lacks);
    }
    lore_arena_free(&arena);
    return 0;
}
