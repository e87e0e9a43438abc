// uses: import
/* Any text as a git configuration: no project, or a name that a kernel can have. */
#include <stdlib.h>
#include <string.h>

#include "collectors/import/project.h"
#include "service/base/text.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct lore_arena arena = {0};
    const char *text = lore_strndup(&arena, (const char *)data, size);
    const char *name = lore_project_of_git(text, &arena);

    if (name && (!*name || strlen(name) > 200 || !lore_utf8_valid(name, strlen(name))))
        abort();
    lore_arena_free(&arena);
    return 0;
}
