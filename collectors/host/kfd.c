/* AMD GPUs as the kernel's compute driver lists them in sysfs (KFD, the "topology"): no library is
 * needed and no context is made. A node that may not be read, as in a container that has not been
 * given the GPU, does not count. The HIP runtime adds what sysfs does not have (hip_runtime.c), and
 * amdgpu's own files the settings (amdgpu.c). */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/host/amd.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/wire.h"

enum { NODES_MAX = 256, TEXT_MAX = 16384, PATH_MAX_BYTES = 512 };

const char *
lore_amd_sysfs(void)
{
    const char *told = getenv("WARPLORE_SYSFS");

    return told && *told ? told : "/sys";
}

static bool read_path(char *out, size_t n, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

static bool
read_path(char *out, size_t n, const char *format, va_list args)
{
    char path[PATH_MAX_BYTES];

    (void)vsnprintf(path, sizeof path, format, args);
    FILE *f = fopen(path, "re");
    size_t got = f ? fread(out, 1, n - 1, f) : 0;
    if (f)
        (void)fclose(f);
    out[got] = '\0';
    if (got > 0 && out[got - 1] == '\n')
        out[got - 1] = '\0';
    return got > 0;
}

bool
lore_amd_read(char *out, size_t n, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    bool read = read_path(out, n, format, args);
    va_end(args);
    return read;
}

bool
lore_amd_read_i64(int64_t *out, const char *format, ...)
{
    char text[32], *end;
    va_list args;

    va_start(args, format);
    bool read = read_path(text, sizeof text, format, args);
    va_end(args);
    long long v = strtoll(text, &end, 10);
    if (!read || end == text || *end != '\0')
        return false;
    *out = v;
    return true;
}

/* The value in the line "KEY value"; 0 when there is none. */
static int64_t
property(const char *text, const char *key)
{
    size_t n = strlen(key);

    for (const char *p = text; (p = strstr(p, key)); p += n)
        if ((p == text || p[-1] == '\n') && p[n] == ' ')
            return strtoll(p + n + 1, NULL, 10);
    return 0;
}

/* Products by PCI device id, as in the PCI ID Repository, where one id is one product. */
static const struct {
    int64_t id;
    const char *name;
} products[] = {
    {0x738c, "AMD Instinct MI100"},
    {0x738e, "AMD Instinct MI100"},
    {0x740f, "AMD Instinct MI210"},
    {0x7408, "AMD Instinct MI250X"},
    {0x74a0, "AMD Instinct MI300A"},
    {0x74a1, "AMD Instinct MI300X"},
    {0x74a2, "AMD Instinct MI308X"},
    {0x74a5, "AMD Instinct MI325X"},
    {0x74b5, "AMD Instinct MI300X"}, /* a virtual function */
    {0x75a0, "AMD Instinct MI350X"},
    {0x75a3, "AMD Instinct MI355X"},
};

/* "gfx942", "gfx90a": the last two digits of the version are hexadecimal ones of the name. */
static const char *
isa_of(struct lore_arena *arena, int64_t version)
{
    return lore_format(arena, "gfx%d%x%x", (int)(version / 10000), (unsigned)(version / 100 % 100),
        (unsigned)(version % 100));
}

static void
describe(struct lore_arena *arena, const char *text, struct lore_host_device *d)
{
    int64_t per_unit = property(text, "simd_per_cu"), id = property(text, "device_id");
    int64_t units = per_unit > 0 ? property(text, "simd_count") / per_unit : 0;
    int64_t waves = property(text, "max_waves_per_simd") * per_unit;

    d->vendor = "amd";
    d->isa = isa_of(arena, property(text, "gfx_target_version"));
    d->name = d->isa;
    for (size_t i = 0; i < sizeof products / sizeof *products; i++)
        if (products[i].id == id) { /* an architecture alone is not a product */
            d->name = products[i].name;
            d->chip = lore_host_chip(arena, d->name);
        }
    const struct {
        const char *spec, *soft;
        int64_t value;
    } facts[] = {
        {"compute_units", "cu_count", units},
        {"warp_size", NULL, property(text, "wave_front_size")},
        {"max_warps_per_unit", NULL, waves},
        {"lds_bytes_per_cu", NULL, property(text, "lds_size_in_kb") * 1024},
        {"peak_clock", "sm_clock_max_mhz", property(text, "max_engine_clk_fcompute")},
        {"dies", "xcd_count", property(text, "num_xcc")},
    };
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        if (facts[i].value > 0 && facts[i].spec && !lore_amd_is_partition(d))
            lore_host_set_i64(arena, &d->specs, facts[i].spec, facts[i].value);
        if (facts[i].value > 0 && facts[i].soft)
            lore_host_set_i64(arena, &d->soft, facts[i].soft, facts[i].value);
    }
}

/* Node I, when it is a GPU that we may use. */
static void
take_node(struct lore_arena *arena, int i, const char *text, struct lore_host *out,
    struct lore_amd_place *p)
{
    const char *nodes = "class/kfd/kfd/topology/nodes";
    struct lore_host_device *d;
    int64_t gpu = 0, location = property(text, "location_id");

    if (property(text, "simd_count") == 0)
        return;
    (void)lore_amd_read_i64(&gpu, "%s/%s/%d/gpu_id", lore_amd_sysfs(), nodes, i);
    *p = (struct lore_amd_place){(uint32_t)property(text, "domain"), location >> 8 & 0xff,
        location >> 3 & 0x1f, (uint32_t)property(text, "drm_render_minor")};
    d = LORE_PUSH(arena, out->devices, out->n_devices, out->cap_devices);
    d->ordinal = (uint32_t)(out->n_devices - 1);
    d->uuid = lore_format(arena, "%032llx", (long long)gpu); /* as the capture library writes it */
    lore_amdgpu_describe(arena, p->render, d);
    describe(arena, text, d);
}

bool
lore_host_amd(struct lore_arena *arena, struct lore_host *out, const char **why)
{
    struct lore_amd_place *places = lore_alloc_array(arena, NODES_MAX, sizeof *places);
    char *text = lore_alloc(arena, TEXT_MAX), driver[64];

    for (int i = 0; i < NODES_MAX; i++)
        if (lore_amd_read(text, TEXT_MAX, "%s/class/kfd/kfd/topology/nodes/%d/properties",
                lore_amd_sysfs(), i))
            take_node(arena, i, text, out, &places[out->n_devices]);
    if (out->n_devices == 0) {
        *why = "no AMD GPU: the kernel driver (amdgpu, /sys/class/kfd) lists none";
        return false;
    }
    if (lore_amd_read(driver, sizeof driver, "%s/module/amdgpu/version", lore_amd_sysfs()))
        out->driver = lore_strdup(arena, driver);
    out->toolkit = lore_host_rocm(arena);
    lore_hip_runtime_describe(arena, out, places, out->n_devices);
    return true;
}
