/* NVIDIA's management library: power cap, ECC, MIG, clocks, temperature, throttle reasons. Opened
 * at run time and declared here; functions that an older library lacks are skipped one by one. Only
 * reads: no setting is ever changed. Initialised once and kept for the process. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "collectors/host/vendor.h"
#include "service/wire/wire.h"

typedef void *device;
enum { OK = 0, NOT_SUPPORTED = 3, NO_PERMISSION = 4 };
enum { CLOCK_SM = 1, CLOCK_MEMORY = 2, SENSOR_GPU = 0, TEXT_BYTES = 96 };

static struct {
    int (*init)(void);
    int (*by_uuid)(const char *uuid, device *out);
    int (*driver)(char *text, unsigned n);
    int (*clock)(device d, int which, unsigned *mhz);
    int (*clock_max)(device d, int which, unsigned *mhz);
    int (*power)(device d, unsigned *mw);
    int (*power_limit)(device d, unsigned *mw);
    int (*temperature)(device d, int sensor, unsigned *c);
    int (*ecc)(device d, int *current, int *pending);
    int (*mig)(device d, unsigned *current, unsigned *pending);
    int (*persistence)(device d, int *on);
    int (*compute_mode)(device d, int *mode);
    int (*virtualization)(device d, int *mode);
    int (*throttle)(device d, unsigned long long *bits);
    int (*pcie_generation)(device d, unsigned *v);
    int (*pcie_width)(device d, unsigned *v);
    int (*vbios)(device d, char *text, unsigned n);
} nvml;

static const struct {
    void **slot;
    const char *name;
} functions[] = {
    {(void **)&nvml.init, "nvmlInit_v2"},
    {(void **)&nvml.by_uuid, "nvmlDeviceGetHandleByUUID"},
    {(void **)&nvml.driver, "nvmlSystemGetDriverVersion"},
    {(void **)&nvml.clock, "nvmlDeviceGetClockInfo"},
    {(void **)&nvml.clock_max, "nvmlDeviceGetMaxClockInfo"},
    {(void **)&nvml.power, "nvmlDeviceGetPowerUsage"},
    {(void **)&nvml.power_limit, "nvmlDeviceGetEnforcedPowerLimit"},
    {(void **)&nvml.temperature, "nvmlDeviceGetTemperature"},
    {(void **)&nvml.ecc, "nvmlDeviceGetEccMode"},
    {(void **)&nvml.mig, "nvmlDeviceGetMigMode"},
    {(void **)&nvml.persistence, "nvmlDeviceGetPersistenceMode"},
    {(void **)&nvml.compute_mode, "nvmlDeviceGetComputeMode"},
    {(void **)&nvml.virtualization, "nvmlDeviceGetVirtualizationMode"},
    {(void **)&nvml.throttle, "nvmlDeviceGetCurrentClocksThrottleReasons"},
    {(void **)&nvml.pcie_generation, "nvmlDeviceGetMaxPcieLinkGeneration"},
    {(void **)&nvml.pcie_width, "nvmlDeviceGetMaxPcieLinkWidth"},
    {(void **)&nvml.vbios, "nvmlDeviceGetVbiosVersion"},
};

/* Load NVML once. NULL when it is usable, else the reason. */
static const char *
load(void)
{
    static bool tried;
    static const char *why;

    if (tried)
        return why;
    tried = true;
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return why = "tool unavailable: libnvidia-ml.so.1 was not found";
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        *functions[i].slot = dlsym(library, functions[i].name);
    if (!nvml.init || !nvml.by_uuid)
        return why = "tool unavailable: libnvidia-ml.so.1 is too old";
    if (nvml.init() != OK)
        return why = "tool unavailable: NVML does not start";
    return why;
}

static const char *
reason(int code)
{
    return code == NO_PERMISSION   ? "permission denied"
           : code == NOT_SUPPORTED ? "not supported by this device"
                                   : "the driver gave an error";
}

const char *
lore_nvml_driver(struct lore_arena *arena)
{
    char text[TEXT_BYTES];

    if (load() || !nvml.driver || nvml.driver(text, sizeof text) != OK)
        return NULL;
    return lore_strdup(arena, text);
}

void *
lore_nvml_open(const char *uuid, const char **why)
{
    device d = NULL;

    if ((*why = load()))
        return NULL;
    if (!uuid || nvml.by_uuid(uuid, &d) != OK) {
        *why = "NVML does not know the device";
        return NULL;
    }
    return d;
}

