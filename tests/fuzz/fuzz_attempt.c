// uses: wire
/* Any JSON body of POST /attempts: it decodes, or every error names a path in valid UTF-8. */
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"
#include "service/wire/attempt.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void
must(bool true_of_every_input)
{
    if (!true_of_every_input)
        abort();
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct lore_arena arena = {0};
    struct lore_errs *errs = lore_alloc(&arena, sizeof *errs);
    struct lore_attempt attempt;
    struct lore_json *root;
    struct lore_err err = {0};

    if (lore_json_parse((const char *)data, size, NULL, &arena, &root, &err) == LORE_OK &&
        lore_wire_decode_attempt(&lore_attempt_record, root, &arena, &attempt, errs) != LORE_OK) {
        must(errs->n > 0 && errs->n <= LORE_ERRS_MAX);
        for (size_t i = 0; i < errs->n; i++) {
            must(errs->v[i].path[0] != '\0' && errs->v[i].msg[0] != '\0');
            must(lore_utf8_valid(errs->v[i].msg, strlen(errs->v[i].msg)));
            must(lore_utf8_valid(errs->v[i].hint, strlen(errs->v[i].hint)));
        }
    }
    lore_arena_free(&arena);
    return 0;
}
