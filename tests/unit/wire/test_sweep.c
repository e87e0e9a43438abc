// uses: wire
/* Sweeps: series of scalars as text and packed, configurations packed and back, what cannot be
 * read, and what a sweep says as a whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/wire/sweep.h"

static struct lore_arena arena;

static const char *
written(const struct lore_series *s)
{
    LORE_BUF b = {0};

    lore_series_write(&b, s);
    return lore_strndup(&arena, b.len > 0 ? b.data : "", b.len);
}

static struct lore_series
packed_and_back(const struct lore_series *s)
{
    LORE_BUF b = {0};
    struct lore_series out;

    lore_series_pack(&b, s);
    struct lore_unpack u = {(unsigned char *)b.data, (unsigned char *)b.data + b.len, false};
    lore_series_unpack(&u, s->n, &arena, &out);
    assert_false(u.bad);
    assert_true(u.p == u.end);
    return out;
}

/* Read TEXT of N values, write it, pack it and unpack it: the same each time. */
static void
stays(const char *text, size_t n)
{
    struct lore_series s, back;
    struct lore_err err = {0};

    if (lore_series_read(text, n, &arena, &s, &err) != LORE_OK)
        fail_msg("%s: %s", text, err.msg);
    assert_string_equal(written(&s), text);
    back = packed_and_back(&s);
    assert_string_equal(written(&back), text);
    assert_int_equal(back.n_values, s.n_values);
}

static void
every_scalar_stays_as_it_was_written(void **state)
{
    (void)state;
    stays("16 32 64 16", 4);
    stays("- - -", 3);
    stays("- 1.5 - -2e-300 0.1", 5);
    stays("1 1.0 1e0 true \"1\" false", 6);
    stays("12345678901234567890 9007199254740993 -0 0", 4);
    stays("\"a b\" \"\\\"quoted\\\"\" \"\\u00e9\" \"NaN\" \"-\" \"\"", 6);
    stays("1e308 5e-324 0.30000000000000004", 3);
    stays("1 2 3 4 5 6 7 8 9 10 - 12", 12); /* numbers by bytes */
}

static void
what_is_no_scalar_is_refused_with_its_place(void **state)
{
    static const struct {
        const char *text, *why;
    } cases[] = {{"1 2", "has 2 values for 3"}, {"1 2 3 4", "has 4 values for 3"},
        {"1 x 3", "value 2, x:"}, {"1 01 3", "value 2, 01:"}, {"1 2. 3", "value 2"},
        {"1 1e999 3", "value 2"}, {"1 NaN 3", "value 2"}, {"1 \"a 3", "value 2"},
        {"\"\\q\" 2 3", "value 1"}, {"\"a\"b 2 3", "value 1"}, {"1 null 3", "value 2"},
        {"1 {} 3", "value 2"}, {"", "has 0 values"}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lore_series s;
        struct lore_err err = {0};
        assert_int_equal(lore_series_read(cases[i].text, 3, &arena, &s, &err), LORE_INVALID);
        if (!strstr(err.msg, cases[i].why))
            fail_msg("%s: %s", cases[i].text, err.msg);
    }
}

static struct lore_sweep_column columns[] = {
    {"tile", NULL, "memory.tiling_smem", "0 1 0 1 0 1"}, {"block", NULL, NULL, "32 32 64 64 - 96"}};
static struct lore_sweep_column metrics[] = {{"GFLOP/s", "GFLOP/s", NULL, "1.5 2.5 - 3.25 - 9"}};
static struct lore_sweep_failed failures[] = {
    {"compilation", "Compilation \"Failed\"", "4"}, {"runtime", NULL, "2"}};

static struct lore_configurations
configurations(void)
{
    return (struct lore_configurations){.set = true,
        .count = {true, 6},
        .parameters = columns,
        .n_parameters = 2,
        .metrics = metrics,
        .n_metrics = 1,
        .times_ns = "400 200.25 - 100 - 300",
        .samples_ns = "400 399 401;200;7 8;9007199254740992 0;;300",
        .failures = failures,
        .n_failures = 2};
}

