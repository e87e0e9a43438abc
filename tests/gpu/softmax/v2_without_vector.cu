// v2_without_vector: v2 without the wide loads: the row stays in registers.
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

extern "C" __global__ void softmax_v2_without_vector(const float *__restrict__ x, float *__restrict__ y, int cols)
{
    __shared__ float part[2][8];
    const float *row = (const float *)(x + (size_t)blockIdx.x * cols);
    float *out = (float *)(y + (size_t)blockIdx.x * cols);
    int t = threadIdx.x;
    float kept[16];

    float m = -INFINITY;
#pragma unroll
    for (int i = 0; i < 16; i++) {
        kept[i] = row[t + 256 * i];
        float v = kept[i];
        m = fmaxf(m, v);
    }
    m = across(m, part[0], true);
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 16; i++) {
        float v = kept[i];
        v = expf(v - m);
        kept[i] = v;
        sum += v;
    }
    float scale = 1.0f / across(sum, part[1], false);
#pragma unroll
    for (int i = 0; i < 16; i++) {
        float v = kept[i];
        v *= scale;
        out[t + 256 * i] = v;
    }
}
