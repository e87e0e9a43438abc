// uses: host
/* What a machine is, told by a scripted device: the vendors' libraries are not here. The same facts
 * must give the same environment, names must not leave, and a script is outside text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "collectors/host/host.h"
#include "collectors/host/vendor.h"
#include "service/base/file.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/wire/wire.h"
#include "tests/unit/scratch.h"

static const char script[] =
    "# a comment\n"
    "device name=\"NVIDIA H200\" uuid=GPU-1 units=132 cc=9.0 clock_mhz=1980 power_cap_w=700 "
    "driver=580.159.04\n"
    "  device name=\"some other thing\" units=x\n"
    "clocks sm_mhz=1980,1950,1710 throttle=none,none,sw_power_cap\n";

static struct lore_arena arena;

static int
teardown(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

static void
a_scripted_device_is_a_product_of_the_catalogue(void **state)
{
    struct lore_host host = {0};
    const char *why;

    (void)state;
    setenv("WARPLORE_FAKE", script, 1);
    assert_true(lore_host_fake(&arena, &host, &why));
    assert_int_equal(host.n_devices, 2);
    assert_string_equal(host.devices[0].chip, "h200");
    assert_string_equal(host.devices[0].isa, "sm_90");
    assert_string_equal(host.driver, "580.159.04");
    assert_string_equal(lore_kvs_get(&host.devices[0].hard, "power_cap_w"), "700");
    assert_null(host.devices[1].chip);
    assert_null(lore_kvs_get(&host.devices[1].specs, "compute_units"));
}

static void
without_a_script_there_is_no_fake_device(void **state)
{
    struct lore_host host = {0};
    const char *why = NULL;

    (void)state;
    unsetenv("WARPLORE_FAKE");
    assert_false(lore_host_fake(&arena, &host, &why));
    assert_non_null(strstr(why, "WARPLORE_FAKE"));
}

static void
without_a_driver_the_reason_is_said(void **state)
{
    struct lore_host host = {0};
    const char *why = NULL;

    (void)state;
    if (lore_host_nvidia(&arena, &host, &why))
        skip(); /* there is a GPU here */
    assert_non_null(strstr(why, "NVIDIA driver"));
}

static void
the_same_facts_are_the_same_environment_and_other_facts_another(void **state)
{
    struct lore_host a = {0}, b = {0};
    struct lore_environment x, y, z;
    const char *why;

    (void)state;
    setenv("WARPLORE_FAKE", script, 1);
    assert_true(lore_host_fake(&arena, &a, &why) && lore_host_fake(&arena, &b, &why));
    lore_host_environment(&arena, &a, &a.devices[0], false, &x);
    lore_host_environment(&arena, &b, &b.devices[0], false, &y);
    assert_string_equal(x.id, y.id);
    lore_kvs_set(&arena, &b.devices[0].hard, "power_cap_w", "500");
    lore_host_environment(&arena, &b, &b.devices[0], false, &z);
    assert_string_not_equal(x.id, z.id);
}

static void
names_of_the_machine_and_the_device_leave_only_when_allowed(void **state)
{
    struct lore_host host = {0};
    struct lore_environment hidden, shown;
    const char *why;

    (void)state;
    setenv("WARPLORE_FAKE", script, 1);
    assert_true(lore_host_fake(&arena, &host, &why));
    lore_host_environment(&arena, &host, &host.devices[0], false, &hidden);
    lore_host_environment(&arena, &host, &host.devices[0], true, &shown);
    assert_true(lore_starts(lore_kvs_get(&hidden.soft, "host"), "\"blake2b:"));
    assert_true(lore_starts(lore_kvs_get(&hidden.soft, "device_uuid"), "\"blake2b:"));
    assert_string_equal(lore_kvs_get(&shown.soft, "device_uuid"), "\"GPU-1\"");
}

static void
put_file(const char *dir, const char *name, const char *text)
{
    const char *path = lore_format(&arena, "%s/%s", dir, name);

    assert_int_equal(lore_file_write(path, text, strlen(text), 0700, NULL), LORE_OK);
}

static void
the_toolkit_is_what_its_files_say_it_is(void **state)
{
    char dir[64];
    const char *path = lore_strdup(&arena, getenv("PATH"));

    (void)state;
    assert_int_equal(scratch_make(dir), 0);
    assert_int_equal(mkdir(lore_format(&arena, "%s/include", dir), 0700), 0);
    assert_int_equal(mkdir(lore_format(&arena, "%s/bin", dir), 0700), 0);
    setenv("CUDA_HOME", dir, 1);
    put_file(dir, "include/cuda.h", "#ifndef X\n#define CUDA_VERSION 12080\n");
    assert_string_equal(lore_host_toolkit(&arena), "12.8");
    put_file(dir, "version.json", "{\"cuda\":{\"version\":\"12.8.1\"}}");
    assert_string_equal(lore_host_toolkit(&arena), "12.8.1");
    put_file(dir, "version.json", "{\"cuda\":{\"version\":\"12.8; a sentence\"}}");
    assert_string_equal(lore_host_toolkit(&arena), "12.8");
    put_file(dir, "version.json", "{\"cuda\":[");
    assert_string_equal(lore_host_toolkit(&arena), "12.8");
    /* without the variable it is that of the compiler in PATH */
    unsetenv("CUDA_HOME");
    unsetenv("CUDA_PATH");
    put_file(dir, "bin/nvcc", "#!/bin/false\n");
    setenv("PATH", lore_format(&arena, "/nowhere:%s/bin", dir), 1);
    assert_string_equal(lore_host_toolkit(&arena), "12.8");
    setenv("PATH", path, 1);
    scratch_drop(dir);
}

