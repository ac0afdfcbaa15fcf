// Asynchronous copies to shared memory (cp.async): what a wait covers, and what a barrier must add.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include "case.h"

namespace {

namespace cg = cooperative_groups;
constexpr int kThreads = 64, kRounds = 4;

__global__ void own_element_behind_the_wait(const int* in, int* out) {
  __shared__ int tile[kThreads];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[threadIdx.x];
}
CASE(own_element_behind_the_wait, clean) {
  Device<int> in(numbers(kThreads)), out(kThreads);
  own_element_behind_the_wait<<<1, kThreads>>>(in, out);
  return done(out.are([](int i) { return i; }));
}

/// No thread waits for the copy, not even the one that started it.
__global__ void own_element_without_wait(const int* in, int* out) {
  __shared__ int tile[kThreads];
  tile[threadIdx.x] = 0;
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int));  // race: own_element_without_wait
  __pipeline_commit();
  out[threadIdx.x] = *static_cast<volatile int*>(&tile[threadIdx.x]);  // race: own_element_without_wait
  __pipeline_wait_prior(0);
}
CASE(own_element_without_wait, race) {
  Device<int> in(numbers(kThreads)), out(kThreads);
  own_element_without_wait<<<1, kThreads>>>(in, out);
  return done();
}

/// Each thread waits only for its own copies.
__global__ void neighbour_without_barrier(const int* in, int* out) {
  __shared__ int tile[kThreads];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int));  // race: neighbour_without_barrier
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];  // race: neighbour_without_barrier
}
CASE(neighbour_without_barrier, race) {
  Device<int> in(numbers(kThreads)), out(kThreads);
  neighbour_without_barrier<<<1, kThreads>>>(in, out);
  return done();
}

/// A barrier does not wait for copies.
__global__ void barrier_without_wait(const int* in, int* out) {
  __shared__ int tile[kThreads];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int));  // race: barrier_without_wait
  __pipeline_commit();
  __syncthreads();
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];  // race: barrier_without_wait
  __pipeline_wait_prior(0);
}
CASE(barrier_without_wait, race) {
  Device<int> in(numbers(kThreads)), out(kThreads);
  barrier_without_wait<<<1, kThreads>>>(in, out);
  return done();
}

__global__ void wait_and_barrier(const int* in, int* out) {
  __shared__ int tile[kThreads];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
}
CASE(wait_and_barrier, clean) {
  Device<int> in(numbers(kThreads)), out(kThreads);
  wait_and_barrier<<<1, kThreads>>>(in, out);
  return done(out.are([](int i) { return kThreads - 1 - i; }));
}

__device__ void fetch(int* stage, const int* in, int round) {
  if (round < kRounds) __pipeline_memcpy_async(&stage[threadIdx.x], &in[round * kThreads + threadIdx.x], sizeof(int));
  __pipeline_commit();
}

/// One stage is loaded while the other is used.
__global__ void two_stages(const int* in, int* out) {
  __shared__ int stages[2][kThreads];
  int sum = 0;
  fetch(stages[0], in, 0);
  for (int round = 0; round < kRounds; ++round) {
    fetch(stages[(round + 1) % 2], in, round + 1);
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += stages[round % 2][threadIdx.x ^ 32];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
CASE(two_stages, clean) {
  Device<int> in(numbers(kRounds * kThreads)), out(kThreads);
  two_stages<<<1, kThreads>>>(in, out);
  return done(out.are([](int i) { return 4 * (i ^ 32) + 6 * kThreads; }));
}

/// The wait leaves one group too many pending: the stage that is used may still be in flight.
__global__ void wait_for_too_little(const int* in, int* out) {
  __shared__ int first[kThreads], second[kThreads];
  __pipeline_memcpy_async(&first[threadIdx.x], &in[threadIdx.x], sizeof(int));
  __pipeline_commit();
  __pipeline_memcpy_async(&second[threadIdx.x], &in[threadIdx.x], sizeof(int));  // race: wait_for_too_little
  __pipeline_commit();
  __pipeline_wait_prior(1);
  __syncthreads();
  out[threadIdx.x] = first[threadIdx.x ^ 1];
  out[kThreads + threadIdx.x] = second[threadIdx.x ^ 1];  // race: wait_for_too_little
  __pipeline_wait_prior(0);
}
CASE(wait_for_too_little, race) {
  Device<int> in(numbers(kThreads)), out(2 * kThreads);
  wait_for_too_little<<<1, kThreads>>>(in, out);
  return done();
}

/// The stage is loaded again while other threads still read it.
__global__ void stage_fetched_too_early(const int* in, int* out) {
  __shared__ int stage[kThreads];
  int sum = 0;
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
    const int* from = &in[round * kThreads + threadIdx.x];
    __pipeline_memcpy_async(&stage[threadIdx.x], from, sizeof(int));  // race: stage_fetched_too_early
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += stage[threadIdx.x ^ 32];  // race: stage_fetched_too_early
  }
  out[threadIdx.x] = sum;
}
CASE(stage_fetched_too_early, race) {
  Device<int> in(numbers(kRounds * kThreads)), out(kThreads);
  stage_fetched_too_early<<<1, kThreads>>>(in, out);
  return done();
}

/// The copy still reads its source while the thread stores there.
__global__ void source_stored_too_early(int* in, int* out) {
  __shared__ int tile[kThreads];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int));  // race: source_stored_too_early
  __pipeline_commit();
  in[threadIdx.x] = -1;  // race: source_stored_too_early
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[threadIdx.x];
}
CASE(source_stored_too_early, race) {
  Device<int> in(numbers(kThreads)), out(kThreads);
  source_stored_too_early<<<1, kThreads>>>(in, out);
  return done();
}

/// A group copies together and waits together.
__global__ void group_copies_and_waits(const int* in, int* out) {
  __shared__ int tile[kThreads];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in, sizeof tile);
  cg::wait(block);
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
}
CASE(group_copies_and_waits, clean) {
  Device<int> in(numbers(kThreads)), out(kThreads);
  group_copies_and_waits<<<1, kThreads>>>(in, out);
  return done(out.are([](int i) { return kThreads - 1 - i; }));
}

}  // namespace
