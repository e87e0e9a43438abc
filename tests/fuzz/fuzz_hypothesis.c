// uses: import
/* Any bytes as hypothesis.txt: an answer or an error; a claim in every answer, and extra that is
 * JSON. */
#include <stdlib.h>
#include <string.h>

#include "collectors/import/hypothesis_txt.h"
#include "service/base/json.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct lore_arena arena = {0};
    struct lore_hypothesis_txt out;
    struct lore_json *extra = NULL;

    if (lore_hypothesis_txt_parse((const char *)data, size, &arena, &out, NULL) == LORE_OK) {
        if (!out.h.claim || !*out.h.claim || !out.h.raw_text || strlen(out.h.raw_text) != size)
            abort();
        if (out.h.extra && lore_json_parse(out.h.extra, strlen(out.h.extra), NULL, &arena, &extra,
                               NULL) != LORE_OK)
            abort();
    }
    lore_arena_free(&arena);
    return 0;
}
