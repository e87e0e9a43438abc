/* Decides which launches are counted. CUPTI calls on_call before and after every launch call. Each
 * kernel with its launch shape has a row: its launch count, and whether it is wanted. Function
 * handle and shape find the row, so an uncounted launch costs one hash and one comparison. The
 * first WARPLORE_COUNTERS_SKIP launches of a row are skipped; the next WARPLORE_COUNTERS_LAUNCHES
 * are counted.
 *
 * One launch is counted at a time. Launches of other threads would be counted with it, and their
 * copies would be undone when memory is restored. So calls of other threads to the driver wait,
 * before it takes its locks, for at most WAIT_MS. A launch that was due and waited for longer runs
 * uncounted, and a later one of its shape is counted instead. Launches into a capturing stream do
 * not run, and graphs launch kernels without a call per kernel. Both are tallied to explain missing
 * values. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "collectors/capture/ranges.h"
#include "collectors/capture/store.h"
#include "collectors/cupti/counters_private.h"
#include "collectors/cupti/modules.h"

enum { ROWS = 1 << 14, WAIT_MS = 20000, MORE_MAX = 16 };

struct row {
    CUfunction function;
    uint32_t grid[3], block[3], dynamic_shared_bytes, range;
    uint64_t hash;     /* of symbol, shape and range: the same in every execution */
    uint32_t launches; /* launches so far; valid in the row that `same` names */
    uint32_t more;     /* extra launches to count, in place of disturbed ones */
    uint32_t same; /* index of the first row with this hash: a kernel can have several handles */
    bool used, unwanted; /* unwanted: the name does not match, or all its counts are made */
};
struct lore_counters lore_counters;

static struct row *rows;
static pthread_mutex_t rows_lock = PTHREAD_MUTEX_INITIALIZER; /* never held during a vendor call */
static _Atomic(void *) counting;                              /* the thread that counts */
static _Thread_local struct {
    struct lore_counters_launch launch;
    struct lore_counters_context *context;
    uint64_t key;
    uint32_t ordinal;
    bool open;
} mine;

static uint64_t
mix(uint64_t h, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;

    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 1099511628211u; /* FNV-1a */
    return h;
}

static uint64_t
shape_hash(const struct lore_counters_launch *l)
{
    uint64_t h = mix(14695981039346656037u, l->symbol, strlen(l->symbol));

    h = mix(h, l->grid, sizeof l->grid);
    h = mix(h, l->block, sizeof l->block);
    h = mix(h, &l->range_hash, sizeof l->range_hash);
    return mix(h, &l->dynamic_shared_bytes, sizeof l->dynamic_shared_bytes);
}

static uint32_t
slot_of(const struct lore_counters_launch *l)
{
    uint64_t h = (uint64_t)(uintptr_t)l->function >> 4;

    for (int i = 0; i < 3; i++)
        h = (h ^ l->grid[i] ^ (uint64_t)l->block[i] << 32) * 0x9e3779b97f4a7c15u;
    h = (h ^ l->dynamic_shared_bytes ^ (uint64_t)l->range << 32) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(h >> 50);
}

static bool
equal(const struct row *r, const struct lore_counters_launch *l)
{
    return r->function == l->function && memcmp(r->grid, l->grid, sizeof r->grid) == 0 &&
           memcmp(r->block, l->block, sizeof r->block) == 0 &&
           r->dynamic_shared_bytes == l->dynamic_shared_bytes && r->range == l->range;
}

/* Fill the new row R for L, and link it to an earlier row of the same kernel and shape. */
static void
init_row(struct row *r, const struct lore_counters_launch *l)
{
    memcpy(r->grid, l->grid, sizeof r->grid);
    memcpy(r->block, l->block, sizeof r->block);
    r->dynamic_shared_bytes = l->dynamic_shared_bytes;
    r->range = l->range;
    r->function = l->function;
    r->unwanted = !lore_counting_matches(&lore_counters.config, l->symbol);
    r->same = (uint32_t)(r - rows);
    r->hash = shape_hash(l);
    for (uint32_t i = 0; !r->unwanted && i < ROWS; i++)
        if (rows[i].used && rows[i].hash == r->hash && rows[i].same == i)
            r->same = i;
    r->used = true;
    if (!r->unwanted)
        atomic_fetch_add(&lore_counters.matched, 1);
}

