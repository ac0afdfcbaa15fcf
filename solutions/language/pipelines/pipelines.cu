// Exercise pipelines: copies that are some tiles ahead of the work. See pipelines.h.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <cuda/pipeline>

#include "pipelines.h"
#pragma nv_diag_suppress static_var_with_dynamic_init  // A state in shared memory is made by make_pipeline().
// BEGIN SOLUTION
// TODO(student): write the kernel of staged(). (12 lines)
__global__ void staged_kernel(const int* in, int* out, int tiles, int stages) {
  __shared__ int buffers[8][128];
  for (int tile = 0, next = 0; tile < tiles; ++tile) {
    for (; next < tiles && next < tile + stages; ++next, __pipeline_commit())
      __pipeline_memcpy_async(&buffers[next % stages][threadIdx.x], in + 128 * next + threadIdx.x, sizeof(int));
    __pipeline_wait_prior(next - tile - 1);
    __syncthreads();
    out[128 * tile + threadIdx.x] = buffers[tile % stages][127 - threadIdx.x];
    __syncthreads();
  }
}
// END SOLUTION
__global__ void specialised_kernel(const int* in, int* out, int tiles) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;  // For two stages.
  const auto role = threadIdx.x < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state, role);
  // BEGIN SOLUTION
  // TODO(student): two buffers; one role copies tile by tile into them, the other writes. (13 lines)
  __shared__ int buffers[2][32];
  for (int tile = 0, lane = threadIdx.x % 32, i = lane; tile < tiles; ++tile, i += 32) {
    if (role == cuda::pipeline_role::producer) {
      pipe.producer_acquire();
      cuda::memcpy_async(&buffers[tile % 2][lane], in + i, sizeof(int), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      out[i] = buffers[tile % 2][31 - lane];
      pipe.consumer_release();
    }
  }
  // END SOLUTION
}
void staged(const int* in, int* out, int tiles, int stages) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): launch your kernel in place of this line.
  staged_kernel<<<1, 128>>>(in, out, tiles, stages);
  // END SOLUTION
}
void specialised(const int* in, int* out, int tiles) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): launch your kernel in place of this line.
  specialised_kernel<<<1, 64>>>(in, out, tiles);
  // END SOLUTION
}
int waits_for(int commits, int parts, int n) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): one line in place of this one.
  return commits * parts > n ? commits * parts - n : 0;
  // END SOLUTION
}
