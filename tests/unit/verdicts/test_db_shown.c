// uses: verdicts
// What versions show by themselves: derived with everything else, and again when the rules change.
#include "db/internal.h"
#include "db/line.h"
#include "tests/unit/db_fixture.h"

static int
opened(void **state)
{
    fixture_open(state);
    take(*state, "D1",
        "'kernels':[{'id':'@K1','operator':'softmax','name':'s','language':'cuda'}],"
        "'versions':[{'id':'@V1','kernel':'@K1','kind':'baseline','summary':'float4 loads, 1p2c'},"
        "{'id':'@V2','kernel':'@K1','kind':'candidate','summary':'warp shuffles, split-K',"
        "'parents':[{'version':'@V1'}],'params':{'num_stages':3,'use_tma':false,'unroll':1},"
        "'sources':[{'file':'v2.cu','text':'__global__ void k(float *x)"
        " { x[0] = __shfl_xor_sync(~0u, x[1], 1); }'}]},"
        "{'id':'@V3','kernel':'@K1','kind':'library','summary':'float4 loads'},"
        "{'id':'@V4','kernel':'@K1','kind':'candidate','params':{'use_padding':0}},"
        "{'id':'@V5','kernel':'@K1','kind':'candidate','params':{'use_padding':0,'use_shmem':0}}]");
    return 0;
}

/* "source | lacks tiling | params | words" of each version of the line of NAME. */
static const char *
shown(struct fixture *f, const char *name)
{
    struct lore_line_facts facts;
    const char *text = "";

    ok(f, lore_db_get_line(f->db, id(f, name), &f->arena, &facts, &f->err));
    for (size_t i = 0; i < facts.n_versions; i++) {
        const struct lore_version_shown *s = &facts.versions[i].shown;
        text = lore_format(&f->arena, "%s[%s | %s | %s | %s]", text, s->source ? s->source : "-",
            s->lacks && strstr(s->lacks, "memory.tiling_smem") ? "no tiling" : "-",
            s->params ? s->params : "-", s->words ? s->words : "-");
    }
    return text;
}

static bool
old(struct fixture *f)
{
    bool is_old = false;

    ok(f, lore_verdicts_are_old(f->db, &is_old, &f->err));
    return is_old;
}

static void
versions_show_the_same_after_a_rebuild(void **state)
{
    struct fixture *f = *state;
    struct lore_rebuilt done;
    const char *was;

    ok(f, lore_verdicts_rebuild(f->db, 1, &done, &f->err));
    was = shown(f, "V2");
    assert_string_equal(was, "[- | - | - | memory.vectorized_access,"
                             "compute.warp_specialization]"
                             "[compute.warp_shuffle,sync.warp_level_reduction | no tiling | "
                             "memory.multi_stage_pipeline | -]");
    assert_string_equal(shown(f, "V3"), "[- | - | - | -]"); /* a library is what it is */
    /* a tile to pad, unless another parameter says that there is none */
    assert_string_equal(shown(f, "V4"), "[- | - | memory.tiling_smem | -]");
    assert_string_equal(shown(f, "V5"), "[- | - | - | -]");
    assert_false(old(f));
    ok(f, lore_db_exec(
              f->db, "UPDATE drv_version_shown SET rules = 0, words = 'memory.split_k'", &f->err));
    assert_true(old(f));
    ok(f, lore_verdicts_rebuild(f->db, 1, &done, &f->err));
    assert_false(old(f));
    assert_string_equal(shown(f, "V2"), was);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            versions_show_the_same_after_a_rebuild, opened, fixture_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
