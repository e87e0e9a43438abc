// The program around one version: inputs from a hash, launches with the L2 flushed before each, a
// checksum of the last result on stdout. Nothing on stdout depends on time, so a profiler can be
// shown to change nothing. Linked once per version with <op>/op.cu and <op>/vN.cu.
//   --iterations N (200)  --warmup N (20)  --size name=value[,…]  --no-flush
//   --check   compare the last result with a float64 reference; exit 1 when it is off
//   --events  median of CUDA event times to stderr
#include "common.h"
#include "op.h"
#include <algorithm>
#include <stdio.h>
#include <stdlib.h>

#define TRY(call)                                                                                  \
    do {                                                                                           \
        cudaError_t e_ = (call);                                                                   \
        if (e_ != cudaSuccess) {                                                                   \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e_));                            \
            exit(3);                                                                               \
        }                                                                                          \
    } while (0)

struct options {
    long long iterations = 200, warmup = 20, dim[4];
    bool check = false, events = false, flush = true;
};

// Push everything else out of the L2 by reading four times its size; reads leave no dirty lines
// behind whose write-back would be charged to the kernel that follows.
extern "C" __global__ void
flush_l2(const uint4 *x, size_t n, unsigned *sink)
{
    unsigned sum = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        sum += x[i].x ^ x[i].w;
    if (sum == 0x5eed)
        *sink = sum;
}

static void
usage(const char *why)
{
    fprintf(stderr,
        "%s\nusage: [--iterations N] [--warmup N] [--size name=value,...] [--no-flush] [--check] "
        "[--events]\n",
        why);
    exit(2);
}

static void
set_sizes(struct options *o, char *text)
{
    for (char *at = strtok(text, ","); at; at = strtok(NULL, ",")) {
        char *eq = strchr(at, '=');
        int k = 0;
        while (k < 4 && the_op.dims[k].name &&
               (!eq || strlen(the_op.dims[k].name) != (size_t)(eq - at) ||
                   strncmp(the_op.dims[k].name, at, eq - at)))
            k++;
        if (!eq || k == 4 || !the_op.dims[k].name)
            usage("--size: no such dim");
        o->dim[k] = atoll(eq + 1);
        if (o->dim[k] <= 0 || o->dim[k] % the_op.dims[k].multiple)
            usage("--size: not a multiple of what the kernels are written for");
    }
}

static struct options
read_options(int argc, char **argv)
{
    struct options o;
    for (int k = 0; k < 4; k++)
        o.dim[k] = the_op.dims[k].value;
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (!strcmp(argv[i], "--check"))
            o.check = true;
        else if (!strcmp(argv[i], "--events"))
            o.events = true;
        else if (!strcmp(argv[i], "--no-flush"))
            o.flush = false;
        else if (!strcmp(argv[i], "--iterations") && more)
            o.iterations = atoll(argv[++i]);
        else if (!strcmp(argv[i], "--warmup") && more)
            o.warmup = atoll(argv[++i]);
        else if (!strcmp(argv[i], "--size") && more)
            set_sizes(&o, argv[++i]);
        else
            usage(argv[i]);
    }
    return o;
}

static void
launch_all(const struct options *o, const struct problem *p, std::vector<float> *us)
{
    enum { FLUSH_BYTES = 256 << 20 };
    long long n = std::max(1ll, o->warmup + o->iterations);
    void *flush;
    TRY(cudaMalloc(&flush, FLUSH_BYTES));
    TRY(cudaMemset(flush, 1, FLUSH_BYTES));
    std::vector<cudaEvent_t> before(o->events ? n : 0), after(before.size());
    for (size_t i = 0; i < before.size(); i++) {
        TRY(cudaEventCreate(&before[i]));
        TRY(cudaEventCreate(&after[i]));
    }
    for (long long i = 0; i < n; i++) {
        if (i == n - 1)
            TRY(cudaMemsetAsync(p->out, 0xff, the_op.out_bytes(o->dim), 0));
        if (o->flush)
            flush_l2<<<1056, 256>>>((uint4 *)flush, FLUSH_BYTES / 16, (unsigned *)flush);
        if (o->events)
            TRY(cudaEventRecord(before[i], 0));
        run_version(p, 0);
        TRY(cudaGetLastError());
        if (o->events)
            TRY(cudaEventRecord(after[i], 0));
    }
    TRY(cudaDeviceSynchronize());
    for (size_t i = (size_t)o->warmup; i < before.size(); i++) {
        float ms;
        TRY(cudaEventElapsedTime(&ms, before[i], after[i]));
        us->push_back(ms * 1000);
    }
    TRY(cudaFree(flush));
}

static uint64_t
checksum(const std::vector<unsigned char> &b)
{
    uint64_t h = 1469598103934665603ull, word;
    for (size_t i = 0; i < b.size(); i += 8) {
        word = 0;
        memcpy(&word, &b[i], std::min<size_t>(8, b.size() - i));
        h = (h ^ word) * 1099511628211ull;
    }
    return h ^ h >> 32;
}

static bool
report_check(const struct options *o, const void *const *in, const void *out)
{
    error_sum e = the_op.check(o->dim, in, out);
    double rel = e.ref2 > 0 ? sqrt(e.diff2 / e.ref2) : sqrt(e.diff2);
    bool pass = e.n > 0 && e.bad == 0 && rel <= the_op.rel_tol;
    printf("check max_abs_err=%.3e rel_err=%.3e mismatches=%lld of=%lld limits=%.0e+%.0e*ref %s\n",
        e.max_abs, rel, e.bad, e.n, the_op.abs_tol, the_op.rel_tol, pass ? "pass" : "FAIL");
    return pass;
}

int
main(int argc, char **argv)
{
    struct options o = read_options(argc, argv);
    const char *slash = strrchr(argv[0], '/');
    struct problem p = {};
    std::vector<std::vector<unsigned char>> host(3);
    std::vector<float> us;
    const void *in[3];

    for (int k = 0; k < 4; k++)
        p.dim[k] = o.dim[k];
    for (int k = 0; k < the_op.inputs; k++) {
        size_t bytes = the_op.in_bytes(o.dim, k);
        void *d;
        host[k].resize(bytes);
        the_op.fill(o.dim, k, host[k].data());
        TRY(cudaMalloc(&d, bytes));
        TRY(cudaMemcpy(d, host[k].data(), bytes, cudaMemcpyHostToDevice));
        p.in[k] = d;
        in[k] = host[k].data();
    }
    std::vector<unsigned char> out(the_op.out_bytes(o.dim));
    TRY(cudaMalloc(&p.out, out.size()));
    TRY(cudaMalloc(&p.scratch, 64 << 20));
    TRY(cudaMemset(p.scratch, 0, 64 << 20));
    launch_all(&o, &p, &us);
    TRY(cudaMemcpy(out.data(), p.out, out.size(), cudaMemcpyDeviceToHost));
    printf("%s", slash ? slash + 1 : argv[0]);
    for (int k = 0; k < 4 && the_op.dims[k].name; k++)
        printf(" %s=%lld", the_op.dims[k].name, o.dim[k]);
    printf(" checksum=%016llx\n", (unsigned long long)checksum(out));
    bool pass = !o.check || report_check(&o, in, out.data());
    if (!us.empty()) {
        std::sort(us.begin(), us.end());
        fprintf(stderr, "%s events median_us=%.2f p10_us=%.2f p90_us=%.2f n=%zu\n",
            slash ? slash + 1 : argv[0], us[us.size() / 2], us[us.size() / 10],
            us[us.size() * 9 / 10], us.size());
    }
    return pass ? 0 : 1;
}
