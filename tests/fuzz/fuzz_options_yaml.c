// uses: run
/* Any bytes as warplore.yaml: refused with a message that names the file, or every text it gave is
 * UTF-8 and every number in range. */
#include <stdlib.h>
#include <string.h>

#include "collectors/run/collect.h"
#include "service/base/text.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void
must(bool true_of_every_input)
{
    if (!true_of_every_input)
        abort();
}

static void
must_be_text(const char *s)
{
    must(!s || (*s && lore_utf8_valid(s, strlen(s))));
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct lore_arena arena = {0};
    struct lore_run_options what = {0};
    struct lore_err err = {0};

    /* libyaml's time grows with the square of nested openers; real files are short */
    if (size > 1024)
        size = 1024;
    if (lore_options_yaml((const char *)data, size, "w/w.yaml", &arena, &what, &err) != LORE_OK) {
        must(err.code && lore_utf8_valid(err.msg, strlen(err.msg)));
    } else {
        must(what.warmup >= 0 && what.iterations >= 0 && what.language < LORE_LANG_COUNT);
        must(what.kind < LORE_V_COUNT && what.role < LORE_ROLE_COUNT);
        must_be_text(what.op);
        must_be_text(what.parent);
        must_be_text(what.kernel_regex);
        for (size_t i = 0; i < what.version_files.n; i++)
            must_be_text(what.version_files.v[i]);
        for (size_t i = 0; i < what.dims.n; i++)
            must(what.dims.v[i].key && what.dims.v[i].value);
    }
    lore_arena_free(&arena);
    return 0;
}
