// v0: one block of 256 threads per row, three passes over the row, tree reduction in shared memory.
extern "C" __global__ void softmax_v0(const float *__restrict__ x, float *__restrict__ y, int cols)
{
    __shared__ float part[256];
    const float *row = x + (size_t)blockIdx.x * cols;
    float *out = y + (size_t)blockIdx.x * cols;
    int t = threadIdx.x;

    float m = -INFINITY;
    for (int i = t; i < cols; i += 256)
        m = fmaxf(m, row[i]);
    part[t] = m;
    __syncthreads();
    for (int s = 128; s > 0; s >>= 1) {
        if (t < s)
            part[t] = fmaxf(part[t], part[t + s]);
        __syncthreads();
    }
    m = part[0];
    __syncthreads();
    float sum = 0;
    for (int i = t; i < cols; i += 256)
        sum += expf(row[i] - m);
    part[t] = sum;
    __syncthreads();
    for (int s = 128; s > 0; s >>= 1) {
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    }
    float scale = 1.0f / part[0];
    for (int i = t; i < cols; i += 256)
        out[i] = expf(row[i] - m) * scale;
}
