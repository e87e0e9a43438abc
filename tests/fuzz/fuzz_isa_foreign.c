// uses: isa
/* Any text as a pattern of somebody's definition: refused with a reason, or run on a listing in
 * little time; and what has no instruction of any kind is never verified by it. */
#include <stdlib.h>
#include <string.h>

#include "collectors/isa/imported.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static const char code[] = "\tcode for sm_90a\n\t\tFunction : k\n"
                           "        /*0000*/   LDG.E.128.CONSTANT R4, desc[UR4][R2.64] ;\n"
                           "        /*0010*/   HGMMA.64x64x16.F32 R24, gdesc[UR8], R24 ;\n"
                           "        /*0020*/   EXIT ;\n";

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct lore_arena arena = {0};
    struct lore_isa_listing l = {0};
    struct lore_isa_check check;
    const char *pattern = lore_strndup(&arena, (const char *)data, size);
    struct lore_isa_request q = {.technique = "compute.tensor_core"};
    struct lore_isa_imported s = {"compute.tensor_core", LORE_ISA_SASS, false, 0, &pattern, 1};

    lore_isa_check_imported(&q, &s, &arena, &check);
    if (check.verdict != LORE_ISA_UNAVAILABLE)
        abort();
    if (lore_isa_read(code, sizeof code - 1, &arena, &l, NULL) != LORE_OK)
        abort();
    q.listing = &l;
    lore_isa_check_imported(&q, &s, &arena, &check);
    if (!check.why || check.verdict == LORE_ISA_UNAVAILABLE ||
        (lore_isa_pattern_refused(pattern) && check.verdict != LORE_ISA_INCONCLUSIVE))
        abort();
    lore_arena_free(&arena);
    return 0;
}
