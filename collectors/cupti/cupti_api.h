/* CUPTI as a table of functions found at run time, shared by the parts of libwarplore_cupti.so. We
 * do not link CUPTI: a program may bring its own copy (PyTorch does), and two copies in one process
 * conflict. */
#ifndef LORE_CUPTI_CUPTI_API_H
#define LORE_CUPTI_CUPTI_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cupti.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#include "collectors/capture/channel.h"
#include "collectors/cupti/cupti_functions.h"

struct lore_cupti { /* api->ActivityEnable(…) is cuptiActivityEnable(…) */
#define LORE_CUPTI_FIELD(name) __typeof__(cupti##name) *name;
    LORE_CUPTI_NEEDED(LORE_CUPTI_FIELD)
    LORE_CUPTI_COUNTERS(LORE_CUPTI_FIELD)
#undef LORE_CUPTI_FIELD
    uint32_t version, driver; /* of the library; CUDA version of the driver, 0: not known */
    const char *no_counters;  /* the first function for counters that is missing; NULL: none */
};
enum {
    LORE_CUPTI_OLDEST = 19, /* CUDA 12.0: the first with the fields that are read */
    LORE_CUPTI_13 = 130000, /* CUDA 13.0: kernel records say whether a kernel launched them */
};

/* Find the library and fill *out: LORE_CAP_ATTACHED, or VENDOR_MISSING, VENDOR_TOO_OLD or
 * VENDOR_ERROR with the reason in WHY. The library stays loaded. */
enum lore_cap_state_code lore_cupti_open(struct lore_cupti *out, char *why, size_t n);
/* A function of the driver that the program has loaded, "cuCtxGetCurrent"; NULL: none. */
void *lore_cupti_driver(const char *symbol);
/* CUPTI's words for a result; static text. */
const char *lore_cupti_words(const struct lore_cupti *api, CUptiResult r);

/* The driver's functions that launch kernels. */
extern const CUpti_CallbackId lore_cupti_launches[];
extern const size_t lore_cupti_n_launches;

/* Durations (activity.c). False: nothing is watched and a STATE says why. */
bool lore_activity_start(const struct lore_cupti *api, struct lore_channel *c);
void lore_activity_stop(void); /* at normal exit: collects all remaining records */
/* Counters (counters.c), instead of durations when LORE_ENV_COUNTERS is set. Returns like
 * lore_activity_start. Called from within cuInit: no context exists yet and driver calls may be
 * refused. The caller writes END after stop. */
bool lore_counters_start(const struct lore_cupti *api, struct lore_channel *c);
void lore_counters_stop(void);

#endif
