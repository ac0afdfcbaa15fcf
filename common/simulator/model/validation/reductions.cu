// Validation cases: the ladder of sum reductions, block scans and stencils.
#include "common/simulator/model/validation/cases.cuh"

namespace {

enum class Step { modulo, mask, interleaved, sequential };

template <Step kStep>
__global__ void block_reduce(const float* in, float* out, int n) {
  extern __shared__ float data[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned t = threadIdx.x;
  data[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  if (kStep == Step::sequential) {
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
      if (t < s) data[t] += data[t + s];
      __syncthreads();
    }
  } else {
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
      if (kStep == Step::modulo && t % (s * 2) == 0) data[t] += data[t + s];
      if (kStep == Step::mask && (t & (s * 2 - 1)) == 0) data[t] += data[t + s];
      const unsigned index = 2 * s * t;
      if (kStep == Step::interleaved && index < blockDim.x) data[index] += data[index + s];
      __syncthreads();
    }
  }
  if (t == 0) out[blockIdx.x] = data[0];
}

__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

__device__ float block_sum(float value) {
  __shared__ float partial[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  value = warp_sum(value);
  if (lane == 0) partial[warp] = value;
  __syncthreads();
  value = threadIdx.x < blockDim.x / 32 ? partial[lane] : 0.0f;
  return warp == 0 ? warp_sum(value) : 0.0f;
}

__global__ void shuffle_reduce(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float sum = block_sum(i < n ? in[i] : 0.0f);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void grid_stride_reduce(const float* in, float* out, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void four_loads_reduce(const float* in, float* out, int n) {
  float sum[4] = {};
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step * 4)
    for (int k = 0; k < 4; ++k) sum[k] += i + k * step < n ? in[i + k * step] : 0.0f;
  const float total = block_sum(sum[0] + sum[1] + sum[2] + sum[3]);
  if (threadIdx.x == 0) out[blockIdx.x] = total;
}

__global__ void block_atomic_reduce(const float* in, float* out, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

__global__ void atomic_reduce(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(out, in[i]);
}

__global__ void block_scan(const float* in, float* out, int n) {
  extern __shared__ float data[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned t = threadIdx.x;
  data[t] = i < n ? in[i] : 0.0f;
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    __syncthreads();
    const float other = t >= s ? data[t - s] : 0.0f;
    __syncthreads();
    data[t] += other;
  }
  if (i < n) out[i] = data[t];
}

constexpr int kRadius = 7;

__global__ void stencil_global(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x + kRadius;
  if (i >= n - kRadius) return;
  float sum = 0;
  for (int k = -kRadius; k <= kRadius; ++k) sum += in[i + k];
  out[i] = sum;
}

__global__ void stencil_shared(const float* in, float* out, int n) {
  extern __shared__ float data[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x + kRadius;
  const int t = threadIdx.x + kRadius;
  if (i < n) data[t] = in[i];
  if (threadIdx.x < kRadius) {
    data[threadIdx.x] = in[i - kRadius];
    if (i + blockDim.x < n) data[t + blockDim.x] = in[i + blockDim.x];
  }
  __syncthreads();
  if (i >= n - kRadius) return;
  float sum = 0;
  for (int k = -kRadius; k <= kRadius; ++k) sum += data[t + k];
  out[i] = sum;
}

}  // namespace

void add_reductions(Cases& cases) {
  const float* in = cases.a;
  float *out = cases.b, *one = cases.c;
  constexpr int kThreads = 256;
  for (int log2 : {16, 20, 24, 26}) {
    if (cases.reduced && log2 > 20) continue;
    const int n = 1 << log2;
    const std::string family = "reduction_2e" + std::to_string(log2);
    const unsigned blocks = ceil_div(n, kThreads);
    const std::size_t shared = kThreads * sizeof(float);
    const unsigned few = blocks < 1056 ? blocks : 1056;
    cases.add(family, "modulo", n, block_reduce<Step::modulo>, blocks, kThreads, shared, in, out, n);
    cases.add(family, "mask", n, block_reduce<Step::mask>, blocks, kThreads, shared, in, out, n);
    cases.add(family, "interleaved", n, block_reduce<Step::interleaved>, blocks, kThreads, shared, in, out, n);
    cases.add(family, "sequential", n, block_reduce<Step::sequential>, blocks, kThreads, shared, in, out, n);
    cases.add(family, "shuffle", n, shuffle_reduce, blocks, kThreads, 0, in, out, n);
    cases.add(family, "grid_stride", n, grid_stride_reduce, few, kThreads, 0, in, out, n);
    cases.add(family, "four_loads", n, four_loads_reduce, few, kThreads, 0, in, out, n);
    cases.add(family, "block_atomic", n, block_atomic_reduce, few, kThreads, 0, in, one, n);
    if (log2 <= 24) cases.add(family, "atomic", n, atomic_reduce, blocks, kThreads, 0, in, one, n);
  }
  const int n = cases.reduced ? 1 << 20 : 1 << 24;
  for (int threads : {64, 256, 1024})
    cases.add("block_scan", std::to_string(threads), n, block_scan, ceil_div(n, threads), threads,
              threads * sizeof(float), in, out, n);
  cases.add("stencil", "global", n, stencil_global, ceil_div(n, kThreads), kThreads, 0, in, out, n);
  cases.add("stencil", "shared", n, stencil_shared, ceil_div(n, kThreads), kThreads,
            (kThreads + 2 * kRadius) * sizeof(float), in, out, n);
}
