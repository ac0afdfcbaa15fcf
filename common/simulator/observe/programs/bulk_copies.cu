// Bulk copies from shared to global memory, which read their source while the threads continue: what must be fenced
// before them, and who has to wait for what before the source is reused.
#include <cuda/barrier>
#include <cuda/ptx>

#include "case.h"

namespace {

namespace ptx = cuda::ptx;
constexpr int kThreads = 64, kBytes = kThreads * sizeof(int);
using Barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init

// Macros, so that the copies have the kernel's source line.
#define WB_SEND(to, from)                                                                                      \
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(from), "r"(kBytes) \
               : "memory")
#define WB_BRING(to, from, counter)                                                                                 \
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to), \
               "l"(from), "r"(kBytes), "r"(counter)                                                                 \
               : "memory")

__global__ void all_fence_then_meet(int* out) {
  alignas(16) __shared__ int tile[kThreads];
  tile[threadIdx.x] = 3 * threadIdx.x;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x != 0) return;
  ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, kBytes);
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}
CASE(all_fence_then_meet, clean) {
  Device<int> out(kThreads);
  all_fence_then_meet<<<1, kThreads>>>(out);
  return done(out.are([](int i) { return 3 * i; }));
}

/// The barrier orders the threads, but the copy uses another proxy.
__global__ void none_fences(int* out) {
  alignas(16) __shared__ int tile[kThreads];
  tile[threadIdx.x] = 3 * threadIdx.x;  // race: none_fences
  __syncthreads();
  if (threadIdx.x != 0) return;
  const unsigned from = __cvta_generic_to_shared(tile);
  WB_SEND(out, from);  // race: none_fences
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}
CASE(none_fences, race) {
  Device<int> out(kThreads);
  none_fences<<<1, kThreads>>>(out);
  return done();
}

/// All stores come before the fence of the thread that copies.
__global__ void one_fences_for_all(int* out) {
  alignas(16) __shared__ int tile[kThreads];
  tile[threadIdx.x] = 3 * threadIdx.x;
  __syncthreads();
  if (threadIdx.x != 0) return;
  ptx::fence_proxy_async(ptx::space_shared);
  ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, kBytes);
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}
CASE(one_fences_for_all, clean) {
  Device<int> out(kThreads);
  one_fences_for_all<<<1, kThreads>>>(out);
  return done(out.are([](int i) { return 3 * i; }));
}

__global__ void fence_before_the_store(int* out) {
  alignas(16) __shared__ int tile[kThreads];
  ptx::fence_proxy_async(ptx::space_shared);
  tile[threadIdx.x] = 3 * threadIdx.x;  // race: fence_before_the_store
  __syncthreads();
  if (threadIdx.x != 0) return;
  const unsigned from = __cvta_generic_to_shared(tile);
  WB_SEND(out, from);  // race: fence_before_the_store
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}
CASE(fence_before_the_store, race) {
  Device<int> out(kThreads);
  fence_before_the_store<<<1, kThreads>>>(out);
  return done();
}

/// A barrier does not wait for the copy.
__global__ void stored_again_too_early(int* out) {
  alignas(16) __shared__ int tile[kThreads];
  const unsigned from = __cvta_generic_to_shared(tile);
  tile[threadIdx.x] = 3 * threadIdx.x;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    WB_SEND(out, from);  // race: stored_again_too_early
    ptx::cp_async_bulk_commit_group();
  }
  __syncthreads();
  tile[threadIdx.x] = -1;  // race: stored_again_too_early
  __syncthreads();
  if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  out[kThreads + threadIdx.x] = tile[threadIdx.x];
}
CASE(stored_again_too_early, race) {
  Device<int> out(2 * kThreads);
  stored_again_too_early<<<1, kThreads>>>(out);
  return done();
}

__global__ void stored_again_in_time(int* out) {
  alignas(16) __shared__ int tile[kThreads];
  tile[threadIdx.x] = 3 * threadIdx.x;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, kBytes);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
  __syncthreads();
  tile[threadIdx.x] = -1;
  __syncthreads();
  out[kThreads + threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
}
CASE(stored_again_in_time, clean) {
  Device<int> out(2 * kThreads);
  stored_again_in_time<<<1, kThreads>>>(out);
  return done(out.are([](int i) { return i < kThreads ? 3 * i : -1; }));
}

/// One thread waits after the barrier, so the others do not wait for the copy.
__global__ void waits_behind_the_barrier(int* out) {
  alignas(16) __shared__ int tile[kThreads];
  const unsigned from = __cvta_generic_to_shared(tile);
  tile[threadIdx.x] = 3 * threadIdx.x;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    WB_SEND(out, from);  // race: waits_behind_the_barrier
    ptx::cp_async_bulk_commit_group();
  }
  __syncthreads();
  if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  if (threadIdx.x >= 32) tile[threadIdx.x] = -1;  // race: waits_behind_the_barrier
  __syncthreads();
  out[kThreads + threadIdx.x] = tile[threadIdx.x];
}
CASE(waits_behind_the_barrier, race) {
  Device<int> out(2 * kThreads);
  waits_behind_the_barrier<<<1, kThreads>>>(out);
  return done();
}

