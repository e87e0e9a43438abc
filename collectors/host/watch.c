/* Samples clocks, power and throttle reasons while a program runs, in a thread that asks the driver
 * every few milliseconds. Most false regressions come from drifting clocks, and these samples show
 * the drift. When the buffer is full, every second sample is dropped and the period doubles, so
 * that samples stay evenly spaced. The thread only reads. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "collectors/host/vendor.h"
#include "service/base/clock.h"
#include "service/base/text.h"
#include "service/base/xalloc.h"
#include "service/wire/wire.h"

enum { SAMPLES_MAX = 4096, PERIOD_MIN_MS = 5 };

static void *
open_nvml(const struct lore_host_device *d)
{
    const char *why;

    return lore_nvml_open(d->uuid, &why);
}

static const struct sampler {
    const char *vendor;
    void *(*open)(const struct lore_host_device *d); /* NULL: the device cannot be watched */
    void (*sample)(void *handle, struct lore_watch_sample *out);
    void (*close)(void *handle); /* NULL: nothing to do */
} samplers[] = {
    {"nvidia", open_nvml, lore_nvml_sample, NULL},
    {"amd", lore_amdgpu_open, lore_amdgpu_sample, lore_amdgpu_close},
};

struct lore_watch {
    pthread_t thread;
    pthread_mutex_t lock; /* guards stop */
    pthread_cond_t wake;
    bool stop;
    const struct sampler *sampler; /* NULL: the fake device */
    void *handle;                  /* the sampler's */
    const char *script;            /* of the fake device */
    struct lore_arena arena;       /* the thread's own */
    int period_ms;
    struct lore_watch_sample v[SAMPLES_MAX];
    size_t n, taken;
};

/* The throttle reasons that NVML documents, by bit; other vendors' are put into the same words.
 * `gpu_idle` and `app_clocks_setting` are no reason to doubt a measurement, the others are. */
static const struct {
    uint64_t bit;
    const char *word;
    bool harmless;
} reasons[] = {
    {0x1, "gpu_idle", true},
    {0x2, "app_clocks_setting", true},
    {0x4, "sw_power_cap", false},
    {0x8, "hw_slowdown", false},
    {0x10, "sync_boost", false},
    {0x20, "sw_thermal_slowdown", false},
    {0x40, "hw_thermal_slowdown", false},
    {0x80, "hw_power_brake", false},
    {0x100, "display_clocks_setting", false},
};

uint64_t
lore_watch_bits(const char *word)
{
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (strcmp(reasons[i].word, word) == 0)
            return reasons[i].bit;
    return 0;
}

static void
take_sample(struct lore_watch *w)
{
    struct lore_watch_sample s = {0, -1, -1, -1, -1, UINT64_MAX};

    s.at_us = lore_now_us();
    if (w->sampler)
        w->sampler->sample(w->handle, &s);
    else if (!lore_fake_clocks(&w->arena, w->script, w->taken, &s))
        return;
    w->taken++;
    if (w->n == SAMPLES_MAX) {
        for (size_t i = 0; i < SAMPLES_MAX / 2; i++)
            w->v[i] = w->v[2 * i];
        w->n = SAMPLES_MAX / 2;
        w->period_ms *= 2;
    }
    w->v[w->n++] = s;
}

static void *
watch(void *ctx)
{
    struct lore_watch *w = ctx;
    bool stop = false;

    while (!stop) {
        struct timespec until;
        take_sample(w);
        (void)clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += (long)w->period_ms % 1000 * 1000000;
        until.tv_sec += w->period_ms / 1000 + until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        (void)pthread_mutex_lock(&w->lock);
        while (!w->stop && pthread_cond_timedwait(&w->wake, &w->lock, &until) == 0)
            ;
        stop = w->stop;
        (void)pthread_mutex_unlock(&w->lock);
    }
    take_sample(w);
    return NULL;
}

static void
discard(struct lore_watch *w)
{
    (void)pthread_cond_destroy(&w->wake);
    (void)pthread_mutex_destroy(&w->lock);
    if (w->sampler && w->sampler->close)
        w->sampler->close(w->handle);
    lore_arena_free(&w->arena);
    lore_xfree(w);
}

