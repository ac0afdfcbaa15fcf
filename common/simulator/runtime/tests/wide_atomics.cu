// Atomics on 16 bytes: the builtins of nvcc, atomicExch and atomicCAS of a structure, in global and shared memory. Many
// threads compete, so a pair that is torn, lost or written twice changes the totals. (The cuda::atomic of CUDA 13.0 for
// 16 bytes cannot be compiled.)
#include "check.h"

namespace {

struct alignas(16) Pair {
  unsigned long long count, sum;
};

constexpr unsigned kBlocks = 8, kThreads = 96, kAll = kBlocks * kThreads;
constexpr unsigned long long kSum = kAll * (kAll - 1ull) / 2;

__device__ unsigned number() { return blockIdx.x * blockDim.x + threadIdx.x; }

/// Each thread counts itself and adds its number, in one step.
__global__ void swap_builtin(Pair* pair, unsigned* rounds) {
  Pair seen{0, 0}, wanted;
  do {
    wanted = {seen.count + 1, seen.sum + number()};
    atomicAdd(rounds, 1);
  } while (!__nv_atomic_compare_exchange(pair, &seen, &wanted, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED,
                                         __NV_THREAD_SCOPE_DEVICE));
}

__global__ void swap_function(Pair* pair) {
  Pair seen{0, 0}, found;
  for (;; seen = found) {
    found = atomicCAS(pair, seen, Pair{seen.count + 1, seen.sum + number()});
    if (found.count == seen.count && found.sum == seen.sum) return;
  }
}

/// Each thread leaves its own pair and takes what was there: every pair is taken once, but the one that remains.
__global__ void exchange_builtin(Pair* pair, unsigned long long* taken) {
  Pair mine{1, number()}, old;
  __nv_atomic_exchange(pair, &mine, &old, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM);
  atomicAdd(&taken[0], old.count);
  atomicAdd(&taken[1], old.sum);
}

__global__ void exchange_function(Pair* pair, unsigned long long* taken) {
  const Pair old = atomicExch(pair, Pair{1, number()});
  atomicAdd(&taken[0], old.count);
  atomicAdd(&taken[1], old.sum);
}

__global__ void in_shared(Pair* out) {
  __shared__ Pair pair;
  if (threadIdx.x == 0) pair = {0, 0};
  __syncthreads();
  Pair seen{0, 0}, found;
  for (;; seen = found) {
    found = atomicCAS_block(&pair, seen, Pair{seen.count + 1, seen.sum + threadIdx.x});
    if (found.count == seen.count && found.sum == seen.sum) break;
  }
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = atomicExch_block(&pair, Pair{0, 0});
}

/// What threads took, and what remains.
void check_exchange(void (*kernel)(Pair*, unsigned long long*)) {
  Pair* pair = nullptr;
  unsigned long long* taken = nullptr;
  SUCCEEDS(cudaMallocManaged(&pair, sizeof *pair));
  SUCCEEDS(cudaMallocManaged(&taken, 2 * sizeof *taken));
  *pair = {0, 0};
  taken[0] = taken[1] = 0;
  kernel<<<kBlocks, kThreads>>>(pair, taken);
  SUCCEEDS(cudaDeviceSynchronize());
  CHECK(pair->count == 1);
  CHECK(taken[0] == kAll - 1);
  CHECK(taken[1] + pair->sum == kSum);
  SUCCEEDS(cudaFree(pair));
  SUCCEEDS(cudaFree(taken));
}

}  // namespace

int main() {
  Pair* pairs = nullptr;
  unsigned* rounds = nullptr;
  SUCCEEDS(cudaMallocManaged(&pairs, (2 + kBlocks) * sizeof *pairs));
  SUCCEEDS(cudaMallocManaged(&rounds, sizeof *rounds));
  for (unsigned i = 0; i < 2; ++i) pairs[i] = {0, 0};
  *rounds = 0;
  swap_builtin<<<kBlocks, kThreads>>>(&pairs[0], rounds);
  swap_function<<<kBlocks, kThreads>>>(&pairs[1]);
  in_shared<<<kBlocks, kThreads>>>(&pairs[2]);
  SUCCEEDS(cudaDeviceSynchronize());
  for (unsigned i = 0; i < 2; ++i) {
    CHECK(pairs[i].count == kAll);
    CHECK(pairs[i].sum == kSum);
  }
  for (unsigned i = 2; i < 2 + kBlocks; ++i) {
    CHECK(pairs[i].count == kThreads);
    CHECK(pairs[i].sum == kThreads * (kThreads - 1) / 2);
  }
  CHECK(*rounds > kAll);  // Lanes of a warp compete, so some had to try again.
  check_exchange(exchange_builtin);
  check_exchange(exchange_function);
  SUCCEEDS(cudaFree(pairs));
  SUCCEEDS(cudaFree(rounds));
  return report();
}
