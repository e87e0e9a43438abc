// uses: import
/* Any bytes as run directories of the CUDA kernel optimiser; import_tree.h says what must hold. */
#include "tests/fuzz/import_tree.h"

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    return fuzz_import_tree("v2-run", data, size);
}
