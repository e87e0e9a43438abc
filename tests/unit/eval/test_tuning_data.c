// uses: eval
/* Tuning files of all kinds, made here: what is read of them, what is left out, and what is said.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "collectors/import/gzip.h"
#include "service/base/file.h"
#include "service/base/text.h"
#include "tests/eval/eval.h"
#include "tests/eval/tuning_world.h"
#include "tests/unit/scratch.h"

static char folder[64], *in = folder; /* in: where files are put */
static struct tuning data;
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
    char command[128];

    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static void
put(const char *name, const char *text)
{
    struct lore_buf packed = {0};
    char path[256];

    snprintf(path, sizeof path, "%s/%s.json.gz", in, name);
    assert_int_equal(lore_gzip(text, strlen(text), &packed, &err), LORE_OK);
    assert_int_equal(lore_file_write(path, packed.data, packed.len, 0600, &err), LORE_OK);
    lore_buf_free(&packed);
}

#define HEAD(device, keys)                                                                         \
    "{\"device_name\": \"" device "\", \"kernel_name\": \"k\", \"problem_size\": [64, 32], "       \
    "\"tune_params_keys\": [" keys "], \"cache\": {"

static void
load(void)
{
    enum lore_status status = tuning_load(folder, false, &data, &err);

    if (status != LORE_OK)
        fail_msg("%s", err.msg);
}

static bool
noted(const char *words)
{
    return data.notes.len > 0 && strstr(data.notes.data, words);
}

/* COUNT values of one parameter and two of another; the time is the product. */
static void
put_grid(const char *name, const char *device, int count)
{
    struct lore_buf b = {0};

    lore_buf_printf(&b,
        "{\"device_name\": \"%s\", \"kernel_name\": \"k\", \"tune_params_keys\": [\"a\", \"b\"], "
        "\"cache\": {",
        device);
    for (int i = 0; i < 2 * count; i++)
        lore_buf_printf(&b, "%s\"%d,%d\": {\"a\": %d, \"b\": %d, \"time\": %d}", i > 0 ? ", " : "",
            i / 2, i % 2, i / 2 + 1, i % 2 + 1, (i / 2 + 1) * (i % 2 + 1));
    lore_buf_puts(&b, "}}");
    put(name, b.data);
    lore_buf_free(&b);
}

static void
values_are_in_order_and_neighbours_are_one_step_away(void **state)
{
    (void)state;
    put("k_A100", HEAD("NVIDIA A100-PCIE-40GB",
                      "\"x\", \"y\"") "\"1\": {\"x\": 4, \"y\": true, \"time\": 1.0, "
                                      "\"timestamp\": \"2024-01-02 10:00:00+00:00\"},"
                                      "\"2\": {\"x\": 2.0, \"y\": true, \"time\": 4.0, "
                                      "\"timestamp\": \"2024-01-01 10:00:00+00:00\"},"
                                      "\"3\": {\"x\": 1, \"y\": true, \"time\": 2.0}, \"4\": "
                                      "{\"x\": 4, \"y\": false, "
                                      "\"time\": \"RuntimeFailedConfig\"}}}");
    load();
    const struct tuning_cell *c = &data.cell[0];
    assert_int_equal(data.n, 1);
    assert_string_equal(c->kernel, "k");
    assert_string_equal(c->chip.name, "a100");
    assert_string_equal(c->chip.isa, "sm_80");
    assert_string_equal(c->problem, "64x32");
    assert_true(lore_starts(c->since, "2024-01-01T10:00:00"));
    assert_int_equal(c->param[0].n, 3);
    assert_true(c->param[0].value[0] == 1 && c->param[0].value[2] == 4);
    assert_int_equal(c->n, 4);
    assert_true(c->best == 1e6);
    assert_int_equal(c->first[1] - c->first[0], 2); /* x one down, y one down: 1 is two away */
    assert_true(isinf(tuning_effect(c, 0, 3)));
    assert_true(fabs(tuning_effect(c, 1, 0) - log(4)) < 1e-12);
    assert_int_equal(tuning_find(c, c->state[2].at), 2);
    uint8_t nowhere[TUNING_PARAMS] = {0};
    assert_int_equal(tuning_find(c, nowhere), SIZE_MAX);
    tuning_free(&data);
}

