// A one-pass scan: each block waits for the sum of the blocks before it, by flags, fences and packed words.
#include <cuda/atomic>

#include "case.h"

namespace {

constexpr int kBlocks = 6;
using Flag = cuda::atomic_ref<int, cuda::thread_scope_device>;
using FlagOfBlock = cuda::atomic_ref<int, cuda::thread_scope_block>;
using Packed = cuda::atomic_ref<unsigned long long, cuda::thread_scope_device>;

int sum_to(int i) { return i * (i + 1) / 2; }

__device__ void wait_for(volatile int* flag) {
  while (*flag == 0) {
  }
}

__global__ void flags_with_both_fences(const int* in, int* sums, volatile int* flags) {
  const int block = blockIdx.x;
  int before = 0;
  if (block > 0) {
    wait_for(&flags[block - 1]);
    __threadfence();
    before = sums[block - 1];
  }
  sums[block] = before + in[block];
  __threadfence();
  flags[block] = 1;
}
CASE(flags_with_both_fences, clean) {
  Device<int> in(numbers(kBlocks)), sums(kBlocks, 0), flags(kBlocks, 0);
  flags_with_both_fences<<<kBlocks, 1>>>(in, sums, flags);
  return done(sums.are(sum_to));
}

__global__ void flags_without_the_writers_fence(const int* in, int* sums, volatile int* flags) {
  const int block = blockIdx.x;
  int before = 0;
  if (block > 0) {
    wait_for(&flags[block - 1]);
    __threadfence();
    before = sums[block - 1];  // race: flags_without_the_writers_fence
  }
  sums[block] = before + in[block];  // race: flags_without_the_writers_fence
  flags[block] = 1;
}
CASE(flags_without_the_writers_fence, race) {
  Device<int> in(numbers(kBlocks)), sums(kBlocks, 0), flags(kBlocks, 0);
  flags_without_the_writers_fence<<<kBlocks, 1>>>(in, sums, flags);
  return done();
}

__global__ void flags_without_the_readers_fence(const int* in, int* sums, volatile int* flags) {
  const int block = blockIdx.x;
  int before = 0;
  if (block > 0) {
    wait_for(&flags[block - 1]);
    before = sums[block - 1];  // race: flags_without_the_readers_fence
  }
  sums[block] = before + in[block];  // race: flags_without_the_readers_fence
  __threadfence();
  flags[block] = 1;
}
CASE(flags_without_the_readers_fence, race) {
  Device<int> in(numbers(kBlocks)), sums(kBlocks, 0), flags(kBlocks, 0);
  flags_without_the_readers_fence<<<kBlocks, 1>>>(in, sums, flags);
  return done();
}

/// The fence precedes the store that it should order.
__global__ void flag_before_the_sum(const int* in, int* sums, volatile int* flags) {
  const int block = blockIdx.x;
  int before = 0;
  if (block > 0) {
    wait_for(&flags[block - 1]);
    __threadfence();
    before = sums[block - 1];  // race: flag_before_the_sum
  }
  __threadfence();
  flags[block] = 1;
  sums[block] = before + in[block];  // race: flag_before_the_sum
}
CASE(flag_before_the_sum, race) {
  Device<int> in(numbers(kBlocks)), sums(kBlocks, 0), flags(kBlocks, 0);
  flag_before_the_sum<<<kBlocks, 1>>>(in, sums, flags);
  return done();
}

__global__ void release_and_acquire(const int* in, int* sums, int* flags) {
  const int block = blockIdx.x;
  int before = 0;
  if (block > 0) {
    while (Flag(flags[block - 1]).load(cuda::memory_order_acquire) == 0) {
    }
    before = sums[block - 1];
  }
  sums[block] = before + in[block];
  Flag(flags[block]).store(1, cuda::memory_order_release);
}
CASE(release_and_acquire, clean) {
  Device<int> in(numbers(kBlocks)), sums(kBlocks, 0), flags(kBlocks, 0);
  release_and_acquire<<<kBlocks, 1>>>(in, sums, flags);
  return done(sums.are(sum_to));
}

__global__ void release_and_relaxed_load(const int* in, int* sums, int* flags) {
  const int block = blockIdx.x;
  int before = 0;
  if (block > 0) {
    while (Flag(flags[block - 1]).load(cuda::memory_order_relaxed) == 0) {
    }
    before = sums[block - 1];  // race: release_and_relaxed_load
  }
  sums[block] = before + in[block];  // race: release_and_relaxed_load
  Flag(flags[block]).store(1, cuda::memory_order_release);
}
CASE(release_and_relaxed_load, race) {
  Device<int> in(numbers(kBlocks)), sums(kBlocks, 0), flags(kBlocks, 0);
  release_and_relaxed_load<<<kBlocks, 1>>>(in, sums, flags);
  return done();
}

__global__ void relaxed_store_and_acquire(const int* in, int* sums, int* flags) {
  const int block = blockIdx.x;
  int before = 0;
  if (block > 0) {
    while (Flag(flags[block - 1]).load(cuda::memory_order_acquire) == 0) {
    }
    before = sums[block - 1];  // race: relaxed_store_and_acquire
  }
  sums[block] = before + in[block];  // race: relaxed_store_and_acquire
  Flag(flags[block]).store(1, cuda::memory_order_relaxed);
}
CASE(relaxed_store_and_acquire, race) {
  Device<int> in(numbers(kBlocks)), sums(kBlocks, 0), flags(kBlocks, 0);
  relaxed_store_and_acquire<<<kBlocks, 1>>>(in, sums, flags);
  return done();
}

/// Relaxed accesses to the flag with fences next to them work as well.
__global__ void relaxed_flags_with_fences(const int* in, int* sums, int* flags) {
  const int block = blockIdx.x;
  int before = 0;
  if (block > 0) {
    while (Flag(flags[block - 1]).load(cuda::memory_order_relaxed) == 0) {
    }
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    before = sums[block - 1];
  }
  sums[block] = before + in[block];
  cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
  Flag(flags[block]).store(1, cuda::memory_order_relaxed);
}
CASE(relaxed_flags_with_fences, clean) {
  Device<int> in(numbers(kBlocks)), sums(kBlocks, 0), flags(kBlocks, 0);
  relaxed_flags_with_fences<<<kBlocks, 1>>>(in, sums, flags);
  return done(sums.are(sum_to));
}

/// The scope does not include the other block: the flag itself races (the sums are volatile, which does not matter).
__global__ void flags_of_block_scope(const int* in, volatile int* sums, int* flags) {
  const int block = blockIdx.x;
  int before = 0;
  if (block > 0) {
    for (int tries = 0; tries < 200; ++tries)
      if (FlagOfBlock(flags[block - 1]).load(cuda::memory_order_acquire)) break;  // race: flags_of_block_scope
    before = sums[block - 1];
  }
  sums[block] = before + in[block];
  FlagOfBlock(flags[block]).store(1, cuda::memory_order_release);  // race: flags_of_block_scope
}
CASE(flags_of_block_scope, race) {
  Device<int> in(numbers(kBlocks)), sums(kBlocks, 0), flags(kBlocks, 0);
  flags_of_block_scope<<<kBlocks, 1>>>(in, sums, flags);
  return done();
}

/// Flag and sum are in one word: nothing else is read, so nothing else needs an order.
__global__ void packed_words(const int* in, unsigned long long* words, int* out) {
  const int block = blockIdx.x;
  unsigned long long before = 0;
  if (block > 0) {
    do {
      before = Packed(words[block - 1]).load(cuda::memory_order_relaxed);
    } while (before >> 32 == 0);
  }
  const unsigned sum = static_cast<unsigned>(before) + in[block];
  Packed(words[block]).store(1ull << 32 | sum, cuda::memory_order_relaxed);
  out[block] = static_cast<int>(sum);
}
CASE(packed_words, clean) {
  Device<int> in(numbers(kBlocks)), out(kBlocks);
  Device<unsigned long long> words(kBlocks, 0ull);
  packed_words<<<kBlocks, 1>>>(in, words, out);
  return done(out.are(sum_to));
}

/// One word, but neither its store nor its load is atomic or volatile.
__global__ void packed_words_without_atomics(const int* in, unsigned long long* words, int* out) {
  const int block = blockIdx.x;
  unsigned long long before = 0;
  for (int tries = 0; block > 0 && tries < 200 && before == 0; ++tries) {
    before = words[block - 1];  // race: packed_words_without_atomics
    asm volatile("" ::: "memory");
  }
  words[block] = 1ull << 32 | (static_cast<unsigned>(before) + in[block]);  // race: packed_words_without_atomics
  out[block] = static_cast<int>(before);
}
CASE(packed_words_without_atomics, race) {
  Device<int> in(numbers(kBlocks)), out(kBlocks);
  Device<unsigned long long> words(kBlocks, 0ull);
  packed_words_without_atomics<<<kBlocks, 1>>>(in, words, out);
  return done();
}

/// The 32 lanes poll as many earlier blocks at once; state 1 is a block's own sum, 2 that of all blocks up to it.
__global__ void look_back_by_a_warp(const int* in, unsigned long long* words, int* out) {
  const int block = blockIdx.x, lane = threadIdx.x;
  if (lane == 0) Packed(words[block]).store((block ? 1ull : 2ull) << 32 | in[block], cuda::memory_order_relaxed);
  int before = 0;
  for (int last = block - 1; last >= 0; last -= 32) {
    unsigned long long word = 2ull << 32;
    if (last - lane >= 0) do {
        word = Packed(words[last - lane]).load(cuda::memory_order_relaxed);
      } while (word >> 32 == 0);
    const unsigned complete = __ballot_sync(0xffffffff, word >> 32 == 2);
    const int first = complete ? __ffs(complete) - 1 : 31;
    before += __reduce_add_sync(0xffffffff, lane <= first ? static_cast<int>(word) : 0);
    if (complete) break;
  }
  if (lane == 0) {
    Packed(words[block]).store(2ull << 32 | (before + in[block]), cuda::memory_order_relaxed);
    out[block] = before + in[block];
  }
}
CASE(look_back_by_a_warp, clean) {
  Device<int> in(numbers(40)), out(40);
  Device<unsigned long long> words(40, 0ull);
  look_back_by_a_warp<<<40, 32>>>(in, words, out);
  return done(out.are(sum_to));
}

/// Blocks are numbered as they start; all threads of a block read its number.
__global__ void numbers_behind_a_barrier(int* next, int* taken) {
  __shared__ int number;
  if (threadIdx.x == 0) number = atomicAdd(next, 1);
  __syncthreads();
  taken[number * 64 + threadIdx.x] = 1;
}
CASE(numbers_behind_a_barrier, clean) {
  Device<int> next(1, 0), taken(kBlocks * 64, 0);
  numbers_behind_a_barrier<<<kBlocks, 64>>>(next, taken);
  return done(taken.are([](int) { return 1; }));
}

__global__ void numbers_without_barrier(int* next, int* taken) {
  __shared__ int number;
  if (threadIdx.x == 32) number = atomicAdd(next, 1);  // race: numbers_without_barrier
  taken[blockIdx.x * 64 + threadIdx.x] = number;       // race: numbers_without_barrier
}
CASE(numbers_without_barrier, race) {
  Device<int> next(1, 0), taken(kBlocks * 64, 0);
  numbers_without_barrier<<<kBlocks, 64>>>(next, taken);
  return done();
}

}  // namespace
