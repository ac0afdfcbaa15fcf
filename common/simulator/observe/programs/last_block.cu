// The last block to finish adds up what all have stored: an atomic decides which one is last, fences order the data.
#include <cuda/atomic>

#include "case.h"

namespace {

constexpr int kBlocks = 6, kThreads = 64;

__device__ int sum_of(const int* values, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += values[i];
  return sum;
}

/// The version in the programming guide.
__global__ void fence_then_ticket(int* parts, unsigned* ticket, int* out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = 10 + blockIdx.x;
    __threadfence();
    last = atomicInc(ticket, kBlocks - 1) == kBlocks - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) *out = sum_of(parts, kBlocks);
}
CASE(fence_then_ticket, clean) {
  Device<int> parts(kBlocks), out(1, 0);
  Device<unsigned> ticket(1, 0);
  for (int round = 0; round < 2; ++round) fence_then_ticket<<<kBlocks, kThreads>>>(parts, ticket, out);
  return done(out.are([](int) { return 75; }));
}

__global__ void ticket_without_fence(int* parts, unsigned* ticket, int* out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = 10 + blockIdx.x;  // race: ticket_without_fence
    last = atomicInc(ticket, kBlocks - 1) == kBlocks - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < kBlocks) {
    atomicAdd(out, parts[threadIdx.x]);  // race: ticket_without_fence
  }
}
CASE(ticket_without_fence, race) {
  Device<int> parts(kBlocks), out(1, 0);
  Device<unsigned> ticket(1, 0);
  ticket_without_fence<<<kBlocks, kThreads>>>(parts, ticket, out);
  return done();
}

/// A fence for the block does not help other blocks.
__global__ void ticket_behind_a_fence_of_the_block(int* parts, unsigned* ticket, int* out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = 10 + blockIdx.x;  // race: ticket_behind_a_fence_of_the_block
    __threadfence_block();
    last = atomicInc(ticket, kBlocks - 1) == kBlocks - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < kBlocks) {
    atomicAdd(out, parts[threadIdx.x]);  // race: ticket_behind_a_fence_of_the_block
  }
}
CASE(ticket_behind_a_fence_of_the_block, race) {
  Device<int> parts(kBlocks), out(1, 0);
  Device<unsigned> ticket(1, 0);
  ticket_behind_a_fence_of_the_block<<<kBlocks, kThreads>>>(parts, ticket, out);
  return done();
}

/// The barrier collects the block's stores, and one thread fences for all.
__global__ void one_thread_fences_for_the_block(int* parts, unsigned* ticket, int* out) {
  __shared__ bool last;
  parts[blockIdx.x * kThreads + threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicAdd(ticket, 1) == kBlocks - 1;
    __threadfence();
  }
  __syncthreads();
  if (last) {
    int sum = 0;
    for (int block = 0; block < kBlocks; ++block) sum += parts[block * kThreads + threadIdx.x];
    out[threadIdx.x] = sum;
  }
}
CASE(one_thread_fences_for_the_block, clean) {
  Device<int> parts(kBlocks * kThreads), out(kThreads, 0);
  Device<unsigned> ticket(1, 0);
  one_thread_fences_for_the_block<<<kBlocks, kThreads>>>(parts, ticket, out);
  return done(out.are([](int i) { return kBlocks * i; }));
}

/// Each thread fences, as in many kernels: more than is needed.
__global__ void all_threads_fence(int* parts, unsigned* ticket, int* out) {
  __shared__ bool last;
  parts[blockIdx.x * kThreads + threadIdx.x] = threadIdx.x;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(ticket, 1) == kBlocks - 1;
  __syncthreads();
  if (last) {
    int sum = 0;
    for (int block = 0; block < kBlocks; ++block) sum += parts[block * kThreads + threadIdx.x];
    out[threadIdx.x] = sum;
  }
}
CASE(all_threads_fence, clean) {
  Device<int> parts(kBlocks * kThreads), out(kThreads, 0);
  Device<unsigned> ticket(1, 0);
  all_threads_fence<<<kBlocks, kThreads>>>(parts, ticket, out);
  return done(out.are([](int i) { return kBlocks * i; }));
}

/// The ticket is drawn before the other warps of the block have stored.
__global__ void ticket_before_the_blocks_barrier(int* parts, unsigned* ticket, int* out) {
  __shared__ bool last;
  parts[blockIdx.x * kThreads + threadIdx.x] = threadIdx.x;  // race: ticket_before_the_blocks_barrier
  __threadfence();
  if (threadIdx.x == 0) last = atomicAdd(ticket, 1) == kBlocks - 1;
  __syncthreads();
  if (last) {
    for (int block = 0; block < kBlocks; ++block)
      atomicAdd(&out[threadIdx.x], parts[block * kThreads + threadIdx.x]);  // race: ticket_before_the_blocks_barrier
  }
}
CASE(ticket_before_the_blocks_barrier, race) {
  Device<int> parts(kBlocks * kThreads, 0), out(kThreads, 0);
  Device<unsigned> ticket(1, 0);
  ticket_before_the_blocks_barrier<<<kBlocks, kThreads>>>(parts, ticket, out);
  return done();
}

