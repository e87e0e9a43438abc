/* Counts one launch. The counters of one request need several passes. Each pass runs the kernel
 * once, between start and stop of the profiler, so that other launches run unprofiled. How the
 * kernel is repeated:
 *
 *   user replay         the default: we save memory, and for each pass but the last we launch the
 *                       kernel ourselves and restore memory; the program's own launch is the last
 *   kernel replay       where memory cannot be saved: the vendor does the same inside the launch,
 *                       but the L2 cannot be cleaned between restoring and running
 *   application replay  one pass per execution of the program; a file carries the counter image
 *
 * Before each pass of the first and the last way the L2 is cleaned (counters_memory.c). An extra
 * range means that another thread launched meanwhile; then the values are dropped and the next
 * launch of the shape is counted. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "collectors/cupti/counters_private.h"

enum { MISS_NOT_COLLECTED = 1 }; /* enum lore_missing */

static void
write_outcome(enum lore_cap_state_code code, const char *text, uint64_t a, uint64_t b)
{
    if (!atomic_exchange(&lore_counters.outcome_written, true))
        lore_channel_state(lore_counters.channel, code, text, a, b);
}

static CUptiResult
clear_image(struct lore_counters_context *c)
{
    LORE_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params, p);

    p.pRangeProfilerObject = c->profiler;
    p.counterDataSize = c->image_bytes;
    p.pCounterData = c->image;
    return lore_counters.api->RangeProfilerCounterDataImageInitialize(&p);
}

/* Clear the image. After pass 0 of application replay, load the image of this launch's earlier
 * passes. False: clearing failed, or a pass is missing. */
static bool
image_ready(struct lore_counters_context *c, uint64_t key)
{
    const struct lore_counting *config = &lore_counters.config;
    CUptiResult result = clear_image(c);

    if (result != CUPTI_SUCCESS) {
        lore_counters_refusal(result, "counter data");
        return false;
    }
    if (!config->app_replay || config->pass == 0)
        return true;
    return lore_counters_replay_read(key, c->image, c->image_bytes) == (long)config->pass;
}

/* CUPTI joins the passes of several executions by the range's name. One name serves all launches,
 * because each launch has its own image. Automatic ranges would lose all but the first launch of a
 * process. This range begins some 45 us before the kernel, so metrics relative to elapsed time or
 * cycles are wrong for short kernels; `warplore run` leaves them out (app_replay.c). */
static CUptiResult
push_range(struct lore_counters_context *c)
{
    LORE_PARAMS(CUpti_RangeProfiler_PushRange_Params, p);

    p.pRangeProfilerObject = c->profiler;
    p.pRangeName = "launch";
    return lore_counters.api->RangeProfilerPushRange(&p);
}

static CUptiResult
pop_range(struct lore_counters_context *c)
{
    LORE_PARAMS(CUpti_RangeProfiler_PopRange_Params, p);

    p.pRangeProfilerObject = c->profiler;
    return lore_counters.api->RangeProfilerPopRange(&p);
}

static bool
accepted(struct lore_counters_context *c, CUptiResult result, const char *step)
{
    if (result == CUPTI_SUCCESS)
        return true;
    lore_counters_refusal(result, step);
    c->refused = true;
    return false;
}

static bool
configure(struct lore_counters_context *c)
{
    bool app = c->replay == CUPTI_ApplicationReplay;
    LORE_PARAMS(CUpti_RangeProfiler_SetConfig_Params, set);

    set.pRangeProfilerObject = c->profiler;
    set.pConfig = c->config;
    set.configSize = c->config_bytes;
    set.pCounterDataImage = c->image;
    set.counterDataImageSize = c->image_bytes;
    set.range = app ? CUPTI_UserRange : CUPTI_AutoRange;
    set.replayMode = c->replay;
    set.maxRangesPerPass = 2;
    set.numNestingLevels = 1;
    set.minNestingLevel = 1;
    set.passIndex = app ? lore_counters.config.pass : 0;
    set.targetNestingLevel = c->replay == CUPTI_KernelReplay ? 0 : 1;
    return accepted(
        c, lore_counters.api->RangeProfilerSetConfig(&set), "configuring the range profiler");
}

/* Begin a pass; in kernel replay, all passes. */
static bool
begin(struct lore_counters_context *c)
{
    LORE_PARAMS(CUpti_RangeProfiler_Start_Params, start);
    CUptiResult result;

    if (!lore_counters_cache_clean(c))
        return false;
    start.pRangeProfilerObject = c->profiler;
    result = lore_counters.api->RangeProfilerStart(&start);
    if (result == CUPTI_SUCCESS && c->replay == CUPTI_ApplicationReplay)
        result = push_range(c);
    return accepted(c, result, "starting the range profiler");
}

/* End what begin() began. *all: every pass of the launch was made. */
static bool
end(struct lore_counters_context *c, bool *all)
{
    LORE_PARAMS(CUpti_RangeProfiler_Stop_Params, stop);
    CUptiResult result = CUPTI_SUCCESS;

    if (c->replay == CUPTI_ApplicationReplay)
        result = pop_range(c);
    else
        (void)lore_counters.cuda.cuCtxSynchronize(); /* the program sees a failure by itself */
    stop.pRangeProfilerObject = c->profiler;
    if (result == CUPTI_SUCCESS)
        result = lore_counters.api->RangeProfilerStop(&stop);
    *all = c->replay != CUPTI_UserReplay || stop.isAllPassSubmitted != 0;
    return accepted(c, result, "stopping the range profiler");
}

