// Warp intrinsics in place of tiles, a sum by the block that is last, and arrays that are swapped after each step.
#include "cooperative_groups.h"

#define sum_tiles_kernel right_sum_tiles_kernel
#define sum_tiles right_sum_tiles
#define sum_grid_kernel right_sum_grid_kernel
#define sum_grid right_sum_grid
#define smooth_kernel right_smooth_kernel
#define smooth right_smooth
#include "solutions/threads/cooperative_groups/cooperative_groups.cu"
#undef sum_tiles_kernel
#undef sum_tiles
#undef sum_grid_kernel
#undef sum_grid
#undef smooth_kernel
#undef smooth

__global__ void sum_tiles_kernel(const int* in, int* out, int count, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = i < count ? in[i] : 0;
  for (int step = size / 2; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step, size);
  if (i < count && i % size == 0) out[i / size] = sum;
}

void sum_tiles(const int* in, int* out, int count, int size) {
  if (count > 0) sum_tiles_kernel<<<(count + 511) / 512, 512>>>(in, out, count, size);
}

// The block that is last to write its sum adds all of them up: nobody waits.
__device__ unsigned blocks_done;

__global__ void sum_grid_kernel(const int* in, long long* partial, long long* out, int count) {
  __shared__ bool last;
  long long sum = 0;
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) sum += in[i];
  sum = sum_block(sum);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicAdd(&blocks_done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  sum = 0;
  for (int b = threadIdx.x; b < gridDim.x; b += blockDim.x) sum += static_cast<volatile long long*>(partial)[b];
  sum = sum_block(sum);
  if (threadIdx.x == 0) *out = sum, blocks_done = 0;
}

void sum_grid(const int* in, long long* partial, long long* out, int count) {
  sum_grid_kernel<<<std::max(1, std::min((count + kThreads - 1) / kThreads, 1056)), kThreads>>>(in, partial, out,
                                                                                                count);
}

__global__ void smooth_kernel(const int* in, int* out, int* scratch, int count, int steps) {
  const cg::grid_group grid = cg::this_grid();
  const int stride = grid.size();
  if (steps == 0) {
    for (int i = grid.thread_rank(); i < count; i += stride) out[i] = in[i];
    return;
  }
  int *to = steps % 2 == 1 ? out : scratch, *other = steps % 2 == 1 ? scratch : out;
  for (int step = 0; step < steps; ++step) {
    const int* from = step == 0 ? in : other;
    for (int i = grid.thread_rank(); i < count; i += stride) {
      const bool end = i == 0 || i + 1 == count;
      const int left = end ? 0 : from[i - 1], right = end ? 0 : from[i + 1];
      to[i] = end ? from[i] : (left + 2 * from[i] + right) / 4;
    }
    grid.sync();
    int* const next = other;
    other = to;
    to = next;
  }
}

void smooth(const int* in, int* out, int* scratch, int count, int steps) {
  void* arguments[] = {&in, &out, &scratch, &count, &steps};
  launch_together(reinterpret_cast<void*>(smooth_kernel), (count + kThreads - 1) / kThreads, arguments);
}