static void
a_time_that_is_no_time_is_a_failure(void **state)
{
    (void)state;
    put("k_A100",
        HEAD("", "\"x\"") "\"1\": {\"x\": 1, \"time\": 1.0}, \"2\": {\"x\": 2, \"time\": 1e20},"
                          "\"3\": {\"x\": 3, \"time\": \"InvalidConfig\"}, \"4\": {\"x\": 4, "
                          "\"time\": \"\"},"
                          "\"5\": {\"x\": 5, \"time\": \"TimeoutConfig\"}, \"6\": {\"x\": 6},"
                          "\"7\": {\"time\": 2.0}, \"8\": {\"x\": [1], \"time\": 2.0}}}");
    load();
    assert_int_equal(data.cell[0].n, 5);
    for (size_t i = 1; i < 5; i++)
        assert_true(data.cell[0].state[i].time == 0);
    assert_true(noted("k_A100: 3 configurations refused"));
    tuning_free(&data);
}

static void
a_file_that_was_cut_keeps_its_complete_configurations(void **state)
{
    static const char *const ends[] = {
        "", ",", "}", ", \"3\": {\"x\": 3, \"ti", ", \"3\": {\"x\": 3, \"time\": 0.", "}} \n"};

    (void)state;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char text[512];
        snprintf(text, sizeof text, "%s%s%s", HEAD("", "\"x\""),
            "\"1\": {\"x\": 1, \"time\": 1}, \"2\": {\"x\": 2, \"time\": 3}", ends[i]);
        put("k_A100", text);
        load();
        assert_int_equal(data.cell[0].n, 2);
        assert_true(noted("k_A100: the file was cut") == (i < 5));
        tuning_free(&data);
    }
}

static void
what_is_no_tuning_file_is_an_error_that_names_it(void **state)
{
    char path[256];

    (void)state;
    put("k_A100", HEAD("", "\"x\"") "\"1\": {\"x\": 1 \"time\": 1}}}");
    assert_int_equal(tuning_load(folder, false, &data, &err), LORE_INVALID);
    assert_non_null(strstr(err.msg, "k_A100.json.gz: cache.1: line 1, column 117"));
    snprintf(path, sizeof path, "%s/k_A100.json.gz", folder);
    assert_int_equal(lore_file_write(path, "{}", 2, 0600, &err), LORE_OK);
    assert_int_equal(tuning_load(folder, false, &data, &err), LORE_NOTFOUND);
    put("k_A100", "{\"results\": [1, 2]}");
    assert_int_equal(tuning_load(folder, false, &data, &err), LORE_NOTFOUND);
    assert_int_equal(tuning_load("/nowhere", false, &data, &err), LORE_NOTFOUND);
}

/* Packed or not, with the kernel in the file's name or in the folder's. */
static void
files_are_found_in_folders_and_named_by_them(void **state)
{
    static const char text[] = HEAD("", "\"x\"") "\"1\": {\"x\": 1, \"time\": 1}}}";
    static char inner[96];
    char path[128];

    (void)state;
    snprintf(inner, sizeof inner, "%s/deep/gemm", folder);
    assert_int_equal(lore_mkdirs(inner, 0700, &err), LORE_OK);
    put("k_A100", text);
    in = inner;
    put("A4000", text);
    put("gemm_W6600", text);
    in = folder;
    snprintf(path, sizeof path, "%s/W7800.json", inner);
    assert_int_equal(lore_file_write(path, text, sizeof text - 1, 0600, &err), LORE_OK);
    snprintf(path, sizeof path, "%s/notes.txt", inner);
    assert_int_equal(lore_file_write(path, text, sizeof text - 1, 0600, &err), LORE_OK);
    load();
    assert_int_equal(data.n, 4);
    assert_string_equal(data.cell[0].chip.name, "a4000");
    assert_string_equal(data.cell[1].chip.name, "w7800");
    assert_string_equal(data.cell[2].chip.name, "w6600");
    assert_string_equal(data.cell[3].file, "k_A100");
    tuning_free(&data);
    snprintf(path, sizeof path, "%s/linked", folder);
    assert_int_equal(symlink(inner, path), 0);
    assert_int_equal(tuning_load(path, false, &data, &err), LORE_OK);
    assert_int_equal(data.n, 3);
    tuning_free(&data);
}

static void
many_values_are_told_apart_and_those_over_the_limit_are_left_out(void **state)
{
    (void)state;
    put_grid("k_A100", "", 100);
    put_grid("k_A4000", "", 300);
    load();
    assert_int_equal(data.cell[0].n, 200);
    assert_int_equal(data.cell[0].param[0].n, 100);
    assert_true(data.cell[0].state[199].time == 200e6);
    assert_int_equal(data.cell[0].first[200], 2 * (2 * 99 + 100));
    assert_int_equal(data.cell[1].param[0].n, TUNING_VALUES);
    assert_int_equal(data.cell[1].n, 2 * TUNING_VALUES);
    assert_true(noted("k_A4000: of 300 values of a the first 256"));
    assert_true(noted("k_A4000: 88 configurations left out"));
    tuning_free(&data);
}

