/* The least that watches kernels by CUPTI: the measure for what the collector may cost. Loaded by
 * CUDA_INJECTION64_PATH; enables kernel records, walks them, counts them. CUPTI is linked to. For
 * trials: BARE_BYTES of a buffer (8 MiB), BARE_ZEROED=1, BARE_PERIOD ms. BARE_FILE: the count. */
#include <cupti.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t bytes;
static int zeroed;
static atomic_long count;

static void CUPTIAPI
requested(uint8_t **buffer, size_t *size, size_t *most)
{
    *size = bytes;
    *most = 0;
    *buffer = zeroed ? calloc(1, bytes) : aligned_alloc(8, bytes);
}

static void CUPTIAPI
filled(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
    CUpti_Activity *r = NULL;
    long n = 0;

    (void)context, (void)stream, (void)size;
    while (valid > 0 && cuptiActivityGetNextRecord(buffer, valid, &r) == CUPTI_SUCCESS)
        n += r->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    atomic_fetch_add(&count, n);
    free(buffer);
}

static void
at_exit(void)
{
    FILE *f;

    cuptiActivityFlushAll(1);
    f = getenv("BARE_FILE") ? fopen(getenv("BARE_FILE"), "w") : NULL;
    if (f) {
        fprintf(f, "%ld\n", atomic_load(&count));
        fclose(f);
    }
}

int
InitializeInjection(void)
{
    const char *b = getenv("BARE_BYTES"), *z = getenv("BARE_ZEROED"), *p = getenv("BARE_PERIOD");
    uint8_t on = 1;
    size_t size = sizeof on;

    bytes = b ? (size_t)atol(b) : (size_t)8 << 20;
    zeroed = z != NULL;
    if (zeroed)
        cuptiActivitySetAttribute(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, &size, &on);
    cuptiActivityRegisterCallbacks(requested, filled);
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    if (p)
        cuptiActivityFlushPeriod((uint32_t)atoi(p));
    atexit(at_exit);
    return 1;
}