static void
the_toolkit_is_shown_and_makes_nothing_incomparable(void **state)
{
    struct lore_host host = {0};
    struct lore_environment with, without;
    const char *why;

    (void)state;
    setenv("WARPLORE_FAKE", script, 1);
    assert_true(lore_host_fake(&arena, &host, &why));
    lore_host_environment(&arena, &host, &host.devices[0], false, &without);
    host.toolkit = "13.0.1";
    lore_host_environment(&arena, &host, &host.devices[0], false, &with);
    assert_null(lore_kvs_get(&without.soft, "toolkit"));
    assert_string_equal(lore_kvs_get(&with.soft, "toolkit"), "\"13.0.1\"");
    assert_null(lore_kvs_get(&with.hard, "toolkit"));
}

static void
a_slice_of_a_gpu_is_a_hard_fact_and_not_the_chip(void **state)
{
    struct lore_host_device slice = {.name = "NVIDIA H200 MIG 1g.18gb"};
    struct lore_host_device whole = {.name = "NVIDIA H200"};

    (void)state;
    lore_host_mig_profile(&arena, &slice);
    lore_host_mig_profile(&arena, &whole);
    assert_string_equal(lore_kvs_get(&slice.hard, "mig"), "\"enabled\"");
    assert_string_equal(lore_kvs_get(&slice.hard, "mig_profile"), "\"1g.18gb\"");
    assert_int_equal(whole.hard.n, 0);
    assert_null(lore_host_chip(&arena, slice.name));
    assert_string_equal(lore_host_chip(&arena, whole.name), "h200");
}

static void
a_device_states_its_own_numbers_as_specs(void **state)
{
    struct lore_host host = {0};
    struct lore_environment env;
    struct lore_submission doc = {0};
    const char *why;

    (void)state;
    setenv("WARPLORE_FAKE", script, 1);
    assert_true(lore_host_fake(&arena, &host, &why));
    lore_host_environment(&arena, &host, &host.devices[0], false, &env);
    lore_host_set_i64(&arena, &host.devices[0].specs, "hbm_bandwidth", 4916736000000);
    lore_host_specs(&arena, &host.devices[0], &env, &doc);
    assert_int_equal(doc.n_specs, 2);
    assert_string_equal(doc.specs[1].unit, "B/s");
    assert_true(doc.specs[1].value.v == 4916736e6);
    assert_string_equal(doc.specs[0].metric, "compute_units");
    assert_string_equal(doc.specs[0].evidence_class, "device_reported");
    lore_host_specs(&arena, &host.devices[1], &env, &doc); /* no chip: nobody to say it of */
    assert_int_equal(doc.n_specs, 2);
}

static void
clocks_are_sampled_until_stopped_and_summed_up(void **state)
{
    struct lore_host host = {0};
    struct lore_kvs words = {0};
    const char *why;
    size_t n;

    (void)state;
    setenv("WARPLORE_FAKE", script, 1);
    assert_true(lore_host_fake(&arena, &host, &why));
    struct lore_watch *w = lore_watch_start(&host.devices[0], 5);
    assert_non_null(w);
    struct lore_watch_sample *v = lore_watch_stop(w, &arena, &n);
    assert_true(n >= 2);
    assert_int_equal(v[0].sm_mhz, 1980);
    for (size_t i = 1; i < n; i++)
        assert_true(v[i].at_us >= v[i - 1].at_us);
    const struct lore_watch_sample three[] = {
        {1, 1980, -1, 120400, 40, 1}, {2, 1950, -1, 650000, 41, 0}, {3, 1710, -1, -1, 42, 0x4}};
    lore_watch_summary(&arena, three, 3, &words);
    assert_string_equal(lore_kvs_get(&words, "sm_clock_mhz_min"), "1710");
    assert_string_equal(lore_kvs_get(&words, "sm_clock_mhz_median"), "1950");
    assert_string_equal(lore_kvs_get(&words, "power_w_max"), "650");
    assert_string_equal(lore_kvs_get(&words, "throttle"), "\"sw_power_cap\"");
    assert_null(lore_kvs_get(&words, "mem_clock_mhz_max"));
}

static void
what_was_not_sampled_is_not_summed_up(void **state)
{
    struct lore_kvs words = {0};
    const struct lore_watch_sample one = {1, -1, -1, -1, -1, UINT64_MAX};
    size_t n = 7;

    (void)state;
    assert_null(lore_watch_stop(NULL, &arena, &n));
    assert_int_equal(n, 0);
    lore_watch_summary(&arena, NULL, 0, &words);
    assert_int_equal(words.n, 0);
    lore_watch_summary(&arena, &one, 1, &words);
    assert_null(lore_kvs_get(&words, "throttle"));
    assert_null(lore_kvs_get(&words, "sm_clock_mhz_min"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scripted_device_is_a_product_of_the_catalogue),
        cmocka_unit_test(without_a_script_there_is_no_fake_device),
        cmocka_unit_test(without_a_driver_the_reason_is_said),
        cmocka_unit_test(the_same_facts_are_the_same_environment_and_other_facts_another),
        cmocka_unit_test(names_of_the_machine_and_the_device_leave_only_when_allowed),
        cmocka_unit_test(the_toolkit_is_what_its_files_say_it_is),
        cmocka_unit_test(the_toolkit_is_shown_and_makes_nothing_incomparable),
        cmocka_unit_test(a_slice_of_a_gpu_is_a_hard_fact_and_not_the_chip),
        cmocka_unit_test(a_device_states_its_own_numbers_as_specs),
        cmocka_unit_test(clocks_are_sampled_until_stopped_and_summed_up),
        cmocka_unit_test(what_was_not_sampled_is_not_summed_up),
    };

    lore_hash_init();
    return cmocka_run_group_tests(tests, NULL, teardown);
}
