/* Shared by the probes of collectors/host. */
#ifndef LORE_HOST_VENDOR_H
#define LORE_HOST_VENDOR_H

#include "collectors/host/host.h"

/* Set KEY of LIST to a text or a number. A NULL text sets nothing. */
void
lore_host_set(struct lore_arena *arena, struct lore_kvs *list, const char *key, const char *text);
void
lore_host_set_i64(struct lore_arena *arena, struct lore_kvs *list, const char *key, int64_t value);
/* Add "KEY: WHY" to the missing values of D. */
void lore_host_missing(
    struct lore_arena *arena, struct lore_host_device *d, const char *key, const char *why);
/* Catalogue name of the product that its driver calls NAME; NULL when it is not known. */
const char *lore_host_chip(struct lore_arena *arena, const char *name);

/* If the driver's name of D ends in a MIG profile ("MIG 1g.18gb"), store the profile as hard facts:
 * a GPU slice is not comparable with the whole GPU. */
void lore_host_mig_profile(struct lore_arena *arena, struct lore_host_device *d);
/* Version of the CUDA toolkit that a build from here would use ("13.0.1", or "13.0" where only the
 * header says it); NULL: none was found. Nothing is run. */
const char *lore_host_toolkit(struct lore_arena *arena);
/* The version of ROCm in $ROCM_PATH or /opt/rocm ("6.3.1"); NULL: none was found. */
const char *lore_host_rocm(struct lore_arena *arena);

/* Add NVML's values for D (found by uuid) to hard, soft and missing. */
void lore_nvml_describe(struct lore_arena *arena, struct lore_host_device *d);
/* A handle for sampling; NULL with the reason in *why. Closing is not needed: the library stays. */
void *lore_nvml_open(const char *uuid, const char **why);
void lore_nvml_sample(void *handle, struct lore_watch_sample *out);
/* The driver's version; NULL when NVML is not there. */
const char *lore_nvml_driver(struct lore_arena *arena);

/* A handle for sampling D by amdgpu's files, and its end. */
void *lore_amdgpu_open(const struct lore_host_device *d);
void lore_amdgpu_sample(void *handle, struct lore_watch_sample *out);
void lore_amdgpu_close(void *handle);

/* The script of the fake backend, or NULL: WARPLORE_FAKE is the path of one, or the text itself. */
const char *lore_fake_script(struct lore_arena *arena);
/* Read sample I from the script's `clocks` line; false when there is none. */
bool lore_fake_clocks(
    struct lore_arena *arena, const char *script, size_t i, struct lore_watch_sample *out);
/* The bit of the throttle reason named WORD; 0 for "none" and unknown words. */
uint64_t lore_watch_bits(const char *word);

#endif
