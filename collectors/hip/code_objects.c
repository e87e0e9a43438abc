/* An object lies in memory, or in a file, where its URI says at which offset. */
#include "collectors/hip/code_objects.h"

#include <stdlib.h>
#include <string.h>

#include "collectors/capture/code.h"

/* The number after KEY ("&size=") in a URI; 0 when there is none. */
static uint64_t
number_in(const char *uri, const char *key)
{
    const char *at = strstr(uri, key);

    return at ? strtoull(at + strlen(key), NULL, 0) : 0;
}

void
lore_code_objects_keep(const char *dir, const struct lore_rocp_code_object *o)
{
    struct lore_machine_code code = {0};

    if (!o->uri)
        return;
    if (o->storage == LORE_ROCP_STORAGE_MEMORY) {
        code.memory = (const void *)(uintptr_t)o->memory;
        code.bytes = o->memory_bytes;
    } else if (o->storage == LORE_ROCP_STORAGE_FILE) {
        code.file = o->file;
        code.offset = number_in(o->uri, "offset=");
        code.bytes = number_in(o->uri, "size=");
    }
    lore_code_keep(dir, &code);
}
