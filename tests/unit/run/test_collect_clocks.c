// uses: run
/* Which clock samples are told of a run: those of the device that its kernels ran on, from the
 * first launch to the last. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collectors/run/device_of.h"
#include "tests/unit/collect_case.h"

enum { SAMPLES = 40 };

static const char *
method(const struct lore_run *run, const char *key)
{
    const char *v = lore_kvs_get(&run->method, key);

    return v ? lore_kvs_plain(&arena, v) : "(absent)";
}

/* Launches last from 1000 to 1780 us; samples are taken every 25 us from 900 us on. */
static struct lore_observations
with_launches(void)
{
    struct lore_observations c = case_collected();

    case_host(&c);
    case_operator(&c, "v1.cu");
    case_group(&c.trace, "scale", 40, 1000, 3);
    return c;
}

static struct lore_watch_sample *
add_clocks(struct lore_observations *c, const struct lore_host_device *d)
{
    struct lore_clocks *all = lore_alloc_array(&arena, c->n_clocks + 1, sizeof *all);
    struct lore_watch_sample *v = lore_alloc_array(&arena, SAMPLES, sizeof *v);

    if (c->n_clocks > 0)
        memcpy(all, c->clocks, c->n_clocks * sizeof *all);
    all[c->n_clocks++] = (struct lore_clocks){d, v, SAMPLES};
    c->clocks = all;
    for (int i = 0; i < SAMPLES; i++)
        v[i] = (struct lore_watch_sample){.at_us = 900 + 25 * i,
            .sm_mhz = i < 4    ? 345
                      : i < 20 ? 1980
                               : 1710,
            .mem_mhz = -1,
            .power_mw = -1,
            .temperature_c = -1};
    return v;
}

/* Two devices; the trace's process calls the second one 0. */
static void
second_device(struct lore_observations *c, struct lore_host *host)
{
    *host = (struct lore_host){.driver = c->host->driver};
    for (uint32_t i = 0; i < 2; i++) {
        struct lore_host_device *d =
            LORE_PUSH(&arena, host->devices, host->n_devices, host->cap_devices);
        *d = c->host->devices[0];
        d->ordinal = i;
        d->uuid = i == 0 ? "GPU-9999-0000" : "GPU-0011-aabb";
    }
    c->host = host;
}

static void
what_a_device_did_before_the_first_launch_is_left_out(void **state)
{
    struct lore_observations c = with_launches();

    (void)state;
    add_clocks(&c, &c.host->devices[0]);
    struct lore_submission *doc = case_collect(&c);
    assert_string_equal(method(&doc->runs[0], "sm_clock_mhz_min"), "1710");
    assert_string_equal(method(&doc->runs[0], "clock_samples"), "32");
    assert_string_equal(method(&doc->runs[0], "clock_samples_from"), "first to last launch");
}

static void
a_clock_that_fell_is_said(void **state)
{
    struct lore_observations c = with_launches();

    (void)state;
    add_clocks(&c, &c.host->devices[0]);
    struct lore_submission *doc = case_collect(&c);
    assert_string_equal(method(&doc->runs[0], "clock_change"),
        "the SM clock fell from 1980 to 1710 MHz during the run");
    assert_non_null(strstr(case_story(&c, doc), "fell from 1980 to 1710 MHz"));
}

static void
what_slowed_the_chip_down_is_kept_of_a_profiles_kernels_too(void **state)
{
    struct lore_observations c = case_collected();

    (void)state;
    case_host(&c);
    case_group(&c.trace, "scale", 40, 1000, 3);
    case_group(&c.trace, "other", 10, 1000, 3);
    struct lore_watch_sample *v = add_clocks(&c, &c.host->devices[0]);
    for (int i = 0; i < SAMPLES; i++)
        v[i].throttle = 0x4;
    const struct lore_program_profile *p = &case_collect(&c)->profiles[0];
    assert_int_equal(p->n_lines, 2);
    assert_string_equal(
        lore_kvs_get(&p->lines[0].shapes[0].method, "throttle"), "\"sw_power_cap\"");
}