/* Set KEY of LIST to VALUE, or record in OUT why CODE made it missing. */
static void
add_number(struct lore_arena *arena, struct lore_host_device *out, struct lore_kvs *list,
    const char *key, int code, unsigned value)
{
    if (code == OK)
        lore_host_set_i64(arena, list, key, value);
    else
        lore_host_missing(arena, out, key, reason(code));
}

static void
add_word(struct lore_arena *arena, struct lore_host_device *out, struct lore_kvs *list,
    const char *key, int code, const char *word)
{
    if (code == OK)
        lore_host_set(arena, list, key, word);
    else
        lore_host_missing(arena, out, key, reason(code));
}

#define ASK(f, ...) (nvml.f ? nvml.f(__VA_ARGS__) : NOT_SUPPORTED)

static void
describe_limits(struct lore_arena *arena, device d, struct lore_host_device *out)
{
    static const char *const modes[] = {
        "default", "exclusive_thread", "prohibited", "exclusive_process"};
    unsigned u = 0, pending;
    int i = 0, other, code;

    code = ASK(power_limit, d, &u);
    add_number(arena, out, &out->hard, "power_cap_w", code, (u + 500) / 1000);
    code = ASK(ecc, d, &i, &other);
    add_word(arena, out, &out->hard, "ecc", code, i ? "enabled" : "disabled");
    code = ASK(mig, d, &u, &pending);
    add_word(arena, out, &out->hard, "mig", code, u ? "enabled" : "disabled");
    code = ASK(compute_mode, d, &i);
    add_word(arena, out, &out->soft, "compute_mode", code, i >= 0 && i < 4 ? modes[i] : "unknown");
    code = ASK(persistence, d, &i);
    add_word(arena, out, &out->soft, "persistence", code, i ? "enabled" : "disabled");
}

void
lore_nvml_describe(struct lore_arena *arena, struct lore_host_device *out)
{
    static const char *const virtual_modes[] = {
        "none", "passthrough", "vgpu", "host_vgpu", "host_vsga"};
    const char *why;
    char text[TEXT_BYTES] = "";
    unsigned u = 0;
    int i = 0, code;
    device d = lore_nvml_open(out->uuid, &why);

    if (!d) {
        lore_host_missing(arena, out, "power_cap_w, ecc, mig, clocks", why);
        return;
    }
    describe_limits(arena, d, out);
    code = ASK(clock_max, d, CLOCK_SM, &u);
    add_number(arena, out, &out->soft, "sm_clock_max_mhz", code, u);
    if (code == OK)
        lore_host_set_i64(arena, &out->specs, "peak_clock", u);
    code = ASK(clock_max, d, CLOCK_MEMORY, &u);
    add_number(arena, out, &out->soft, "mem_clock_max_mhz", code, u);
    code = ASK(pcie_generation, d, &u);
    add_number(arena, out, &out->soft, "pcie_generation", code, u);
    code = ASK(pcie_width, d, &u);
    add_number(arena, out, &out->soft, "pcie_width", code, u);
    code = ASK(virtualization, d, &i);
    add_word(arena, out, &out->soft, "virtualization", code,
        i >= 0 && i < 5 ? virtual_modes[i] : "unknown");
    code = ASK(vbios, d, text, sizeof text);
    add_word(arena, out, &out->soft, "vbios", code, text);
}

static int32_t
or_unknown(int code, unsigned value)
{
    return code == OK && value <= INT32_MAX ? (int32_t)value : -1;
}

void
lore_nvml_sample(void *handle, struct lore_watch_sample *out)
{
    unsigned long long bits = 0;
    unsigned u = 0;
    int code = ASK(clock, handle, CLOCK_SM, &u);
    out->sm_mhz = or_unknown(code, u);
    code = ASK(clock, handle, CLOCK_MEMORY, &u);
    out->mem_mhz = or_unknown(code, u);
    code = ASK(power, handle, &u);
    out->power_mw = or_unknown(code, u);
    code = ASK(temperature, handle, SENSOR_GPU, &u);
    out->temperature_c = or_unknown(code, u);
    out->throttle = ASK(throttle, handle, &bits) == OK ? bits : UINT64_MAX;
}
