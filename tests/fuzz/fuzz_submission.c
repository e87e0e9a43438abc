// uses: wire
/* Any JSON document: it decodes, or the refusal names a path in valid UTF-8. What decodes is
 * written, decoded again and written again: both texts must be equal. */
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"
#include "service/wire/wire.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void
must(bool true_of_every_input)
{
    if (!true_of_every_input)
        abort();
}

static void
check_refusal(const struct lore_err *err)
{
    must(err->code && err->msg[0] != '\0' && err->path[0] != '\0');
    must(lore_utf8_valid(err->msg, strlen(err->msg)));
    must(lore_utf8_valid(err->path, strlen(err->path)));
    must(lore_utf8_valid(err->hint, strlen(err->hint)));
}

/* DOC as text in OUT. */
static void
write_text(const struct lore_submission *doc, struct lore_buf *out)
{
    struct lore_jsonw w = {0};
    struct lore_err err;

    lore_jsonw_begin(&w, out, false);
    lore_wire_encode(&w, doc);
    must(lore_jsonw_end(&w, &err) == LORE_OK);
}

static void
check_round_trip(const struct lore_submission *doc, struct lore_arena *arena)
{
    struct lore_buf first = {0}, second = {0};
    struct lore_submission again;
    struct lore_json *root;
    struct lore_err err;

    write_text(doc, &first);
    must(lore_json_parse(first.data, first.len, &lore_wire_limits, arena, &root, &err) == LORE_OK);
    must(lore_wire_decode(root, arena, &again, &err) == LORE_OK);
    write_text(&again, &second);
    must(first.len == second.len && memcmp(first.data, second.data, first.len) == 0);
    lore_buf_free(&first);
    lore_buf_free(&second);
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct lore_arena arena = {0};
    struct lore_submission doc;
    struct lore_json *root;
    struct lore_err err = {0};

    if (lore_json_parse((const char *)data, size, &lore_wire_limits, &arena, &root, &err) ==
        LORE_OK) {
        if (lore_wire_decode(root, &arena, &doc, &err) == LORE_OK)
            check_round_trip(&doc, &arena);
        else
            check_refusal(&err);
    }
    lore_arena_free(&arena);
    return 0;
}
