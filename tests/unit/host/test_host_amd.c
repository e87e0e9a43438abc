// uses: host
/* AMD GPUs by the files of the kernel driver, in a folder that stands for /sys; there is no HIP
 * runtime here. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "collectors/host/child.h"
#include "collectors/host/vendor.h"
#include "service/base/text.h"
#include "service/wire/wire.h"
#include "tests/unit/scratch.h"

#define NODES "class/kfd/kfd/topology/nodes"
#define DEVICE "class/drm/renderD129/device"

static struct lore_arena arena;
static char folder[64];

static void
put_bytes(const char *name, const void *bytes, size_t n)
{
    char path[1024];

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    for (char *p = path + strlen(folder) + 1; (p = strchr(p, '/')); *p++ = '/') {
        *p = '\0';
        (void)mkdir(path, 0700);
    }
    FILE *f = fopen(path, "we");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static void
put(const char *name, const char *text)
{
    put_bytes(name, text, strlen(text));
}

static int
setup(void **state)
{
    (void)state;
    assert_int_equal(scratch_make(folder), 0);
    setenv("WARPLORE_SYSFS", folder, 1);
    put(NODES "/0/properties", "cpu_cores_count 96\nsimd_count 0\n");
    put(NODES "/0/gpu_id", "0\n");
    put(NODES "/2/properties",
        "simd_count 1216\nmax_waves_per_simd 8\nlds_size_in_kb 64\nwave_front_size 64\n"
        "simd_per_cu 4\ngfx_target_version 90402\ndevice_id 29857\nlocation_id 3072\ndomain 1\n"
        "drm_render_minor 129\nnum_xcc 8\nmax_engine_clk_fcompute 2100\n");
    put(NODES "/2/gpu_id", "51974\n");
    put(DEVICE "/current_compute_partition", "SPX\n");
    put(DEVICE "/current_memory_partition", "NPS1\n");
    put(DEVICE "/hwmon/hwmon5/power1_cap", "750000000\n");
    return 0;
}

static int
teardown(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    scratch_drop(folder);
    return 0;
}

static const struct lore_host_device *
only_device(struct lore_host *host)
{
    const char *why;

    memset(host, 0, sizeof *host);
    assert_true(lore_host_amd(&arena, host, &why));
    assert_int_equal(host->n_devices, 1);
    return &host->devices[0];
}

static void
the_drivers_list_names_the_product(void **state)
{
    struct lore_host host;
    const struct lore_host_device *d = only_device(&host);

    (void)state;
    assert_string_equal(d->name, "AMD Instinct MI300X");
    assert_string_equal(d->chip, "mi300x");
    assert_string_equal(d->isa, "gfx942");
    assert_string_equal(d->uuid, "0000000000000000000000000000cb06");
    assert_int_equal(d->ordinal, 0);
    assert_string_equal(lore_kvs_get(&d->specs, "compute_units"), "304");
    assert_string_equal(lore_kvs_get(&d->specs, "max_warps_per_unit"), "32");
    assert_string_equal(lore_kvs_get(&d->specs, "lds_bytes_per_cu"), "65536");
    assert_string_equal(lore_kvs_get(&d->specs, "dies"), "8");
    assert_string_equal(lore_kvs_get(&d->hard, "compute_partition"), "\"SPX\"");
    assert_string_equal(lore_kvs_get(&d->hard, "memory_partition"), "\"NPS1\"");
    assert_string_equal(lore_kvs_get(&d->hard, "power_cap_w"), "750");
}

static void
an_unknown_product_keeps_its_architecture_and_has_no_chip(void **state)
{
    struct lore_host host;

    (void)state;
    put(NODES "/2/properties",
        "simd_count 416\nsimd_per_cu 4\ngfx_target_version 90010\ndevice_id 1\n"
        "drm_render_minor 129\n");
    const struct lore_host_device *d = only_device(&host);
    assert_string_equal(d->name, "gfx90a");
    assert_null(d->chip);
}

static void
a_partition_has_no_specs(void **state)
{
    struct lore_host host;

    (void)state;
    put(DEVICE "/current_compute_partition", "CPX\n");
    const struct lore_host_device *d = only_device(&host);
    assert_int_equal(d->specs.n, 0);
    assert_string_equal(lore_kvs_get(&d->hard, "compute_partition"), "\"CPX\"");
    assert_string_equal(lore_kvs_get(&d->soft, "cu_count"), "304");
}

static void
what_the_driver_does_not_say_is_named(void **state)
{
    struct lore_host host;
    char path[1024];
    bool named = false;

    (void)state;
    (void)snprintf(path, sizeof path, "%s/%s/current_memory_partition", folder, DEVICE);
    assert_int_equal(unlink(path), 0);
    const struct lore_host_device *d = only_device(&host);
    for (size_t i = 0; i < d->missing.n; i++)
        named = named || lore_starts(d->missing.v[i], "memory_partition: ");
    assert_true(named);
    assert_null(lore_kvs_get(&d->hard, "memory_partition"));
}

static void
without_a_gpu_the_reason_is_given(void **state)
{
    struct lore_host host = {0};
    const char *why = NULL;

    (void)state;
    put(NODES "/2/properties", "simd_count 0\n");
    assert_false(lore_host_amd(&arena, &host, &why));
    assert_non_null(strstr(why, "no AMD GPU"));
}

static void
sensors_become_a_sample(void **state)
{
    struct lore_host_device d = {.vendor = "amd", .render = 129};
    struct lore_watch_sample s;

    (void)state;
    put(DEVICE "/hwmon/hwmon5/freq1_input", "2087000000\n");
    put(DEVICE "/hwmon/hwmon5/freq2_input", "1300000000\n");
    put(DEVICE "/hwmon/hwmon5/power1_input", "412500000\n");
    put(DEVICE "/hwmon/hwmon5/temp1_input", "48000\n");
    void *g = lore_amdgpu_open(&d);
    lore_amdgpu_sample(g, &s);
    assert_int_equal(s.sm_mhz, 2087);
    assert_int_equal(s.mem_mhz, 1300);
    assert_int_equal(s.power_mw, 412500);
    assert_int_equal(s.temperature_c, 48);
    assert_true(s.throttle == UINT64_MAX); /* no gpu_metrics: not known, not "none" */
    put(DEVICE "/hwmon/hwmon5/power1_average", "300000000\n");
    put(DEVICE "/hwmon/hwmon5/temp2_input", "61000\n");
    lore_amdgpu_sample(g, &s);
    assert_int_equal(s.power_mw, 300000);
    assert_int_equal(s.temperature_c, 61);
    lore_amdgpu_close(g);
}

