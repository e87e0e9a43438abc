// uses: eval
/* Logs of agents in their different layouts, and what is stripped from an idea. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/buf.h"
#include "service/base/file.h"
#include "service/base/text.h"
#include "tests/eval/agent_logs.h"
#include "tests/unit/scratch.h"

static char folder[64];
static struct lore_arena arena;
static struct lore_err err;

static int
setup(void **state)
{
    (void)state;
    return scratch_make(folder);
}

static int
teardown(void **state)
{
    (void)state;
    scratch_drop(folder);
    lore_arena_free(&arena);
    return 0;
}

static void
put(const char *log, const char *file, const char *text)
{
    const char *at = lore_format(&arena, "%s/%s", folder, log);

    assert_int_equal(lore_mkdirs(at, 0700, &err), LORE_OK);
    at = lore_format(&arena, "%s/%s", at, file);
    assert_int_equal(lore_file_write(at, text, strlen(text), 0600, &err), LORE_OK);
}

static void
test_rows_of_every_layout_are_read_in_order(void **state)
{
    struct agent_log *v;
    size_t n;

    (void)state;
    assert_int_equal(agent_logs_read(folder, &arena, &v, &n, &err), LORE_NOTFOUND);
    put("cuda/logs/gemm_a/one", "results.tsv",
        "iter\tkernel\ttflops\tdecision\tbottleneck\tidea_summary\n"
        "iter000\titer000_cublas\t400\tKEEP\tbaseline\tthe library\n"
        "iter001\titer001_wide\t80.5\tKEEP\tmemory_bound\twide loads of the a\n"
        "2\titer002_deep\tBEST\t90.5\tdeeper pipeline\n"
        "3\titer003_map\tCOMPILE_FAIL\t-\tanother map\n"
        "iter004\titer004_x\t0\tDISCARD\tmemory_bound\twrong sums\n");
    put("cuda/logs/gemm_a/one", "idea-log.jsonl",
        "{\"iter\": \"iter001\", \"idea\": \"wide loads of the activations\"}\n");
    put("triton/logs/scan/two", "results.tsv",
        "round\titer\tkernel\ttflops\tdecision\tbottleneck\tidea_summary\n"
        "0\titer000\tref\t0.02\tREFERENCE\tbaseline\tthe other one\n"
        "iter001\tk\t0.01\tDISCARD\tlaunch_bound\tmore threads\n");
    assert_int_equal(agent_logs_read(folder, &arena, &v, &n, &err), LORE_OK);
    assert_int_equal(n, 2);
    assert_string_equal(v[0].name, "cuda/logs/gemm_a/one");
    assert_string_equal(v[0].task, "gemm_a");
    assert_string_equal(v[1].language, "triton");
    const struct {
        size_t log, line;
        enum agent_end end;
        double tflops;
        const char *iter, *bottleneck, *idea;
    } want[] = {
        {0, 2, AGENT_REFERENCE, 400, "iter000", "baseline", "the library"},
        {0, 3, AGENT_KEPT, 80.5, "iter001", "memory_bound", "wide loads of the activations"},
        {0, 4, AGENT_KEPT, 90.5, "2", "", "deeper pipeline"},
        {0, 5, AGENT_NOT_BUILT, 0, "3", "", "another map"},
        {0, 6, AGENT_NOT_RUN, 0, "iter004", "memory_bound", "wrong sums"},
        {1, 2, AGENT_REFERENCE, 0.02, "iter000", "baseline", "the other one"},
        {1, 3, AGENT_DISCARDED, 0.01, "iter001", "launch_bound", "more threads"},
    };
    size_t at[2] = {0};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        const struct agent_attempt *a = &v[want[i].log].v[at[want[i].log]++];
        assert_int_equal(a->line, want[i].line);
        assert_int_equal(a->end, want[i].end);
        assert_float_equal(a->tflops, want[i].tflops, 0);
        assert_string_equal(a->iter, want[i].iter);
        assert_string_equal(a->bottleneck, want[i].bottleneck);
        assert_string_equal(a->idea, want[i].idea);
    }
    assert_int_equal(v[0].n, at[0]);
    assert_int_equal(v[1].n, at[1]);
}

static void
test_the_outcome_is_stripped_and_the_change_stays(void **state)
{
    static const struct {
        const char *said, *asked;
    } cases[] = {
        {"unroll 4x - slower, 317.4 TFLOPS", "unroll 4x - , "},
        {"BK=64: no improvement (+1.5%)", "BK=64:  ()"},
        {"num_stages 3 with 8 warps", "num_stages 3 with 8 warps"},
        {"bestow slowest-path", "bestow -path"},
        {"Failed: 1.2x faster than v3", ":   than v3"},
        {"tile 128x64", "tile 128x64"},
        {"", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(agent_strip(&arena, cases[i].said), cases[i].asked);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_rows_of_every_layout_are_read_in_order, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_the_outcome_is_stripped_and_the_change_stays, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
