// Exercise barriers: barriers of a block, some of which count, and those of a warp. See barriers.h.
#include "barriers.h"
#include "common/cuda/check.cuh"

// BEGIN SOLUTION
// TODO(student): write the kernel. A warp's elements end at `count`, too. (16 lines)
__global__ void survey_kernel(const int* in, int* out, int* thirds, int* positive, int* zeros, int count) {
  __shared__ int elements[256];
  const int i = blockIdx.x * 256 + threadIdx.x, first = i / 32 * 32, last = min(first + 31, count - 1);
  const bool has = i < count;
  const int own = has ? in[i] : 1;
  elements[threadIdx.x] = own;
  __syncwarp();
  if (has) out[i] = elements[(first + last - i) % 256];
  const int multiples = __syncthreads_count(has && own % 3 == 0);
  const int all = __syncthreads_and(own > 0), any = __syncthreads_or(own == 0);
  if (threadIdx.x == 0) {
    thirds[blockIdx.x] = multiples;
    positive[blockIdx.x] = all != 0;
    zeros[blockIdx.x] = any != 0;
  }
}
// END SOLUTION

void survey(const int* in, int* out, int* thirds, int* positive, int* zeros, int count) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): launch your kernel in place of this line.
  survey_kernel<<<(count + 255) / 256, 256>>>(in, out, thirds, positive, zeros, count);
  // END SOLUTION
  WB_CHECK(cudaGetLastError());
}

int predict(int kind, int threads, int n, int r) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): 3 lines in place of this one.
  const int count = r < n && r < threads ? (threads - r - 1) / n + 1 : 0;
  if (kind == 0) return count;
  return kind == 1 ? count == threads : count > 0;
  // END SOLUTION
}
