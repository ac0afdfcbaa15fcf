// Spin locks: what lets one thread in at a time, and what makes it see what the previous owner has stored.
#include <cuda/atomic>

#include "case.h"

namespace {

constexpr int kBlocks = 4, kRounds = 3;
using Lock = cuda::atomic_ref<int, cuda::thread_scope_device>;

__global__ void lock_with_fences(int* lock, int* sum) {
  for (int round = 0; round < kRounds; ++round) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *sum += 1 + blockIdx.x;
    __threadfence();
    atomicExch(lock, 0);
  }
}
CASE(lock_with_fences, clean) {
  Device<int> lock(1, 0), sum(1, 0);
  lock_with_fences<<<kBlocks, 1>>>(lock, sum);
  return done(sum.are([](int) { return kRounds * 10; }));
}

__global__ void lock_without_fences(int* lock, int* sum) {
  for (int round = 0; round < kRounds; ++round) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    *sum += 1 + blockIdx.x;  // race: lock_without_fences
    atomicExch(lock, 0);
  }
}
CASE(lock_without_fences, race) {
  Device<int> lock(1, 0), sum(1, 0);
  lock_without_fences<<<kBlocks, 1>>>(lock, sum);
  return done();
}

/// Nothing makes the stores under the lock visible before the lock is released.
__global__ void lock_without_fence_before_unlock(int* lock, int* sum) {
  while (atomicExch(lock, 1) != 0) {
  }
  __threadfence();
  *sum += 1 + blockIdx.x;  // race: lock_without_fence_before_unlock
  atomicExch(lock, 0);
}
CASE(lock_without_fence_before_unlock, race) {
  Device<int> lock(1, 0), sum(1, 0);
  lock_without_fence_before_unlock<<<kBlocks, 1>>>(lock, sum);
  return done();
}

/// The lock is released by a plain store (what it guards is volatile, which does not matter).
__global__ void unlock_by_plain_store(int* lock, volatile int* sum) {
  while (atomicCAS(lock, 0, 1) != 0) {  // race: unlock_by_plain_store
  }
  __threadfence();
  *sum = *sum + 1;
  __threadfence();
  *lock = 0;  // race: unlock_by_plain_store
}
CASE(unlock_by_plain_store, race) {
  Device<int> lock(1, 0), sum(1, 0);
  unlock_by_plain_store<<<kBlocks, 1>>>(lock, sum);
  return done();
}

__global__ void unlock_by_volatile_store(int* lock, int* sum) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *sum += 1 + blockIdx.x;
  __threadfence();
  *static_cast<volatile int*>(lock) = 0;
}
CASE(unlock_by_volatile_store, clean) {
  Device<int> lock(1, 0), sum(1, 0);
  unlock_by_volatile_store<<<kBlocks, 1>>>(lock, sum);
  return done(sum.are([](int) { return 10; }));
}

__global__ void lock_that_acquires_and_releases(int* lock, int* sum) {
  while (Lock(*lock).exchange(1, cuda::memory_order_acquire) != 0) {
  }
  *sum += 1 + blockIdx.x;
  Lock(*lock).store(0, cuda::memory_order_release);
}
CASE(lock_that_acquires_and_releases, clean) {
  Device<int> lock(1, 0), sum(1, 0);
  lock_that_acquires_and_releases<<<kBlocks, 1>>>(lock, sum);
  return done(sum.are([](int) { return 10; }));
}

__global__ void lock_of_relaxed_order(int* lock, int* sum) {
  while (Lock(*lock).exchange(1, cuda::memory_order_relaxed) != 0) {
  }
  *sum += 1 + blockIdx.x;  // race: lock_of_relaxed_order
  Lock(*lock).store(0, cuda::memory_order_relaxed);
}
CASE(lock_of_relaxed_order, race) {
  Device<int> lock(1, 0), sum(1, 0);
  lock_of_relaxed_order<<<kBlocks, 1>>>(lock, sum);
  return done();
}

/// Lanes of one warp take turns: the owner of the lock releases it within the loop body.
__global__ void lanes_take_turns(int* lock, int* sum) {
  bool waiting = true;
  while (waiting) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *sum += threadIdx.x;
      __threadfence();
      atomicExch(lock, 0);
      waiting = false;
    }
  }
}
CASE(lanes_take_turns, clean) {
  Device<int> lock(1, 0), sum(1, 0);
  lanes_take_turns<<<2, 32>>>(lock, sum);
  return done(sum.are([](int) { return 2 * 496; }));
}

/// One thread takes the lock for its block; barriers extend it to the others.
__global__ void lock_for_the_block(int* lock, int* sums) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
  }
  __syncthreads();
  sums[(threadIdx.x + blockIdx.x) % 64] += threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicExch(lock, 0);
  }
}
CASE(lock_for_the_block, clean) {
  Device<int> lock(1, 0), sums(64, 0);
  lock_for_the_block<<<kBlocks, 64>>>(lock, sums);
  return done(sums.are([](int i) { return i % 64 + (i + 63) % 64 + (i + 62) % 64 + (i + 61) % 64; }));
}

/// The lock is released before the rest of the block is done.
__global__ void lock_freed_before_the_block_is_done(int* lock, int* sums) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
  }
  __syncthreads();
  sums[(threadIdx.x + blockIdx.x) % 64] += threadIdx.x;  // race: lock_freed_before_the_block_is_done
  if (threadIdx.x == 0) {
    __threadfence();
    atomicExch(lock, 0);
  }
}
CASE(lock_freed_before_the_block_is_done, race) {
  Device<int> lock(1, 0), sums(64, 0);
  lock_freed_before_the_block_is_done<<<kBlocks, 64>>>(lock, sums);
  return done();
}

