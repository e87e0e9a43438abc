// uses: catalogue
/* Any text as an idea: what is found lies inside the text, each technique once and known, every
 * parameter has a name and a value, and the same text gives the same answer. */
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/words.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void
must(bool true_of_every_input)
{
    if (!true_of_every_input)
        abort();
}

static void
check(const struct lore_words *w, size_t size)
{
    for (size_t i = 0; i < w->n; i++) {
        const struct lore_word_hit *h = &w->v[i];
        must(lore_technique_find(h->slug) &&
             lore_streq(lore_technique_find(h->slug)->slug, h->slug));
        must(h->len > 0 && (size_t)h->at + h->len <= size);
        for (size_t k = 0; k < i; k++)
            must(w->v[k].slug != h->slug);
        for (size_t k = 0; k < h->n_params; k++)
            must(h->params[k].name[0] != '\0' && h->params[k].to);
    }
    must(w->rest != NULL);
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct lore_arena arena = {0};
    struct lore_words w, again;
    const char *text = lore_strndup(&arena, (const char *)data, size), *near[LORE_WORDS_NEAREST];

    lore_words_resolve(text, &arena, &w);
    check(&w, strlen(text));
    lore_words_resolve(text, &arena, &again);
    must(w.n == again.n && strcmp(w.rest, again.rest) == 0);
    must(lore_words_nearest(text, near) <= LORE_WORDS_NEAREST);
    must(lore_operators_nearest(text, near) <= LORE_WORDS_NEAREST);
    must(lore_words_parameter(text, &arena) != NULL);
    lore_arena_free(&arena);
    return 0;
}
