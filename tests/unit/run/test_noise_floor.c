// uses: run m
/* The file of noise floors: written, replaced, found again, refused when damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "collectors/run/noise_floor.h"
#include "service/base/file.h"
#include "tests/unit/near.h"
#include "tests/unit/scratch.h"

static struct lore_arena arena;
static char scratch[64];
static const char *dir, *file;

static int
start(void **state)
{
    (void)state;
    if (scratch_make(scratch) != 0)
        return -1;
    dir = lore_format(&arena, "%s/state/warplore", scratch);
    file = lore_format(&arena, "%s/noise_floor.json", dir);
    return 0;
}

static int
end(void **state)
{
    (void)state;
    scratch_drop(scratch);
    lore_arena_free(&arena);
    return 0;
}

static struct lore_floor
floor_of(const char *device, double time_ns, double floor)
{
    return (struct lore_floor){.device = device,
        .chip = "h200",
        .duration = lore_floor_class(time_ns),
        .floor = floor,
        .spread = floor / 2,
        .shift = -0.001,
        .pairs = 24,
        .time_ns = time_ns,
        .kernel = "softmax",
        .program = "./bench \"4096\"",
        .measured_at_us = 1760000000000000};
}

static struct lore_floors
read_back(void)
{
    struct lore_floors all;
    struct lore_err err = {0};

    if (lore_floors_read(dir, &arena, &all, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    return all;
}

static void
no_file_is_no_floor(void **state)
{
    (void)state;
    assert_int_equal(read_back().n, 0);
}

static void
a_floor_is_found_by_device_chip_and_duration(void **state)
{
    struct lore_floor short_one = floor_of("GPU-1", 5e3, 0.02),
                      other = floor_of("GPU-2", 5e5, 0.01);
    struct lore_floor longer = floor_of("GPU-1", 5e5, 0.004);
    struct lore_err err;
    struct stat st;
    (void)state;

    assert_int_equal(lore_floors_save(dir, &short_one, &err), LORE_OK);
    assert_int_equal(lore_floors_save(dir, &other, &err), LORE_OK);
    assert_int_equal(lore_floors_save(dir, &longer, &err), LORE_OK);
    struct lore_floors all = read_back();
    assert_int_equal(all.n, 3);
    const struct lore_floor *f = lore_floors_find(&all, "GPU-1", "h200", 9.9e5);
    assert_non_null(f);
    assert_near(f->floor, 0.004, 1e-15);
    assert_near(f->spread, 0.002, 1e-15);
    assert_near(f->shift, -0.001, 1e-15);
    assert_int_equal(f->pairs, 24);
    assert_string_equal(f->program, "./bench \"4096\"");
    assert_int_equal(f->measured_at_us, 1760000000000000);
    assert_null(lore_floors_find(&all, "GPU-1", "h200", 5e4));
    assert_null(lore_floors_find(&all, "GPU-1", "h100-sxm", 5e5));
    assert_null(lore_floors_find(&all, "GPU-3", "h200", 5e5));
    assert_int_equal(stat(file, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
}

static void
a_new_calibration_takes_the_old_one_s_place(void **state)
{
    struct lore_floor again = floor_of("GPU-1", 2e5, 0.009);
    struct lore_err err;
    (void)state;

    assert_int_equal(lore_floors_save(dir, &again, &err), LORE_OK);
    struct lore_floors all = read_back();
    assert_int_equal(all.n, 3);
    assert_near(lore_floors_find(&all, "GPU-1", "h200", 5e5)->floor, 0.009, 1e-15);
}

static void
a_damaged_file_is_named_and_left_alone(void **state)
{
    static const char *const bad[] = {"{", "{\"format\":2}",
        "{\"format\":1,\"floors\":[{\"device\":\"d\",\"chip\":\"c\",\"duration\":\"x\"}]}",
        "{\"format\":1,\"floors\":[{\"device\":7}]}", ""};
    struct lore_floors all;
    struct lore_floor f = floor_of("GPU-1", 2e5, 0.009);
    struct lore_err err = {0};
    (void)state;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(lore_file_write(file, bad[i], strlen(bad[i]), 0600, &err), LORE_OK);
        assert_int_equal(lore_floors_read(dir, &arena, &all, &err), LORE_CORRUPT);
        assert_non_null(strstr(err.msg, "noise_floor.json"));
        assert_int_equal(all.n, 0);
        assert_int_equal(lore_floors_save(dir, &f, &err), LORE_CORRUPT);
    }
}

static void
a_floor_is_the_spread_and_never_below_what_two_builds_differ_by(void **state)
{
    struct lore_comparison c = {.n = 24, .speedup = 1.001, .spread = 0.007};
    struct lore_floor f = {0};
    (void)state;

    lore_floor_of(&c, &f);
    assert_near(f.floor, 0.007, 1e-15);
    assert_int_equal(f.pairs, 24);
    assert_near(f.drift, 0, 0);
    c.speedup = 0.98; /* one place in the round is slower than the other */
    lore_floor_of(&c, &f);
    assert_near(f.floor, 0.02, 1e-12);
    c = (struct lore_comparison){.n = 24, .speedup = 1, .spread = 0};
    lore_floor_of(&c, &f);
    assert_near(f.floor, LORE_FLOOR_LEAST, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_file_is_no_floor),
        cmocka_unit_test(a_floor_is_found_by_device_chip_and_duration),
        cmocka_unit_test(a_new_calibration_takes_the_old_one_s_place),
        cmocka_unit_test(a_damaged_file_is_named_and_left_alone),
        cmocka_unit_test(a_floor_is_the_spread_and_never_below_what_two_builds_differ_by),
    };
    return cmocka_run_group_tests(tests, start, end);
}