/// Each half of the blocks has its own lock for the same sum.
__global__ void two_locks_for_one_sum(int* locks, int* sum) {
  int* lock = &locks[blockIdx.x % 2];
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *sum += 1 + blockIdx.x;  // race: two_locks_for_one_sum
  __threadfence();
  atomicExch(lock, 0);
}
CASE(two_locks_for_one_sum, race) {
  Device<int> locks(2, 0), sum(1, 0);
  two_locks_for_one_sum<<<kBlocks, 1>>>(locks, sum);
  return done();
}

__global__ void a_lock_for_each_bin(int* locks, int* bins) {
  const int bin = threadIdx.x % 4;
  for (bool waiting = true; waiting;) {
    if (atomicCAS(&locks[bin], 0, 1) == 0) {
      __threadfence();
      bins[bin] += 1;
      __threadfence();
      atomicExch(&locks[bin], 0);
      waiting = false;
    }
  }
}
CASE(a_lock_for_each_bin, clean) {
  Device<int> locks(4, 0), bins(4, 0);
  a_lock_for_each_bin<<<kBlocks, 32>>>(locks, bins);
  return done(bins.are([](int) { return kBlocks * 8; }));
}

/// A read of the sum without the lock.
__global__ void reader_without_the_lock(int* lock, int* sum, int* out) {
  if (blockIdx.x == kBlocks) {
    *out = *sum;  // race: reader_without_the_lock
    return;
  }
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *sum += 1 + blockIdx.x;  // race: reader_without_the_lock
  __threadfence();
  atomicExch(lock, 0);
}
CASE(reader_without_the_lock, race) {
  Device<int> lock(1, 0), sum(1, 0), out(1);
  reader_without_the_lock<<<kBlocks + 1, 1>>>(lock, sum, out);
  return done();
}

/// Tickets: served in the order of their numbers.
__global__ void ticket_lock(int* next, volatile int* served, int* order) {
  const int ticket = atomicAdd(next, 1);
  while (*served != ticket) {
  }
  __threadfence();
  order[ticket + 1] = order[ticket] + 2;
  __threadfence();
  *served = ticket + 1;
}
CASE(ticket_lock, clean) {
  Device<int> next(1, 0), served(1, 0), order(kBlocks + 1, 0);
  ticket_lock<<<kBlocks, 1>>>(next, served, order);
  return done(order.are([](int i) { return 2 * i; }));
}

__global__ void ticket_lock_without_fences(int* next, volatile int* served, int* order) {
  const int ticket = atomicAdd(next, 1);
  while (*served != ticket) {
  }
  order[0] += 1 + ticket;  // race: ticket_lock_without_fences
  *served = ticket + 1;
}
CASE(ticket_lock_without_fences, race) {
  Device<int> next(1, 0), served(1, 0), order(1, 0);
  ticket_lock_without_fences<<<kBlocks, 1>>>(next, served, order);
  return done();
}

/// A lock in shared memory, for the warps of one block.
__global__ void lock_in_shared_memory(int* out) {
  __shared__ int lock, sum;
  if (threadIdx.x == 0) lock = sum = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS_block(&lock, 0, 1) != 0) {
    }
    __threadfence_block();
    sum += 1 + threadIdx.x / 32;
    __threadfence_block();
    atomicExch_block(&lock, 0);
  }
  __syncthreads();
  out[threadIdx.x] = sum;
}
CASE(lock_in_shared_memory, clean) {
  Device<int> out(128);
  lock_in_shared_memory<<<1, 128>>>(out);
  return done(out.are([](int) { return 10; }));
}

/// The owner ends without releasing it.
__global__ void lock_that_is_never_free(int* lock, int* sum) {
  while (atomicCAS(lock, 0, 1) != 0) {  // sync: lock_that_is_never_free
  }
  atomicAdd(sum, 1);
}
CASE(lock_that_is_never_free, sync_hang) {
  Device<int> lock(1, 0), sum(1, 0);
  lock_that_is_never_free<<<kBlocks, 1>>>(lock, sum);
  return done();
}

/// Each of two warps holds a lock and waits for the other's.
__global__ void locks_in_opposite_order(int* lock) {
  const int warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) atomicExch(lock + warp, 1);
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicExch(lock + 1 - warp, 1) != 0) {  // sync: locks_in_opposite_order
    }
    atomicExch(lock, 0);
    atomicExch(lock + 1, 0);
  }
}
CASE(locks_in_opposite_order, sync_hang) {
  Device<int> lock(2, 0);
  locks_in_opposite_order<<<1, 64>>>(lock);
  return done();
}

/// The others find it taken again and again while its owner computes without storing anything.
__global__ void lock_held_for_long(int* lock, unsigned* sum) {
  if (threadIdx.x % 32 != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  unsigned x = *sum;
#pragma unroll 1
  for (int i = 0; i < 30000; ++i) x = x * 1664525 + (x >> 7);
  *sum += 1 + (x == 12345);
  __threadfence();
  atomicExch(lock, 0);
}
CASE(lock_held_for_long, clean) {
  Device<int> lock(1, 0);
  Device<unsigned> sum(1, 0);
  lock_held_for_long<<<2, 96>>>(lock, sum);
  return done(sum.are([](int) { return 6; }));
}

}  // namespace