static void
vendor_time_is_moved_to_wall_time_first(void **state)
{
    struct lore_observations c = with_launches();
    struct lore_watch_sample *v = add_clocks(&c, &c.host->devices[0]);

    (void)state;
    c.trace.processes[0].wall_minus_vendor_ns = 7000000;
    for (int i = 0; i < SAMPLES; i++)
        v[i].at_us += 7000;
    assert_string_equal(method(&case_collect(&c)->runs[0], "clock_samples"), "32");
}

static void
too_few_samples_between_launches_are_filled_up_with_the_others_and_that_is_said(void **state)
{
    struct lore_observations c = with_launches();
    struct lore_watch_sample *v = add_clocks(&c, &c.host->devices[0]);

    (void)state;
    for (int i = 0; i < SAMPLES; i++) /* a program that worked for less than a sample */
        v[i].at_us = 50000 * i;
    struct lore_submission *doc = case_collect(&c);
    assert_string_equal(method(&doc->runs[0], "sm_clock_mhz_min"), "345");
    assert_string_equal(method(&doc->runs[0], "clock_samples"), "40");
    assert_string_equal(method(&doc->runs[0], "clock_samples_from"), "the whole program");
    assert_non_null(
        strstr(case_story(&c, doc), "345 to 1980 MHz, median 1710 (the whole program)"));
}

static void
the_clocks_are_those_of_the_device_that_the_kernels_ran_on(void **state)
{
    struct lore_observations c = with_launches();
    struct lore_host host;

    (void)state;
    second_device(&c, &host);
    struct lore_watch_sample *idle = add_clocks(&c, &host.devices[0]);
    for (int i = 0; i < SAMPLES; i++)
        idle[i].sm_mhz = 345;
    assert_string_equal(method(&case_collect(&c)->runs[0], "sm_clock_mhz_max"), "(absent)");
    add_clocks(&c, &host.devices[1]);
    struct lore_submission *doc = case_collect(&c);
    assert_string_equal(method(&doc->runs[0], "sm_clock_mhz_max"), "1980");
    assert_non_null(strstr(case_story(&c, doc), "1710 to 1980 MHz"));
}

static void
two_processes_may_call_different_devices_by_one_number(void **state)
{
    struct lore_observations c = with_launches();
    struct lore_trace_device two[] = {
        {.pid = 7, .uuid = "99990000"}, {.pid = 100, .uuid = "0011aabb"}};
    struct lore_host host;

    (void)state;
    second_device(&c, &host);
    c.trace.devices = two;
    c.trace.n_devices = 2;
    struct lore_trace_group *g = &c.trace.groups[0];
    assert_ptr_equal(lore_device_of_group(&c.trace, g), &two[1]);
    assert_ptr_equal(lore_device_of_host(&host, &two[1]), &host.devices[1]);
    g->pid = 7;
    assert_ptr_equal(
        lore_device_of_host(&host, lore_device_of_group(&c.trace, g)), &host.devices[0]);
    g->pid = 8; /* it said nothing, and the others differ */
    assert_null(lore_device_of_group(&c.trace, g));
    assert_null(lore_device_of_group(&c.trace, NULL));
    assert_null(lore_device_of_host(NULL, &two[0]));
    two[0].uuid = "abcd";
    assert_null(lore_device_of_host(&host, &two[0]));
}

#define CASE(name) cmocka_unit_test_teardown(name, case_free)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(what_a_device_did_before_the_first_launch_is_left_out),
        CASE(a_clock_that_fell_is_said),
        CASE(what_slowed_the_chip_down_is_kept_of_a_profiles_kernels_too),
        CASE(vendor_time_is_moved_to_wall_time_first),
        CASE(too_few_samples_between_launches_are_filled_up_with_the_others_and_that_is_said),
        CASE(the_clocks_are_those_of_the_device_that_the_kernels_ran_on),
        CASE(two_processes_may_call_different_devices_by_one_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