static struct lore_sweep_data
read(const struct lore_configurations *c)
{
    struct lore_sweep_data d;
    struct lore_err err = {0};

    if (lore_sweep_read(c, &arena, &d, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    return d;
}

static void
configurations_come_back_as_they_were_packed(void **state)
{
    struct lore_configurations c = configurations(), back;
    struct lore_sweep_data d = read(&c), out = {0};
    struct lore_err err = {0};
    LORE_BUF b = {0};

    (void)state;
    assert_int_equal(lore_sweep_pack(&d, &b, &err), LORE_OK);
    assert_int_equal(lore_sweep_unpack(b.data, b.len, LORE_SWEEP_ALL, &arena, &out, &err), LORE_OK);
    lore_sweep_write(&out, &arena, &back);
    assert_int_equal(back.count.v, 6);
    assert_string_equal(back.times_ns, c.times_ns);
    assert_string_equal(back.samples_ns, c.samples_ns);
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(back.parameters[i].name, columns[i].name);
        assert_string_equal(back.parameters[i].values, columns[i].values);
        assert_string_equal(back.failures[i].type, failures[i].type);
        assert_string_equal(back.failures[i].at, failures[i].at);
    }
    assert_string_equal(back.parameters[0].technique, "memory.tiling_smem");
    assert_null(back.parameters[1].technique);
    assert_string_equal(back.failures[0].said, failures[0].said);
    assert_null(back.failures[1].said);
    assert_string_equal(back.metrics[0].unit, "GFLOP/s");
    assert_string_equal(back.metrics[0].values, metrics[0].values);
}

static void
a_part_is_unpacked_without_the_others(void **state)
{
    struct lore_configurations c = configurations();
    struct lore_sweep_data d = read(&c), out = {0};
    LORE_BUF b = {0};

    (void)state;
    assert_int_equal(lore_sweep_pack(&d, &b, NULL), LORE_OK);
    assert_int_equal(lore_sweep_unpack(b.data, b.len, 0, &arena, &out, NULL), LORE_OK);
    assert_int_equal(out.n_samples + out.n_metrics, 0);
    assert_true(out.time_ns[3] == 100);
    assert_int_equal(
        lore_sweep_unpack(b.data, b.len, LORE_SWEEP_METRICS, &arena, &out, NULL), LORE_OK);
    assert_int_equal(out.n_samples, 0);
    assert_int_equal(out.n_metrics, 1);
}

/* Any byte cut off or changed is an error or other values, and no crash. */
static void
damaged_bytes_are_no_sweep(void **state)
{
    struct lore_configurations c = configurations();
    struct lore_sweep_data d = read(&c), out;
    LORE_BUF b = {0};

    (void)state;
    assert_int_equal(lore_sweep_pack(&d, &b, NULL), LORE_OK);
    for (size_t n = 0; n < b.len; n++)
        assert_int_equal(
            lore_sweep_unpack(b.data, n, LORE_SWEEP_ALL, &arena, &out, NULL), LORE_CORRUPT);
    assert_int_equal(lore_sweep_unpack(NULL, 0, 0, &arena, &out, NULL), LORE_CORRUPT);
    for (size_t i = 0; i < b.len; i++) {
        b.data[i] ^= 0x11;
        (void)!lore_sweep_unpack(b.data, b.len, LORE_SWEEP_ALL, &arena, &out, NULL);
        b.data[i] ^= 0x11;
    }
}

static void
a_sweep_that_contradicts_itself_is_refused(void **state)
{
    static struct lore_sweep_failed again[] = {{"runtime", NULL, "2"}, {"timeout", NULL, "2"}},
                                    timed[] = {{"runtime", NULL, "0"}},
                                    backwards[] = {{"runtime", NULL, "4 2"}},
                                    outside[] = {{"runtime", NULL, "6"}};
    const struct {
        struct lore_sweep_failed *f;
        size_t n;
        const char *times, *samples, *why;
    } cases[] = {{again, 2, NULL, NULL, "failures[1].at: configuration 2 has another failure"},
        {timed, 1, NULL, NULL, "configuration 0 has a time"},
        {backwards, 1, NULL, NULL, "ascending"}, {outside, 1, NULL, NULL, "failures[0].at"},
        {NULL, 0, "1 2 3 4 5 0", NULL, "times_ns: value 6"},
        {NULL, 0, "1 2 3 4 5 true", NULL, "times_ns: value 6"},
        {NULL, 0, "1 2", NULL, "times_ns: has 2 values"},
        {NULL, 0, NULL, "1;2", "samples_ns: has 2 lists"},
        {NULL, 0, NULL, "1;2;3;4;5;6;7", "samples_ns: more than 6"},
        {NULL, 0, NULL, "1;2;3;4;5;6.5", "samples_ns: configuration 5"},
        {NULL, 0, NULL, "1;2;3;4;5;9007199254740993", "samples_ns"}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lore_configurations c = configurations();
        struct lore_sweep_data d;
        struct lore_err err = {0};
        c.failures = cases[i].f;
        c.n_failures = cases[i].n;
        c.times_ns = cases[i].times ? cases[i].times : c.times_ns;
        c.samples_ns = cases[i].samples ? cases[i].samples : c.samples_ns;
        assert_int_equal(lore_sweep_read(&c, &arena, &d, &err), LORE_INVALID);
        if (!strstr(err.msg, cases[i].why))
            fail_msg("case %zu: %s", i, err.msg);
    }
    struct lore_configurations c = configurations();
    struct lore_sweep_data d;
    c.times_ns = c.samples_ns = NULL;
    assert_int_equal(lore_sweep_read(&c, &arena, &d, NULL), LORE_INVALID);
}

static void
without_times_the_median_of_the_samples_counts(void **state)
{
    struct lore_configurations c = configurations();

    (void)state;
    c.times_ns = NULL;
    struct lore_sweep_data d = read(&c);
    assert_true(d.time_ns[0] == 400);
    assert_true(d.time_ns[2] == 0); /* it failed */
    assert_true(d.time_ns[4] == 0);
}

static void
the_order_is_by_time_and_the_median_in_its_middle(void **state)
{
    struct lore_configurations c = configurations();
    struct lore_sweep_data d = read(&c);
    size_t n;
    const uint32_t *order = lore_sweep_order(&d, &arena, &n);

    (void)state;
    assert_int_equal(n, 4);
    assert_int_equal(order[0], 3);
    assert_int_equal(order[3], 0);
    assert_true(lore_sweep_median(&d, order, n) == 250.125);
    assert_string_equal(lore_sweep_label(&d, 3, &arena), "block=64 tile=1");
    assert_string_equal(lore_sweep_label(&d, 4, &arena), "tile=0");
}

static void
what_is_faster_than_the_chip_can_be_failed(void **state)
{
    struct lore_configurations c = configurations();
    struct lore_sweep_data d = read(&c), possible = d;
    size_t n;

    (void)state;
    lore_sweep_set_aside(&possible, 150, &arena);
    const uint32_t *order = lore_sweep_order(&possible, &arena, &n);
    assert_int_equal(n, 3);
    assert_int_not_equal(order[0], 3);
    assert_true(possible.time_ns[3] == 0);
    assert_string_equal(possible.whys[possible.why[3] - 1].type, "accuracy");
    assert_int_equal(possible.whys[possible.n_whys - 1].n, 1);
    assert_true(d.time_ns[3] == 100); /* the recorded time is kept */
    lore_sweep_set_aside(&d, 100, &arena);
    assert_true(d.time_ns[3] == 100);
}

/* The print is of the search: not of its order, its metrics or parameters with one value. */
static void
the_print_is_that_of_the_search(void **state)
{
    static struct lore_sweep_column turned[] = {{"fixed", NULL, NULL, "7 7 7 7 7 7"},
        {"block", NULL, NULL, "96 - 64 64 32 32"}, {"tile", NULL, NULL, "1 0 1 0 1 0"}};
    struct lore_configurations c = configurations(), other = configurations();
    struct lore_sweep_data d = read(&c);
    char print[33], second[33];

    (void)state;
    lore_sweep_print(&d, &arena, print);
    other.parameters = turned;
    other.n_parameters = 3;
    other.n_metrics = other.n_failures = 0;
    other.times_ns = "300 - 100 - 200.25 400";
    other.samples_ns = "300;;9007199254740992 0;;200;400 399 401";
    d = read(&other);
    lore_sweep_print(&d, &arena, second);
    assert_string_equal(print, second);
    other.samples_ns = "300;;9007199254740992 0;;200;400 399 402";
    d = read(&other);
    lore_sweep_print(&d, &arena, second);
    assert_string_not_equal(print, second);
}

/* A search over the N parameters OF; one time for each configuration. */
static struct lore_sweep_data
search(struct lore_sweep_column *of, size_t n, const char *times)
{
    struct lore_configurations c = {
        .set = true, .parameters = of, .n_parameters = n, .times_ns = times};

    c.count.set = true;
    for (const char *t = times; *t; t++)
        c.count.v += *t == ' ';
    c.count.v++;
    return read(&c);
}

static double
speedup(const struct lore_sweep_data *d, const char *technique)
{
    struct lore_sweep_witness *w;
    size_t n = lore_sweep_witnesses(d, &arena, &w);

    for (size_t i = 0; i < n; i++)
        if (strcmp(w[i].technique, technique) == 0)
            return w[i].speedup;
    return 0;
}

/* It is not used where all its parameters say so. */
static void
a_technique_has_one_witness(void **state)
{
    static struct lore_sweep_column of[] = {{"x", NULL, "compute.thread_coarsening", "1 8 1 8 1"},
        {"y", NULL, "compute.thread_coarsening", "1 1 8 8 9"},
        {"block", NULL, "compute.launch_config", "32 32 32 32 64"}};
    struct lore_sweep_data d = search(of, 3, "400 101 100 300 -");
    struct lore_sweep_witness *w;

    (void)state;
    assert_int_equal(lore_sweep_witnesses(&d, &arena, &w), 1);
    assert_string_equal(w[0].parameter, "y");
    assert_true(w[0].speedup == 4);
    d = search(of, 3, "400 101 100 300 50");
    assert_int_equal(lore_sweep_witnesses(&d, &arena, &w), 2);
    assert_string_equal(w[1].technique, "compute.launch_config");
    assert_true(w[1].speedup == 1.5);
}

/* The best with it loses, most pairs gain: both are said. */
static void
pairs_that_differ_in_a_technique_have_a_median(void **state)
{
    static struct lore_sweep_column of[] = {{"pad", NULL, "memory.smem_padding", "0 1 0 1 0 1 1"},
        {"block", NULL, NULL, "1 1 2 2 3 3 4"}};
    struct lore_sweep_data d = search(of, 2, "100 200 300 200 400 200 250");
    struct lore_sweep_witness *w;

    (void)state;
    assert_int_equal(lore_sweep_witnesses(&d, &arena, &w), 1);
    assert_true(w[0].speedup == 0.5);
    assert_int_equal(w[0].pairs, 3);
    assert_true(w[0].median == 1.5);
}

/* What the tuner calls a parameter is no technique. */
static void
a_parameter_without_a_technique_is_no_witness(void **state)
{
    static struct lore_sweep_column of[] = {{"between_method", NULL, NULL, "0 1 2 3"}};
    struct lore_sweep_data d = search(of, 1, "100 110 120 130");
    struct lore_sweep_witness *w;

    (void)state;
    assert_int_equal(lore_sweep_witnesses(&d, &arena, &w), 0);
}

static void
a_parameter_of_several_values_never_lost(void **state)
{
    static struct lore_sweep_column of[] = {{"unroll", NULL, "compute.loop_unroll", "1 2 4"}},
                                    two[] = {{"unroll", NULL, "compute.loop_unroll", "1 2"}};
    struct lore_sweep_data d = search(of, 1, "100 150 200");

    (void)state;
    assert_true(speedup(&d, "compute.loop_unroll") == 1);
    d = search(of, 1, "200 150 100");
    assert_true(speedup(&d, "compute.loop_unroll") == 2);
    d = search(two, 1, "100 200");
    assert_true(speedup(&d, "compute.loop_unroll") == 0.5);
}

/* Padding needs shared memory: the cost of shared memory is not the cost of padding. */
static void
a_technique_does_not_pay_for_what_it_needs(void **state)
{
    static struct lore_sweep_column of[] = {{"use_shmem", NULL, "memory.tiling_smem", "0 1 1 0"},
        {"use_padding", NULL, "memory.smem_padding", "0 0 1 -"}};
    struct lore_sweep_data d = search(of, 2, "100 200 201 -");

    (void)state;
    assert_true(speedup(&d, "memory.smem_padding") == 200.0 / 201);
    assert_true(speedup(&d, "memory.tiling_smem") == 0.5);
}

/* It gains at a block that is slow, and the best kernel has another block and no padding. */
static void
a_technique_gains_when_the_fastest_kernel_has_it(void **state)
{
    static struct lore_sweep_column of[] = {{"block", NULL, NULL, "16 16 32 64"},
        {"use_padding", NULL, "memory.smem_padding", "0 1 0 -"}};
    struct lore_sweep_data d = search(of, 2, "300 200 100 -");

    (void)state;
    assert_true(speedup(&d, "memory.smem_padding") == 1);
    d = search(of, 2, "300 200 220 -");
    assert_true(speedup(&d, "memory.smem_padding") == 1.1);
    static struct lore_sweep_column alone[] = {
        {"block", NULL, NULL, "16 32"}, {"use_padding", NULL, "memory.smem_padding", "0 1"}};
    d = search(alone, 2, "300 200"); /* nothing that differs in it alone */
    assert_true(speedup(&d, "memory.smem_padding") == 0);
}

/* The parameter "p" with VALUES and TIMES: "20 largest each", "" for no edge. */
static const char *
edge(const char *values, const char *times)
{
    struct lore_sweep_column of[] = {{"p", NULL, NULL, values}};
    struct lore_sweep_data d = search(of, 1, times);
    struct lore_sweep_edge *e;

    if (lore_sweep_edges(&d, &arena, &e) == 0)
        return "";
    assert_string_equal(e->parameter, "p");
    assert_true(e->over > 1);
    return lore_format(
        &arena, "%s %s%s", e->value, e->largest ? "largest" : "smallest", e->each ? " each" : "");
}

static void
the_best_value_at_the_end_of_its_range_is_an_edge(void **state)
{
    (void)state;
    assert_string_equal(edge("20 10 18 16", "870 1000 890 960"), "20 largest each");
    assert_string_equal(edge("1 2 3 4", "129 99.6 130 81"), "4 largest"); /* clearly the best */
    assert_string_equal(edge("5 6 7 8", "60 55.8 52.7 52.3"), "8 largest each");
    assert_string_equal(
        edge("4 5 6 7 8", "58 60 55.8 52.7 52.3"), "8 largest"); /* the last steps */
    assert_string_equal(edge("32 64 96", "80 90 100"), "32 smallest each");
}

static void
no_edge_where_the_range_goes_on_or_cannot(void **state)
{
    (void)state;
    assert_string_equal(edge("1 2 4", "120 80 100"), "");
    assert_string_equal(edge("1 2 4", "80 90 100"), "");         /* nothing is below 1 */
    assert_string_equal(edge("8 16 32", "100 99.9 99.8"), "");   /* a plateau */
    assert_string_equal(edge("8 16 32", "100 120 99"), "");      /* no trend and not clear */
    assert_string_equal(edge("8 16 32 64", "120 110 80 -"), ""); /* the largest did not run */
    assert_string_equal(edge("0 1 2", "120 100 80"), "");        /* ways to do something */
    assert_string_equal(edge("false true", "120 80"), "");
    assert_string_equal(edge("\"a\" \"b\" \"c\"", "120 100 80"), "");
    assert_string_equal(edge("1 2", "120 80"), "");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scalar_stays_as_it_was_written),
        cmocka_unit_test(what_is_no_scalar_is_refused_with_its_place),
        cmocka_unit_test(configurations_come_back_as_they_were_packed),
        cmocka_unit_test(a_part_is_unpacked_without_the_others),
        cmocka_unit_test(damaged_bytes_are_no_sweep),
        cmocka_unit_test(a_sweep_that_contradicts_itself_is_refused),
        cmocka_unit_test(without_times_the_median_of_the_samples_counts),
        cmocka_unit_test(the_order_is_by_time_and_the_median_in_its_middle),
        cmocka_unit_test(what_is_faster_than_the_chip_can_be_failed),
        cmocka_unit_test(the_print_is_that_of_the_search),
        cmocka_unit_test(a_technique_has_one_witness),
        cmocka_unit_test(pairs_that_differ_in_a_technique_have_a_median),
        cmocka_unit_test(a_parameter_without_a_technique_is_no_witness),
        cmocka_unit_test(a_parameter_of_several_values_never_lost),
        cmocka_unit_test(a_technique_does_not_pay_for_what_it_needs),
        cmocka_unit_test(a_technique_gains_when_the_fastest_kernel_has_it),
        cmocka_unit_test(the_best_value_at_the_end_of_its_range_is_an_edge),
        cmocka_unit_test(no_edge_where_the_range_goes_on_or_cannot),
    };
    lore_hash_init();
    int failed = cmocka_run_group_tests_name("sweep", tests, NULL, NULL);
    lore_arena_free(&arena);
    return failed;
}