static void
of_more_parameters_than_are_told_apart_constants_go_first(void **state)
{
    struct lore_buf b = {0};

    (void)state;
    lore_buf_puts(&b, "{\"tune_params_keys\": [");
    for (int p = 0; p < 30; p++)
        lore_buf_printf(&b, "%s\"p%d\"", p ? ", " : "", p);
    lore_buf_puts(&b, "], \"cache\": {");
    for (int i = 0; i < 26; i++) { /* p4 .. p29 vary, one at a time; p29 also has a third value */
        lore_buf_printf(&b, "%s\"%d\": {\"time\": %d", i ? ", " : "", i, i + 1);
        for (int p = 0; p < 30; p++)
            lore_buf_printf(&b, ", \"p%d\": %d", p, p == i + 4);
        lore_buf_puts(&b, "}");
    }
    lore_buf_puts(&b, "}}");
    put("k_A100", b.data);
    lore_buf_free(&b);
    load();
    assert_int_equal(data.cell[0].n_params, TUNING_PARAMS);
    assert_string_equal(data.cell[0].param[0].name, "p4");
    assert_string_equal(data.cell[0].param[23].name, "p27");
    assert_int_equal(data.cell[0].n, 24);
    assert_true(noted("the most frequent value of p29"));
    assert_true(noted("the most frequent value of p28"));
    assert_true(noted("2 configurations left out"));
    tuning_free(&data);
}

static void
texts_are_values_in_an_order_of_their_own(void **state)
{
    (void)state;
    put("k_A100", HEAD("", "\"t\"") "\"1\": {\"t\": \"half\", \"time\": 1}, \"2\": {\"t\": "
                                    "\"float\", \"time\": 2},"
                                    "\"3\": {\"t\": \"double\", \"time\": 3}}}");
    put("k_A4000", HEAD("", "\"t\"") "\"2\": {\"t\": \"float\", \"time\": 2}, \"3\": {\"t\": "
                                     "\"half\", \"time\": 3}}}");
    load();
    const struct tuning_param *a = &data.cell[0].param[0], *b = &data.cell[1].param[0];
    assert_true(a->symbolic);
    assert_string_equal(a->text[0], "\"double\"");
    assert_int_equal(data.cell[0].first[3], 6); /* each to each */
    assert_int_equal(tuning_value_in(a, 2, b), 1);
    assert_int_equal(tuning_value_in(a, 0, b), -1);
    tuning_free(&data);
}

static void
a_configuration_that_stands_twice_is_one(void **state)
{
    (void)state;
    put("k_A100",
        HEAD("", "\"x\"") "\"1\": {\"x\": 1, \"time\": \"RuntimeFailedConfig\"}, \"b\": {\"x\": 1, "
                          "\"time\": 5},"
                          "\"c\": {\"x\": 1.0, \"time\": 2}, \"d\": {\"x\": 2, \"time\": 7}}}");
    load();
    assert_int_equal(data.cell[0].n, 2);
    assert_true(data.cell[0].state[0].time == 5e6);
    assert_true(data.cell[0].best == 5e6);
    assert_true(noted("k_A100: 2 configurations stand there again"));
    tuning_free(&data);
}

static void
a_second_file_of_a_cell_and_one_where_nothing_ran_are_left_out(void **state)
{
    (void)state;
    put_grid("k_A100", "NVIDIA A100-PCIE-40GB", 3);
    put_grid("k_A100_again", "NVIDIA A100-PCIE-40GB", 3);
    put("k_A4000", HEAD("", "\"x\"") "\"1\": {\"x\": 1, \"time\": \"CompilationFailedConfig\"}}}");
    load();
    assert_int_equal(data.n, 1);
    assert_true(noted("k_A100: k_A100_again is that") || noted("k_A100_again: k_A100 is that"));
    assert_true(noted("k_A4000: no configuration ran"));
    tuning_free(&data);
}

