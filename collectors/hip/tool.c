/* The entry point of libwarplore_hip.so. rocprofiler-sdk loads the library when the program first
 * uses HIP or HSA, because ROCP_TOOL_LIBRARIES names it, and calls rocprofiler_configure, our only
 * exported symbol, then init, and fini from exit(). There is no constructor, no signal handler and
 * no output. Without WARPLORE_CAPTURE it does nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/capture/capture_env.h"
#include "collectors/capture/code.h"
#include "collectors/capture/ranges.h"
#include "collectors/capture/store.h"
#include "collectors/hip/agents.h"
#include "collectors/hip/code_objects.h"
#include "collectors/hip/dispatch_counters.h"
#include "collectors/hip/durations.h"
#include "collectors/hip/kernels.h"
#include "collectors/hip/ranges.h"

/* The profiler looks up this name. VERSION: 10000 × major + 100 × minor + patch. */
__attribute__((visibility("default"))) struct lore_rocp_tool *
rocprofiler_configure(uint32_t version, const char *words, uint32_t priority, void *client);

static struct lore_rocp api;
static struct lore_channel *channel;
static uint64_t context;
static pid_t owner;
static const void *profiler; /* code of the library that called us */
static bool counting, started;
static const char *folder; /* the run's */

static struct lore_channel *
open_channel(const char *dir, uint32_t version)
{
    struct lore_cap_start s = {.backend = "hip", .backend_version = version};

    if (!api.get_timestamp || api.get_timestamp(&s.vendor_ns) != 0)
        s.vendor_ns = 0;
    return lore_channel_begin(dir, &s);
}

static void
called(struct lore_rocp_callback c, void *user, void *data)
{
    struct lore_rocp_event e;

    (void)user, (void)data;
    if (!lore_rocp_event(&c, LORE_ROCP_CODE_OBJECT, &e) || e.phase != LORE_ROCP_PHASE_LOAD)
        return;
    if (e.operation == LORE_ROCP_CODE_OBJECT_KERNEL)
        lore_kernels_add(e.payload);
    else if (e.operation == LORE_ROCP_CODE_OBJECT_LOAD && !counting && getpid() == owner)
        lore_code_objects_keep(folder, e.payload);
}

/* Ask the profiler for everything. NULL, or the call that was refused, with its *status. */
static const char *
start(int *status)
{
    const char *refused;

    if ((*status = lore_agents_open(&api, channel)) != 0)
        return "rocprofiler_query_available_agents";
    if ((*status = api.create_context(&context)) != 0)
        return "rocprofiler_create_context";
    if ((*status = api.configure_callback_tracing_service(
             context, LORE_ROCP_CODE_OBJECT, NULL, 0, called, NULL)) != 0)
        return "rocprofiler_configure_callback_tracing_service";
    lore_hip_ranges_configure(&api, profiler, context, channel);
    refused = counting ? lore_dispatch_counters_start(&api, context, channel, status)
                       : lore_durations_configure(&api, context, channel, status);
    if (refused)
        return refused;
    if ((*status = api.start_context(context)) != 0)
        return "rocprofiler_start_context";
    if (!counting)
        lore_durations_start();
    started = true;
    return NULL;
}

static int
init(void *finalize, void *data)
{
    char text[256];
    int status = 0;
    const char *refused = start(&status), *words;

    (void)finalize, (void)data;
    if (!refused) {
        lore_channel_state(channel, LORE_CAP_ATTACHED, NULL, 0, 0);
        lore_channel_flush(channel);
        return 0;
    }
    words = api.get_status_string(status);
    snprintf(text, sizeof text, "%s: %s (%d)", refused, words ? words : "", status);
    if (*refused) /* else a state says why */
        lore_channel_state(channel, LORE_CAP_VENDOR_ERROR, text, (uint64_t)status, 0);
    lore_channel_end(channel);
    return -1;
}

/* From exit(): not reached by _exit, exec or a signal, so the file then has no END. */
static void
fini(void *data)
{
    (void)data;
    if (getpid() != owner || !started)
        return; /* a forked child, where the profiler's threads do not exist; or init was refused,
                   which versions before 1.0 do not look at */
    api.stop_context(context);
    if (!counting)
        lore_durations_stop();
    lore_code_report(channel);
    lore_ranges_report(channel, NULL);
    lore_channel_end(channel);
}

struct lore_rocp_tool *
rocprofiler_configure(uint32_t version, const char *words, uint32_t priority, void *client)
{
    static struct lore_rocp_tool tool = {sizeof tool, init, fini, NULL};
    const char *dir = secure_getenv(LORE_ENV_CAPTURE), *lacking;

    (void)words, (void)priority, (void)client;
    if (channel || !dir || dir[0] != '/')
        return NULL;
    counting = secure_getenv(LORE_ENV_COUNTERS) != NULL;
    profiler = __builtin_return_address(0);
    lacking = lore_rocp_open(&api, profiler);
    if (!lacking && counting)
        lacking = lore_rocp_open_counters(&api, profiler);
    folder = lore_store_text(dir, strlen(dir));
    channel = folder ? open_channel(dir, version) : NULL;
    owner = getpid();
    if (channel && lacking) {
        lore_channel_state(channel, LORE_CAP_VENDOR_TOO_OLD, lacking, version, 0);
        lore_channel_end(channel);
    }
    return channel && !lacking ? &tool : NULL;
}
