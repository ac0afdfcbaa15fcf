// Barrier objects in shared memory (cuda::barrier, mbarrier): who arrives, who waits, what a phase covers.
#include <cuda/barrier>
#include <utility>

#include "case.h"

namespace {

constexpr int kThreads = 64, kRounds = 3;
using Barrier = cuda::barrier<cuda::thread_scope_block>;
// init() constructs the objects, as in the programming guide.
#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void arrive_and_wait(const int* in, int* out) {
  __shared__ Barrier barrier;
  __shared__ int tile[kThreads];
  if (threadIdx.x == 0) init(&barrier, kThreads);
  __syncthreads();
  tile[threadIdx.x] = in[threadIdx.x];
  barrier.arrive_and_wait();
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
}
CASE(arrive_and_wait, clean) {
  Device<int> in(numbers(kThreads)), out(kThreads);
  arrive_and_wait<<<1, kThreads>>>(in, out);
  return done(out.are([](int i) { return kThreads - 1 - i; }));
}

/// All threads arrive and none waits.
__global__ void arrive_without_wait(const int* in, int* out) {
  __shared__ Barrier barrier;
  __shared__ int tile[kThreads];
  if (threadIdx.x == 0) init(&barrier, kThreads);
  __syncthreads();
  tile[threadIdx.x] = in[threadIdx.x];  // race: arrive_without_wait
  (void)barrier.arrive();
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];  // race: arrive_without_wait
}
CASE(arrive_without_wait, race) {
  Device<int> in(numbers(kThreads)), out(kThreads);
  arrive_without_wait<<<1, kThreads>>>(in, out);
  return done();
}

/// Independent work between the arrival and the wait.
__global__ void arrive_then_wait_later(const int* in, int* out) {
  __shared__ Barrier barrier;
  __shared__ int tile[kThreads];
  if (threadIdx.x == 0) init(&barrier, kThreads);
  __syncthreads();
  tile[threadIdx.x] = in[threadIdx.x];
  Barrier::arrival_token token = barrier.arrive();
  const int own = in[threadIdx.x] * 100;
  barrier.wait(std::move(token));
  out[threadIdx.x] = own + tile[kThreads - 1 - threadIdx.x];
}
CASE(arrive_then_wait_later, clean) {
  Device<int> in(numbers(kThreads)), out(kThreads);
  arrive_then_wait_later<<<1, kThreads>>>(in, out);
  return done(out.are([](int i) { return 100 * i + kThreads - 1 - i; }));
}

/// Stores between the arrival and the wait belong to the next phase.
__global__ void store_behind_the_arrival(const int* in, int* out) {
  __shared__ Barrier barrier;
  __shared__ int tile[kThreads];
  if (threadIdx.x == 0) init(&barrier, kThreads);
  __syncthreads();
  Barrier::arrival_token token = barrier.arrive();
  tile[threadIdx.x] = in[threadIdx.x];  // race: store_behind_the_arrival
  barrier.wait(std::move(token));
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];  // race: store_behind_the_arrival
}
CASE(store_behind_the_arrival, race) {
  Device<int> in(numbers(kThreads)), out(kThreads);
  store_behind_the_arrival<<<1, kThreads>>>(in, out);
  return done();
}

/// One warp fills, the other reads; two barriers for each direction.
__global__ void full_and_empty(const int* in, int* out) {
  __shared__ Barrier full, empty;
  __shared__ int slot[32];
  if (threadIdx.x == 0) init(&full, kThreads), init(&empty, kThreads);
  __syncthreads();
  int sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    if (threadIdx.x < 32) {
      slot[threadIdx.x] = in[round * 32 + threadIdx.x];
      (void)full.arrive();
      empty.arrive_and_wait();
    } else {
      full.arrive_and_wait();
      sum += slot[kThreads - 1 - threadIdx.x];
      (void)empty.arrive();
    }
  }
  if (threadIdx.x >= 32) out[threadIdx.x - 32] = sum;
}
CASE(full_and_empty, clean) {
  Device<int> in(numbers(32 * kRounds)), out(32);
  full_and_empty<<<1, kThreads>>>(in, out);
  return done(out.are([](int i) { return 3 * (31 - i) + 96; }));
}

