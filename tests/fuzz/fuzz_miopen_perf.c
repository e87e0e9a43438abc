// uses: import
/* Any bytes as a file of the miopen-perf format; importer.h says what must hold. */
#include "tests/fuzz/importer.h"

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    return fuzz_importer("miopen-perf", data, size);
}
