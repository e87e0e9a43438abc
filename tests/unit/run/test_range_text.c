// uses: run
/* What is read from the texts of NVTX and roctx ranges. The PyTorch texts have the form of
 * torch.autograd.profiler.emit_nvtx(record_shapes=True). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collectors/run/range_text.h"
#include "service/base/text.h"

static struct lore_arena arena;

static int
stop(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

static void
reads(const char *text, const char *op, const char *label)
{
    struct lore_workload w = {0};
    struct lore_err err = {0};

    if (lore_range_text_read(text, &arena, &w, &err) != LORE_OK)
        fail_msg("%s: %s", text, err.msg);
    assert_true(w.set);
    assert_string_equal(w.op, op);
    assert_string_equal(lore_workload_label(&arena, &w), label);
}

static void
refuses(const char *text, enum lore_status status, const char *words)
{
    struct lore_workload w = {.op = "untouched"};
    struct lore_err err = {0};

    if (lore_range_text_read(text, &arena, &w, &err) != status)
        fail_msg("%s: %s", text, err.msg);
    assert_string_equal(w.op, "untouched");
    if (!strstr(err.msg, words))
        fail_msg("%s: %s", text, err.msg);
}

static void
a_range_of_warplore_names_operator_dims_and_types(void **state)
{
    (void)state;
    reads("warplore:gemm M=4096,N=4096,K=4096,dtype=bf16", "gemm", "M=4096 N=4096 K=4096 bf16");
    reads("warplore:matmul M=8 N=9 K=10 dtype=bfloat16", "gemm", "M=8 N=9 K=10 bf16");
    reads("warplore: softmax rows=4,cols=5", "softmax", "rows=4 cols=5");
    reads("warplore:softmax,rows=4", "softmax", "rows=4");
    reads("warplore:softmax", "softmax", "");
}

static void
a_layout_is_no_dim(void **state)
{
    struct lore_workload w = {0};
    struct lore_err err = {0};

    (void)state;
    assert_int_equal(
        lore_range_text_read("warplore:gemm M=1,layout=nt,dtype=f16", &arena, &w, &err), LORE_OK);
    assert_string_equal(w.layout, "nt");
    assert_string_equal(w.dtype, "f16");
    assert_int_equal(w.dims.n, 1);
}

static void
a_wrong_range_of_warplore_is_an_error(void **state)
{
    (void)state;
    refuses("warplore:", LORE_INVALID, "no operator");
    refuses("warplore:my own op n=4", LORE_INVALID, "dims: cannot read 'own op n=4'");
    refuses("warplore:M=4,N=4", LORE_INVALID, "no operator");
    refuses("warplore:gemm 4096x4096", LORE_INVALID, "dims: cannot read '4096x4096'");
    refuses("warplore:gemm M=4,M=5", LORE_INVALID, "M is given twice");
    refuses("warplore:gemm M=\xff", LORE_INVALID, "not UTF-8");
}

static void
an_operator_of_pytorch_is_read_from_its_shapes(void **state)
{
    (void)state;
    reads("aten::mm, op_id = 7, sizes = [[64, 32], [32, 16]]", "gemm", "M=64 K=32 N=16");
    reads("aten::addmm, seq = 12, op_id = 41, sizes = [[16], [64, 32], [32, 16], [], []], "
          "input_op_ids = [(40,0), (0,0)]",
        "gemm", "M=64 K=32 N=16");
    reads("aten::bmm, seq = 1, sizes = [[8, 64, 32], [8, 32, 16]]", "batched_gemm",
        "B=8 M=64 K=32 N=16");
    reads("aten::native_layer_norm, seq = 3, sizes = [[4, 128, 1024], [], [1024], [1024], []]",
        "layernorm", "rows=512 cols=1024");
    reads("aten::gelu, sizes = [[4, 128, 1024], []]", "gelu", "n=524288");
    reads("aten::embedding, sizes = [[50257, 768], [8, 1024], [], [], []]", "embedding",
        "entries=50257 width=768 tokens=8192");
}

static void
shapes_that_do_not_say_everything_are_another_range(void **state)
{
    (void)state;
    refuses("forward", LORE_NOTFOUND, "names no operator");
    refuses("", LORE_NOTFOUND, "names no operator");
    refuses("aten::mm", LORE_NOTFOUND, "names no operator");
    refuses("aten::mm, seq = 3", LORE_NOTFOUND, "names no operator");
    refuses("aten::mm, sizes = [[64, 32], [33, 16]]", LORE_NOTFOUND, "names no operator");
    refuses("aten::mm, sizes = [[64, 32], []]", LORE_NOTFOUND, "names no operator");
    refuses("aten::mm, sizes = [[64, 32]]", LORE_NOTFOUND, "names no operator");
    refuses("aten::mm, sizes = [[64, 32], [32, 0]]", LORE_NOTFOUND, "names no operator");
    refuses("aten::mm, sizes = [[64, 32], [32, 16", LORE_NOTFOUND, "names no operator");
    refuses("aten::mm, sizes = [[-64, 32], [32, 16]]", LORE_NOTFOUND, "names no operator");
    refuses("aten::gelu, sizes = [[]]", LORE_NOTFOUND, "names no operator");
    refuses(
        "aten::gelu, sizes = [[1099511627776, 1099511627776]]", LORE_NOTFOUND, "names no operator");
    refuses("aten::_softmax, sizes = [[64, 1024], [], []]", LORE_NOTFOUND, "names no operator");
    refuses("aten::mmm, sizes = [[64, 32], [32, 16]]", LORE_NOTFOUND, "names no operator");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_range_of_warplore_names_operator_dims_and_types),
        cmocka_unit_test(a_layout_is_no_dim),
        cmocka_unit_test(a_wrong_range_of_warplore_is_an_error),
        cmocka_unit_test(an_operator_of_pytorch_is_read_from_its_shapes),
        cmocka_unit_test(shapes_that_do_not_say_everything_are_another_range),
    };

    return cmocka_run_group_tests(tests, NULL, stop);
}
