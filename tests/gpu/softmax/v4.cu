// v4: v2 with 128 threads per row, for more independent loads per thread.
static __device__ float across(float v, float *part, bool max)
{
    for (int s = 16; s > 0; s >>= 1) {
        float o = __shfl_xor_sync(0xffffffffu, v, s);
        v = max ? fmaxf(v, o) : v + o;
    }
    if ((threadIdx.x & 31) == 0)
        part[threadIdx.x >> 5] = v;
    __syncthreads();
    v = part[threadIdx.x & 3];
    for (int s = 2; s > 0; s >>= 1) {
        float o = __shfl_xor_sync(0xffffffffu, v, s);
        v = max ? fmaxf(v, o) : v + o;
    }
    return v;
}

extern "C" __global__ void softmax_v4(const float *__restrict__ x, float *__restrict__ y, int cols)
{
    __shared__ float part[2][4];
    const float4 *row = (const float4 *)(x + (size_t)blockIdx.x * cols);
    float4 *out = (float4 *)(y + (size_t)blockIdx.x * cols);
    int t = threadIdx.x;
    float4 kept[8];

    float m = -INFINITY;
#pragma unroll
    for (int i = 0; i < 8; i++) {
        kept[i] = row[t + 128 * i];
        float4 v = kept[i];
        m = fmaxf(m, fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
    }
    m = across(m, part[0], true);
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 8; i++) {
        float4 v = kept[i];
        v.x = expf(v.x - m), v.y = expf(v.y - m), v.z = expf(v.z - m), v.w = expf(v.w - m);
        kept[i] = v;
        sum += v.x + v.y + v.z + v.w;
    }
    float scale = 1.0f / across(sum, part[1], false);
#pragma unroll
    for (int i = 0; i < 8; i++) {
        float4 v = kept[i];
        v.x *= scale, v.y *= scale, v.z *= scale, v.w *= scale;
        out[t + 128 * i] = v;
    }
}
