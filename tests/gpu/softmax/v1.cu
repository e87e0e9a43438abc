// v1: like v0, reduced by shuffles inside a warp and one barrier across warps.
static __device__ float across(float v, float *part, bool max)
{
    for (int s = 16; s > 0; s >>= 1) {
        float o = __shfl_xor_sync(0xffffffffu, v, s);
        v = max ? fmaxf(v, o) : v + o;
    }
    if ((threadIdx.x & 31) == 0)
        part[threadIdx.x >> 5] = v;
    __syncthreads();
    v = part[threadIdx.x & 7];
    for (int s = 4; s > 0; s >>= 1) {
        float o = __shfl_xor_sync(0xffffffffu, v, s);
        v = max ? fmaxf(v, o) : v + o;
    }
    return v;
}

extern "C" __global__ void softmax_v1(const float *__restrict__ x, float *__restrict__ y, int cols)
{
    __shared__ float part[2][8];
    const float *row = x + (size_t)blockIdx.x * cols;
    float *out = y + (size_t)blockIdx.x * cols;
    int t = threadIdx.x;

    float m = -INFINITY;
    for (int i = t; i < cols; i += 256)
        m = fmaxf(m, row[i]);
    m = across(m, part[0], true);
    float sum = 0;
    for (int i = t; i < cols; i += 256)
        sum += expf(row[i] - m);
    float scale = 1.0f / across(sum, part[1], false);
    for (int i = t; i < cols; i += 256)
        out[i] = expf(row[i] - m) * scale;
}
