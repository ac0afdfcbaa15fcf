// Warpgroup matrix products (wgmma), which read their operands in shared memory while the warps continue.
#include <cuda_fp16.h>

#include "case.h"

namespace {

constexpr int kThreads = 128, kRows = 64, kColumns = 8, kDepth = 16;

/// Groups of eight rows of 16 bytes, one after the other; the second half of k follows the first.
__device__ unsigned long long descriptor(const __half* tile, int rows) {
  const unsigned long long address = __cvta_generic_to_shared(tile), half = rows * 16, eight = 128;
  return address >> 4 | half >> 4 << 16 | eight >> 4 << 32;
}

/// A of 64 x 16 and B of 16 x 8, all 1.
struct Factors {
  alignas(128) __half a[kRows * kDepth], b[kColumns * kDepth];
};

#define WB_BEGIN asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define WB_COMMIT asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory")
#define WB_WAIT asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory")
#define WB_TELL asm volatile("fence.proxy.async.shared::cta;" ::: "memory")
#define WB_MULTIPLY(d, f)                                                                                   \
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;" \
               : "+f"((d)[0]), "+f"((d)[1]), "+f"((d)[2]), "+f"((d)[3])                                     \
               : "l"(descriptor((f).a, kRows)), "l"(descriptor((f).b, kColumns))                            \
               : "memory")

__global__ void fenced_and_waited_for(float* out) {
  __shared__ Factors f;
  float d[4] = {};
  for (int round = 0; round < 2; ++round) {
    for (int i = threadIdx.x; i < kRows * kDepth; i += kThreads) f.a[i] = __float2half(1.f + round);
    f.b[threadIdx.x] = __float2half(1.f);
    WB_TELL;
    __syncthreads();
    WB_BEGIN;
    WB_MULTIPLY(d, f);
    WB_COMMIT;
    WB_WAIT;
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) out[4 * threadIdx.x + i] = d[i];
}
CASE(fenced_and_waited_for, clean) {
  Device<float> out(4 * kThreads);
  fenced_and_waited_for<<<1, kThreads>>>(out);
  return done(out.are([](int) { return 48.f; }));
}

/// The barrier alone does not make the stores visible to the async proxy.
__global__ void not_fenced(float* out) {
  __shared__ Factors f;
  float d[4] = {};
  for (int i = threadIdx.x; i < kRows * kDepth; i += kThreads) f.a[i] = __float2half(1.f);  // race: not_fenced
  f.b[threadIdx.x] = __float2half(1.f);                                                     // race: not_fenced
  __syncthreads();
  WB_BEGIN;
  WB_MULTIPLY(d, f);  // race: not_fenced
  WB_COMMIT;
  WB_WAIT;
  for (int i = 0; i < 4; ++i) out[4 * threadIdx.x + i] = d[i];
}
CASE(not_fenced, race) {
  Device<float> out(4 * kThreads);
  not_fenced<<<1, kThreads>>>(out);
  return done();
}

/// All warps have issued the wgmma, and none has waited for it.
__global__ void stored_before_the_wait(float* out) {
  __shared__ Factors f;
  float d[4] = {};
  for (int i = threadIdx.x; i < kRows * kDepth; i += kThreads) f.a[i] = __float2half(1.f);
  f.b[threadIdx.x] = __float2half(1.f);
  WB_TELL;
  __syncthreads();
  WB_BEGIN;
  WB_MULTIPLY(d, f);  // race: stored_before_the_wait
  WB_COMMIT;
  __syncthreads();
  f.b[threadIdx.x] = __float2half(5.f);  // race: stored_before_the_wait
  WB_WAIT;
  for (int i = 0; i < 4; ++i) out[4 * threadIdx.x + i] = d[i];
}
CASE(stored_before_the_wait, race) {
  Device<float> out(4 * kThreads);
  stored_before_the_wait<<<1, kThreads>>>(out);
  return done();
}

/// Each warp waits, but only for its own part.
__global__ void stored_without_meeting(float* out) {
  __shared__ Factors f;
  float d[4] = {};
  for (int i = threadIdx.x; i < kRows * kDepth; i += kThreads) f.a[i] = __float2half(1.f);
  f.b[threadIdx.x] = __float2half(1.f);
  WB_TELL;
  __syncthreads();
  WB_BEGIN;
  WB_MULTIPLY(d, f);  // race: stored_without_meeting
  WB_COMMIT;
  WB_WAIT;
  f.b[threadIdx.x] = __float2half(5.f);  // race: stored_without_meeting
  for (int i = 0; i < 4; ++i) out[4 * threadIdx.x + i] = d[i];
}
CASE(stored_without_meeting, race) {
  Device<float> out(4 * kThreads);
  stored_without_meeting<<<1, kThreads>>>(out);
  return done();
}

/// The other pair of operands is filled while the wgmma reads the first.
__global__ void other_factors_meanwhile(float* out) {
  __shared__ Factors f[2];
  float d[4] = {};
  for (int i = threadIdx.x; i < kRows * kDepth; i += kThreads) f[0].a[i] = __float2half(1.f);
  f[0].b[threadIdx.x] = __float2half(1.f);
  WB_TELL;
  __syncthreads();
  WB_BEGIN;
  WB_MULTIPLY(d, f[0]);
  WB_COMMIT;
  for (int i = threadIdx.x; i < kRows * kDepth; i += kThreads) f[1].a[i] = __float2half(2.f);
  f[1].b[threadIdx.x] = __float2half(1.f);
  WB_TELL;
  __syncthreads();
  WB_BEGIN;
  WB_MULTIPLY(d, f[1]);
  WB_COMMIT;
  WB_WAIT;
  for (int i = 0; i < 4; ++i) out[4 * threadIdx.x + i] = d[i];
}
CASE(other_factors_meanwhile, clean) {
  Device<float> out(4 * kThreads);
  other_factors_meanwhile<<<1, kThreads>>>(out);
  return done(out.are([](int) { return 48.f; }));
}

}  // namespace
