// v2_without_registers: wide loads, but the row is read three times; unrolled loops would let the
// compiler keep it in registers all the same.
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

extern "C" __global__ void softmax_v2_without_registers(const float *__restrict__ x, float *__restrict__ y, int cols)
{
    __shared__ float part[2][8];
    const float4 *row = (const float4 *)(x + (size_t)blockIdx.x * cols);
    float4 *out = (float4 *)(y + (size_t)blockIdx.x * cols);
    int t = threadIdx.x;

    float m = -INFINITY;
#pragma unroll 1
    for (int i = 0; i < 4; i++) {
        float4 v = row[t + 256 * i];
        m = fmaxf(m, fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
    }
    m = across(m, part[0], true);
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < 4; i++) {
        float4 v = row[t + 256 * i];
        v.x = expf(v.x - m), v.y = expf(v.y - m), v.z = expf(v.z - m), v.w = expf(v.w - m);
        sum += v.x + v.y + v.z + v.w;
    }
    float scale = 1.0f / across(sum, part[1], false);
#pragma unroll 1
    for (int i = 0; i < 4; i++) {
        float4 v = row[t + 256 * i];
        v.x = expf(v.x - m), v.y = expf(v.y - m), v.z = expf(v.z - m), v.w = expf(v.w - m);
        v.x *= scale, v.y *= scale, v.z *= scale, v.w *= scale;
        out[t + 256 * i] = v;
    }
}
