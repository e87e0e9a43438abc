// uses: isa
/* Cubins: a real one, and one that is damaged at every byte of its tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collectors/isa/cubin.h"
#include "service/base/file.h"

static struct lore_arena arena;

static void
load(struct lore_buf *b)
{
    b->max = 1 << 20;
    assert_int_equal(
        lore_file_read(SOURCE_DIR "/tests/fixtures/isa/float4_copy.sm_90a.cubin", b, NULL),
        LORE_OK);
}

static void
kernels_have_symbol_index_and_registers(void **state)
{
    LORE_BUF b = {0};
    struct lore_cubin c;

    (void)state;
    load(&b);
    assert_int_equal(lore_cubin_read(b.data, b.len, &arena, &c, NULL), LORE_OK);
    assert_int_equal(c.n_kernels, 1);
    const struct lore_cubin_kernel *k = lore_cubin_kernel(&c, "float4_copy");
    assert_non_null(k);
    assert_int_equal(k->registers, 14); /* as ptxas -v says */
    assert_int_equal(k->index, 8);
    assert_null(lore_cubin_kernel(&c, "float4"));
}

static void
what_is_no_cubin_is_refused(void **state)
{
    LORE_BUF b = {0};
    struct lore_cubin c;
    struct lore_err err;

    (void)state;
    load(&b);
    assert_int_equal(lore_cubin_read("", 0, &arena, &c, &err), LORE_INVALID);
    assert_int_equal(lore_cubin_read(b.data, 63, &arena, &c, &err), LORE_INVALID);
    b.data[18] = 62; /* an x86-64 object */
    assert_int_equal(lore_cubin_read(b.data, b.len, &arena, &c, &err), LORE_INVALID);
    assert_string_equal(err.msg, "not a cubin");
}

static void
a_shorter_or_damaged_file_is_read_within_its_bounds(void **state)
{
    LORE_BUF b = {0};
    struct lore_cubin c;

    (void)state;
    load(&b);
    for (size_t n = 0; n < b.len; n += 7) {
        char *part = lore_memdup(&arena, b.data, n + 1); /* ends where the sanitizer looks */
        (void)!lore_cubin_read(part, n, &arena, &c, NULL);
    }
    for (size_t i = 0; i < b.len; i++) {
        char was = b.data[i];
        b.data[i] = (char)0xff;
        if (lore_cubin_read(b.data, b.len, &arena, &c, NULL) == LORE_OK)
            assert_true(c.n_kernels <= 1000);
        b.data[i] = was;
    }
}

static int
drop(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_have_symbol_index_and_registers),
        cmocka_unit_test(what_is_no_cubin_is_refused),
        cmocka_unit_test(a_shorter_or_damaged_file_is_read_within_its_bounds),
    };

    return cmocka_run_group_tests(tests, NULL, drop);
}
