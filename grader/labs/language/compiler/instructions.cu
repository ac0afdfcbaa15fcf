// What nvcc makes of the language: each kernel's PTX has what the comments "ptx:" above it say, that many times.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cuda/barrier>
#pragma nv_diag_suppress static_var_with_dynamic_init  // init() makes a barrier in shared memory.

// ptx: L03: 12 ld.global.f32, 6 mul.f32
extern "C" __global__ void plain_pointers(const float* a, const float* b, float* c) {
  c[0] = a[0] * b[0];
  c[1] = a[0] * b[0];
  c[2] = a[0] * b[0] * a[1];
  c[3] = a[0] * a[1];
  c[4] = a[0] * b[0];
  c[5] = b[0];
}

// ptx: L03: 3 ld.global.nc.f32, 3 mul.f32, 0 ld.global.f32
extern "C" __global__ void restricted_pointers(const float* __restrict__ a, const float* __restrict__ b,
                                               float* __restrict__ c) {
  c[0] = a[0] * b[0];
  c[1] = a[0] * b[0];
  c[2] = a[0] * b[0] * a[1];
  c[3] = a[0] * a[1];
  c[4] = a[0] * b[0];
  c[5] = b[0];
}

// What dim3 is not given is 1: 5 + 10 * 1 + 100 * 1. Three numbers are loaded one by one.
// ptx: L04: 1 115, 1 ld.global.v4.f32, 3 ld.global.f32
extern "C" __global__ void vectors(const float4* four, const float3* three, float* out, unsigned* sum) {
  const dim3 size(5);
  *sum = size.x + 10 * size.y + 100 * size.z;
  *out = four->x + four->w + three->x + three->y + three->z;
}

// ptx: L13: 1 ld.global.nc.u32, 1 ld.global.ca.u32, 1 ld.global.cg.u32, 1 ld.global.cs.u32, 1 ld.global.lu.u32
// ptx: L13: 1 ld.global.cv.u32, 1 st.global.wb.u32, 1 st.global.cg.u32, 1 st.global.cs.u32, 1 st.global.wt.u32
extern "C" __global__ void hints(const unsigned* in, unsigned* out) {
  __stwb(out, __ldg(in) + __ldca(in + 1));
  __stcg(out + 1, __ldcg(in + 2));
  __stcs(out + 2, __ldcs(in + 3) + __ldlu(in + 4));
  __stwt(out + 3, __ldcv(in + 5));
}

// ptx: L20: 1 ld.global.v4.f32, 0 ld.global.f32
extern "C" __global__ void aligned_to_16(const float* in, float* out) {
  const auto* p = static_cast<const float*>(__builtin_assume_aligned(in, 16));
  *out = p[0] + p[1] + p[2] + p[3];
}

// ptx: L20: 1 selp.b32, 0 bra
extern "C" __global__ void never_another(int kind, int* out) {
  switch (kind) {
    case 1:
      *out = 4;
      break;
    case 2:
      *out = 10;
      break;
    default:
      __builtin_unreachable();
  }
}

// ptx: L48: 1 .maxntid 256, 1 .minnctapersm 2
extern "C" __global__ void __launch_bounds__(256, 2) bounded(int* out) { out[threadIdx.x] = 1; }

// ptx: L49: 1 .pragma "nounroll"
extern "C" __global__ void not_unrolled(const int* in, int* out) {
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < 7; ++i) sum += in[i];
  *out = sum;
}

// ptx: L49: 7 ld.global.u32, 0 bra
extern "C" __global__ void unrolled(const int* in, int* out) {
  int sum = 0;
#pragma unroll
  for (int i = 0; i < 7; ++i) sum += in[i];
  *out = sum;
}

// ptx: L23: 1 redux.sync.add.s32, 1 redux.sync.or.b32
extern "C" __global__ void reductions(int* out) {
  const int lane = threadIdx.x;
  out[lane] = __reduce_add_sync(~0u, lane) + static_cast<int>(__reduce_or_sync(~0u, lane));
}

// ptx: L35: 1 cp.async.ca.shared.global, 1 cp.async.commit_group, 1 cp.async.wait_group 0, 0 st.shared.u32
extern "C" __global__ void copies_as_a_group(const int* in, int* out) {
  __shared__ int batch[256];
  const auto block = cooperative_groups::this_thread_block();
  cooperative_groups::memcpy_async(block, batch, in, sizeof batch);
  cooperative_groups::wait(block);
  out[threadIdx.x] = batch[255 - threadIdx.x];
}
// ptx: L37: 1 cp.async.cg.shared.global, 1 cp.async.commit_group, 1 cp.async.wait_group 1
extern "C" __global__ void copies_eight_of_sixteen(const int4* in, int4* out) {
  __shared__ int4 copied[32];
  __pipeline_memcpy_async(&copied[threadIdx.x], in + threadIdx.x, 16, 8);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  out[threadIdx.x] = copied[threadIdx.x];
}

// A whole block meets by one instruction; the barrier's threads arrive, and then try until all have.
// ptx: B.25: 1 bar.sync, 0 bra
extern "C" __global__ void meets(int* out) {
  out[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x ^ 1] = 2;
}
// ptx: B.25: 1 bar.sync, 1 mbarrier.arrive.shared::cta.b64, 1 mbarrier.try_wait.shared.b64
extern "C" __global__ void meets_at_a_barrier(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  out[threadIdx.x] = 1;
  barrier.arrive_and_wait();
  out[threadIdx.x ^ 1] = 2;
}
