/* Names of kernels as people read them. The demangler is the system's C++ library, opened when
 * there is one: this program is C and is not to need it. Without it, or where it gives up, a name
 * is shown as it is. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "trace.h"

/* The demangler's time and memory grow faster than its input. */
enum { DEMANGLE_MAX = 32 << 10, READABLE_MAX = 256 << 10 };

typedef char *(*demangler)(const char *, char *, size_t *, int *);

static demangler
find_demangler(void)
{
    static demangler found;
    static bool looked;

    if (!looked) {
        void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
        looked = true;
        if (library)
            *(void **)&found = dlsym(library, "__cxa_demangle");
    }
    return found;
}

const char *
lore_trace_readable(struct lore_arena *arena, const char *symbol)
{
    const char *out = symbol;
    int status = -1;

    if (!lore_starts(symbol, "_Z") || strlen(symbol) > DEMANGLE_MAX || !find_demangler())
        return symbol;
    char *text = find_demangler()(symbol, NULL, NULL, &status);
    size_t n = text ? strlen(text) : 0;
    if (status == 0 && n > 0 && n <= READABLE_MAX && lore_utf8_valid(text, n))
        out = lore_strndup(arena, text, n);
    free(text);
    return out;
}