/* User replay: a pass of our own. When the launch fails, the program's launch will fail, too. */
static bool
own_pass(struct lore_counters_context *c, const struct lore_counters_launch *l)
{
    bool launched, ended, all;

    if (!begin(c))
        return false;
    launched = lore_counters_repeat(l) == CUDA_SUCCESS;
    ended = end(c, &all);
    return lore_counters_memory_restore() && ended && launched;
}

bool
lore_counters_open(
    struct lore_counters_context *c, const struct lore_counters_launch *l, uint64_t key)
{
    bool app = lore_counters.config.app_replay, good;

    if (c->n_names == 0)
        return true;
    if (app && lore_counters.config.pass >= c->passes)
        return false;
    good = lore_counters.cuda.cuCtxSynchronize() == CUDA_SUCCESS && image_ready(c, key);
    if (good) {
        lore_counters_cache_open(c);
        c->replay = app ? CUPTI_ApplicationReplay
                    : c->passes < 2 || lore_counters_memory_save(c->context) ? CUPTI_UserReplay
                                                                             : CUPTI_KernelReplay;
        good = configure(c);
    }
    for (size_t n = 1; good && c->replay == CUPTI_UserReplay && n < c->passes; n++)
        good = own_pass(c, l);
    good = good && begin(c);
    if (good)
        return true;
    atomic_fetch_add(&lore_counters.disturbed, 1);
    lore_counters_memory_close();
    return false;
}

/* The number of ranges that the image now holds, 0 when the counts are not complete. */
static size_t
read_image(struct lore_counters_context *c)
{
    LORE_PARAMS(CUpti_RangeProfiler_DecodeData_Params, decode);
    LORE_PARAMS(CUpti_RangeProfiler_GetCounterDataInfo_Params, info);
    CUptiResult result;
    bool all, ended = end(c, &all);

    lore_counters_memory_close();
    if (!ended || !all)
        return 0;
    decode.pRangeProfilerObject = c->profiler;
    info.pCounterDataImage = c->image;
    info.counterDataImageSize = c->image_bytes;
    result = lore_counters.api->RangeProfilerDecodeData(&decode);
    if (result == CUPTI_SUCCESS)
        result = lore_counters.api->RangeProfilerGetCounterDataInfo(&info);
    return accepted(c, result, "reading the counters") ? info.numTotalRanges : 0;
}

static void
write_one(uint32_t shape, uint32_t ordinal, uint32_t metric, double value, uint32_t missing)
{
    struct lore_cap_metric m = {.shape = shape, .metric = metric, .launch = ordinal};

    if (missing == 0 && !isfinite(value))
        missing = MISS_NOT_COLLECTED;
    m.missing = missing;
    m.value = missing != 0 ? 0 : value;
    lore_channel_metric(lore_counters.channel, &m);
}

static void
write_values(struct lore_counters_context *c, uint32_t shape, uint32_t ordinal)
{
    static double values[LORE_COUNTING_NAMES]; /* one launch at a time is counted */
    LORE_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params, p);
    CUptiResult result;

    for (size_t i = 0; i < c->n_names; i++)
        values[i] = NAN;
    p.pHostObject = c->host;
    p.pCounterDataImage = c->image;
    p.counterDataImageSize = c->image_bytes;
    p.rangeIndex = 0;
    p.ppMetricNames = c->names;
    p.numMetrics = c->n_names;
    p.pMetricValues = values;
    result = lore_counters.api->ProfilerHostEvaluateToGpuValues(&p);
    if (result != CUPTI_SUCCESS) {
        lore_counters_refusal(result, "computing the values");
        return;
    }
    for (size_t i = 0; i < c->n_names; i++)
        write_one(shape, ordinal, c->ids[i], values[i], 0);
}

static void
write_launch_values(const struct lore_counters_launch *l, uint32_t shape, uint32_t ordinal)
{
    const struct lore_counting *config = &lore_counters.config;

    for (size_t i = 0; i < config->n_names; i++) {
        uint32_t missing = 0;
        double value = 0;

        if (!lore_counters_from_launch(config->names[i]))
            continue;
        lore_counters_launch_value(l, config->names[i], &value, &missing);
        write_one(shape, ordinal, lore_channel_name(lore_counters.channel, config->names[i]), value,
            missing);
    }
}

/* Application replay: save the image; true when this was the last pass. */
static bool
save_pass(struct lore_counters_context *c, uint64_t key)
{
    size_t made = lore_counters.config.pass + 1;

    if (!lore_counters_replay_write(key, c->image, c->image_bytes, made)) {
        write_outcome(LORE_CAP_COUNTER_PARTIAL,
            "the counters could not be saved for the next execution", 0, c->passes);
        return false;
    }
    if (made < c->passes)
        write_outcome(
            LORE_CAP_COUNTER_PARTIAL, "run the program again for the next pass", made, c->passes);
    return made == c->passes;
}

bool
lore_counters_close(struct lore_counters_context *c, const struct lore_counters_launch *l,
    uint64_t key, uint32_t ordinal)
{
    struct lore_cap_shape shape;
    uint32_t id;

    if (c->n_names > 0) {
        if (read_image(c) != 1) {
            atomic_fetch_add(&lore_counters.disturbed, 1);
            return false;
        }
        if (lore_counters.config.app_replay && !save_pass(c, key))
            return true;
    }
    lore_counters_shape(l, &shape);
    id = lore_channel_shape(lore_counters.channel, &shape);
    if (c->n_names > 0)
        write_values(c, id, ordinal);
    write_launch_values(l, id, ordinal);
    write_outcome(LORE_CAP_COUNTER_DONE, NULL, c->passes, 0);
    lore_channel_flush(lore_counters.channel);
    return true;
}