/// Nothing tells the producers that the slot has been read.
__global__ void full_alone(const int* in, int* out) {
  __shared__ Barrier full;
  __shared__ int slot[32];
  if (threadIdx.x == 0) init(&full, kThreads);
  __syncthreads();
  int sum = 0;
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
    if (threadIdx.x < 32) {
      slot[threadIdx.x] = in[round * 32 + threadIdx.x];  // race: full_alone
      full.arrive_and_wait();
    } else {
      full.arrive_and_wait();
      sum += slot[kThreads - 1 - threadIdx.x];  // race: full_alone
    }
  }
  if (threadIdx.x >= 32) out[threadIdx.x - 32] = sum;
}
CASE(full_alone, race) {
  Device<int> in(numbers(32 * kRounds)), out(32);
  full_alone<<<1, kThreads>>>(in, out);
  return done();
}

/// Half of the threads leave the barrier for good; the others continue.
__global__ void arrive_and_drop(const int* in, int* out) {
  __shared__ Barrier barrier;
  __shared__ int tile[kThreads];
  if (threadIdx.x == 0) init(&barrier, kThreads);
  __syncthreads();
  tile[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x >= 32) {
    barrier.arrive_and_drop();
    return;
  }
  barrier.arrive_and_wait();
  const int value = tile[kThreads - 1 - threadIdx.x];
  barrier.arrive_and_wait();
  tile[threadIdx.x] = value;
  barrier.arrive_and_wait();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}
CASE(arrive_and_drop, clean) {
  Device<int> in(numbers(kThreads)), out(32);
  arrive_and_drop<<<1, kThreads>>>(in, out);
  return done(out.are([](int i) { return 32 + i; }));
}

/// The barrier does not wait for threads that have left: their later stores are not covered.
__global__ void store_behind_the_drop(const int* in, int* out) {
  __shared__ Barrier barrier;
  __shared__ int tile[kThreads];
  if (threadIdx.x == 0) init(&barrier, kThreads);
  __syncthreads();
  if (threadIdx.x >= 32) {
    barrier.arrive_and_drop();
    tile[threadIdx.x] = in[threadIdx.x];  // race: store_behind_the_drop
    return;
  }
  barrier.arrive_and_wait();
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];  // race: store_behind_the_drop
}
CASE(store_behind_the_drop, race) {
  Device<int> in(numbers(kThreads)), out(32);
  store_behind_the_drop<<<1, kThreads>>>(in, out);
  return done();
}

__device__ unsigned address_of(const void* shared) { return static_cast<unsigned>(__cvta_generic_to_shared(shared)); }

/// The PTX instructions: one arrival per warp, all lanes test.
__global__ void mbarrier_in_ptx(const int* in, int* out) {
  __shared__ unsigned long long barrier;
  __shared__ int tile[kThreads];
  const unsigned object = address_of(&barrier);
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 2;" ::"r"(object) : "memory");
  __syncthreads();
  tile[threadIdx.x] = in[threadIdx.x];
  __syncwarp();
  if (threadIdx.x % 32 == 0)
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(object) : "memory");
  int complete = 0;
  while (!complete)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.b32 %0, 1, 0, p; }"
                 : "=r"(complete)
                 : "r"(object)
                 : "memory");
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
}
CASE(mbarrier_in_ptx, clean) {
  Device<int> in(numbers(kThreads)), out(kThreads);
  mbarrier_in_ptx<<<1, kThreads>>>(in, out);
  return done(out.are([](int i) { return kThreads - 1 - i; }));
}

/// One lane arrives for its warp before the warp is done.
__global__ void mbarrier_before_the_warp_is_done(const int* in, int* out) {
  __shared__ unsigned long long barrier;
  __shared__ int tile[kThreads];
  const unsigned object = address_of(&barrier);
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 2;" ::"r"(object) : "memory");
  __syncthreads();
  tile[threadIdx.x] = in[threadIdx.x];  // race: mbarrier_before_the_warp_is_done
  if (threadIdx.x % 32 == 0)
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(object) : "memory");
  int complete = 0;
  while (!complete)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.b32 %0, 1, 0, p; }"
                 : "=r"(complete)
                 : "r"(object)
                 : "memory");
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];  // race: mbarrier_before_the_warp_is_done
}
CASE(mbarrier_before_the_warp_is_done, race) {
  Device<int> in(numbers(kThreads)), out(kThreads);
  mbarrier_before_the_warp_is_done<<<1, kThreads>>>(in, out);
  return done();
}

}  // namespace
