// uses: catalogue
/* Text to techniques and parameters: names, word forms, phrases, values, negations, comments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/tokens.h"
#include "service/catalogue/word_table.h"
#include "service/catalogue/words.h"
#include "service/catalogue/words_index.h"

static struct lore_arena arena;

/* "memory.a{x=1,y=2->3} !memory.b" */
static const char *
resolved(const char *text)
{
    struct lore_words w;
    const char *out = "";

    lore_words_resolve(text, &arena, &w);
    for (size_t i = 0; i < w.n; i++) {
        const struct lore_word_hit *h = &w.v[i];
        out =
            lore_format(&arena, "%s%s%s%s", out, i > 0 ? " " : "", h->negated ? "!" : "", h->slug);
        for (size_t k = 0; k < h->n_params; k++) {
            const struct lore_word_param *p = &h->params[k];
            out = lore_format(&arena, "%s%s%s=%s%s%s%s", out, k == 0 ? "{" : ",", p->name,
                p->from ? p->from : "", p->from ? "->" : "", p->to,
                k + 1 == h->n_params ? "}" : "");
        }
    }
    return out;
}

struct said {
    const char *text, *means;
};

static void
all_mean(const struct said *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!lore_streq(resolved(v[i].text), v[i].means))
            fail_msg("%s: %s, not %s", v[i].text, resolved(v[i].text), v[i].means);
}
#define ALL_MEAN(v) all_mean(v, sizeof(v) / sizeof *(v))

static void
test_names_and_word_forms_resolve(void **state)
{
    static const struct said v[] = {
        {"memory.vectorized_access", "memory.vectorized_access"},
        {"async copies", "memory.async_copy"},
        {"async_copies", "memory.async_copy"},
        {"Asynchronous copies", "memory.async_copy"},
        {"vectorized loads", "memory.vectorized_access"},
        {"warp reductions", "sync.warp_level_reduction"},
        {"Float4 Loads", "memory.vectorized_access"},
        {"128-bit copy requires 128-bit aligned source", "memory.vectorized_access"},
        {"Vec2 load with shared mem buffers", "memory.vectorized_access"},
        {"WGMMA F16", "compute.tensor_core"},
        {"Initial WMMA kernel", "compute.tensor_core"},
        {"vectorising the loads", "memory.vectorized_access"},
        {"coalesce reads", "memory.coalesced_access"},
        {"fused epilogue", "memory.epilogue_fusion"},
        {"warp specialisation", "compute.warp_specialization"},
        {"swizzled shared memory", "memory.smem_swizzle"},
        {"software pipeline", "memory.multi_stage_pipeline"},
        {"more unroll", "compute.loop_unroll"},
        {"WarpSpecialization", "compute.warp_specialization"},
        {"skip the mask", ""},
        {"floot4 lods", ""},
        {"", ""},
    };

    (void)state;
    ALL_MEAN(v);
    assert_string_equal(resolved(NULL), "");
}

static void
test_one_text_names_several(void **state)
{
    static const struct said v[] = {
        {"Online softmax with float4 loads",
            "latency.online_recomputation memory.vectorized_access"},
        {"cp.async, double buffering and an XOR swizzle",
            "memory.async_copy memory.multi_stage_pipeline memory.smem_swizzle"},
        {"Swizzle the CTAs so that tiles share L2", "memory.l2_grouped_ordering"},
        {"shared memory overflow", ""},
        {"memory bound, bank conflicts", ""},
        {"fuse gate and up into one accumulator pass", "memory.kernel_fusion"},
        {"共享内存 双缓冲", "memory.multi_stage_pipeline"},
    };

    (void)state;
    ALL_MEAN(v);
}

static void
test_parameters_are_read(void **state)
{
    static const struct said v[] = {
        {"shared-memory-tiling{tile-size=16}", "memory.tiling_smem{tile=16}"},
        {"shared memory tiling, tile size 16", "memory.tiling_smem{tile=16}"},
        {"BLOCK_M 128", "compute.launch_config{block_m=128}"},
        {"BM=128, BN=256", "compute.launch_config{block_m=128,block_n=256}"},
        {"num_stages 3→4", "memory.multi_stage_pipeline{num_stages=3->4}"},
        {"num_stages from 3 to 4", "memory.multi_stage_pipeline{num_stages=3->4}"},
        {"a 3-stage pipeline", "memory.multi_stage_pipeline{num_stages=3}"},
        {"Occupancy hint 3", "latency.increase_occupancy{blocks_per_sm=3}"},
        {"Occupancy hint 1", ""},
        {"block_sizes=[128,256,64]", "compute.launch_config{block_size=128x256x64}"},
        {"64x128 tile", "compute.launch_config{tile=64x128}"},
        {"tiles of 64 × 128", "compute.launch_config{tile=64x128}"},
        {"num_warps=8", "compute.launch_config{num_warps=8}"},
        {"eight warps instead of four", "compute.launch_config{num_warps=4->8}"},
        {"unroll 4x", "compute.loop_unroll{unroll=4}"},
        {"launch_bounds(256, 2)", "memory.register_pressure{launch_bounds=256x2}"},
        {"two rows per block", "compute.thread_coarsening{rows_per_block=2}"},
        {"1p2c", "compute.warp_specialization{producers=1,consumers=2}"},
        {"reduced WARP_N from 128 to 64", "compute.launch_config{warp_n=128->64}"},
        {"warpgroup_wait<1>() to warpgroup_wait<2>()",
            "sync.asymmetric_barrier{warpgroup_wait=1->2}"},
        {"register blocking{TM=4, ways=odd}", "compute.register_tile{block_m=4,ways=odd}"},
        {"1.5 stages, 30% fewer warps", "memory.multi_stage_pipeline compute.launch_config"},
    };

    (void)state;
    ALL_MEAN(v);
}

