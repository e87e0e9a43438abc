/* Lists NVIDIA devices with the ordinals that a program started from here will see, because the
 * same variables apply (CUDA_VISIBLE_DEVICES, CUDA_DEVICE_ORDER). The driver's library is opened at
 * run time and declared here, so that a build needs no CUDA. No context is made, so the devices'
 * memory is not touched. NVML may fill in what the driver does not report (nvml.c). */
#include "collectors/host/host.h"

#include <dlfcn.h>
#include <string.h>

#include "collectors/host/vendor.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/wire/wire.h"

enum { NAME_BYTES = 256, DEVICES_MAX = 64 };

struct uuid {
    unsigned char bytes[16];
};
struct driver {
    int (*init)(unsigned flags);
    int (*version)(int *version);
    int (*count)(int *n);
    int (*get)(int *device, int ordinal);
    int (*name)(char *name, int n, int device);
    int (*uuid)(struct uuid *uuid, int device);
    int (*attribute)(int *value, int which, int device);
    int (*memory)(size_t *bytes, int device);
    int (*error)(int code, const char **text);
};

/* Numbers of CUdevice_attribute. */
enum {
    AT_WARP = 10,
    AT_CLOCK_KHZ = 13,
    AT_UNITS = 16,
    AT_MEMORY_CLOCK_KHZ = 36,
    AT_BUS_BITS = 37,
    AT_L2_BYTES = 38,
    AT_THREADS_PER_UNIT = 39,
    AT_MAJOR = 75,
    AT_MINOR = 76,
    AT_SHARED_PER_UNIT = 81,
    AT_REGISTERS_PER_UNIT = 82,
    AT_SHARED_OPTIN = 97,
    AT_BLOCKS_PER_UNIT = 106,
};
/* The recorded attributes: each as a spec of the catalogue, as a soft field, or as both. */
static const struct {
    int number;
    const char *spec, *soft;
    int64_t scale;
} attributes[] = {
    {AT_UNITS, "compute_units", "sm_count", 1},
    {AT_WARP, "warp_size", NULL, 1},
    {AT_CLOCK_KHZ, NULL, "sm_clock_boost_khz", 1},
    {AT_MEMORY_CLOCK_KHZ, NULL, "mem_clock_khz", 1},
    {AT_BUS_BITS, "memory_bus_bits", NULL, 1},
    {AT_L2_BYTES, "l2_bytes", "l2_bytes", 1},
    {AT_THREADS_PER_UNIT, "max_threads_per_unit", NULL, 1},
    {AT_SHARED_PER_UNIT, "shared_bytes_per_sm", NULL, 1},
    {AT_REGISTERS_PER_UNIT, "registers_per_unit", NULL, 1},
    {AT_SHARED_OPTIN, "shared_bytes_per_block_max", NULL, 1},
    {AT_BLOCKS_PER_UNIT, "max_blocks_per_unit", NULL, 1},
};

static bool
open_driver(struct driver *d, const char **why)
{
    static const char *const names[] = {"cuInit", "cuDriverGetVersion", "cuDeviceGetCount",
        "cuDeviceGet", "cuDeviceGetName", "cuDeviceGetUuid_v2", "cuDeviceGetAttribute",
        "cuDeviceTotalMem_v2", "cuGetErrorString"};
    void **slots = (void **)d; /* one pointer per name, in order */
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);

    _Static_assert(sizeof names / sizeof *names == sizeof *d / sizeof(void *), "one slot a name");
    if (!library) {
        *why = "no NVIDIA driver: libcuda.so.1 was not found";
        return false;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!(slots[i] = dlsym(library, names[i]))) {
            *why = "the NVIDIA driver is too old: libcuda.so.1 lacks a function";
            return false;
        }
    return true;
}

static const char *
uuid_text(struct lore_arena *arena, const struct uuid *u)
{
    char hex[33];

    lore_hex(u->bytes, sizeof u->bytes, hex);
    return lore_format(
        arena, "GPU-%.8s-%.4s-%.4s-%.4s-%.12s", hex, hex + 8, hex + 12, hex + 16, hex + 20);
}

/* The peak rate of the memory: two transfers per cycle of its clock, over the width of its bus. */
static void
bandwidth(
    struct lore_arena *arena, const struct driver *cuda, int device, struct lore_host_device *out)
{
    int khz = 0, bits = 0;

    if (cuda->attribute(&khz, AT_MEMORY_CLOCK_KHZ, device) == 0 &&
        cuda->attribute(&bits, AT_BUS_BITS, device) == 0 && khz > 0 && bits > 0)
        lore_host_set_i64(arena, &out->specs, "hbm_bandwidth", (int64_t)khz * 1000 * 2 * bits / 8);
}

static void
describe(
    struct lore_arena *arena, const struct driver *cuda, int device, struct lore_host_device *out)
{
    char name[NAME_BYTES] = "";
    struct uuid uuid;
    size_t memory;
    int major = 0, minor = 0, value;

    out->vendor = "nvidia";
    if (cuda->name(name, sizeof name, device) == 0)
        out->name = lore_strdup(arena, name);
    if (cuda->uuid(&uuid, device) == 0)
        out->uuid = uuid_text(arena, &uuid);
    if (cuda->attribute(&major, AT_MAJOR, device) == 0 &&
        cuda->attribute(&minor, AT_MINOR, device) == 0)
        out->isa = lore_format(arena, "sm_%d%d", major, minor);
    out->chip = lore_host_chip(arena, name);
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        if (cuda->attribute(&value, attributes[i].number, device) != 0 || value <= 0)
            continue;
        if (attributes[i].spec)
            lore_host_set_i64(arena, &out->specs, attributes[i].spec, value * attributes[i].scale);
        if (attributes[i].soft)
            lore_host_set_i64(arena, &out->soft, attributes[i].soft, value * attributes[i].scale);
    }
    bandwidth(arena, cuda, device, out);
    if (cuda->memory(&memory, device) == 0) {
        lore_host_set_i64(arena, &out->specs, "memory_capacity", (int64_t)memory);
        lore_host_set_i64(arena, &out->soft, "memory_bytes", (int64_t)memory);
    }
}

bool
lore_host_nvidia(struct lore_arena *arena, struct lore_host *out, const char **why)
{
    struct driver cuda;
    const char *text = NULL;
    int version = 0, n = 0, device, code;

    if (!open_driver(&cuda, why))
        return false;
    if ((code = cuda.init(0)) != 0 || (code = cuda.count(&n)) != 0) {
        (void)cuda.error(code, &text);
        *why = lore_format(
            arena, "the NVIDIA driver does not start: %s", text != NULL ? text : "unknown error");
        return false;
    }
    if (n == 0) {
        *why = "the NVIDIA driver shows no device (CUDA_VISIBLE_DEVICES?)";
        return false;
    }
    if (cuda.version(&version) == 0)
        out->cuda = lore_format(arena, "%d.%d", version / 1000, version % 1000 / 10);
    out->driver = lore_nvml_driver(arena);
    out->toolkit = lore_host_toolkit(arena);
    for (int i = 0; i < n && i < DEVICES_MAX; i++) {
        if (cuda.get(&device, i) != 0)
            continue;
        struct lore_host_device *d =
            LORE_PUSH(arena, out->devices, out->n_devices, out->cap_devices);
        d->ordinal = (uint32_t)i;
        describe(arena, &cuda, device, d);
        lore_nvml_describe(arena, d);
        lore_host_mig_profile(arena, d);
        if (!out->toolkit)
            lore_host_missing(arena, d, "toolkit", "none was found");
    }
    return out->n_devices > 0;
}
