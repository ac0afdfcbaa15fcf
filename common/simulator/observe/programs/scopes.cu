// Atomics and fences of every scope: an order holds among the threads that the scope includes, and for no others.
#include <cuda/atomic>

#include "case.h"

namespace {

constexpr int kThreads = 64, kBlocks = 4, kCount = kThreads * kBlocks;
template <cuda::thread_scope kScope>
using Ref = cuda::atomic_ref<int, kScope>;
using OfBlock = Ref<cuda::thread_scope_block>;
using OfDevice = Ref<cuda::thread_scope_device>;
using OfSystem = Ref<cuda::thread_scope_system>;

__global__ void block_scope_within_a_block(int* sums) { atomicAdd_block(&sums[blockIdx.x], 1); }
CASE(block_scope_within_a_block, clean) {
  Device<int> sums(kBlocks, 0);
  block_scope_within_a_block<<<kBlocks, kThreads>>>(sums);
  return done(sums.are([](int) { return kThreads; }));
}

__global__ void block_scope_across_blocks(int* sum) {
  atomicAdd_block(sum, 1 + static_cast<int>(threadIdx.x));  // race: block_scope_across_blocks
}
CASE(block_scope_across_blocks, race) {
  Device<int> sum(1, 0);
  block_scope_across_blocks<<<kBlocks, kThreads>>>(sum);
  return done();
}

__global__ void system_scope(int* sum) { atomicAdd_system(sum, 1); }
CASE(system_scope, clean) {
  Device<int> sum(1, 0);
  system_scope<<<kBlocks, kThreads>>>(sum);
  return done(sum.are([](int) { return kCount; }));
}

__global__ void references_of_device_scope(int* sum) { OfDevice(*sum).fetch_add(1, cuda::memory_order_relaxed); }
CASE(references_of_device_scope, clean) {
  Device<int> sum(1, 0);
  references_of_device_scope<<<kBlocks, kThreads>>>(sum);
  return done(sum.are([](int) { return kCount; }));
}

__global__ void references_of_block_scope(int* sum) {
  OfBlock(*sum).fetch_add(2 + threadIdx.x, cuda::memory_order_relaxed);  // race: references_of_block_scope
}
CASE(references_of_block_scope, race) {
  Device<int> sum(1, 0);
  references_of_block_scope<<<kBlocks, kThreads>>>(sum);
  return done();
}

/// One block uses the counter as if it were its own.
__global__ void narrow_beside_wide(int* sum) {
  if (blockIdx.x == 0)
    atomicAdd_block(sum, 2);  // race: narrow_beside_wide
  else
    atomicMax(sum, 1000 + static_cast<int>(blockIdx.x));  // race: narrow_beside_wide
}
CASE(narrow_beside_wide, race) {
  Device<int> sum(1, 0);
  narrow_beside_wide<<<kBlocks, 1>>>(sum);
  return done();
}

__global__ void wide_beside_wider(int* sum) {
  if (blockIdx.x % 2 == 0)
    atomicAdd(sum, 2);
  else
    atomicAdd_system(sum, 3);
}
CASE(wide_beside_wider, clean) {
  Device<int> sum(1, 0);
  wide_beside_wider<<<kBlocks, kThreads>>>(sum);
  return done(sum.are([](int) { return kCount * 5 / 2; }));
}

/// Two warps of a block: block scope includes both.
__global__ void message_within_a_block(const int* in, int* message, int* flag, int* out) {
  if (threadIdx.x == 0) {
    message[blockIdx.x] = in[blockIdx.x];
    OfBlock(flag[blockIdx.x]).store(1, cuda::memory_order_release);
  } else if (threadIdx.x == 32) {
    while (OfBlock(flag[blockIdx.x]).load(cuda::memory_order_acquire) == 0) {
    }
    out[blockIdx.x] = message[blockIdx.x];
  }
}
CASE(message_within_a_block, clean) {
  Device<int> in(numbers(kBlocks)), message(kBlocks, 0), flag(kBlocks, 0), out(kBlocks);
  message_within_a_block<<<kBlocks, kThreads>>>(in, message, flag, out);
  return done(out.are([](int i) { return i; }));
}

/// Two blocks: the flag has device scope, the fences only block scope.
__global__ void fence_of_the_block_across_blocks(int* message, volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    *message = 41;  // race: fence_of_the_block_across_blocks
    __threadfence_block();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence_block();
    *out = *message;  // race: fence_of_the_block_across_blocks
  }
}
CASE(fence_of_the_block_across_blocks, race) {
  Device<int> message(1, 0), flag(1, 0), out(1, 0);
  fence_of_the_block_across_blocks<<<2, 1>>>(message, flag, out);
  return done();
}

