// The values that the book gives for rows on asynchronous barriers, copies and pipelines, L31 to L37. See values.cu.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

#include <cstdio>
#include <cstring>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <utility>

#include "found.cuh"

#pragma nv_diag_suppress static_var_with_dynamic_init  // init() makes a barrier in shared memory.

namespace {

// Ten rounds of 64 threads: each adds what it and another one wrote, of which it reads its own before it waits. How
// many have 720.
// answers: L31: 64
__global__ void rounds() {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int data[64];
  const int t = threadIdx.x;
  if (t == 0) init(&barrier, 64);
  __syncthreads();
  int sum = 0;
  for (int round = 0; round < 10; ++round) {
    data[t] = t + round;
    auto token = barrier.arrive();
    sum += data[t];
    barrier.wait(std::move(token));
    sum += data[63 - t];
    barrier.arrive_and_wait();
  }
  atomicAdd(&found[0], sum == 720);
}

// A barrier that expects as many threads as come, three times; and one whose second warp leaves after it has dropped.
// With one thread more, or without the drop, the others wait forever: the virtual GPU notices.
// answers: L32: 1
// answers: L33: 1
// answers hangs_expecting: L32: cudaErrorLaunchFailure
// answers hangs_leaving: L33: cudaErrorLaunchFailure
__global__ void meet(int expected, bool drops) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, expected);
  __syncthreads();
  if (threadIdx.x >= 32) {
    if (drops) barrier.arrive_and_drop();
    return;
  }
  for (int i = 0; i < 3; ++i) barrier.arrive_and_wait();
  if (threadIdx.x == 0) found[0] = 1;
}

// answers: L34: 16383
__global__ void most_arrivals() { found[0] = static_cast<int>(__mbarrier_maximum_count()); }

