// uses: isa
/* Any bytes as a disassembly: a listing with instructions or an error. In every listing the counts
 * of the forms add up to the instructions, forms are sorted, and no question finds a signature in
 * what has no instruction. */
#include <stdlib.h>
#include <string.h>

#include "collectors/isa/check.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void
must_add_up(const struct lore_isa_function *f)
{
    size_t sum = 0;

    for (size_t i = 0; i < f->n_forms; i++) {
        sum += f->forms[i].form[0] == ';' ? 0 : f->forms[i].count;
        if (i > 0 && strcmp(f->forms[i - 1].form, f->forms[i].form) >= 0)
            abort();
    }
    if (sum != f->instructions || f->instructions == 0)
        abort();
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static const char *const techniques[] = {"compute.tensor_core", "memory.vectorized_access",
        "memory.register_pressure", "sync.warp_per_row", "sync.reduce_barriers"};
    struct lore_arena arena = {0};
    struct lore_isa_listing l = {0};
    struct lore_isa_check check;

    if (lore_isa_read((const char *)data, size, &arena, &l, NULL) == LORE_OK) {
        if (l.n_functions == 0)
            abort();
        for (size_t i = 0; i < l.n_functions; i++)
            must_add_up(&l.functions[i]);
    } else if (l.n_functions != 0)
        abort();
    for (size_t i = 0; i < sizeof techniques / sizeof *techniques; i++) {
        struct lore_isa_request q = {.listing = &l, .before = &l, .technique = techniques[i]};

        lore_isa_check_technique(&q, &arena, &check);
        if (!check.why || (l.n_functions == 0 && check.verdict == LORE_ISA_VERIFIED))
            abort();
    }
    lore_arena_free(&arena);
    return 0;
}
