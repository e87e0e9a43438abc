/* The kernels in a source file. Private to this folder. */
#ifndef LORE_IMPORT_SOURCES_SOURCES_H
#define LORE_IMPORT_SOURCES_SOURCES_H

#include "service/base/arena.h"
#include "service/wire/record.h"

struct lore_source_kernels {
    enum lore_language language; /* LORE_LANG_NONE: the file holds no kernel, or its language is
                                    not certain */
    struct lore_texts names;     /* entry points, in the order of the text, each once */
};
/* Find the kernels of the file NAME with TEXT, whose ending and marks (`__global__`, `@triton.jit`)
 * say the language. Comments and strings do not count. Time is linear in the text; everything is
 * in ARENA. */
void lore_source_kernels(
    const char *name, const char *text, struct lore_arena *arena, struct lore_source_kernels *out);

#endif
