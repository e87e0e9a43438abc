// uses: import
/* Any bytes as source files with kernels; import_tree.h says what must hold. */
#include "tests/fuzz/import_tree.h"

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    return fuzz_import_tree("sources", data, size);
}
