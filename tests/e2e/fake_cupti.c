/* A CUPTI without a GPU, for the capture library's own behaviour: built as libcupti.so.13, and with
 * FAKE_CUDA_12 as libcupti.so.12, with the kernel records of CUDA 12. Its behaviour is set by the
 * environment: FAKE_VERSION, FAKE_SUBSCRIBE (results of cuptiSubscribe in turn, "0,39"),
 * FAKE_ENABLE (result of cuptiActivityEnable), FAKE_LAUNCHES, handed over by the first forced
 * flush, of which the first has no end time. */
#include "tests/e2e/fake_cupti.h"

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
    return CUPTI_SUCCESS;
}

CUptiResult
cuptiEnableCallback(
    uint32_t on, CUpti_SubscriberHandle handle, CUpti_CallbackDomain domain, CUpti_CallbackId id)
{
    (void)on, (void)handle, (void)domain, (void)id;
    return CUPTI_SUCCESS;
}

CUptiResult
cuptiEnableDomain(uint32_t on, CUpti_SubscriberHandle handle, CUpti_CallbackDomain domain)
{
    (void)handle;
    fake_all_calls = on && domain == CUPTI_CB_DOMAIN_DRIVER_API;
    return CUPTI_SUCCESS;
}

CUptiResult
cuptiActivityEnable(CUpti_ActivityKind kind)
{
    (void)kind;
    return (CUptiResult)fake_told("FAKE_ENABLE", CUPTI_SUCCESS);
}

CUptiResult
cuptiActivityDisable(CUpti_ActivityKind kind)
{
    (void)kind;
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

CUptiResult
cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, CUpti_Activity **record)
{
    uint8_t *next = *record ? (uint8_t *)*record + sizeof(kernel_record) : buffer;

    if (next + sizeof(kernel_record) > buffer + valid)
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    *record = (CUpti_Activity *)(void *)next;
    return CUPTI_SUCCESS;
}

/* Three more with every buffer. */
CUptiResult
cuptiActivityGetNumDroppedRecords(CUcontext context, uint32_t stream, size_t *dropped)
{
    (void)context, (void)stream;
    *dropped = 3;
    return CUPTI_SUCCESS;
}

static void
fill(kernel_record *k, long i)
{
    memset(k, 0, sizeof *k);
    k->kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    k->name = i % 2 == 0 ? "even" : "odd";
    k->start = 1000 + (uint64_t)i;
    k->end = i == 0 ? 0 : k->start + 10;
    k->gridX = k->blockX = 1;
    k->graphId = i % 2 == 0 ? 0 : 9;
    k->streamId = 7;
}

/* Full buffers of launches until they are all handed over. */
CUptiResult
cuptiActivityFlushAll(uint32_t flag)
{
    static long done;
    long all = fake_told("FAKE_LAUNCHES", 0);
    size_t size = 0, most = 0, n;
    uint8_t *buffer = NULL;

    while (flag != 0 && done < all) {
        give(&buffer, &size, &most);
        if (!buffer)
            return CUPTI_ERROR_OUT_OF_MEMORY;
        for (n = 0; (n + 1) * sizeof(kernel_record) <= size && done < all; n++)
            fill((kernel_record *)(void *)buffer + n, done++);
        take(NULL, 0, buffer, size, n * sizeof(kernel_record));
    }
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