static void
the_problem_tells_places_apart_only_where_there_are_several(void **state)
{
    (void)state;
    put("k_A100", HEAD("", "\"x\"") "\"1\": {\"x\": 1, \"time\": 1}}}");
    put("k_A4000", HEAD("", "\"x\"") "\"1\": {\"x\": 1, \"time\": 1}}}");
    load();
    assert_null(data.cell[0].chip.workload);
    tuning_free(&data);
    put("k_A4000", "{\"problem_size\": 4096, \"cache\": {\"1\": {\"x\": 1, \"time\": 1}}, "
                   "\"tune_params_keys\": [\"x\"]}");
    load();
    assert_string_equal(data.cell[0].chip.workload, "64x32");
    assert_string_equal(data.cell[1].chip.workload, "4096"); /* the cache came before the keys */
    assert_true(data.cell[1].chip.size == 12);
    tuning_free(&data);
}

static void
a_sample_of_moves_holds_both_ways_and_is_the_same_every_time(void **state)
{
    struct lore_arena arena = {0};
    struct tuning_log all = {0}, some = {0}, again = {0}, other = {0};
    size_t back = 0, both = 0;

    (void)state;
    put_grid("k_A100", "", 200);
    load();
    tuning_log_all(&data.cell[0], 100000, 1, &arena, &all);
    tuning_log_all(&data.cell[0], 400, 1, &arena, &some);
    tuning_log_all(&data.cell[0], 400, 1, &arena, &again);
    tuning_log_all(&data.cell[0], 400, 2, &arena, &other); /* of another cell: other moves */
    assert_int_equal(all.n, 2 * (2 * 199 + 200));
    assert_in_range(some.n, 300, 500);
    assert_int_equal(some.n, again.n);
    for (size_t i = 0; i < some.n; i++) {
        assert_int_equal(some.v[i].to, again.v[i].to);
        for (size_t k = 0; k < other.n; k++)
            both += some.v[i].from == other.v[k].from && some.v[i].to == other.v[k].to;
        for (size_t k = 0; k < some.n; k++)
            back += some.v[k].from == some.v[i].to && some.v[k].to == some.v[i].from;
    }
    assert_int_equal(back, some.n);
    assert_in_range(both, some.n / 4, 3 * some.n / 4);
    lore_arena_free(&arena);
    tuning_free(&data);
}

static void
run_suites(void)
{
    struct lore_arena arena = {0};
    struct lore_buf text = {0};
    struct lore_eval e = {
        .data = folder, .quick = true, .states = 5, .text = &text, .arena = &arena};
    assert_int_equal(lore_eval_moves(&e, &err), LORE_OK);
    assert_true(text.len > 0 && e.n_figures > 0);
    assert_int_equal(lore_eval_replay(&e, &err), LORE_OK);
    assert_null(strstr(text.data, "nan"));
    lore_buf_free(&text);
    lore_arena_free(&arena);
}

/* The suites take DIR/tuning: a folder of its own within. */
static void
a_kernel_of_one_chip_and_files_with_other_parameters_are_evaluated(void **state)
{
    char tuning[96];

    (void)state;
    snprintf(tuning, sizeof tuning, "%s/tuning", folder);
    in = tuning;
    assert_int_equal(lore_mkdirs(in, 0700, &err), LORE_OK);
    put("one_A100", HEAD("", "\"x\"") "\"1\": {\"x\": 1, \"time\": 1}}}");
    run_suites(); /* one configuration: no move at all */
    put_grid("k_A100", "", 30);
    run_suites();
    put("k_MI50",
        HEAD("", "\"a\", \"z\"") "\"1\": {\"a\": 1, \"z\": \"s\", \"time\": 1}, \"2\": {\"a\": 2, "
                                 "\"z\": \"s\", "
                                 "\"time\": 2}, \"3\": {\"a\": 2, \"z\": \"t\", \"time\": 3}}}");
    run_suites();
    in = folder;
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(values_are_in_order_and_neighbours_are_one_step_away),
        TEST(a_time_that_is_no_time_is_a_failure),
        TEST(a_file_that_was_cut_keeps_its_complete_configurations),
        TEST(files_are_found_in_folders_and_named_by_them),
        TEST(what_is_no_tuning_file_is_an_error_that_names_it),
        TEST(many_values_are_told_apart_and_those_over_the_limit_are_left_out),
        TEST(of_more_parameters_than_are_told_apart_constants_go_first),
        TEST(texts_are_values_in_an_order_of_their_own),
        TEST(a_configuration_that_stands_twice_is_one),
        TEST(a_second_file_of_a_cell_and_one_where_nothing_ran_are_left_out),
        TEST(the_problem_tells_places_apart_only_where_there_are_several),
        TEST(a_sample_of_moves_holds_both_ways_and_is_the_same_every_time),
        TEST(a_kernel_of_one_chip_and_files_with_other_parameters_are_evaluated),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
