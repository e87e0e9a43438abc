// uses: derive
/* What the parameters of a version show: a value that means "not in use" credits no technique. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/text.h"
#include "service/derive/shown.h"
#include "service/wire/build.h"

static struct lore_arena arena;

static int
teardown(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

/* The techniques that PARAMS show, "a=1 b=2". */
static const char *
shown(const char *params)
{
    struct lore_version v = {.kind = LORE_V_CANDIDATE};
    struct lore_version_shown out;

    for (const char *p = params; *p; p += *p == ' ') {
        size_t n = strcspn(p, "="), len = strcspn(p + n + 1, " ");
        lore_kvs_set(
            &arena, &v.params, lore_strndup(&arena, p, n), lore_strndup(&arena, p + n + 1, len));
        p += n + 1 + len;
    }
    return lore_shown_of(&v, &arena, &out) && out.params ? out.params : "";
}

static void
test_a_parameter_that_is_off_credits_nothing(void **state)
{
    static const char *const off[] = {"split_k_slices=1", "swizzle_size=1", "num_stages=1",
        "stages=0", "cluster_m=1 cluster_n=1 cluster_k=1", "cluster_shape=\"1x1x1\"", "unroll=1",
        "LOOP_UNROLL_FACTOR=1", "SPLIT_K=1", "GROUP_M=1", "vector_width=1", "use_tma=false"};

    (void)state;
    for (size_t i = 0; i < sizeof off / sizeof *off; i++)
        assert_string_equal(shown(off[i]), "");
}

static void
test_a_parameter_that_is_on_credits_its_technique(void **state)
{
    (void)state;
    assert_string_equal(shown("split_k_slices=4"), "memory.split_k");
    assert_string_equal(shown("num_stages=3"), "memory.multi_stage_pipeline");
    assert_string_equal(shown("cluster_m=2 cluster_n=1"), "sync.cluster_sync");
    assert_non_null(strstr(shown("use_padding=1"), "memory.smem_padding"));
}

static void
test_a_mode_counts_only_where_its_technique_is_in_use(void **state)
{
    (void)state;
    assert_string_equal(shown("split_k_mode=\"serial\" split_k_slices=1"), "");
    assert_string_equal(shown("split_k_mode=\"serial\" split_k_slices=2"), "memory.split_k");
    assert_string_equal(shown("raster_order=\"along_m\" swizzle_size=1"), "");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_a_parameter_that_is_off_credits_nothing, teardown),
        cmocka_unit_test_teardown(test_a_parameter_that_is_on_credits_its_technique, teardown),
        cmocka_unit_test_teardown(test_a_mode_counts_only_where_its_technique_is_in_use, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