/* The row of L, created when new; NULL when the table is full. The caller holds rows_lock. */
static struct row *
row_of(const struct lore_counters_launch *l)
{
    uint32_t slot = slot_of(l);

    for (uint32_t i = 0; i < 64; i++) {
        struct row *r = &rows[(slot + i) % ROWS];

        if (!r->used)
            init_row(r, l);
        if (equal(r, l))
            return r;
    }
    return NULL;
}

/* Whether to count L; if so *key and *ordinal identify the launch. EXECUTED: it runs now instead of
 * being recorded into a graph. */
static bool
due(const struct lore_counters_launch *l, bool executed, uint64_t *key, uint32_t *ordinal)
{
    const struct lore_counting *c = &lore_counters.config;
    struct row *r;
    bool yes = false;

    pthread_mutex_lock(&rows_lock);
    r = row_of(l);
    if (r && !r->unwanted && executed) {
        struct row *one = &rows[r->same];
        uint64_t n = one->launches++, end = (uint64_t)c->skip + c->launches + one->more;

        yes = n >= c->skip && n < end;
        *ordinal = (uint32_t)n;
        *key = mix(r->hash, &n, sizeof n);
        r->unwanted = n >= end;
    }
    pthread_mutex_unlock(&rows_lock);
    return yes;
}

/* Count one more launch of L's shape, because the counters of L were disturbed. */
static void
once_more(const struct lore_counters_launch *l)
{
    struct row *r;

    pthread_mutex_lock(&rows_lock);
    r = row_of(l);
    if (r && rows[r->same].more < MORE_MAX)
        rows[r->same].more++;
    pthread_mutex_unlock(&rows_lock);
}

static bool
wanted(const struct lore_counters_launch *l)
{
    struct row *r;
    bool yes;

    pthread_mutex_lock(&rows_lock);
    r = row_of(l);
    yes = r != NULL && !r->unwanted;
    pthread_mutex_unlock(&rows_lock);
    return yes;
}

static void
find_driver(void)
{
    struct lore_counters_cuda *cuda = &lore_counters.cuda;

    if (cuda->cuCtxGetDevice)
        return;
#define FIND(name) *(void **)&cuda->name = lore_cupti_driver(#name)
    FIND(cuCtxSynchronize);
    FIND(cuDeviceGetAttribute);
    FIND(cuFuncGetAttribute);
    FIND(cuKernelGetFunction);
    FIND(cuOccupancyMaxActiveBlocksPerMultiprocessor);
    FIND(cuStreamIsCapturing);
    if (cuda->cuCtxSynchronize && cuda->cuDeviceGetAttribute && cuda->cuFuncGetAttribute &&
        cuda->cuKernelGetFunction && cuda->cuOccupancyMaxActiveBlocksPerMultiprocessor)
        FIND(cuCtxGetDevice);
#undef FIND
}

static bool
captured(const struct lore_counters_launch *l)
{
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;

    if (!lore_counters.cuda.cuStreamIsCapturing)
        return false;
    /* the query fails for the default stream while another stream is captured; the launch fails too
     */
    return lore_counters.cuda.cuStreamIsCapturing(l->stream, &status) != CUDA_SUCCESS ||
           status != CU_STREAM_CAPTURE_STATUS_NONE;
}

/* Wait until no other thread counts, and with BECOME until this one does; false: time ran out. */
static bool
wait_for_others(bool become)
{
    const struct timespec pause = {.tv_nsec = 50000};

    for (int i = 0; i < WAIT_MS * 20; i++) {
        void *none = NULL;

        if (become ? atomic_compare_exchange_strong(&counting, &none, (void *)&mine)
                   : !atomic_load(&counting))
            return true;
        (void)nanosleep(&pause, NULL);
    }
    return false;
}

static void
before(CUpti_CallbackId cbid, const CUpti_CallbackData *data)
{
    struct lore_counters_launch *l = &mine.launch;
    bool executes;

    if (!lore_counters_params(cbid, data, l)) {
        atomic_fetch_add(&lore_counters.graphs, 1);
        return;
    }
    l->range = lore_ranges_current(&l->range_hash);
    if (!wanted(l))
        return;
    find_driver();
    executes = !captured(l);
    if (!executes)
        atomic_fetch_add(&lore_counters.captured, 1);
    if (!due(l, executes, &mine.key, &mine.ordinal))
        return;
    if (!wait_for_others(true)) {
        atomic_fetch_add(&lore_counters.disturbed, 1);
        once_more(l);
        return;
    }
    mine.context = lore_counters_context(l->context);
    mine.open = mine.context != NULL && lore_counters_open(mine.context, l, mine.key);
    if (!mine.open)
        atomic_store(&counting, NULL);
}

