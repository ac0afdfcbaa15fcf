// What libcu++ offers to synchronise, and what is built from its atomics: pipelines, latches, semaphores, barriers that
// threads leave, seqlocks, ticket locks, persistent blocks.
#include <cooperative_groups.h>

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>

#include "case.h"

#pragma nv_diag_suppress static_var_with_dynamic_init

namespace cg = cooperative_groups;

namespace {

using Barrier = cuda::barrier<cuda::thread_scope_block>;
template <class T>
using Ref = cuda::atomic_ref<T, cuda::thread_scope_device>;

// ---- cuda::pipeline of a block
template <bool kWaits>
__device__ void by_pipeline(const int* in, int* out) {
  constexpr int kThreads = 64, kStages = 2, kSteps = 5;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  __shared__ int stage[kStages][kThreads];
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  for (int next = 0, step = 0; step < kSteps; ++step) {
    for (; next < kSteps && next < step + kStages; ++next) {
      pipe.producer_acquire();
      int* const to = &stage[next % kStages][threadIdx.x];
      const int* const from = &in[next * kThreads + threadIdx.x];
      cuda::memcpy_async(to, from, sizeof(int), pipe);  // race: pipeline_without_consumer_wait
      pipe.producer_commit();
    }
    if (kWaits) pipe.consumer_wait();
    const int other = kThreads - 1 - threadIdx.x;
    out[step * kThreads + threadIdx.x] = stage[step % kStages][other];  // race: pipeline_without_consumer_wait
    pipe.consumer_release();
  }
}
__global__ void pipeline_with_wait(const int* in, int* out) { by_pipeline<true>(in, out); }
__global__ void pipeline_no_wait(const int* in, int* out) { by_pipeline<false>(in, out); }
CASE(pipeline_of_a_block, clean) {
  Device<int> in(numbers(320)), out(320, 0);
  pipeline_with_wait<<<1, 64>>>(in, out);
  return done(out.are([](int i) { return i / 64 * 64 + 63 - i % 64; }));
}
CASE(pipeline_without_consumer_wait, race) {
  Device<int> in(numbers(320)), out(320, 0);
  pipeline_no_wait<<<1, 64>>>(in, out);
  return done();
}

// ---- A seqlock
__global__ void seqlock(unsigned* sequence, int* data, int* out) {
  Ref<unsigned> count(*sequence);
  if (blockIdx.x == 0) {
    for (int i = 1; i <= 4; ++i) {
      count.store(2 * i - 1, cuda::memory_order_relaxed);
      cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
      Ref<int>(data[0]).store(i, cuda::memory_order_relaxed);
      Ref<int>(data[1]).store(-i, cuda::memory_order_relaxed);
      count.store(2 * i, cuda::memory_order_release);
    }
    return;
  }
  unsigned before, after;
  int a, b;
  do {
    before = count.load(cuda::memory_order_acquire);
    a = Ref<int>(data[0]).load(cuda::memory_order_relaxed);
    b = Ref<int>(data[1]).load(cuda::memory_order_relaxed);
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    after = count.load(cuda::memory_order_relaxed);
  } while (before != after || before % 2 != 0);
  out[blockIdx.x] = a + b;
}
CASE(seqlock_of_atomics, clean) {
  Device<unsigned> sequence(1, 0u);
  Device<int> data(2, 0), out(4, 0);
  seqlock<<<4, 1>>>(sequence, data, out);
  return done(out.are([](int) { return 0; }));
}

/// A reader may load a pair while it is stored, and find that out only afterwards.
__global__ void seqlock_plain(unsigned* sequence, int2* data, int* out) {
  Ref<unsigned> count(*sequence);
  if (blockIdx.x == 0) {
    for (int i = 1; i <= 4; ++i) {
      count.store(2 * i - 1, cuda::memory_order_relaxed);
      cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
      *data = make_int2(i, -i);  // race: seqlock_of_plain_words
      count.store(2 * i, cuda::memory_order_release);
    }
    return;
  }
  unsigned before, after;
  int2 pair;
  do {
    before = count.load(cuda::memory_order_acquire);
    pair = *data;  // race: seqlock_of_plain_words
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    after = count.load(cuda::memory_order_relaxed);
  } while (before != after || before % 2 != 0);
  out[blockIdx.x] = pair.x + pair.y;
}
CASE(seqlock_of_plain_words, race_in_another_order) {
  Device<unsigned> sequence(1, 0u);
  Device<int2> data(1, int2{0, 0});
  Device<int> out(4, 0);
  seqlock_plain<<<4, 1>>>(sequence, data, out);
  return done();
}

// ---- A ticket lock
template <cuda::memory_order kRelease>
__device__ void by_ticket(unsigned* next, unsigned* serving, int* sum) {
  if (threadIdx.x != 0) return;
  const unsigned ticket = Ref<unsigned>(*next).fetch_add(1, cuda::memory_order_relaxed);
  while (Ref<unsigned>(*serving).load(cuda::memory_order_acquire) != ticket) {
  }
  *sum += 1;  // race: ticket_lock_released_relaxed
  Ref<unsigned>(*serving).store(ticket + 1, kRelease);
}
__global__ void ticket_release(unsigned* next, unsigned* serving, int* sum) {
  by_ticket<cuda::memory_order_release>(next, serving, sum);
}
__global__ void ticket_relaxed(unsigned* next, unsigned* serving, int* sum) {
  by_ticket<cuda::memory_order_relaxed>(next, serving, sum);
}
CASE(ticket_lock, clean) {
  Device<unsigned> next(1, 0u), serving(1, 0u);
  Device<int> sum(1, 0);
  ticket_release<<<7, 32>>>(next, serving, sum);
  return done(sum.values()[0] == 7);
}
CASE(ticket_lock_released_relaxed, race) {
  Device<unsigned> next(1, 0u), serving(1, 0u);
  Device<int> sum(1, 0);
  ticket_relaxed<<<7, 32>>>(next, serving, sum);
  return done();
}

// ---- A persistent block takes one item after another
template <bool kSecond>
__device__ void persistent(const int* in, int* out, int* next, int count) {
  __shared__ int item;
  for (;;) {
    if (threadIdx.x == 0) item = atomicAdd(next, 1);  // race: next_item_before_all_have_read
    __syncthreads();
    const int mine = item;  // race: next_item_before_all_have_read
    if (kSecond) __syncthreads();
    if (mine >= count) return;
    out[mine * blockDim.x + threadIdx.x] = in[mine * blockDim.x + threadIdx.x] + 1;
  }
}
__global__ void persistent_two(const int* in, int* out, int* next, int count) {
  persistent<true>(in, out, next, count);
}
__global__ void persistent_one(const int* in, int* out, int* next, int count) {
  persistent<false>(in, out, next, count);
}
CASE(persistent_blocks, clean) {
  Device<int> in(numbers(640)), out(640), next(1, 0);
  persistent_two<<<3, 64>>>(in, out, next, 10);
  return done(out.are([](int i) { return i + 1; }));
}
CASE(next_item_before_all_have_read, race) {
  Device<int> in(numbers(640)), out(640), next(1, 0);
  persistent_one<<<3, 64>>>(in, out, next, 10);
  return done();
}

// ---- cuda::latch and cuda::binary_semaphore
template <bool kWaits>
__device__ void by_latch(int* out) {
  using Latch = cuda::latch<cuda::thread_scope_block>;
  __shared__ alignas(Latch) char room[sizeof(Latch)];
  __shared__ int data[64];
  auto* done = reinterpret_cast<Latch*>(room);
  if (threadIdx.x == 0) new (done) Latch(64);
  __syncthreads();
  data[threadIdx.x] = threadIdx.x;  // race: latch_without_wait
  if (kWaits)
    done->arrive_and_wait();
  else
    done->count_down();
  out[threadIdx.x] = data[63 - threadIdx.x];  // race: latch_without_wait
}
__global__ void latch_waits(int* out) { by_latch<true>(out); }
__global__ void latch_counts(int* out) { by_latch<false>(out); }
CASE(latch_of_a_block, clean) {
  Device<int> out(64);
  latch_waits<<<1, 64>>>(out);
  return done(out.are([](int i) { return 63 - i; }));
}
CASE(latch_without_wait, race) {
  Device<int> out(64);
  latch_counts<<<1, 64>>>(out);
  return done();
}
__device__ cuda::binary_semaphore<cuda::thread_scope_device> gate(1);
__global__ void by_semaphore(int* sum) {
  if (threadIdx.x != 0) return;
  gate.acquire();
  *sum += 1;
  gate.release();
}
CASE(binary_semaphore_guards, clean) {
  Device<int> sum(1, 0);
  by_semaphore<<<6, 32>>>(sum);
  return done(sum.values()[0] == 6);
}

// ---- Threads that leave a cuda::barrier
template <bool kDrops>
__device__ void dropping(int* out) {
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  if (threadIdx.x >= 32) {
    if (kDrops) barrier.arrive_and_drop();
    return;
  }
  for (int i = 0; i < 3; ++i) barrier.arrive_and_wait();  // sync: threads_leave_a_barrier_waiting
  out[threadIdx.x] = 1;
}
__global__ void drops(int* out) { dropping<true>(out); }
__global__ void leaves(int* out) { dropping<false>(out); }
CASE(threads_drop_out, clean) {
  Device<int> out(32);
  drops<<<1, 64>>>(out);
  return done(out.are([](int) { return 1; }));
}
CASE(threads_leave_a_barrier_waiting, sync_hang) {
  Device<int> out(32);
  leaves<<<1, 64>>>(out);
  return done();
}

}  // namespace
