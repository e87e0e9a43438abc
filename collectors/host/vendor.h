/* Inside collectors/host: what the probes share. */
#ifndef LORE_HOST_VENDOR_H
#define LORE_HOST_VENDOR_H

#include "collectors/host/host.h"

/* Set KEY of LIST to a text or a number. A NULL text sets nothing. */
void
lore_host_set(struct lore_arena *arena, struct lore_kvs *list, const char *key, const char *text);
void
lore_host_set_i64(struct lore_arena *arena, struct lore_kvs *list, const char *key, int64_t value);
/* "KEY: WHY" to what D could not be asked. */
void lore_host_missing(
    struct lore_arena *arena, struct lore_host_device *d, const char *key, const char *why);
/* Catalogue name of the product that its driver calls NAME; NULL when it is not known. */
const char *lore_host_chip(struct lore_arena *arena, const char *name);

/* "MIG 1g.18gb" at the end of the driver's name of a slice of a GPU: what is left of the chip is a
 * hard fact of D, for nothing measured there compares with the whole. */
void lore_host_slice(struct lore_arena *arena, struct lore_host_device *d);
/* Version of the CUDA toolkit that a build from here would use ("13.0.1", or "13.0" where only the
 * header says it); NULL: none was found. Nothing is run. */
const char *lore_host_toolkit(struct lore_arena *arena);

/* What NVML knows about D (found by uuid): adds to hard, soft and missing. */
void lore_nvml_describe(struct lore_arena *arena, struct lore_host_device *d);
/* A handle for sampling; NULL with the reason in *why. Closing is not needed: the library stays. */
void *lore_nvml_open(const char *uuid, const char **why);
void lore_nvml_sample(void *handle, struct lore_watch_sample *out);
/* The driver's version; NULL when NVML is not there. */
const char *lore_nvml_driver(struct lore_arena *arena);

/* The script of the fake backend, or NULL: WARPLORE_FAKE is the path of one, or the text itself. */
const char *lore_fake_script(struct lore_arena *arena);
/* Sample I as the script's `clocks` line says; false when it says nothing. */
bool lore_fake_clocks(
    struct lore_arena *arena, const char *script, size_t i, struct lore_watch_sample *out);
/* The bit of a throttle reason's word; 0 for "none" and words that are not known. */
uint64_t lore_watch_bits(const char *word);

#endif
