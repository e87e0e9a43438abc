/* A program that uses a GPU as its arguments say, in order, as Triton or PyTorch would: through the
 * driver's library, opened by name. Ranges go through the public headers of NVTX 3.
 *
 *     load FILE                        load the module
 *     launch KERNEL TIMES REGISTERS    with a grid of 8 blocks
 *     graph KERNEL TIMES               graphs of three launches
 *     push TEXT, pop                   a range of this thread
 *     domain TEXT, undomain            the same in a domain of its own, with a registered text
 *     fork                             a child that opens and closes a range
 *     threads N KERNEL TIMES           N threads, each in a range "warplore:gemm M=I" */
#include <cuda.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define RANGES 1
#else
#define RANGES 0
#endif

static struct {
    CUresult (*init)(unsigned);
    CUresult (*launch)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
        unsigned, CUstream, void **, void **);
    CUresult (*graph)(CUgraphExec, CUstream);
    CUresult (*load)(CUmodule *, const void *, size_t);
    CUfunction (*function)(const char *, unsigned);
} cuda;

static void
open_driver(void)
{
    void *h = dlopen("libcuda.so.1", RTLD_NOW);

    if (!h)
        exit(3);
    *(void **)&cuda.init = dlsym(h, "cuInit");
    *(void **)&cuda.launch = dlsym(h, "cuLaunchKernel");
    *(void **)&cuda.graph = dlsym(h, "cuGraphLaunch");
    *(void **)&cuda.load = dlsym(h, "fake_module_load");
    *(void **)&cuda.function = dlsym(h, "fake_function");
}

static void
load(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *bytes = malloc(64 << 20);
    CUmodule module;

    if (!f || !bytes)
        exit(4);
    cuda.load(&module, bytes, fread(bytes, 1, 64 << 20, f));
    memset(bytes, 0, 16);
    free(bytes);
    fclose(f);
}

static void
launch(const char *kernel, long times, unsigned registers)
{
    CUfunction f = cuda.function(kernel, registers);

    while (times-- > 0)
        cuda.launch(f, 8, 1, 1, 128, 1, 1, 0, NULL, NULL, NULL);
}

static void
graph(const char *kernel, long times)
{
    CUfunction f = cuda.function(kernel, 16);

    while (times-- > 0)
        cuda.graph((CUgraphExec)(void *)f, NULL);
}

#if RANGES
static void
push(const char *text)
{
    nvtxRangePushA(text);
}

static void
pop(void)
{
    nvtxRangePop();
}

static nvtxDomainHandle_t
domain(void)
{
    static nvtxDomainHandle_t made;

    return made ? made : (made = nvtxDomainCreateA("a library"));
}

static void
push_domain(const char *text)
{
    nvtxEventAttributes_t a = {.version = NVTX_VERSION,
        .size = sizeof a,
        .messageType = NVTX_MESSAGE_TYPE_REGISTERED,
        .message.registered = nvtxDomainRegisterStringA(domain(), text)};

    nvtxDomainRangePushEx(domain(), &a);
}

static void
pop_domain(void)
{
    nvtxDomainRangePop(domain());
}
#else
static void
push(const char *text)
{
    (void)text;
}

static void
pop(void)
{
}

static void
push_domain(const char *text)
{
    (void)text;
}

static void
pop_domain(void)
{
}
#endif

static void
in_child(void)
{
    pid_t child = fork();

    if (child == 0) {
        pop();
        push("warplore:gemm M=99");
        pop();
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

static struct {
    const char *kernel;
    long times;
} job;

static void *
in_thread(void *nth)
{
    char text[64];

    snprintf(text, sizeof text, "warplore:gemm M=%ld", (long)(size_t)nth);
    push(text);
    launch(job.kernel, job.times, 32);
    pop();
    launch("outside", 1, 32);
    return NULL;
}

static void
threads(long n, const char *kernel, long times)
{
    pthread_t t[64];

    job.kernel = kernel;
    job.times = times;
    for (long i = 0; i < n && i < 64; i++)
        pthread_create(&t[i], NULL, in_thread, (void *)(size_t)(i + 1));
    for (long i = 0; i < n && i < 64; i++)
        pthread_join(t[i], NULL);
}

int
main(int argc, char **argv)
{
    open_driver();
    for (int i = 1; i < argc; i++) {
        const char *verb = argv[i], *const *a = (const char *const *)argv + i + 1;

        if (strcmp(verb, "push") == 0)
            push(a[0]), i++;
        else if (strcmp(verb, "pop") == 0)
            pop();
        else if (strcmp(verb, "domain") == 0)
            push_domain(a[0]), i++;
        else if (strcmp(verb, "undomain") == 0)
            pop_domain();
        else if (strcmp(verb, "fork") == 0)
            in_child();
        else if (strcmp(verb, "init") == 0)
            cuda.init(0);
        else if (strcmp(verb, "load") == 0)
            cuda.init(0), load(a[0]), i++;
        else if (strcmp(verb, "launch") == 0)
            cuda.init(0), launch(a[0], atol(a[1]), (unsigned)atol(a[2])), i += 3;
        else if (strcmp(verb, "graph") == 0)
            cuda.init(0), graph(a[0], atol(a[1])), i += 2;
        else if (strcmp(verb, "threads") == 0)
            cuda.init(0), threads(atol(a[0]), a[1], atol(a[2])), i += 3;
        else
            return 2;
    }
    printf("the program's own words, ranges: %d\n", RANGES);
    return 0;
}
