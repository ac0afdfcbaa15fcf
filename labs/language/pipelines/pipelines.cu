// Exercise pipelines: copies that are some tiles ahead of the work. See pipelines.h.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <cuda/pipeline>

#include "pipelines.h"
#pragma nv_diag_suppress static_var_with_dynamic_init  // A state in shared memory is made by make_pipeline().
// TODO(student): write the kernel of staged(). (12 lines)
__global__ void specialised_kernel(const int* in, int* out, int tiles) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;  // For two stages.
  const auto role = threadIdx.x < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state, role);
  // TODO(student): two buffers; one role copies tile by tile into them, the other writes. (13 lines)
}
void staged(const int* in, int* out, int tiles, int stages) {
  warpbook::not_started();  // TODO(student): launch your kernel in place of this line.
}
void specialised(const int* in, int* out, int tiles) {
  warpbook::not_started();  // TODO(student): launch your kernel in place of this line.
}
int waits_for(int commits, int parts, int n) {
  warpbook::not_started();  // TODO(student): one line in place of this one.
}
