// uses: run
/* Any text of a range, which comes from a watched program: a workload whose identity is valid
 * UTF-8, or an error that can be sent. */
#include <stdlib.h>
#include <string.h>

#include "collectors/run/range_text.h"
#include "service/base/text.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct lore_arena arena = {0};
    struct lore_workload w = {0};
    struct lore_err err = {0};
    const char *text = lore_strndup(&arena, (const char *)data, size);
    enum lore_status status = lore_range_text_read(text, &arena, &w, &err);

    if (status == LORE_OK) {
        const char *id = lore_workload_text(&arena, w.op, &w);

        if (!w.set || !*w.op || !lore_utf8_valid(id, strlen(id)))
            abort();
    } else if ((status != LORE_NOTFOUND && status != LORE_INVALID) ||
               !lore_utf8_valid(err.msg, strlen(err.msg))) {
        abort();
    }
    lore_arena_free(&arena);
    return 0;
}
