// uses: import
/* Any bytes as an SQLite file of a profiler. The header is put right, so that most inputs get as
 * far as SQLite. */
#include "tests/fuzz/importer.h"

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static const char magic[] = "SQLite format 3";
    unsigned char *bytes = malloc(size + 1);

    if (!bytes)
        return 0;
    if (size > 0)
        memcpy(bytes, data, size);
    if (size >= sizeof magic)
        memcpy(bytes, magic, sizeof magic);
    int result = fuzz_importer("profiler-sqlite", bytes, size);
    free(bytes);
    return result;
}