/// The threads of the last block read the verdict without waiting for it.
__global__ void verdict_read_without_barrier(int* parts, unsigned* ticket, int* out) {
  __shared__ int last;
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = 10 + blockIdx.x;
    __threadfence();
    last = atomicInc(ticket, kBlocks - 1) == kBlocks - 1;  // race: verdict_read_without_barrier
  }
  out[blockIdx.x * kThreads + threadIdx.x] = last;  // race: verdict_read_without_barrier
}
CASE(verdict_read_without_barrier, race) {
  Device<int> parts(kBlocks), out(kBlocks * kThreads);
  Device<unsigned> ticket(1, 0);
  verdict_read_without_barrier<<<kBlocks, kThreads>>>(parts, ticket, out);
  return done();
}

__global__ void ticket_that_acquires_and_releases(int* parts, unsigned* ticket, int* out) {
  __shared__ bool last;
  parts[blockIdx.x * kThreads + threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> count(*ticket);
    last = count.fetch_add(1, cuda::memory_order_acq_rel) == kBlocks - 1;
  }
  __syncthreads();
  if (last) {
    int sum = 0;
    for (int block = 0; block < kBlocks; ++block) sum += parts[block * kThreads + threadIdx.x];
    out[threadIdx.x] = sum;
  }
}
CASE(ticket_that_acquires_and_releases, clean) {
  Device<int> parts(kBlocks * kThreads), out(kThreads, 0);
  Device<unsigned> ticket(1, 0);
  ticket_that_acquires_and_releases<<<kBlocks, kThreads>>>(parts, ticket, out);
  return done(out.are([](int i) { return kBlocks * i; }));
}

__global__ void ticket_that_only_acquires(int* parts, unsigned* ticket, int* out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = 10 + blockIdx.x;  // race: ticket_that_only_acquires
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> count(*ticket);
    last = count.fetch_add(1, cuda::memory_order_acquire) == kBlocks - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < kBlocks) {
    atomicAdd(out, parts[threadIdx.x]);  // race: ticket_that_only_acquires
  }
}
CASE(ticket_that_only_acquires, race) {
  Device<int> parts(kBlocks), out(1, 0);
  Device<unsigned> ticket(1, 0);
  ticket_that_only_acquires<<<kBlocks, kThreads>>>(parts, ticket, out);
  return done();
}

/// Loads that bypass the L1 are not ordered, either.
__global__ void loads_past_the_cache(int* parts, unsigned* ticket, int* out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    __stcg(&parts[blockIdx.x], 10 + static_cast<int>(blockIdx.x));  // race: loads_past_the_cache
    last = atomicInc(ticket, kBlocks - 1) == kBlocks - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < kBlocks) {
    atomicAdd(out, __ldcg(&parts[threadIdx.x]));  // race: loads_past_the_cache
  }
}
CASE(loads_past_the_cache, race) {
  Device<int> parts(kBlocks), out(1, 0);
  Device<unsigned> ticket(1, 0);
  loads_past_the_cache<<<kBlocks, kThreads>>>(parts, ticket, out);
  return done();
}

/// No last block is needed if a second kernel adds up.
__global__ void store_parts(int* parts) {
  if (threadIdx.x == 0) parts[blockIdx.x] = 10 + blockIdx.x;
}
__global__ void add_parts(const int* parts, int* out) { *out = sum_of(parts, kBlocks); }
CASE(second_kernel_adds, clean) {
  Device<int> parts(kBlocks), out(1);
  store_parts<<<kBlocks, kThreads>>>(parts);
  add_parts<<<1, 1>>>(parts, out);
  return done(out.are([](int) { return 75; }));
}

/// The block with the highest index need not be the last one.
__global__ void highest_block_adds(int* parts, int* out) {
  if (threadIdx.x == 0) parts[blockIdx.x] = 10 + blockIdx.x;  // race: highest_block_adds
  __syncthreads();
  if (blockIdx.x == kBlocks - 1 && threadIdx.x < kBlocks) {
    atomicAdd(out, parts[threadIdx.x]);  // race: highest_block_adds
  }
}
CASE(highest_block_adds, race) {
  Device<int> parts(kBlocks, 0), out(1, 0);
  highest_block_adds<<<kBlocks, kThreads>>>(parts, out);
  return done();
}

}  // namespace
