// uses: wire
/* Operations and bytes of operators: known where the shape says all, unknown where it does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/wire/wire.h"
#include "service/wire/work.h"
#include "tests/unit/near.h"

static struct lore_arena arena;

static bool
work(const char *op, const char *dims, const char *dtype, struct lore_work *out)
{
    struct lore_kvs d = {0};
    struct lore_err err;

    assert_int_equal(lore_dims_parse(dims, &arena, &d, &err), LORE_OK);
    return lore_work_of(op, &d, dtype, out);
}

static void
a_matrix_product_is_2mnk_and_three_matrices(void **state)
{
    struct lore_work w;
    (void)state;

    assert_true(work("gemm", "K=4 M=2 N=3", "float16", &w));
    assert_near(w.flops.v, 48, 0);
    assert_near(w.bytes.v, 2 * (8 + 12 + 6), 0);
    assert_true(work("gemm", "{\"m\": 4096, \"n\": 4096, \"k\": 4096}", "f32", &w));
    assert_near(w.flops.v, 137438953472.0, 0);
    assert_near(w.bytes.v, 201326592, 0);
    assert_true(work("batched_gemm", "batch=5 M=2 N=3 K=4", "f32", &w));
    assert_near(w.flops.v, 240, 0);
    assert_near(w.bytes.v, 4 * 5 * 26, 0);
    assert_true(work("gemv", "M=10 K=20", "f64", &w));
    assert_near(w.flops.v, 400, 0);
    assert_near(w.bytes.v, 8 * 230, 0);
}

static void
what_goes_over_elements_counts_each(void **state)
{
    struct lore_work w;
    (void)state;

    assert_true(work("softmax", "rows=8192 cols=4096", "f32", &w));
    assert_near(w.flops.v, 5 * 33554432.0, 0);
    assert_near(w.bytes.v, 268435456, 0);
    assert_true(work("gelu", "rows=8192 cols=4096", "f32", &w));
    assert_false(w.flops.set); /* no agreed number */
    assert_near(w.bytes.v, 268435456, 0);
    assert_true(work("reduction", "n=67108864", "f32", &w));
    assert_near(w.flops.v, 67108864, 0);
    assert_near(w.bytes.v, 268435456, 0); /* only what is read */
    assert_true(work("histogram", "n=268435456 bins=256", "u8", &w));
    assert_near(w.flops.v, 0, 0);
    assert_near(w.bytes.v, 268435456, 0);
    assert_true(work("stencil", "nz=2 ny=3 nx=4", "f32", &w));
    assert_near(w.bytes.v, 2 * 24 * 4, 0);
    assert_true(work("topk_per_row", "rows=4 cols=8 k=2", "f32", &w));
    assert_near(w.bytes.v, 4 * 8 * 4, 0);
    assert_true(work("topk_softmax", "tokens=16 experts=48", NULL, &w));
    assert_near(w.flops.v, 5 * 16 * 48, 0);
    assert_false(w.bytes.set); /* of what type? */
    assert_true(work("transpose", "M=16 N=8", "bf16", &w));
    assert_true(w.flops.set);
    assert_near(w.flops.v, 0, 0);
    assert_near(w.bytes.v, 512, 0);
}

static void
attention_needs_heads_that_fill_the_model(void **state)
{
    struct lore_work w;
    (void)state;

    assert_true(work("mha", "N=1024 d_model=512 heads=8 d_k=64", "f32", &w));
    assert_near(w.flops.v, 4.0 * 1024 * 1024 * 512, 0);
    assert_near(w.bytes.v, 4.0 * 4 * 1024 * 512, 0);
    assert_false(work("mha", "N=1024 d_model=512 heads=8 d_k=32", "f32", &w));
    assert_false(work("mha", "N=1024 d_model=512 heads=8 d_k=64 window=128", "f32", &w));
}

static void
what_the_shape_does_not_say_is_unknown(void **state)
{
    static const struct {
        const char *op, *dims, *dtype;
    } cases[] = {{"gemm", "M=2 N=3", "f32"}, {"gemm", "M=2 N=3 K=4 split=2", "f32"},
        {"gemm", "M=2 N=3 K=big", "f32"}, {"gemm", "M=2 N=3 K=0", "f32"},
        {"gemm", "M=2 m=3 K=4", "f32"}, {"softmax", "rows=8 topk=2", "f32"},
        {"gelu", "rows=8 cols=4", NULL}, {"gelu", "rows=8 cols=4", "i4"},
        {"elementwise", "N=8", "f32"}, {"gelu", "rows=8 cols=4", "u8"},
        {"flash_attention", "B=1 H=2 S=3 D=4", "f32"}, {"topk_per_row", "k=2", "f32"},
        {"moe_fused_gate", "experts=256 groups=8 top=8", "f32"}};
    struct lore_work w;
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (work(cases[i].op, cases[i].dims, cases[i].dtype, &w))
            fail_msg("%s %s: known", cases[i].op, cases[i].dims);
        assert_false(w.flops.set || w.bytes.set);
    }
    /* operations do not depend on the type; what an 8-bit product writes does */
    assert_true(work("gemm", "M=2 N=3 K=4", "f8e4m3", &w));
    assert_true(w.flops.set);
    assert_false(w.bytes.set);
    assert_false(lore_work_of(NULL, &(struct lore_kvs){0}, "f32", &w));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_matrix_product_is_2mnk_and_three_matrices),
        cmocka_unit_test(what_goes_over_elements_counts_each),
        cmocka_unit_test(attention_needs_heads_that_fill_the_model),
        cmocka_unit_test(what_the_shape_does_not_say_is_unknown),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    lore_arena_free(&arena);
    return failed;
}
