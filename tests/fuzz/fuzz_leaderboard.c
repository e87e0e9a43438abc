// uses: import
/* Any bytes as leaderboards with their folders; import_tree.h says what must hold. */
#include "tests/fuzz/import_tree.h"

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    return fuzz_import_tree("leaderboard", data, size);
}