/// A sufficient fence on one side only is not enough.
__global__ void fence_of_the_block_on_one_side(int* message, volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    *message = 41;  // race: fence_of_the_block_on_one_side
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence_block();
    *out = *message;  // race: fence_of_the_block_on_one_side
  }
}
CASE(fence_of_the_block_on_one_side, race) {
  Device<int> message(1, 0), flag(1, 0), out(1, 0);
  fence_of_the_block_on_one_side<<<2, 1>>>(message, flag, out);
  return done();
}

__global__ void fence_of_the_system(int* message, volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    *message = 41;
    __threadfence_system();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence_system();
    *out = *message;
  }
}
CASE(fence_of_the_system, clean) {
  Device<int> message(1, 0), flag(1, 0), out(1, 0);
  fence_of_the_system<<<2, 1>>>(message, flag, out);
  return done(out.are([](int) { return 41; }));
}

__global__ void fence_of_the_block_within_a_block(const int* in, int* out) {
  __shared__ int message;
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    message = in[blockIdx.x];
    __threadfence_block();
    flag = 1;
  } else if (threadIdx.x == 32) {
    while (flag == 0) {
    }
    __threadfence_block();
    out[blockIdx.x] = message;
  }
}
CASE(fence_of_the_block_within_a_block, clean) {
  Device<int> in(numbers(kBlocks)), out(kBlocks);
  fence_of_the_block_within_a_block<<<kBlocks, kThreads>>>(in, out);
  return done(out.are([](int i) { return i; }));
}

/// A flag with system scope, in device memory.
__global__ void message_at_system_scope(int* message, int* flag, int* out) {
  if (blockIdx.x == 1) {
    *message = 41;
    OfSystem(*flag).store(1, cuda::memory_order_release);
  } else if (blockIdx.x == 0) {
    while (OfSystem(*flag).load(cuda::memory_order_acquire) == 0) {
    }
    *out = *message;
  }
}
CASE(message_at_system_scope, clean) {
  Device<int> message(1, 0), flag(1, 0), out(1, 0);
  message_at_system_scope<<<2, 1>>>(message, flag, out);
  return done(out.are([](int) { return 41; }));
}

/// Atomics by others do not help a plain load.
__global__ void atomic_store_and_plain_load(int* cell, int* out) {
  if (blockIdx.x == 0)
    OfDevice(*cell).store(7, cuda::memory_order_relaxed);  // race: atomic_store_and_plain_load
  else
    out[blockIdx.x] = *cell;  // race: atomic_store_and_plain_load
}
CASE(atomic_store_and_plain_load, race) {
  Device<int> cell(1, 0), out(kBlocks, 0);
  atomic_store_and_plain_load<<<kBlocks, 1>>>(cell, out);
  return done();
}

__global__ void atomic_store_and_atomic_load(int* cell, int* out) {
  if (blockIdx.x == 0)
    OfDevice(*cell).store(7, cuda::memory_order_relaxed);
  else
    out[blockIdx.x] = OfDevice(*cell).load(cuda::memory_order_relaxed) % 7;
}
CASE(atomic_store_and_atomic_load, clean) {
  Device<int> cell(1, 0), out(kBlocks, 0);
  atomic_store_and_atomic_load<<<kBlocks, 1>>>(cell, out);
  return done(out.are([](int) { return 0; }));
}

/// Volatile accesses count as relaxed with system scope.
__global__ void volatile_beside_atomics(int* cell, int* out) {
  if (blockIdx.x != 0)
    atomicAdd(cell, 2);
  else if (threadIdx.x == 0)
    out[0] = *static_cast<volatile int*>(cell) & 1;
}
CASE(volatile_beside_atomics, clean) {
  Device<int> cell(1, 0), out(1);
  volatile_beside_atomics<<<kBlocks, kThreads>>>(cell, out);
  return done(out.are([](int) { return 0; }) && cell.are([](int) { return 2 * kThreads * (kBlocks - 1); }));
}

__global__ void volatile_store_and_plain_load(int* cell, int* out) {
  if (blockIdx.x == 0)
    *static_cast<volatile int*>(cell) = 7;  // race: volatile_store_and_plain_load
  else
    out[blockIdx.x] = *cell;  // race: volatile_store_and_plain_load
}
CASE(volatile_store_and_plain_load, race) {
  Device<int> cell(1, 0), out(kBlocks, 0);
  volatile_store_and_plain_load<<<kBlocks, 1>>>(cell, out);
  return done();
}

}  // namespace
