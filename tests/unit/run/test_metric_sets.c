// uses: run
/* What a text of --metrics expands to, which names are refused and what is offered instead. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collectors/run/metric_sets.h"
#include "service/base/text.h"

static struct lore_arena arena;
static struct lore_err err;
static const struct lore_metric_chip nvidia = {"nvidia", NULL, 0}, amd = {"amd", NULL, 0};

static int
stop(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

static const char *
expand(const char *text)
{
    const char *out = "unset";

    if (lore_metric_sets_expand(text, &nvidia, &arena, &out, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    return out;
}

static void
refused(const char *text, const char *hint)
{
    const char *out = "unset";

    assert_int_equal(lore_metric_sets_expand(text, &nvidia, &arena, &out, &err), LORE_INVALID);
    assert_string_equal(err.code, "unknown_metric");
    assert_string_equal(err.path, "--metrics");
    assert_string_equal(out, "unset");
    if (!strstr(err.hint, hint))
        fail_msg("hint of %s: %s", text, err.hint);
}

static size_t
count(const char *names)
{
    size_t n = names != NULL;

    for (; names != NULL && *names != '\0'; names++)
        n += *names == ',';
    return n;
}

static void
none_and_nothing_ask_for_no_counters(void **state)
{
    (void)state;
    assert_null(expand("none"));
    assert_null(expand(""));
    assert_null(expand(" , "));
}

static void
sets_have_help_and_full_holds_basic(void **state)
{
    size_t n;
    const struct lore_metric_set *sets = lore_metric_sets("nvidia", &n);

    (void)state;
    assert_int_equal(n, 3);
    for (size_t i = 0; i < n; i++) {
        assert_true(strlen(sets[i].help) > 20);
        assert_int_equal(count(expand(sets[i].name)), sets[i].n);
        assert_true(i == 0 || sets[i].n > sets[i - 1].n);
    }
    assert_int_equal(count(expand("full,basic,full")), sets[2].n);
}

static void
basic_has_what_the_rules_of_the_service_look_at_first(void **state)
{
    static const char *const needed[] = {"gpu__time_duration.sum",
        "sm__throughput.avg.pct_of_peak_sustained_elapsed",
        "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
        "dram__throughput.avg.pct_of_peak_sustained_elapsed", "dram__bytes_read.sum",
        "dram__bytes_write.sum", "sm__warps_active.avg.pct_of_peak_sustained_active",
        "sm__maximum_warps_per_active_cycle_pct",
        "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
        "launch__waves_per_multiprocessor"};
    const char *names = lore_format(&arena, ",%s,", expand("basic"));

    (void)state;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!strstr(names, lore_format(&arena, ",%s,", needed[i])))
            fail_msg("basic lacks %s", needed[i]);
}

static void
every_name_of_a_set_passes_as_a_name(void **state)
{
    size_t n;
    const struct lore_metric_set *full = &lore_metric_sets("nvidia", &n)[2];

    (void)state;
    for (size_t i = 0; i < full->n; i++)
        assert_string_equal(expand(full->names[i]), full->names[i]);
}

static void
sets_and_names_mix_and_a_name_comes_once(void **state)
{
    const char *mixed = expand("basic, sm__inst_executed_pipe_tma.sum,sm__cycles_active.avg");

    (void)state;
    assert_int_equal(count(mixed), count(expand("basic")) + 2);
    assert_non_null(strstr(mixed, ",sm__inst_executed_pipe_tma.sum,sm__cycles_active.avg"));
    assert_string_equal(
        expand("dram__bytes.sum,dram__bytes.sum,dram__bytes.sum"), "dram__bytes.sum");
}

static void
a_name_is_never_offered_for_itself(void **state)
{
    const char *near = lore_metric_sets_suggest("dram__bytes.sum", &nvidia, &arena);
    (void)state;

    assert_string_equal(near, "dram__bytes.sum.per_second");
    assert_string_equal(lore_metric_sets_suggest("launch__grid_size", &nvidia, &arena), "");
    assert_true(lore_metric_sets_contain("dram__bytes.sum"));
    assert_false(lore_metric_sets_contain("dram__bytes"));
}

static void
names_that_no_chip_can_have_are_refused_with_the_nearest(void **state)
{
    (void)state;
    refused("sm__troughput.avg.pct_of_peak_sustained_elapsed",
        "sm__throughput.avg.pct_of_peak_sustained_elapsed");
    refused("basc", "basic");
    refused("dram__byte.sum", "dram__bytes.sum");
    refused("launch__register_per_thread", "launch__registers_per_thread");
    refused("dram__bytes.summ", "dram__bytes.sum");
    refused("basic,dram__bytes", "dram__bytes.sum");
    refused("__.sum", "");
    refused("sm__.sum", "");
    refused("lst__t_sectors.sum", "");
    refused("zzzzzzzzzzzzzzzzzzz", "--list-metrics");
}

static void
the_devices_own_list_decides_when_it_is_given(void **state)
{
    static const char *const names[] = {"dram__bytes", "sm__new_thing"};
    const struct lore_metric_chip device = {"nvidia", names, 2};
    const char *out;

    (void)state;
    assert_int_equal(lore_metric_sets_expand("sm__new_thing.sum,dram__bytes.avg.per_second,"
                                             "launch__grid_size",
                         &device, &arena, &out, &err),
        LORE_OK);
    assert_string_equal(out, "sm__new_thing.sum,dram__bytes.avg.per_second,launch__grid_size");
    assert_int_equal(
        lore_metric_sets_expand("sm__new_thin.sum", &device, &arena, &out, &err), LORE_INVALID);
    assert_non_null(strstr(err.hint, "sm__new_thing"));
    assert_int_equal(
        lore_metric_sets_expand("lts__t_sectors_op_read.sum", &device, &arena, &out, &err),
        LORE_INVALID);
    assert_int_equal(
        lore_metric_sets_expand("dram__bytes.pct_of", &device, &arena, &out, &err), LORE_INVALID);
}

static void
amd_has_sets_and_names_of_its_own(void **state)
{
    const char *out = NULL;
    size_t n;
    const struct lore_metric_set *sets = lore_metric_sets("amd", &n);

    (void)state;
    assert_int_equal(n, 3);
    assert_int_equal(lore_metric_sets_expand("basic", &amd, &arena, &out, &err), LORE_OK);
    assert_int_equal(count(out), sets[1].n);
    for (size_t i = 0; i < sets[2].n; i++) {
        assert_int_equal(
            lore_metric_sets_expand(sets[2].names[i], &amd, &arena, &out, &err), LORE_OK);
        assert_true(lore_metric_sets_contain(sets[2].names[i]));
        assert_false(lore_metric_sets_is_elapsed(sets[2].names[i]));
    }
    assert_int_equal(
        lore_metric_sets_expand("SQ_NEW,OccupancyPercent", &amd, &arena, &out, &err), LORE_OK);
    assert_string_equal(out, "SQ_NEW,OccupancyPercent");
    assert_int_equal(
        lore_metric_sets_expand("TCC_HITS_sum.avg", &amd, &arena, &out, &err), LORE_INVALID);
    assert_int_equal(
        lore_metric_sets_expand("dram__bytes.sum", &amd, &arena, &out, &err), LORE_INVALID);
    assert_int_equal(
        lore_metric_sets_expand("SQ_WAVES", &nvidia, &arena, &out, &err), LORE_INVALID);
    assert_non_null(strstr(lore_metric_sets_suggest("SQ_WAVE", &amd, &arena), "SQ_WAVES"));
}

static void
too_many_names_are_refused(void **state)
{
    const char *out, *text = "";
    static const char *const ways[] = {"sum", "avg", "min", "max"};
    static const char *const words[] = {"read", "write", "hit", "miss", "active", "cycles", "inst",
        "data", "op", "t", "tag", "tags", "warp", "warps", "local", "shared", "global"};

    (void)state;
    for (size_t a = 0; a < 17; a++)
        for (size_t b = 0; b < 17; b++)
            for (size_t c = 0; c < 4; c++)
                text = lore_format(&arena, "%ssm__%s_%s.%s,", text, words[a], words[b], ways[c]);
    assert_int_equal(lore_metric_sets_expand(text, &nvidia, &arena, &out, &err), LORE_TOOBIG);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_and_nothing_ask_for_no_counters),
        cmocka_unit_test(sets_have_help_and_full_holds_basic),
        cmocka_unit_test(basic_has_what_the_rules_of_the_service_look_at_first),
        cmocka_unit_test(every_name_of_a_set_passes_as_a_name),
        cmocka_unit_test(sets_and_names_mix_and_a_name_comes_once),
        cmocka_unit_test(a_name_is_never_offered_for_itself),
        cmocka_unit_test(names_that_no_chip_can_have_are_refused_with_the_nearest),
        cmocka_unit_test(the_devices_own_list_decides_when_it_is_given),
        cmocka_unit_test(amd_has_sets_and_names_of_its_own),
        cmocka_unit_test(too_many_names_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, stop);
}
