// Exercise async_barriers: barriers at which a thread arrives first and waits later. See async_barriers.h.
#include <cuda/barrier>

#include "async_barriers.h"
#pragma nv_diag_suppress static_var_with_dynamic_init  // Barriers in shared memory are made by init().
using Barrier = cuda::barrier<cuda::thread_scope_block>;
// BEGIN SOLUTION
// TODO(student): write the kernel of live(). (12 lines)
__global__ void live_kernel(const int* lives, int* out, int* numbers) {
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  out[threadIdx.x] = 0;
  for (int round = 0; round < lives[threadIdx.x / 32]; ++round) {
    atomicAdd(&numbers[round], threadIdx.x + 1);
    barrier.arrive_and_wait();
    out[threadIdx.x] += numbers[round];
  }
  barrier.arrive_and_drop();
}
// END SOLUTION
__global__ void hand_on_kernel(const int* in, int* out, int batches) {
  __shared__ Barrier ready[2], filled[2];
  if (threadIdx.x < 2) init(&ready[threadIdx.x], 64), init(&filled[threadIdx.x], 64);
  __syncthreads();
  // BEGIN SOLUTION
  // TODO(student): both buffers are ready at first; then go through the batches, 1 to 100. (10 lines)
  __shared__ int buffers[2][32];
  const int lane = threadIdx.x % 32, produces = threadIdx.x < 32;
  Barrier *const before = produces ? ready : filled, *const after = produces ? filled : ready;
  if (!produces) (void)ready[0].arrive(), (void)ready[1].arrive();
  for (int batch = 0; batch < batches; ++batch) {
    const int i = batch % 2, element = 32 * batch + lane;
    before[i].arrive_and_wait();
    produces ? buffers[i][lane] = 3 * in[element] + 1 : out[element] = buffers[i][31 - lane];
    (void)after[i].arrive();
  }
  // END SOLUTION
}
void live(const int* lives, int* out, int* numbers, int threads) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): launch your kernel in place of this line.
  live_kernel<<<1, threads>>>(lives, out, numbers);
  // END SOLUTION
}
void hand_on(const int* in, int* out, int batches) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): launch your kernel in place of this line.
  hand_on_kernel<<<1, 64>>>(in, out, batches);
  // END SOLUTION
}
int pending(int expected, int n) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): one line in place of this one.
  return n == 0 ? 16383 : expected - (n - 1) % expected;
  // END SOLUTION
}
