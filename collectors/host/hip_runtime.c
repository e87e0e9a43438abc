/* What the HIP runtime says of the GPUs: names and attributes. Loading it starts threads and maps
 * the devices, so that is done in a child, which writes one line per fact. The attributes' numbers
 * have been the same since HIP 5; the struct that holds them all has not. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/host/amd.h"
#include "collectors/host/child.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/wire.h"

enum { NAME_BYTES = 256, SECONDS = 30, TEXT_MAX = 256 << 10, DEVICES_MAX = 128 };
enum { AT_BUS = 67, AT_DEVICE = 68, AT_DOMAIN = 69 };

/* Attributes that are recorded, each as a spec of the catalogue, as a soft field, or as both. */
static const struct {
    int number;
    const char *spec, *soft;
    int64_t scale;
} attributes[] = {
    {5, NULL, "sm_clock_boost_khz", 1},
    {19, NULL, "l2_bytes", 1}, /* of one die, where a sheet has the chip's */
    {57, "max_threads_per_unit", NULL, 1},
    {59, "memory_bus_bits", NULL, 1},
    {60, NULL, "mem_clock_khz", 1},
    {63, "compute_units", "cu_count", 1},
    {72, "registers_per_unit", NULL, 1},
    {74, "shared_bytes_per_block_max", NULL, 1},
    {87, "warp_size", NULL, 1},
};

struct runtime {
    int (*init)(unsigned flags);
    int (*version)(int *v);
    int (*count)(int *n);
    int (*name)(char *out, int n, int device);
    int (*attribute)(int *value, int which, int device);
    int (*memory)(size_t *bytes, int device);
};

static const char *
open_runtime(struct runtime *r)
{
    static const char *const files[] = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5",
        "libamdhip64.so", "/opt/rocm/lib/libamdhip64.so"};
    static const char *const names[] = {"hipInit", "hipRuntimeGetVersion", "hipGetDeviceCount",
        "hipDeviceGetName", "hipDeviceGetAttribute", "hipDeviceTotalMem"};
    void **slots = (void **)r; /* one pointer per name, in order */
    void *library = NULL;

    _Static_assert(sizeof names / sizeof *names == sizeof *r / sizeof(void *), "one slot a name");
    for (size_t i = 0; i < sizeof files / sizeof *files && !library; i++)
        library = dlopen(files[i], RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return "the HIP runtime (libamdhip64.so) was not found";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!(slots[i] = dlsym(library, names[i])))
            return "the HIP runtime lacks a function";
    return r->init(0) == 0 ? NULL : "the HIP runtime does not start";
}

/* ---- the child ---- */

static void
write_device(int fd, const struct runtime *r, int device)
{
    char name[NAME_BYTES] = "";
    int domain = 0, bus = 0, slot = 0, value;
    size_t bytes;

    (void)r->attribute(&domain, AT_DOMAIN, device);
    (void)r->attribute(&bus, AT_BUS, device);
    (void)r->attribute(&slot, AT_DEVICE, device);
    (void)r->name(name, sizeof name - 1, device);
    name[strcspn(name, "\n")] = '\0';
    (void)dprintf(fd, "device %d %d %d %s\n", domain, bus, slot, name);
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        if (r->attribute(&value, attributes[i].number, device) == 0 && value > 0)
            (void)dprintf(fd, "attribute %zu %d\n", i, value);
    if (r->memory(&bytes, device) == 0)
        (void)dprintf(fd, "memory %zu\n", bytes);
}

static bool
ask(int fd, void *ctx)
{
    struct runtime r;
    const char *why = open_runtime(&r);
    int version, n = 0;

    (void)ctx;
    if (why) {
        (void)dprintf(fd, "why %s\n", why);
        return true;
    }
    if (r.version(&version) == 0)
        (void)dprintf(fd, "version %d\n", version);
    if (r.count(&n) != 0 || n == 0)
        (void)dprintf(fd,
            "why the HIP runtime shows no device (HIP_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES, or no "
            "access to /dev/kfd: groups render and video)\n");
    for (int i = 0; i < n && i < DEVICES_MAX; i++)
        write_device(fd, &r, i);
    return true;
}

/* ---- what it wrote ---- */

struct reading {
    struct lore_arena *arena;
    struct lore_host *host;
    const struct lore_amd_place *places;
    size_t n;
    bool *taken;                /* devices that have been described */
    struct lore_host_device *d; /* the one that the lines are about; NULL: an unknown one */
};

static void
take_device(struct reading *r, const char *line)
{
    unsigned domain, bus, slot;
    int at = 0;

    r->d = NULL;
    if (sscanf(line, "%u %u %u %n", &domain, &bus, &slot, &at) < 3)
        return;
    /* the partitions of a GPU lie at one place; both lists have them in the same order */
    for (size_t i = 0; i < r->n && !r->d; i++)
        if (!r->taken[i] && r->places[i].domain == domain && r->places[i].bus == bus &&
            r->places[i].device == slot) {
            r->taken[i] = true;
            r->d = &r->host->devices[i];
        }
    const char *name = lore_strdup(r->arena, line + at);
    const char *chip = lore_host_chip(r->arena, name);
    if (!r->d || *name == '\0' || (r->d->chip && !chip))
        return; /* "AMD Radeon Graphics" says less than the device's number */
    r->d->name = name;
    r->d->chip = chip;
}

static void
take_attribute(struct reading *r, const char *line)
{
    size_t i;
    int value;

    if (sscanf(line, "%zu %d", &i, &value) != 2 || i >= sizeof attributes / sizeof *attributes)
        return;
    if (attributes[i].spec && !lore_amd_is_partition(r->d))
        lore_host_set_i64(r->arena, &r->d->specs, attributes[i].spec, value * attributes[i].scale);
    if (attributes[i].soft)
        lore_host_set_i64(r->arena, &r->d->soft, attributes[i].soft, value * attributes[i].scale);
}

static void
take_line(struct reading *r, const char *line)
{
    if (lore_starts(line, "device "))
        take_device(r, line + 7);
    else if (lore_starts(line, "attribute ") && r->d)
        take_attribute(r, line + 10);
    else if (lore_starts(line, "memory ") && r->d)
        lore_host_set_i64(r->arena, &r->d->soft, "memory_bytes", strtoll(line + 7, NULL, 10));
    else if (lore_starts(line, "version "))
        r->host->hip = lore_format(r->arena, "%ld.%ld", strtol(line + 8, NULL, 10) / 10000000,
            strtol(line + 8, NULL, 10) / 100000 % 100);
    for (size_t i = 0; i < r->n && lore_starts(line, "why "); i++)
        lore_host_missing(r->arena, &r->host->devices[i], "attributes", line + 4);
}

void
lore_hip_runtime_describe(
    struct lore_arena *arena, struct lore_host *host, const struct lore_amd_place *places, size_t n)
{
    struct reading r = {.arena = arena,
        .host = host,
        .places = places,
        .n = n,
        .taken = lore_alloc(arena, n * sizeof *r.taken + 1)};
    struct lore_buf text = {.max = TEXT_MAX};
    struct lore_err err = {0};

    if (lore_host_child(ask, NULL, SECONDS, &text, &err) != LORE_OK)
        take_line(&r, lore_format(arena, "why the HIP runtime was asked: %s", err.msg));
    for (char *line = text.data; line && line < text.data + text.len;) {
        size_t length = strcspn(line, "\n");
        take_line(&r, lore_strndup(arena, line, length));
        line += length + 1;
    }
    lore_buf_free(&text);
}