static void
test_what_is_absent_is_negated(void **state)
{
    static const struct said v[] = {
        {"no swizzle", "!memory.smem_swizzle"},
        {"without shared memory", "!memory.tiling_smem"},
        {"remove unrolling", "!compute.loop_unroll"},
        {"disable persistent", "!launch.persistent_kernel"},
        {"persistent=False", "!launch.persistent_kernel"},
        {"non-persistent, 4 stages",
            "!launch.persistent_kernel memory.multi_stage_pipeline{num_stages=4}"},
        {"XOR swizzle instead of padding", "memory.smem_swizzle !memory.smem_padding"},
        {"no swizzle or padding", "!memory.smem_swizzle !memory.smem_padding"},
        {"padding reverted", "!memory.smem_padding"},
        {"no padding + unroll 2", "!memory.smem_padding compute.loop_unroll{unroll=2}"},
        {"remove __syncthreads", "sync.reduce_barriers"}, /* a technique itself */
        {"revert to 128 tile", "compute.launch_config"},
    };

    (void)state;
    ALL_MEAN(v);
}

static void
test_what_is_only_mentioned_is_no_change(void **state)
{
    static const struct said v[] = {
        {"Split-K pitfalls -- 3. Stale scales", ""},
        {"Split-K pitfalls -- 3. Unroll by 4", "compute.loop_unroll{unroll=4}"},
        {"MFMA matrix core programming guide", ""},
        {"Guide the loads through shared memory", "memory.tiling_smem"},
        {"hide the MFMA drain", ""},
        {"the product through MFMA", "compute.tensor_core"},
        {"compute by mfma_scale", "compute.tensor_core"},
        {"let blocks compute by cta_group 2", "compute.two_cta_mma"},
        {"it has no tensor cores", ""},
        {"a swizzle replaces the padding", "memory.smem_swizzle"},
    };

    (void)state;
    ALL_MEAN(v);
}

static void
test_comments_are_left_alone(void **state)
{
    static const struct said v[] = {
        {"4 stages - swizzle did not matter", "memory.multi_stage_pipeline{num_stages=4}"},
        {"unroll 4. More registers, less occupancy tuning.", "compute.loop_unroll{unroll=4}"},
        {"unroll=4 rather than unroll=2", "compute.loop_unroll{unroll=4}"},
        {"unroll=4 than unroll=2", "compute.loop_unroll{unroll=4}"},
        {"keeping the swizzle intact but 4 stages", "memory.multi_stage_pipeline{num_stages=4}"},
        {"add an L2 swizzle on top of the persistent kernel", "memory.l2_grouped_ordering"},
        {"Note - swizzle", "memory.smem_swizzle"}, /* nothing was found before */
    };

    (void)state;
    ALL_MEAN(v);
}

static void
test_the_answer_says_where_how_and_what_is_left(void **state)
{
    struct lore_words w;

    (void)state;
    lore_words_resolve("try the zigzag with a swizzle", &arena, &w);
    assert_int_equal(w.n, 1);
    assert_int_equal(w.v[0].at, 22);
    assert_int_equal(w.v[0].len, 7);
    assert_int_equal(w.v[0].how, LORE_WORD_PHRASE);
    assert_string_equal(w.rest, "zigzag");
    lore_words_resolve("float4", &arena, &w);
    assert_int_equal(w.v[0].how, LORE_WORD_ALIAS);
    lore_words_resolve("memory.split_k", &arena, &w);
    assert_int_equal(w.v[0].how, LORE_WORD_EXACT);
    lore_words_resolve("bk=64", &arena, &w);
    assert_int_equal(w.v[0].how, LORE_WORD_PARAMETER);
}

static void
test_a_name_means_one_technique_or_none(void **state)
{
    (void)state;
    assert_string_equal(lore_words_name("float4"), "memory.vectorized_access");
    assert_string_equal(lore_words_name("adding float4 loads"), "memory.vectorized_access");
    assert_null(lore_words_name("float4 loads and 4 stages")); /* two */
    assert_null(lore_words_name("no swizzle"));
    assert_null(lore_words_name("zigzag swizzle"));
    assert_null(lore_words_name("zigzag"));
    assert_null(lore_words_name(NULL));
}

