/* The entry point. The driver loads this library during cuInit, because CUDA_INJECTION64_PATH names
 * it, and calls InitializeInjection; nvtx.c has the entry point of NVTX, and nothing else is
 * exported. It always returns 1, so that the program's cuInit succeeds. There is no constructor, no
 * signal handler and no output. Without WARPLORE_CAPTURE it does nothing. */
#include "collectors/capture/capture_env.h"
#include "collectors/capture/code.h"
#include "collectors/cupti/cupti_api.h"
#include "collectors/cupti/ties.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

/* The driver looks up this name; the SDK does not declare it. */
__attribute__((visibility("default"))) int InitializeInjection(void);

#pragma weak lore_counters_start
#pragma weak lore_counters_stop

static struct lore_cupti api;
static struct lore_channel *channel;
static void (*stop)(void);
static pid_t owner;

/* From exit(): not reached by _exit, exec or a signal, so the file then has no END. */
static void
at_exit(void)
{
    if (getpid() != owner)
        return; /* a forked child: CUPTI's threads do not exist here */
    if (stop)
        stop();
    lore_code_report(channel);
    if (stop)
        lore_ties_report();
    lore_channel_end(channel);
}

static struct lore_channel *
open_channel(const char *dir)
{
    struct lore_cap_start s = {
        .backend = "cupti", .backend_version = api.version, .driver_version = api.driver};

    if (!api.GetTimestamp || api.GetTimestamp(&s.vendor_ns) != CUPTI_SUCCESS)
        s.vendor_ns = 0; /* CUPTI's clock on Linux is the wall clock */
    return lore_channel_begin(dir, &s);
}

static void
start(const char *dir)
{
    char why[256] = "";
    enum lore_cap_state_code found = lore_cupti_open(&api, why, sizeof why);
    bool counters = secure_getenv(LORE_ENV_COUNTERS);
    bool watching;

    channel = open_channel(dir);
    if (!channel)
        return;
    owner = getpid();
    if (found != LORE_CAP_ATTACHED) {
        lore_channel_state(channel, found, why, api.version, api.driver);
    } else if (counters && !lore_counters_start) {
        lore_channel_state(channel, LORE_CAP_VENDOR_ERROR, "built without counters", 0, 0);
    } else {
        watching =
            counters ? lore_counters_start(&api, channel) : lore_activity_start(&api, channel);
        if (watching)
            lore_ties_start(&api, channel, !counters);
        if (watching)
            stop = counters ? lore_counters_stop : lore_activity_stop;
    }
    lore_channel_flush(channel);
    atexit(at_exit);
}

int
InitializeInjection(void)
{
    static atomic_flag called = ATOMIC_FLAG_INIT;
    const char *dir = secure_getenv(LORE_ENV_CAPTURE);

    if (dir && dir[0] == '/' && !atomic_flag_test_and_set(&called))
        start(dir);
    return 1;
}
