// uses: derive
/* Facts of a place: what a shape, two numbers of a chip and a run tell, and what they leave open.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/derive/place_facts.h"
#include "service/wire/wire.h"
#include "tests/unit/near.h"

static struct lore_arena arena;

static int
free_arena(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

static struct lore_place_facts
find(const char *op, const char *dims, const char *dtype, const struct lore_run *run, bool here)
{
    struct lore_kvs d = {0};
    struct lore_place_facts out;
    struct lore_err err;

    assert_int_equal(lore_dims_parse(dims, &arena, &d, &err), LORE_OK);
    lore_place_facts_find(&(struct lore_place_seen){op, &d, dtype, {true, 132}, {true, 50 << 20},
                              {true, 228 << 10}, run, here},
        &arena, &out);
    return out;
}

static void
is(const struct lore_place_facts *f, enum lore_place_fact fact, double v)
{
    assert_true(f->known[fact]);
    assert_near(f->v[fact], v, 1e-6);
}

static void
a_shape_of_a_product_tells_tiles_depth_and_cache(void **state)
{
    struct lore_place_facts f = find("gemm", "M=4096 N=4096 K=8192", "bf16", NULL, false);
    (void)state;

    is(&f, LORE_FACT_SHAPE, 1);
    is(&f, LORE_FACT_ELEMENT_BITS, 16);
    is(&f, LORE_FACT_WHOLE_VECTORS, 1);
    is(&f, LORE_FACT_DEPTH, 8192);
    is(&f, LORE_FACT_FEW_TILES, 0); /* 256 tiles of 256x256 on 132 units */
    is(&f, LORE_FACT_INPUTS_PER_L2, 2.56);
    f = find("gemm", "M=128 N=128 K=65536", "bf16", NULL, false);
    is(&f, LORE_FACT_FEW_TILES, 1);
    is(&f, LORE_FACT_TAIL, 1);
    f = find("gemm", "M=2048 N=2048 K=4096", "bf16", NULL, false);
    assert_false(f.known[LORE_FACT_FEW_TILES]); /* it depends on the tile */
    assert_false(f.known[LORE_FACT_WAVES]);
}

static void
rows_are_of_operators_that_treat_rows(void **state)
{
    struct lore_place_facts f = find("softmax", "rows=512 cols=1001", "f32", NULL, false);
    (void)state;

    is(&f, LORE_FACT_ROW, 1001);
    assert_false(f.known[LORE_FACT_WHOLE_VECTORS]); /* 512 is whole, 1001 is not */
    f = find("softmax", "M=7 N=1001", "f32", NULL, false);
    is(&f, LORE_FACT_ROW, 1001);
    is(&f, LORE_FACT_WHOLE_VECTORS, 0);
    f = find("transpose", "rows=512 cols=512", "nobody_knows_it", NULL, false);
    assert_false(f.known[LORE_FACT_ROW]);
    assert_false(f.known[LORE_FACT_ELEMENT_BITS]);
}

static void
a_run_tells_what_its_code_does(void **state)
{
    struct lore_metric m[] = {{.name = "launch__waves_per_multiprocessor", .value = 1},
        {.name = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", .value = 50},
        {.name = "smsp__inst_executed.sum", .value = 1000},
        {.name = "lts__throughput.avg.pct_of_peak_sustained_elapsed", .value = 93},
        {.name = "dram__throughput.avg.pct_of_peak_sustained_elapsed", .value = 76},
        {.name = "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active",
            .missing = LORE_MISS_NOT_COLLECTED}};
    struct lore_run run = {.id = "r", .metrics = {m, 6, 6}};
    (void)state;

    lore_kvs_set(&arena, &run.launch, "static_shared_bytes", "64");
    lore_kvs_set(&arena, &run.launch, "dynamic_shared_bytes", "197632");
    lore_kvs_set(&arena, &run.launch, "local_bytes_per_thread", "0");
    struct lore_place_facts f = find("gemm", "M=64 N=64 K=64", "bf16", &run, true);
    is(&f, LORE_FACT_SHARED_BYTES, 197696);
    is(&f, LORE_FACT_SHARED_SHARE, 197696. / (228 << 10));
    is(&f, LORE_FACT_SPILLED, 0);
    is(&f, LORE_FACT_CONFLICTS, 50);
    is(&f, LORE_FACT_WAVES, 1);
    is(&f, LORE_FACT_L2, 93);
    is(&f, LORE_FACT_DRAM, 76);
    assert_false(f.known[LORE_FACT_MATRIX_UNITS]); /* not collected is not 0 */
    assert_false(f.known[LORE_FACT_OCCUPANCY]);
    f = find("gemm", "M=64 N=64 K=64", "bf16", &run, false); /* it ran elsewhere */
    is(&f, LORE_FACT_CONFLICTS, 50);
    assert_false(f.known[LORE_FACT_WAVES]);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shape_of_a_product_tells_tiles_depth_and_cache),
        cmocka_unit_test(rows_are_of_operators_that_treat_rows),
        cmocka_unit_test(a_run_tells_what_its_code_does),
    };

    return cmocka_run_group_tests(tests, NULL, free_arena);
}
