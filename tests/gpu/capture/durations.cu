/* durations FILE [BATCHES [MICROSECONDS…]]: kernels of several lengths, each timed in two ways that need
 * no profiler. FILE gets JSON: for each length, the time of every batch and the span of every launch.
 *
 *   batch   BATCH launches back to back between one pair of events, all queued behind a kernel that holds
 *           the stream, so that the host does not set the pace. Divided by BATCH, it is a kernel's duration
 *           and the gap to the next one. Length 0 is a kernel without work: its batches say how much of
 *           that is gap.
 *   span    the first block's %globaltimer at its first instruction, and the last block's at its last.
 *           What the front end needs before and after is not in it; the kernel without work says how
 *           much that is. `tick_ns` is the smallest step of the timer that was seen.
 *
 * Build: nvcc -O3 -std=c++17 -arch=sm_90 -cudart static -o durations durations.cu */
#include <vector>

#include "common.h"

enum { BLOCKS = 132, THREADS = 256, BATCH = 50, WARM_UP = 50 };

struct span {
    unsigned long long from, to;
};

static __device__ unsigned long long
now()
{
    unsigned long long t;

    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
    return t;
}

__global__ void
timed(float *out, long steps, span *s)
{
    unsigned long long start = now();
    float x = (float)threadIdx.x, y = 0.5f;

    if (threadIdx.x == 0)
        atomicMin(&s->from, start);
    for (long i = 0; i < steps; i++) /* each waits for the one before: about 4 cycles */
        y = fmaf(y, 0.999f, x);
    out[blockIdx.x * blockDim.x + threadIdx.x] = y;
    __syncthreads();
    if (threadIdx.x == 0)
        atomicMax(&s->to, now());
}

/* Occupies the stream while the host queues a batch. */
__global__ void
hold(long long cycles)
{
    long long start = clock64();

    while (clock64() - start < cycles)
        ;
}

struct bench {
    float *out;
    cudaEvent_t from, to;
    FILE *file;
    unsigned long long tick;
};

static void
put_spans(bench &b, const std::vector<span> &spans)
{
    fprintf(b.file, "\"spans_ns\":[");
    for (size_t i = 0; i < spans.size(); i++) {
        unsigned long long ns = spans[i].to - spans[i].from;

        fprintf(b.file, "%s%llu", i ? "," : "", ns);
        if (ns > 0 && ns < b.tick)
            b.tick = ns;
        if (i > 0 && spans[i].from > spans[i - 1].to && spans[i].from - spans[i - 1].to < b.tick)
            b.tick = spans[i].from - spans[i - 1].to;
    }
    fprintf(b.file, "]");
}

static void
measure(bench &b, long us, long batches, bool last)
{
    const span none = {~0ull, 0};
    std::vector<span> spans((size_t)batches * BATCH + WARM_UP, none);
    span *device;

    CHECK(cudaMalloc(&device, spans.size() * sizeof none));
    CHECK(cudaMemcpy(device, spans.data(), spans.size() * sizeof none, cudaMemcpyHostToDevice));
    for (int i = 0; i < WARM_UP; i++)
        timed<<<BLOCKS, THREADS>>>(b.out, us * 500, device + i);
    CHECK(cudaDeviceSynchronize());
    fprintf(b.file, "{\"us\":%ld,\"batches_ns\":[", us);
    for (long k = 0; k < batches; k++) {
        float ms;

        hold<<<1, 1>>>(2000000); /* 1 ms: queueing takes 0.2 ms */
        CHECK(cudaEventRecord(b.from));
        for (int i = 0; i < BATCH; i++)
            timed<<<BLOCKS, THREADS>>>(b.out, us * 500, device + WARM_UP + k * BATCH + i);
        CHECK(cudaEventRecord(b.to));
        CHECK(cudaEventSynchronize(b.to));
        CHECK(cudaEventElapsedTime(&ms, b.from, b.to));
        fprintf(b.file, "%s%.0f", k ? "," : "", ms * 1e6);
    }
    CHECK(cudaMemcpy(spans.data(), device, spans.size() * sizeof none, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device));
    spans.erase(spans.begin(), spans.begin() + WARM_UP);
    fprintf(b.file, "],");
    put_spans(b, spans);
    fprintf(b.file, "}%s\n", last ? "" : ",");
}

int
main(int argc, char **argv)
{
    static const long usual[] = {0, 5, 10, 20, 50, 200, 3000};
    std::vector<long> lengths(usual, usual + sizeof usual / sizeof *usual);
    long batches = argument(argc, argv, 2, 20), total = 0;
    bench b = {};

    if (argc < 2 || !(b.file = fopen(argv[1], "w")))
        return 2;
    if (argc > 3)
        lengths.clear();
    for (int i = 3; i < argc; i++)
        lengths.push_back(atol(argv[i]));
    b.tick = ~0ull;
    CHECK(cudaMalloc(&b.out, BLOCKS * THREADS * sizeof *b.out));
    CHECK(cudaEventCreate(&b.from));
    CHECK(cudaEventCreate(&b.to));
    fprintf(b.file, "{\"batch\":%d,\"warm_up\":%d,\"lengths\":[\n", BATCH, WARM_UP);
    for (size_t i = 0; i < lengths.size(); i++) {
        long n = lengths[i] > 1000 ? (batches + 9) / 10 : batches; /* long ones need fewer */

        measure(b, lengths[i], n, i + 1 == lengths.size());
        total += n * BATCH + WARM_UP;
    }
    fprintf(b.file, "],\"tick_ns\":%llu}\n", b.tick);
    fclose(b.file);
    printf("lengths %zu\n", lengths.size());
    fprintf(stderr, "launches %ld\n", total);
    return 0;
}