static void
after(void)
{
    if (!mine.open)
        return;
    mine.open = false;
    if (!lore_counters_close(mine.context, &mine.launch, mine.key, mine.ordinal) &&
        !lore_counters.config.app_replay)
        once_more(&mine.launch);
    atomic_store(&counting, NULL);
}

static void
on_resource(CUpti_CallbackId cbid, const CUpti_ResourceData *r)
{
    static atomic_bool listed;

    if (cbid == CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING) {
        lore_counters_context_gone(r->context);
    } else if (cbid == CUPTI_CBID_RESOURCE_CONTEXT_CREATED && lore_counters.config.list &&
               !atomic_exchange(&listed, true)) {
        find_driver();
        lore_counters_list(r->context);
    } else {
        lore_modules_take(cbid, r);
    }
}

static bool
is_launch(CUpti_CallbackId cbid)
{
    for (size_t i = 0; i < lore_cupti_n_launches; i++)
        if (lore_cupti_launches[i] == cbid)
            return true;
    return false;
}

static void
on_driver_call(CUpti_CallbackId cbid, const CUpti_CallbackData *call)
{
    void *counter = atomic_load_explicit(&counting, memory_order_relaxed);

    if (counter == (void *)&mine) { /* the counted launch, or a call of the profiler itself */
        if (mine.open && call->callbackSite == CUPTI_API_EXIT && is_launch(cbid))
            after();
        return;
    }
    if (call->callbackSite != CUPTI_API_ENTER)
        return;
    if (counter)
        (void)wait_for_others(false);
    if (is_launch(cbid))
        before(cbid, call);
}

static void CUPTIAPI
on_call(void *user, CUpti_CallbackDomain domain, CUpti_CallbackId cbid, const void *data)
{
    (void)user;
    if (domain == CUPTI_CB_DOMAIN_RESOURCE)
        on_resource(cbid, data);
    else
        on_driver_call(cbid, data);
}

static CUptiResult
subscribe(const struct lore_cupti *api)
{
    CUpti_SubscriberHandle handle;
    CUptiResult r = api->Subscribe(&handle, on_call, NULL);

    if (r == CUPTI_SUCCESS && !lore_counters.config.list)
        r = api->EnableDomain(1, handle, CUPTI_CB_DOMAIN_DRIVER_API);
    if (r == CUPTI_SUCCESS)
        r = api->EnableCallback(
            1, handle, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_CREATED);
    if (r == CUPTI_SUCCESS)
        r = api->EnableCallback(
            1, handle, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING);
    if (r == CUPTI_SUCCESS && lore_modules_wanted())
        r = lore_modules_enable(api, handle);
    return r;
}

bool
lore_counters_start(const struct lore_cupti *api, struct lore_channel *c)
{
    char text[160];
    CUptiResult r;

    lore_counters.channel = c;
    lore_counters.api = api;
    if (api->no_counters) {
        (void)snprintf(text, sizeof text,
            "CUPTI %u has no range profiler (%s): counters need CUDA 12.6 Update 2 or newer",
            api->version, api->no_counters);
        lore_channel_state(c, LORE_CAP_VENDOR_TOO_OLD, text, api->version, 0);
        return false;
    }
    rows = lore_store_pages(ROWS * sizeof *rows);
    if (!rows || !lore_counting_read(&lore_counters.config, lore_counters.channel))
        return false;
    r = subscribe(api);
    if (r != CUPTI_SUCCESS) {
        lore_counters_refusal(r, "cuptiSubscribe");
        return false;
    }
    lore_channel_state(c, LORE_CAP_ATTACHED, NULL, 0, 0);
    return true;
}

/* The reason for missing counts. */
static const char *
reason(void)
{
    if (atomic_load(&lore_counters.disturbed) > 0)
        return "launches were not the same in every execution, or another thread launched with "
               "them";
    if (atomic_load(&lore_counters.captured) > 0 || atomic_load(&lore_counters.graphs) > 0)
        return "the kernels run inside CUDA graphs, whose launches are not counted one by one";
    if (atomic_load(&lore_counters.matched) == 0)
        return "no launch matched";
    return "no launch was left to count after those that were skipped";
}

void
lore_counters_stop(void)
{
    if (!lore_counters.config.list && !atomic_exchange(&lore_counters.outcome_written, true))
        lore_channel_state(lore_counters.channel, LORE_CAP_COUNTER_PARTIAL, reason(), 0, 0);
}
