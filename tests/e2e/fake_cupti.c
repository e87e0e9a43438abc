/* A CUPTI without a GPU, for the capture library's own behaviour: built as libcupti.so.13, and with
 * FAKE_CUDA_12 as libcupti.so.12, with the kernel records of CUDA 12. Its behaviour is set by the
 * environment: FAKE_VERSION, FAKE_SUBSCRIBE (results of cuptiSubscribe in turn, "0,39"),
 * FAKE_ENABLE (result of cuptiActivityEnable), FAKE_DROPPED (records dropped with each buffer),
 * FAKE_LAUNCHES, made by the first forced flush, of which the first has no end time.
 *
 * As in CUPTI's documentation, records of calls and of kernels come in buffers of their own, in any
 * order (here the kernels first). A profiler hears of the callbacks that it enabled, and a launch's
 * callback has the number that the records of its kernels have. */
#include "tests/e2e/fake_cupti.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#ifdef FAKE_CUDA_12
typedef CUpti_ActivityKernel9 kernel_record;
enum { VERSION = 22 }; /* CUDA 12.4 */
#else
typedef CUpti_ActivityKernel10 kernel_record;
enum { VERSION = CUPTI_API_VERSION };
#endif

static CUpti_BuffersCallbackRequestFunc give;
static CUpti_BuffersCallbackCompleteFunc take;

CUpti_CallbackFunc fake_callback;
void *fake_user;
bool fake_all_calls;

enum { KINDS = CUPTI_ACTIVITY_KIND_COUNT, CALLBACKS = 1024 };

static bool kinds[KINDS], heard[CALLBACKS], resources[CUPTI_CBID_RESOURCE_SIZE];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct stream { /* of records, in the buffer that is being filled */
    uint8_t *buffer;
    size_t size, used;
} of_kernels, of_calls;
static size_t dropped;
static _Atomic uint32_t correlation;

long
fake_told(const char *name, long otherwise)
{
    const char *v = getenv(name);

    return v ? atol(v) : otherwise;
}

CUptiResult
cuptiGetVersion(uint32_t *version)
{
    *version = (uint32_t)fake_told("FAKE_VERSION", VERSION);
    return CUPTI_SUCCESS;
}

CUptiResult
cuptiGetResultString(CUptiResult result, const char **text)
{
    (void)result;
    *text = "A_FAKE_RESULT";
    return CUPTI_SUCCESS;
}

CUptiResult
cuptiGetTimestamp(uint64_t *ns)
{
    *ns = 1;
    return CUPTI_SUCCESS;
}

CUptiResult
cuptiSubscribe(CUpti_SubscriberHandle *handle, CUpti_CallbackFunc f, void *user)
{
    static const char *rest;
    const char *now;

    fake_callback = f;
    fake_user = user;
    if (!rest && !(rest = getenv("FAKE_SUBSCRIBE")))
        rest = "0";
    now = rest;
    if (strchr(rest, ','))
        rest = strchr(rest, ',') + 1;
    *handle = NULL;
    return (CUptiResult)atol(now);
}

CUptiResult
cuptiUnsubscribe(CUpti_SubscriberHandle handle)
{
    (void)handle;
    fake_callback = NULL;
    memset(resources, 0, sizeof resources);
    memset(heard, 0, sizeof heard);
    fake_all_calls = false;
    return CUPTI_SUCCESS;
}

CUptiResult
cuptiEnableCallback(
    uint32_t on, CUpti_SubscriberHandle handle, CUpti_CallbackDomain domain, CUpti_CallbackId id)
{
    (void)handle;
    if (domain == CUPTI_CB_DOMAIN_RESOURCE && id < CUPTI_CBID_RESOURCE_SIZE)
        resources[id] = on;
    if (domain == CUPTI_CB_DOMAIN_DRIVER_API && id < CALLBACKS)
        heard[id] = on;
    return CUPTI_SUCCESS;
}

CUptiResult
cuptiEnableDomain(uint32_t on, CUpti_SubscriberHandle handle, CUpti_CallbackDomain domain)
{
    (void)handle;
    fake_all_calls = on && domain == CUPTI_CB_DOMAIN_DRIVER_API;
    return CUPTI_SUCCESS;
}

void
fake_resource(CUpti_CallbackId id, void *descriptor)
{
    CUpti_ResourceData data = {.resourceDescriptor = descriptor};

    if (fake_callback && resources[id])
        fake_callback(fake_user, CUPTI_CB_DOMAIN_RESOURCE, id, &data);
}

CUptiResult
cuptiActivityEnable(CUpti_ActivityKind kind)
{
    kinds[kind] = true;
    return (CUptiResult)fake_told("FAKE_ENABLE", CUPTI_SUCCESS);
}

CUptiResult
cuptiActivityDisable(CUpti_ActivityKind kind)
{
    kinds[kind] = false;
    return CUPTI_SUCCESS;
}

