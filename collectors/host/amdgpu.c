/* What the amdgpu driver says of one GPU in sysfs: how it is partitioned, its power cap, and
 * clocks, power, temperature and throttling while a program runs. Only reads: no setting is ever
 * changed.
 *
 * hwmon has the clocks and the power, but not why they fell. That is in gpu_metrics, a binary table
 * whose first bytes are its size and version: older ones hold the reasons as bits, newer ones how
 * long each limit has applied, of which two readings tell whether it does. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collectors/host/amd.h"
#include "service/base/text.h"
#include "service/base/xalloc.h"
#include "service/wire/wire.h"

enum { LIMITS = 5, METRICS_MAX = 4096 };

struct lore_amdgpu {
    char folder[256], hwmon[512]; /* "" : none */
    uint32_t limits[LIMITS];      /* of the last reading of gpu_metrics */
    bool read_before;
};

static void
find_hwmon(const char *folder, char *out, size_t n)
{
    char path[300];
    struct dirent *e;

    *out = '\0';
    (void)snprintf(path, sizeof path, "%s/hwmon", folder);
    DIR *d = opendir(path);
    while (d && *out == '\0' && (e = readdir(d)))
        if (lore_starts(e->d_name, "hwmon"))
            (void)snprintf(out, n, "%s/%.200s", path, e->d_name);
    if (d)
        closedir(d);
}

void
lore_amdgpu_describe(struct lore_arena *arena, uint32_t render, struct lore_host_device *d)
{
    static const struct {
        const char *file, *key;
        bool hard;
    } words[] = {
        {"current_compute_partition", "compute_partition", true}, /* SPX, CPX, … */
        {"current_memory_partition", "memory_partition", true},   /* NPS1, NPS4 */
        {"vbios_version", "vbios", false},
    };
    const char *folder =
        lore_format(arena, "%s/class/drm/renderD%u/device", lore_amd_sysfs(), render);
    char text[128], hwmon[512];
    int64_t uw;

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (lore_amd_read(text, sizeof text, "%s/%s", folder, words[i].file))
            lore_host_set(arena, words[i].hard ? &d->hard : &d->soft, words[i].key, text);
        else
            lore_host_missing(arena, d, words[i].key, "the driver has no such file");
    }
    find_hwmon(folder, hwmon, sizeof hwmon);
    if (lore_amd_read_i64(&uw, "%s/power1_cap", hwmon))
        lore_host_set_i64(arena, &d->hard, "power_cap_w", (uw + 500000) / 1000000);
    else
        lore_host_missing(arena, d, "power_cap_w", "the driver has no such file");
    d->render = render;
    if (lore_amd_is_partition(d))
        lore_host_missing(arena, d, "specs", "this device is a partition of the chip");
}

bool
lore_amd_is_partition(const struct lore_host_device *d)
{
    const char *mode = lore_kvs_get(&d->hard, "compute_partition");

    return mode && !lore_streq(mode, "\"SPX\"");
}

/* ---- sampling ---- */

void *
lore_amdgpu_open(const struct lore_host_device *d)
{
    struct lore_amdgpu *g = lore_xcalloc(1, sizeof *g);

    (void)snprintf(
        g->folder, sizeof g->folder, "%s/class/drm/renderD%u/device", lore_amd_sysfs(), d->render);
    find_hwmon(g->folder, g->hwmon, sizeof g->hwmon);
    return g;
}

void
lore_amdgpu_close(void *handle)
{
    lore_xfree(handle);
}

/* The value of a file of hwmon, divided by SCALE; -1: not known. */
static int32_t
sensor(const struct lore_amdgpu *g, const char *file, int64_t scale)
{
    int64_t v;

    if (*g->hwmon == '\0' || !lore_amd_read_i64(&v, "%s/%s", g->hwmon, file) || v < 0)
        return -1;
    return v / scale <= INT32_MAX ? (int32_t)(v / scale) : -1;
}

static size_t
read_metrics(const struct lore_amdgpu *g, unsigned char *out, size_t n)
{
    char path[300];
    ssize_t got = -1;

    (void)snprintf(path, sizeof path, "%s/gpu_metrics", g->folder);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        got = read(fd, out, n);
        close(fd);
    }
    return got > 0 ? (size_t)got : 0;
}

/* Version 1.3: bits that mean the same for every chip. Power, current, temperature, and PROCHOT or
 * a regulator that is too hot. */
static uint64_t
reasons_of_bits(uint64_t bits)
{
    return (bits & 0x00000000000000ffULL ? lore_watch_bits("sw_power_cap") : 0) |
           (bits & 0x0000000000ff0000ULL ? lore_watch_bits("hw_power_brake") : 0) |
           (bits & 0x00000fff00000000ULL ? lore_watch_bits("sw_thermal_slowdown") : 0) |
           (bits & 0x0000f00000000000ULL ? lore_watch_bits("hw_thermal_slowdown") : 0);
}

/* Versions 1.6 and 1.7: how long each limit has applied: PROCHOT, power, and the temperatures of
 * socket, regulator and memory. */
static uint64_t
reasons_of_residency(struct lore_amdgpu *g, const unsigned char *at)
{
    static const char *const words[LIMITS] = {"hw_thermal_slowdown", "sw_power_cap",
        "sw_thermal_slowdown", "sw_thermal_slowdown", "sw_thermal_slowdown"};
    uint32_t now[LIMITS];
    uint64_t reasons = 0;

    memcpy(now, at, sizeof now);
    for (int i = 0; i < LIMITS; i++)
        if (g->read_before && now[i] != g->limits[i] && now[i] != UINT32_MAX)
            reasons |= lore_watch_bits(words[i]);
    memcpy(g->limits, now, sizeof now);
    bool known = g->read_before;
    g->read_before = true;
    return known ? reasons : UINT64_MAX;
}

static uint64_t
throttle(struct lore_amdgpu *g)
{
    static const struct {
        unsigned char major, minor;
        size_t at;
    } versions[] = {{1, 3, 112}, {1, 6, 36}, {1, 7, 44}};
    unsigned char table[METRICS_MAX];
    size_t n = read_metrics(g, table, sizeof table);
    uint64_t bits;

    for (size_t i = 0; n >= 4 && i < sizeof versions / sizeof *versions; i++) {
        if (table[2] != versions[i].major || table[3] != versions[i].minor)
            continue;
        if (n < versions[i].at + LIMITS * sizeof(uint32_t) && versions[i].minor != 3)
            continue;
        if (versions[i].minor != 3)
            return reasons_of_residency(g, table + versions[i].at);
        if (n < versions[i].at + sizeof bits)
            continue;
        memcpy(&bits, table + versions[i].at, sizeof bits);
        return bits == UINT64_MAX ? bits : reasons_of_bits(bits);
    }
    return UINT64_MAX;
}

void
lore_amdgpu_sample(void *handle, struct lore_watch_sample *out)
{
    struct lore_amdgpu *g = handle;

    out->sm_mhz = sensor(g, "freq1_input", 1000000);
    out->mem_mhz = sensor(g, "freq2_input", 1000000);
    out->power_mw = sensor(g, "power1_average", 1000);
    if (out->power_mw < 0) /* newer products have only the present power */
        out->power_mw = sensor(g, "power1_input", 1000);
    out->temperature_c = sensor(g, "temp2_input", 1000); /* the junction's */
    if (out->temperature_c < 0)
        out->temperature_c = sensor(g, "temp1_input", 1000);
    out->throttle = throttle(g);
}
