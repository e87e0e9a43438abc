/* Describes this machine (GPUs, driver, toolkit, clocks, power, ECC, MIG) and samples clocks while
 * a program runs. Vendor libraries are opened with dlopen at run time; a value that they do not
 * report is missing, with the reason. Nothing here changes a setting. */
#ifndef LORE_HOST_HOST_H
#define LORE_HOST_HOST_H

#include "service/base/arena.h"
#include "service/wire/record.h"

struct lore_host_device {
    uint32_t ordinal;
    uint32_t render;         /* AMD: minor number of its /dev/dri/renderD… */
    const char *vendor;      /* "nvidia", "amd", "fake": selects the probe and the sampler */
    const char *name, *uuid; /* "NVIDIA H200"; "GPU-…", sent as a hash unless the user allows it */
    const char *chip;        /* catalogue name; NULL: not known */
    const char *isa;         /* "sm_90", "gfx942" */
    struct lore_kvs hard;    /* values that must agree for measurements to be comparable */
    struct lore_kvs soft;    /* values for display only */
    struct lore_kvs specs;   /* device attributes by spec name (spec_names.h) */
    struct lore_texts missing; /* "power_cap_w: permission denied" */
};
struct lore_host {
    struct lore_host_device *devices;
    size_t n_devices, cap_devices;
    const char *driver, *cuda, *hip; /* "580.159.04", "13.0", "6.2"; NULL: not known */
    const char *toolkit; /* CUDA or ROCm of this machine, perhaps not what built the program; NULL:
                            none */
};
/* NVIDIA GPUs of this machine by NVML and the CUDA driver. False with the reason in *why when there
 * are none ("no NVIDIA driver: libcuda.so.1 was not found"). */
bool lore_host_nvidia(struct lore_arena *arena, struct lore_host *out, const char **why);
/* AMD GPUs of this machine by sysfs, and by the HIP runtime where there is one. False with the
 * reason in *why when there are none. Call it while the process has one thread. */
bool lore_host_amd(struct lore_arena *arena, struct lore_host *out, const char **why);
/* Devices described by the script in WARPLORE_FAKE, for tests (docs/collect.md). */
bool lore_host_fake(struct lore_arena *arena, struct lore_host *out, const char **why);
/* Device D and its machine as an environment record with a derived id: the same facts give the same
 * id; host name and uuid are hashed unless SHOW_NAME. Values that vary from run to run (clocks,
 * temperature) belong to the run record. */
void lore_host_environment(struct lore_arena *arena, const struct lore_host *host,
    const struct lore_host_device *d, bool show_name, struct lore_environment *out);

/* Add device D's own numbers to DOC as spec records of class device_reported, in environment ENV of
 * the same document. Adds nothing when the chip is not known. */
void lore_host_specs(struct lore_arena *arena, const struct lore_host_device *d,
    const struct lore_environment *env, struct lore_submission *doc);

/* Clocks, power, temperature and throttle reasons of one device, sampled by a thread. */
struct lore_watch;
struct lore_watch_sample {
    int64_t at_us;                                    /* wall clock */
    int32_t sm_mhz, mem_mhz, power_mw, temperature_c; /* -1: not known */
    uint64_t throttle; /* the vendor's bits; 0: none, UINT64_MAX: not known */
};
struct lore_clocks { /* clock samples of one device while the program ran */
    const struct lore_host_device *device;
    const struct lore_watch_sample *v;
    size_t n;
};
/* NULL when the device cannot be watched. PERIOD_MS: at least 5. */
struct lore_watch *lore_watch_start(const struct lore_host_device *d, int period_ms);
/* Stop the thread, copy its samples into ARENA (at most 4096, thinned evenly) and free W, which may
 * be NULL. */
struct lore_watch_sample *
lore_watch_stop(struct lore_watch *w, struct lore_arena *arena, size_t *n);
/* Summary for a run's method: sm_clock_mhz_min/median/max, power, temperature, throttle words
 * ("sw_power_cap, hw_slowdown"; "none"). */
void lore_watch_summary(
    struct lore_arena *arena, const struct lore_watch_sample *v, size_t n, struct lore_kvs *out);

#endif