/* Each thread caches names; a name must mean the same when it comes again, also when others had its
 * place meanwhile or when it is too long for the cache. */
static void
test_a_name_means_the_same_each_time(void **state)
{
    static const char long_name[] =
        "adding float4 loads to the kernel of the version that was used "
        "before the change was made";
    const char *of_long = lore_words_name(long_name);
    char name[24];

    (void)state;
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "zigzag %d", i % 200);
        assert_null(lore_words_name(name));
        assert_null(lore_words_name(""));
        assert_string_equal(lore_words_name("adding float4 loads"), "memory.vectorized_access");
        assert_true(lore_words_name(long_name) == of_long);
    }
}

static void
test_near_names_are_found(void **state)
{
    static const struct {
        const char *said, *near;
        size_t (*find)(const char *, const char *[LORE_WORDS_NEAREST]);
    } v[] = {{"floot4 lods", "memory.vectorized_access", lore_words_nearest},
        {"sahred memory tiling", "memory.tiling_smem", lore_words_nearest},
        {"zigzag swizzle", "memory.smem_swizzle", lore_words_nearest},
        {"unrol", "compute.loop_unroll", lore_words_nearest},
        {"sotfmax", "softmax", lore_operators_nearest},
        {"matmull", "gemm", lore_operators_nearest}};
    const char *out[LORE_WORDS_NEAREST];

    (void)state;
    for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
        assert_in_range(v[i].find(v[i].said, out), 1, LORE_WORDS_NEAREST);
        assert_string_equal(out[0], v[i].near);
    }
    assert_int_equal(lore_words_nearest("quux", out), 0);
    assert_int_equal(lore_operators_nearest("", out), 0);
}

static void
test_the_tables_are_whole(void **state)
{
    (void)state;
    assert_true(lore_patterns_whole());
    for (size_t i = 0; i < lore_n_word_phrases; i++) {
        const char *slug = lore_word_phrases[i].slug;
        assert_true(!slug || lore_streq(lore_technique_find(slug)->slug, slug));
    }
    for (size_t i = 0; i < lore_n_word_parameters; i++) {
        const struct lore_word_parameter *p = &lore_word_parameters[i];
        assert_string_equal(lore_technique_find(p->slug)->slug, p->slug);
        assert_string_equal(lore_words_parameter(p->name, &arena), p->name);
        if (i > 0)
            assert_true(strcmp(p[-1].name, p->name) < 0);
    }
    assert_string_equal(lore_words_parameter("BLOCK-M", &arena), "block_m");
    assert_string_equal(lore_words_parameter_of("compute.register_tile", "TM", &arena), "thread_m");
    assert_string_equal(lore_words_parameter_of("compute.launch_config", "TM", &arena), "block_m");
    assert_string_equal(lore_words_parameter("Some Thing", &arena), "some_thing");
}

static void
test_tokens_know_words_numbers_and_marks(void **state)
{
    struct lore_token t[16];
    static const struct {
        const char *text, *tokens;
    } v[] = {{"TileK=32", "tile k = 32"}, {"float4 3stage 2d", "float4 3 stage 2d"},
        {"64x128x2 4x 0.5", "64x128x2 4x 0.5"}, {"a_b.c d-e", "a b c d e"},
        {"SoA cp.async. End", "soa cp async . end"}, {"x -> y → z - w", "x > y > z | w"},
        {"3xtf32", "3xtf32"}};

    (void)state;
    for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
        size_t n = lore_tokens_read(v[i].text, strlen(v[i].text), t, 16);
        const char *out = "";
        for (size_t k = 0; k < n; k++)
            out = t[k].kind == LORE_TOKEN_MARK
                      ? lore_format(&arena, "%s%s%c", out, k > 0 ? " " : "", t[k].mark)
                      : lore_format(&arena, "%s%s%s", out, k > 0 ? " " : "", t[k].text);
        assert_string_equal(out, v[i].tokens);
    }
    assert_true(lore_tokens_stop("a") && lore_tokens_stop("would") && !lore_tokens_stop("tile"));
}

static int
teardown(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_and_word_forms_resolve),
        cmocka_unit_test(test_one_text_names_several),
        cmocka_unit_test(test_parameters_are_read),
        cmocka_unit_test(test_what_is_absent_is_negated),
        cmocka_unit_test(test_what_is_only_mentioned_is_no_change),
        cmocka_unit_test(test_comments_are_left_alone),
        cmocka_unit_test(test_the_answer_says_where_how_and_what_is_left),
        cmocka_unit_test(test_a_name_means_one_technique_or_none),
        cmocka_unit_test(test_a_name_means_the_same_each_time),
        cmocka_unit_test(test_near_names_are_found),
        cmocka_unit_test(test_the_tables_are_whole),
        cmocka_unit_test(test_tokens_know_words_numbers_and_marks),
    };

    return cmocka_run_group_tests(tests, NULL, teardown);
}