static uint64_t
throttle_of(void *g, unsigned char minor, size_t at, const void *value, size_t n)
{
    unsigned char table[200] = {200, 0, 1, minor};
    struct lore_watch_sample s;

    memcpy(table + at, value, n);
    put_bytes(DEVICE "/gpu_metrics", table, sizeof table);
    lore_amdgpu_sample(g, &s);
    return s.throttle;
}

static void
older_tables_hold_the_reasons_as_bits(void **state)
{
    struct lore_host_device d = {.vendor = "amd", .render = 129};
    static const struct {
        uint64_t bits;
        const char *word;
    } cases[] = {{0, "none"}, {1, "sw_power_cap"}, {1u << 22, "hw_power_brake"},
        {UINT64_C(1) << 36, "sw_thermal_slowdown"}, {UINT64_C(1) << 47, "hw_thermal_slowdown"}};
    void *g = lore_amdgpu_open(&d);

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(throttle_of(g, 3, 112, &cases[i].bits, 8) == lore_watch_bits(cases[i].word));
    assert_true(throttle_of(g, 9, 112, &cases[1].bits, 8) == UINT64_MAX); /* unknown version */
    lore_amdgpu_close(g);
}

static void
newer_tables_say_how_long_a_limit_applied(void **state)
{
    struct lore_host_device d = {.vendor = "amd", .render = 129};
    const uint32_t before[] = {7, 100, 0, 0, 0}, same[] = {7, 100, 0, 0, 0},
                   power[] = {7, 130, 0, 0, 0}, both[] = {8, 130, 0, 0, 5};
    static const size_t at[] = {[6] = 36, [7] = 44};

    (void)state;
    for (unsigned char minor = 6; minor <= 7; minor++) {
        void *g = lore_amdgpu_open(&d);
        assert_true(throttle_of(g, minor, at[minor], before, sizeof before) == UINT64_MAX);
        assert_true(throttle_of(g, minor, at[minor], same, sizeof same) == 0);
        assert_true(throttle_of(g, minor, at[minor], power, sizeof power) ==
                    lore_watch_bits("sw_power_cap"));
        assert_true(
            throttle_of(g, minor, at[minor], both, sizeof both) ==
            (lore_watch_bits("hw_thermal_slowdown") | lore_watch_bits("sw_thermal_slowdown")));
        lore_amdgpu_close(g);
    }
}

static bool
hang(int fd, void *ctx)
{
    (void)fd, (void)ctx;
    return pause() == 0; /* no signal comes */
}

static bool
write_much(int fd, void *ctx)
{
    (void)ctx;
    for (int i = 0; i < 10000; i++)
        (void)dprintf(fd, "line %d\n", i);
    return true;
}

static void
a_child_that_hangs_or_talks_too_much_is_ended(void **state)
{
    struct lore_buf out = {.max = 100};
    struct lore_err err = {0};

    (void)state;
    assert_int_equal(lore_host_child(hang, NULL, 1, &out, &err), LORE_IO);
    assert_non_null(strstr(err.msg, "took too long"));
    assert_int_equal(lore_host_child(write_much, NULL, 10, &out, &err), LORE_IO);
    assert_non_null(strstr(err.msg, "printed too much"));
    lore_buf_free(&out);
}

static void
a_library_that_does_not_open_is_found_out(void **state)
{
    struct lore_err err = {0};
    char path[1024];

    (void)state;
    put("broken.so", "no library");
    (void)snprintf(path, sizeof path, "%s/broken.so", folder);
    assert_int_equal(lore_host_opens(path, &err), LORE_UNSUPPORTED);
    signal(SIGCHLD, SIG_IGN); /* as a parent may have left it */
    assert_int_equal(lore_host_opens(path, &err), LORE_UNSUPPORTED);
    signal(SIGCHLD, SIG_DFL);
    assert_non_null(strstr(err.msg, "broken.so"));
    assert_int_equal(lore_host_opens("libc.so.6", &err), LORE_OK);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
        TEST(the_drivers_list_names_the_product),
        TEST(an_unknown_product_keeps_its_architecture_and_has_no_chip),
        TEST(a_partition_has_no_specs),
        TEST(what_the_driver_does_not_say_is_named),
        TEST(without_a_gpu_the_reason_is_given),
        TEST(sensors_become_a_sample),
        TEST(older_tables_hold_the_reasons_as_bits),
        TEST(newer_tables_say_how_long_a_limit_applied),
        TEST(a_child_that_hangs_or_talks_too_much_is_ended),
        TEST(a_library_that_does_not_open_is_found_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
