/* Aborts the program when memory runs out (status.h). Capture libraries never link it. */
#include <stdio.h>
#include <stdlib.h>

#include "service/base/status.h"

_Noreturn void
lore_nomem(const char *what, size_t bytes)
{
    fprintf(stderr, "out of memory: %s, %zu bytes\n", what, bytes);
    abort();
}