struct lore_watch *
lore_watch_start(const struct lore_host_device *d, int period_ms)
{
    const struct sampler *sampler = NULL;
    struct lore_watch *w;
    pthread_condattr_t monotonic;
    bool fake = lore_streq(d->vendor, "fake");

    for (size_t i = 0; i < sizeof samplers / sizeof *samplers; i++)
        if (lore_streq(samplers[i].vendor, d->vendor))
            sampler = &samplers[i];
    void *handle = sampler ? sampler->open(d) : NULL;
    if (!fake && !handle)
        return NULL;
    w = lore_xcalloc(1, sizeof *w);
    w->sampler = sampler;
    w->handle = handle;
    w->script = fake ? lore_fake_script(&w->arena) : NULL;
    w->period_ms = period_ms < PERIOD_MIN_MS ? PERIOD_MIN_MS : period_ms;
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_mutex_init(&w->lock, NULL);
    (void)pthread_cond_init(&w->wake, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
    if (pthread_create(&w->thread, NULL, watch, w) != 0) {
        discard(w);
        return NULL;
    }
    return w;
}

struct lore_watch_sample *
lore_watch_stop(struct lore_watch *w, struct lore_arena *arena, size_t *n)
{
    struct lore_watch_sample *out = NULL;

    *n = 0;
    if (!w)
        return NULL;
    (void)pthread_mutex_lock(&w->lock);
    w->stop = true;
    (void)pthread_cond_signal(&w->wake);
    (void)pthread_mutex_unlock(&w->lock);
    (void)pthread_join(w->thread, NULL);
    if (w->n > 0)
        out = lore_memdup(arena, w->v, w->n * sizeof *w->v);
    *n = w->n;
    discard(w);
    return out;
}

static int
by_i32(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Smallest, median and largest of one value, where any sample has it. */
static void
put_range(struct lore_arena *arena, struct lore_kvs *out, const char *name, const int32_t *values,
    size_t n)
{
    int32_t *sorted = lore_alloc_array(arena, n + 1, sizeof *sorted);
    size_t known = 0;

    for (size_t i = 0; i < n; i++)
        if (values[i] >= 0)
            sorted[known++] = values[i];
    if (known == 0)
        return;
    qsort(sorted, known, sizeof *sorted, by_i32);
    lore_host_set_i64(arena, out, lore_format(arena, "%s_min", name), sorted[0]);
    lore_host_set_i64(arena, out, lore_format(arena, "%s_median", name), sorted[known / 2]);
    lore_host_set_i64(arena, out, lore_format(arena, "%s_max", name), sorted[known - 1]);
}

void
lore_watch_summary(
    struct lore_arena *arena, const struct lore_watch_sample *v, size_t n, struct lore_kvs *out)
{
    int32_t *column = lore_alloc_array(arena, n + 1, sizeof *column);
    const char *words = "";
    uint64_t all = 0;
    bool known = false;

    if (n == 0)
        return;
    for (size_t i = 0; i < n; i++)
        column[i] = v[i].sm_mhz;
    put_range(arena, out, "sm_clock_mhz", column, n);
    for (size_t i = 0; i < n; i++)
        column[i] = v[i].power_mw < 0 ? -1 : (v[i].power_mw + 500) / 1000;
    put_range(arena, out, "power_w", column, n);
    for (size_t i = 0; i < n; i++)
        column[i] = v[i].temperature_c;
    put_range(arena, out, "temperature_c", column, n);
    for (size_t i = 0; i < n; i++)
        if (v[i].throttle != UINT64_MAX) {
            known = true;
            all |= v[i].throttle;
        }
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if ((all & reasons[i].bit) && !reasons[i].harmless)
            words = lore_format(arena, "%s%s%s", words, *words ? ", " : "", reasons[i].word);
    if (known)
        lore_host_set(arena, out, "throttle", *words ? words : "none");
    lore_host_set_i64(arena, out, "clock_samples", (int64_t)n);
}
