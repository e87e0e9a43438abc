// uses: import
/* Any files as a workload folder of rocprof-compute. */
#include "tests/fuzz/import_tree.h"

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    return fuzz_import_tree("rocprof-compute", data, size);
}