/// A bulk group belongs to the thread that has committed it.
__global__ void another_thread_waits(int* out) {
  alignas(16) __shared__ int tile[kThreads];
  const unsigned from = __cvta_generic_to_shared(tile);
  tile[threadIdx.x] = 3 * threadIdx.x;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    WB_SEND(out, from);  // race: another_thread_waits
    ptx::cp_async_bulk_commit_group();
  }
  __syncthreads();
  if (threadIdx.x == 32) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  __syncthreads();
  tile[threadIdx.x] = -1;  // race: another_thread_waits
  __syncthreads();
  out[kThreads + threadIdx.x] = tile[threadIdx.x];
}
CASE(another_thread_waits, race) {
  Device<int> out(2 * kThreads);
  another_thread_waits<<<1, kThreads>>>(out);
  return done();
}

/// Two tiles in turn: the one that is filled next was sent in the group before the latest one.
__global__ void two_tiles(int* out, int rounds) {
  alignas(16) __shared__ int tile[2][kThreads];
  for (int round = 0; round < rounds; ++round) {
    if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<1>());
    __syncthreads();
    tile[round % 2][threadIdx.x] = round * kThreads + threadIdx.x;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x != 0) continue;
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + round * kThreads, tile[round % 2], kBytes);
    ptx::cp_async_bulk_commit_group();
  }
  if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}
CASE(two_tiles, clean) {
  Device<int> out(5 * kThreads);
  two_tiles<<<1, kThreads>>>(out, 5);
  return done(out.are([](int i) { return i; }));
}

__global__ void two_tiles_and_two_left(int* out, int rounds) {
  alignas(16) __shared__ int tile[2][kThreads];
  for (int round = 0; round < rounds; ++round) {
    if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<2>());
    __syncthreads();
    tile[round % 2][threadIdx.x] = round * kThreads + threadIdx.x;  // race: two_tiles_and_two_left
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x != 0) continue;
    const unsigned from = __cvta_generic_to_shared(tile[round % 2]);
    WB_SEND(out + round * kThreads, from);  // race: two_tiles_and_two_left
    ptx::cp_async_bulk_commit_group();
  }
  if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}
CASE(two_tiles_and_two_left, race) {
  Device<int> out(5 * kThreads);
  two_tiles_and_two_left<<<1, kThreads>>>(out, 5);
  return done();
}

/// One copy sends what another one has loaded: no thread stores, so no fence is needed.
__global__ void sent_as_it_came(const int* in, int* out, int rounds) {
  alignas(16) __shared__ int tile[kThreads];
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) {
    init(&barrier, 1);
    ptx::fence_proxy_async(ptx::space_shared);
    for (int round = 0; round < rounds; ++round) {
      cuda::device::memcpy_async_tx(tile, in + round * kThreads, cuda::aligned_size_t<16>(kBytes), barrier);
      barrier.wait(cuda::device::barrier_arrive_tx(barrier, 1, kBytes));
      ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + round * kThreads, tile, kBytes);
      ptx::cp_async_bulk_commit_group();
      ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
  }
}
CASE(sent_as_it_came, clean) {
  Device<int> in(numbers(3 * kThreads)), out(3 * kThreads);
  sent_as_it_came<<<1, 32>>>(in, out, 3);
  return done(out.are([](int i) { return i; }));
}

__global__ void brought_over_what_is_sent(const int* in, int* out, int rounds) {
  alignas(16) __shared__ int tile[kThreads];
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) {
    init(&barrier, 1);
    ptx::fence_proxy_async(ptx::space_shared);
    const unsigned at = __cvta_generic_to_shared(tile);
    const unsigned counter = __cvta_generic_to_shared(cuda::device::barrier_native_handle(barrier));
    for (int round = 0; round < rounds; ++round) {
      WB_BRING(at, in + round * kThreads, counter);  // race: brought_over_what_is_sent
      barrier.wait(cuda::device::barrier_arrive_tx(barrier, 1, kBytes));
      WB_SEND(out + round * kThreads, at);  // race: brought_over_what_is_sent
      ptx::cp_async_bulk_commit_group();
    }
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}
CASE(brought_over_what_is_sent, race) {
  Device<int> in(numbers(3 * kThreads)), out(3 * kThreads);
  brought_over_what_is_sent<<<1, 32>>>(in, out, 3);
  return done();
}

}  // namespace