// Three batches for each of two blocks of 64 threads, copied by plain loads and stores, by a group's memcpy_async(),
// and by one with a barrier: how many of 384 are right each time. All of the size is used.
// answers: L35: 384 384 384
__managed__ __align__(16) int in_batches[384];
template <int kind>
__global__ void copy_and_compute() {
  namespace cg = cooperative_groups;
  const cg::thread_block block = cg::this_thread_block();
  __shared__ __align__(16) int batch[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  const int t = threadIdx.x;
  if (t == 0) init(&barrier, 64);
  block.sync();
  for (int first = 64 * blockIdx.x; first < 384; first += 64 * gridDim.x) {
    if (kind == 0) batch[t] = in_batches[first + t], block.sync();
    if (kind == 1) cg::memcpy_async(block, batch, in_batches + first, sizeof batch), cg::wait(block);
    if (kind == 2) {
      cuda::memcpy_async(block, batch, in_batches + first, sizeof batch, barrier);
      barrier.arrive_and_wait();
    }
    atomicAdd(&found[kind], batch[63 - t] == first + 63 - t + 1);
    block.sync();
  }
}
void copy_and_compute_all() {
  for (int i = 0; i < 384; ++i) in_batches[i] = i + 1;
  copy_and_compute<0><<<2, 64>>>(), copy_and_compute<1><<<2, 64>>>(), copy_and_compute<2><<<2, 64>>>();
}

// The ladder of pipelines: batches of 512 numbers, reversed, after some work on each. By loads and stores; by a
// pipeline of the block with one, two and four stages; by one whose even threads copy while the others work; by one of
// each thread, with two stages. How many numbers of two blocks with nine batches are right each time.
// answers: L36: 9216 9216 9216 9216 9216 9216
// (An H200 takes 987, 1063, 629, 619, 1299 and 587 us for 132 blocks with 1024 batches: driver 580.159, 2026-11-27. In
// memory of cudaMalloc: 1004, 1085, 627, 612, 1329 and 582; predicted: 792, 803, 446, 446, 765 and 434: 2026-11-28.)
// Whether two stages take no longer than loads and stores; and those of a thread no longer than those of a block.
// answers times: L36: 1 1
constexpr int kBatch = 512, kSteps = 4;
__device__ void work(int* out, const int* batch, int first, int step) {
  for (int i = first; i < kBatch; i += step) {
    int x = batch[kBatch - 1 - i];
#pragma unroll 1
    for (int k = 0; k < kSteps; ++k) x = 5 * x + 1;
    out[i] = x;
  }
}
__global__ void without_pipeline(int* out, const int* in, int batches) {
  __shared__ __align__(16) int buffer[kBatch];
  for (int batch = batches * blockIdx.x; batch < batches * (blockIdx.x + 1); ++batch) {
    for (int i = threadIdx.x; i < kBatch; i += 128) buffer[i] = in[kBatch * batch + i];
    __syncthreads();
    work(out + kBatch * batch, buffer, threadIdx.x, 128);
    __syncthreads();
  }
}
template <int stages>
__global__ void of_block(int* out, const int* in, int batches) {
  __shared__ __align__(16) int buffers[stages][kBatch];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  const auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const int first = batches * blockIdx.x, last = first + batches;
  for (int batch = first, next = first; batch < last; ++batch) {
    for (; next < last && next < batch + stages; ++next) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, buffers[next % stages], in + kBatch * next, cuda::aligned_size_t<16>(4 * kBatch), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    work(out + kBatch * batch, buffers[batch % stages], threadIdx.x, 128);
    pipe.consumer_release();
  }
}
__global__ void of_roles(int* out, const int* in, int batches) {
  __shared__ __align__(16) int buffers[2][kBatch];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto role = threadIdx.x % 2 == 0 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state, role);
  const int half = threadIdx.x / 2;
  for (int batch = batches * blockIdx.x; batch < batches * (blockIdx.x + 1); ++batch) {
    int* const buffer = buffers[batch % 2];
    if (role == cuda::pipeline_role::producer) {
      pipe.producer_acquire();
      for (int i = 4 * half; i < kBatch; i += 256)
        cuda::memcpy_async(buffer + i, in + kBatch * batch + i, cuda::aligned_size_t<16>(16), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      work(out + kBatch * batch, buffer, half, 64);
      pipe.consumer_release();
    }
  }
}
__global__ void of_thread(int* out, const int* in, int batches) {
  __shared__ __align__(16) int buffers[2][kBatch];
  auto pipe = cuda::make_pipeline();
  const int first = batches * blockIdx.x, last = first + batches, i = 4 * threadIdx.x;
  for (int batch = first, next = first; batch < last; ++batch) {
    for (; next < last && next < batch + 2; ++next) {
      pipe.producer_acquire();
      cuda::memcpy_async(buffers[next % 2] + i, in + kBatch * next + i, cuda::aligned_size_t<16>(16), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    __syncthreads();
    work(out + kBatch * batch, buffers[batch % 2], threadIdx.x, 128);
    __syncthreads();
    pipe.consumer_release();
  }
}
constexpr decltype(&of_thread) kLadder[] = {without_pipeline, of_block<1>, of_block<2>,
                                            of_block<4>,      of_roles,    of_thread};
/// The microseconds of each rung, the shortest of some.
void climb(int blocks, int batches, int times, float* us) {
  const int count = kBatch * blocks * batches;
  int *in = nullptr, *out = nullptr;
  cudaMallocManaged(&in, count * sizeof(int)), cudaMallocManaged(&out, count * sizeof(int));
  cudaEvent_t begin = nullptr, end = nullptr;
  cudaEventCreate(&begin), cudaEventCreate(&end);
  for (int i = 0; i < count; ++i) in[i] = i;
  for (int rung = 0; rung < 6; ++rung) {
    for (int i = 0; i < count; ++i) out[i] = 0;
    for (int turn = 0; turn < times; ++turn) {
      float ms = 0;
      cudaEventRecord(begin), kLadder[rung]<<<blocks, 128>>>(out, in, batches), cudaEventRecord(end);
      cudaEventSynchronize(end), cudaEventElapsedTime(&ms, begin, end);
      if (turn == 0 || 1000 * ms < us[rung]) us[rung] = 1000 * ms;
    }
    for (int i = 0; i < count; ++i) {
      unsigned x = i / kBatch * kBatch + kBatch - 1 - i % kBatch;
      for (int k = 0; k < kSteps; ++k) x = 5 * x + 1;
      found[rung] += out[i] == static_cast<int>(x);
    }
  }
  cudaFree(in), cudaFree(out), cudaEventDestroy(begin), cudaEventDestroy(end);
}
void compare_times() {
  float us[6] = {};
  climb(132, 16, 2, us);
  for (const float time : us) std::printf("%.1f us\n", time);
  for (int& number : found) number = 0;
  found[0] = us[2] <= us[0], found[1] = us[5] <= us[2];
}

// The last 8 of 16 bytes are filled with zeros.
// answers: L37: 1 2 0 0
// Of two batches the first has arrived when all but one have.
// answers: L37: 1 2 3 4
__managed__ __align__(16) int source[4] = {1, 2, 3, 4};
__global__ void copy_twice() {
  __shared__ __align__(16) int first[4], second[4];
  __pipeline_memcpy_async(first, source, 16), __pipeline_commit();
  __pipeline_memcpy_async(second, source, 16), __pipeline_commit();
  __pipeline_wait_prior(1);
  for (int i = 0; i < 4; ++i) found[i] = first[i];
  __pipeline_wait_prior(0);
}
__global__ void copy_half() {
  __shared__ __align__(16) int copied[4];
  for (int& number : copied) number = 9;
  __pipeline_memcpy_async(copied, source, 16, 8);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  for (int i = 0; i < 4; ++i) found[i] = copied[i];
}

}  // namespace

int main(int arguments, char** words) {
  const auto is = [&](const char* name) { return arguments > 1 && std::strcmp(words[1], name) == 0; };
  if (is("hangs_expecting")) return meet<<<1, 32>>>(33, true), print("L32", 1), 0;
  if (is("hangs_leaving")) return meet<<<1, 64>>>(64, false), print("L33", 1), 0;
  if (is("times")) return compare_times(), print("L36", 2), 0;
  rounds<<<1, 64>>>(), print("L31", 1);
  meet<<<1, 32>>>(32, true), print("L32", 1);
  meet<<<1, 64>>>(64, true), print("L33", 1);
  most_arrivals<<<1, 1>>>(), print("L34", 1);
  float us[6] = {};
  copy_and_compute_all(), print("L35", 3);
  climb(2, 9, 1, us), print("L36", 6);
  copy_half<<<1, 1>>>(), print("L37", 4);
  copy_twice<<<1, 1>>>(), print("L37", 4);
  return 0;
}
