// uses: config
/* Any bytes as a configuration file: it is refused with a message that names the file, or its
 * values are in range and printing them gives a file that reads back equal. */
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"
#include "service/config.h"

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
    struct lore_config c, again;
    struct lore_err err = {0};
    struct lore_buf out = {0}, out_again = {0};

    /* libyaml's time grows with the square of nested openers; the service caps the file anyway. */
    if (size > 1024)
        size = 1024;
    lore_config_defaults(&c, &arena);
    lore_config_defaults(&again, &arena);
    if (lore_config_yaml(&c, (const char *)data, size, "w.yaml", &arena, &err) != LORE_OK) {
        must(err.code && lore_utf8_valid(err.msg, strlen(err.msg)));
        must(lore_starts(err.msg, "w.yaml:"));
    } else {
        must(c.threads >= 1 && c.threads <= 1024 && c.readers >= 1 && c.listen);
        lore_config_print(&c, &arena, &out);
        if (out.len <= LORE_CONFIG_MAX_BYTES) {
            must(lore_config_yaml(&again, out.data, out.len, "w.yaml", &arena, &err) == LORE_OK);
            lore_config_print(&again, &arena, &out_again);
            must(strcmp(out.data, out_again.data) == 0);
        }
    }
    lore_buf_free(&out);
    lore_buf_free(&out_again);
    lore_arena_free(&arena);
    return 0;
}
