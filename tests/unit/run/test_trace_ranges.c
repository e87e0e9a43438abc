// uses: run
/* Launches in ranges: those of a range are a group of their own, whether the file names the range
 * before or after them. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "collectors/run/trace_read.h"
#include "collectors/run/trace_ties.h"
#include "service/base/text.h"
#include "tests/unit/capture_bytes.h"
#include "tests/unit/scratch.h"

static struct lore_arena arena;
static struct lore_buf bytes;
static struct lore_trace trace;

static void
begin(void)
{
    lore_buf_free(&bytes);
    bytes.max = 64 << 20;
    lore_arena_free(&arena);
    memset(&trace, 0, sizeof trace);
    start_frame(&bytes, 77);
    name_frame(&bytes, 1, "kernel", 6);
    name_frame(&bytes, 2, "warplore:gemm M=1", 17);
    name_frame(&bytes, 3, "warplore:gemm M=2", 17);
    shape_frame(&bytes, 1, 1);
}

static void
named(uint32_t call, uint64_t dur)
{
    struct lore_cap_named_launch l = {{1000 * (uint64_t)call, dur, 1, 7}, call, 0};

    frame(&bytes, LORE_CAP_NAMED_LAUNCHES, &l, sizeof l);
}

static void
tie(uint32_t call, uint32_t range)
{
    struct lore_cap_tie t = {call, range};

    frame(&bytes, LORE_CAP_TIES, &t, sizeof t);
}

static void
read_it(void)
{
    lore_trace_add(&trace, "x.capture", bytes.data, bytes.len, 100, &arena);
}

static const struct lore_trace_group *
group_of(const char *range)
{
    const struct lore_trace_group *found = NULL;

    for (size_t i = 0; i < trace.n_groups; i++) {
        if (!lore_streq(trace.groups[i].range, range))
            continue;
        assert_null(found);
        found = &trace.groups[i];
    }
    assert_non_null(found);
    return found;
}

static void
a_range_may_be_named_before_or_after_its_launches(void **state)
{
    (void)state;
    begin();
    tie(5, 2);
    named(5, 50);
    named(9, 90);
    named(6, 60);
    named(4, 40);
    tie(9, 3);
    tie(6, 2);
    read_it();
    assert_int_equal(trace.n_groups, 3);
    assert_int_equal(group_of("warplore:gemm M=1")->launches, 2);
    assert_int_equal(group_of("warplore:gemm M=1")->total_ns, 110);
    assert_int_equal(group_of("warplore:gemm M=1")->samples[0].dur_ns, 50);
    assert_int_equal(group_of("warplore:gemm M=2")->total_ns, 90);
    assert_int_equal(group_of(NULL)->total_ns, 40);
    assert_int_equal(trace.processes[0].launches, 4);
    assert_int_equal(trace.problems.n, 0);
}

static void
a_shape_whose_launches_are_all_in_ranges_is_no_group(void **state)
{
    (void)state;
    begin();
    shape_frame(&bytes, 2, 1); /* never launched: stays, as before */
    named(1, 10);
    tie(1, 2);
    read_it();
    assert_int_equal(trace.n_groups, 2);
    assert_int_equal(group_of("warplore:gemm M=1")->launches, 1);
    assert_int_equal(group_of(NULL)->shape.id, 2);
}

static void
a_counted_launchs_range_is_that_of_its_shape(void **state)
{
    struct lore_cap_shape s = {.id = 2, .name = 1, .range = 2};

    (void)state;
    begin();
    frame(&bytes, LORE_CAP_SHAPE, &s, sizeof s);
    name_frame(&bytes, 4, "a.sum", 5);
    metric_frame(&bytes, 2, 4, 0, 0, 7);
    read_it();
    assert_int_equal(group_of("warplore:gemm M=1")->metrics.n, 1);
    begin(); /* the shape of an older library has no range */
    s.id = 2;
    frame(&bytes, LORE_CAP_SHAPE, &s, offsetof(struct lore_cap_shape, range));
    launch_frame(&bytes, 2, 5, 5, 1);
    read_it();
    assert_int_equal(trace.n_groups, 2);
}

static void
what_a_damaged_file_says_of_ranges_costs_the_ranges_alone(void **state)
{
    (void)state;
    begin();
    named(1, 10);
    named(2, 20);
    tie(1, 99);
    frame(&bytes, LORE_CAP_TIES, "abc", 3);
    frame(&bytes, LORE_CAP_NAMED_LAUNCHES, "abc", 3);
    read_it();
    assert_int_equal(trace.n_groups, 1);
    assert_int_equal(group_of(NULL)->launches, 2);
    assert_int_equal(trace.problems.n, 1);
    assert_non_null(strstr(trace.problems.v[0], "a range whose text is not in the file"));
}

/* A million launches by 16 threads: each thread's ties come in buffers of their own. */
static void
a_million_ties_are_read_from_a_file(void **state)
{
    enum { THREADS = 16, EACH = 62500 };
    static struct lore_cap_named_launch l[EACH];
    static struct lore_cap_tie t[EACH];
    char dir[64];
    struct lore_err err = {0};

    (void)state;
    begin();
    assert_int_equal(scratch_make(dir), 0);
    for (uint32_t k = 0; k < THREADS; k++) {
        for (uint32_t i = 0; i < EACH; i++) {
            t[i] = (struct lore_cap_tie){i * THREADS + k, 2 + k % 2};
            l[i] = (struct lore_cap_named_launch){{i, 3, 1, 7}, i * THREADS + k, 0};
        }
        for (uint32_t i = 0; i < EACH; i += 2500) {
            frame(&bytes, LORE_CAP_NAMED_LAUNCHES, l + i, 2500 * sizeof *l);
            frame(&bytes, LORE_CAP_TIES, t + i, 2500 * sizeof *t);
        }
    }
    const char *path = lore_format(&arena, "%s/1-1.capture", dir);
    FILE *f = fopen(path, "wb");
    assert_int_equal(fwrite(bytes.data, 1, bytes.len, f), bytes.len);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(lore_trace_read(dir, 100, &arena, &trace, &err), LORE_OK);
    scratch_drop(dir);
    assert_int_equal(trace.n_groups, 2);
    assert_int_equal(group_of("warplore:gemm M=1")->launches, THREADS / 2 * EACH);
    assert_int_equal(group_of("warplore:gemm M=2")->launches, THREADS / 2 * EACH);
}

static int
drop(void **state)
{
    (void)state;
    lore_buf_free(&bytes);
    lore_arena_free(&arena);
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_range_may_be_named_before_or_after_its_launches),
        cmocka_unit_test(a_shape_whose_launches_are_all_in_ranges_is_no_group),
        cmocka_unit_test(a_counted_launchs_range_is_that_of_its_shape),
        cmocka_unit_test(what_a_damaged_file_says_of_ranges_costs_the_ranges_alone),
        cmocka_unit_test(a_million_ties_are_read_from_a_file),
    };

    return cmocka_run_group_tests(tests, NULL, drop);
}