CUptiResult
cuptiActivityRegisterCallbacks(
    CUpti_BuffersCallbackRequestFunc request, CUpti_BuffersCallbackCompleteFunc complete)
{
    give = request;
    take = complete;
    return CUPTI_SUCCESS;
}

/* ---- records ---- */

static size_t
size_of(CUpti_ActivityKind kind)
{
    switch (kind) {
    case CUPTI_ACTIVITY_KIND_DEVICE:
        return sizeof(CUpti_ActivityDevice5);
    case CUPTI_ACTIVITY_KIND_DRIVER:
        return sizeof(CUpti_ActivityAPI);
    default:
        return sizeof(kernel_record);
    }
}

CUptiResult
cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, CUpti_Activity **record)
{
    uint8_t *next = *record ? (uint8_t *)*record + size_of((*record)->kind) : buffer;

    if (next >= buffer + valid)
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    *record = (CUpti_Activity *)(void *)next;
    return CUPTI_SUCCESS;
}

CUptiResult
cuptiActivityGetNumDroppedRecords(CUcontext context, uint32_t stream, size_t *out)
{
    (void)context, (void)stream;
    *out = dropped + (size_t)fake_told("FAKE_DROPPED", 0);
    dropped = 0;
    return CUPTI_SUCCESS;
}

static void
hand_over(struct stream *s)
{
    if (s->buffer)
        take(NULL, 0, s->buffer, s->size, s->used);
    *s = (struct stream){0};
}

/* Under the lock. */
static void
append(struct stream *s, const void *record, CUpti_ActivityKind kind)
{
    size_t n = size_of(kind), most = 0;

    if (s->buffer && n > s->size - s->used)
        hand_over(s);
    if (!s->buffer)
        give(&s->buffer, &s->size, &most);
    if (!s->buffer) {
        dropped++;
        return;
    }
    memcpy(s->buffer + s->used, record, n);
    s->used += n;
}

static void
append_call(CUpti_CallbackId id, uint32_t number)
{
    CUpti_ActivityAPI call = {
        .kind = CUPTI_ACTIVITY_KIND_DRIVER, .cbid = id, .correlationId = number};

    if (kinds[CUPTI_ACTIVITY_KIND_DRIVER])
        append(&of_calls, &call, call.kind);
}

static void
append_device(void)
{
    static bool described;
    CUpti_ActivityDevice5 d = {.kind = CUPTI_ACTIVITY_KIND_DEVICE,
        .name = "NVIDIA H200",
        .computeCapabilityMajor = 9,
        .numMultiprocessors = 132,
        .numThreadsPerWarp = 32};

    if (described || !kinds[CUPTI_ACTIVITY_KIND_DEVICE])
        return;
    described = true;
    memset(&d.uuid, 7, sizeof d.uuid);
    append(&of_calls, &d, d.kind);
}

uint32_t
fake_call(CUpti_CallbackId id)
{
    uint32_t number = atomic_fetch_add(&correlation, 1) + 1;
    CUpti_CallbackData data = {.callbackSite = CUPTI_API_ENTER, .correlationId = number};

    if (fake_callback && heard[id])
        fake_callback(fake_user, CUPTI_CB_DOMAIN_DRIVER_API, id, &data);
    if (!give)
        return number;
    pthread_mutex_lock(&lock);
    append_call(id, number);
    append_device();
    pthread_mutex_unlock(&lock);
    return number;
}

void
fake_kernel(const struct fake_kernel *k)
{
    kernel_record r = {.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
        .name = k->name,
        .start = k->start,
        .end = k->end,
        .gridX = (int32_t)k->grid,
        .gridY = 1,
        .gridZ = 1,
        .blockX = (int32_t)k->block,
        .blockY = 1,
        .blockZ = 1,
        .registersPerThread = (uint16_t)k->registers,
        .correlationId = k->correlation,
        .graphId = k->graph,
        .streamId = 7};

    if (!give || !kinds[CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL])
        return;
    pthread_mutex_lock(&lock);
    append(&of_kernels, &r, r.kind);
    pthread_mutex_unlock(&lock);
}

CUptiResult
cuptiActivityFlushAll(uint32_t flag)
{
    static long done;
    long all = fake_told("FAKE_LAUNCHES", 0);

    for (; flag != 0 && done < all; done++)
        fake_kernel(&(struct fake_kernel){.name = done % 2 == 0 ? "even" : "odd",
            .start = 1000 + (uint64_t)done,
            .end = done == 0 ? 0 : 1010 + (uint64_t)done,
            .grid = 1,
            .block = 1,
            .graph = done % 2 == 0 ? 0 : 9});
    pthread_mutex_lock(&lock);
    hand_over(&of_kernels);
    hand_over(&of_calls);
    pthread_mutex_unlock(&lock);
    return CUPTI_SUCCESS;
}

#ifndef FAKE_LACKS
CUptiResult
cuptiActivitySetAttribute(CUpti_ActivityAttribute attribute, size_t *size, void *value)
{
    (void)attribute, (void)size, (void)value;
    return CUPTI_SUCCESS;
}
#endif
