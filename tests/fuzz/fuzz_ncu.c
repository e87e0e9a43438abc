// uses: import
/* Any bytes as a file of the importer ncu. */
#include "tests/fuzz/importer.h"

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    return fuzz_importer("ncu", data, size);
}
