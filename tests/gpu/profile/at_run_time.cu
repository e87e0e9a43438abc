// A program whose kernels are compiled while it runs, by NVRTC, launched in NVTX ranges by the driver's API,
// by the runtime's, by two threads and by a graph. Its own words are how often each range launched.
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>
#include <nvrtc.h>
#include <nvtx3/nvToolsExt.h>

#define MUST(call)                                                                                 \
    do {                                                                                           \
        if ((call) != 0) {                                                                         \
            std::fprintf(stderr, "%s\n", #call);                                                   \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

// four floats a thread, by asynchronous copies through shared memory
static const char *const source = R"(
extern "C" __global__ void scaled_copy(float4 *y, const float4 *x, float a, int n)
{
    __shared__ float4 tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    unsigned at = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x]);
    if (i >= n)
        return;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(x + i));
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group 0;");
    float4 v = tile[threadIdx.x];
    y[i] = make_float4(a * v.x, a * v.y, a * v.z, a * v.w);
})";

__global__ void runtime_fill(float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = a;
}

static int compile(CUfunction *out)
{
    cudaDeviceProp p;
    nvrtcProgram program;
    size_t size;
    CUmodule module;

    MUST(cudaGetDeviceProperties(&p, 0));
    std::string arch = "--gpu-architecture=sm_" + std::to_string(p.major) + std::to_string(p.minor);
    const char *options[] = {arch.c_str()};
    MUST(nvrtcCreateProgram(&program, source, "scaled_copy.cu", 0, nullptr, nullptr));
    MUST(nvrtcCompileProgram(program, 1, options));
    MUST(nvrtcGetCUBINSize(program, &size));
    std::vector<char> cubin(size);
    MUST(nvrtcGetCUBIN(program, cubin.data()));
    MUST(cuModuleLoadData(&module, cubin.data()));
    MUST(cuModuleGetFunction(out, module, "scaled_copy"));
    return 0;
}

int main()
{
    const int n = 1 << 22;
    float *x, *y, a = 2;
    int quads = n / 4;
    CUfunction scaled;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t executable;

    nvtxRangePushA("warplore:fill n=4194304,dtype=f32"); // before CUDA is initialised
    MUST(cudaMalloc(&x, n * sizeof(float)));
    MUST(cudaMalloc(&y, n * sizeof(float)));
    for (int i = 0; i < 100; i++)
        runtime_fill<<<n / 256, 256>>>(x, 1, n);
    nvtxRangePop();
    if (compile(&scaled) != 0)
        return 1;
    void *args[] = {&y, &x, &a, &quads};
    nvtxRangePushA("warplore:copy n=4194304,dtype=f32");
    for (int i = 0; i < 200; i++)
        MUST(cuLaunchKernel(scaled, quads / 256, 1, 1, 256, 1, 1, 0, nullptr, args, nullptr));
    nvtxRangePop();
    std::vector<std::thread> threads;
    for (int k = 0; k < 2; k++)
        threads.emplace_back([=] {
            std::string text = "warplore:fill n=" + std::to_string(1 << (18 + k)) + ",dtype=f32";
            nvtxRangePushA(text.c_str());
            for (int i = 0; i < 100; i++)
                runtime_fill<<<(1 << (18 + k)) / 256, 256>>>(x, 3, 1 << (18 + k));
            nvtxRangePop();
        });
    for (std::thread &t : threads)
        t.join();
    MUST(cudaStreamCreate(&stream));
    MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < 3; i++)
        runtime_fill<<<(1 << 20) / 256, 256, 0, stream>>>(y, 4, 1 << 20);
    MUST(cudaStreamEndCapture(stream, &graph));
    MUST(cudaGraphInstantiate(&executable, graph, 0));
    nvtxRangePushA("warplore:fill n=1048576,dtype=f32");
    for (int i = 0; i < 50; i++)
        MUST(cudaGraphLaunch(executable, stream));
    nvtxRangePop();
    MUST(cudaDeviceSynchronize());
    std::puts("fill 4194304: 100, copy 4194304: 200, fill 262144: 100, fill 524288: 100, fill 1048576: 150");
    return 0;
}
