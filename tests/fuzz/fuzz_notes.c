// uses: import
/* Any bytes as notes in Markdown; import_tree.h says what must hold. */
#include "tests/fuzz/import_tree.h"

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    return fuzz_import_tree("notes", data, size);
}
