// Validation cases: pipelines of asynchronous copies in one to eight stages, which wait at mbarriers or for groups.
// `--cases causes`; no test runs them.
#include <cooperative_groups.h>

#include <cuda/barrier>
#include <cuda/pipeline>

#include "common/simulator/model/validation/cases.cuh"

#pragma nv_diag_suppress static_var_with_dynamic_init  // A state in shared memory is made by make_pipeline().

namespace {

constexpr int kBatch = 512, kThreads = 128;

template <int kSteps>
__device__ void reverse(int* out, const int* batch) {
  for (int i = threadIdx.x; i < kBatch; i += kThreads) {
    int x = batch[kBatch - 1 - i];
#pragma unroll 1
    for (int k = 0; k < kSteps; ++k) x = 5 * x + 1;
    out[i] = x;
  }
}
template <int kSteps>
__global__ void loads_and_stores(const int* in, int* out, int batches) {
  __shared__ __align__(16) int buffer[kBatch];
  for (int batch = batches * blockIdx.x; batch < batches * (blockIdx.x + 1); ++batch) {
    for (int i = threadIdx.x; i < kBatch; i += kThreads) buffer[i] = in[kBatch * batch + i];
    __syncthreads();
    reverse<kSteps>(out + kBatch * batch, buffer);
    __syncthreads();
  }
}
/// Mbarriers count the copies and those who have read them.
template <int kStages, int kSteps, bool kCopies = true>
__global__ void pipeline_of_block(const int* in, int* out, int batches) {
  __shared__ __align__(16) int buffers[kStages][kBatch];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  const auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const int first = batches * blockIdx.x, last = first + batches;
  for (int batch = first, next = first; batch < last; ++batch) {
    for (; next < last && next < batch + kStages; ++next) {
      pipe.producer_acquire();
      if (kCopies)
        cuda::memcpy_async(block, buffers[next % kStages], in + kBatch * next, cuda::aligned_size_t<16>(4 * kBatch),
                           pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    reverse<kSteps>(out + kBatch * batch, buffers[batch % kStages]);
    pipe.consumer_release();
  }
}
/// Groups of copies, and barriers of the block.
template <int kStages, int kSteps>
__global__ void pipeline_of_thread(const int* in, int* out, int batches) {
  __shared__ __align__(16) int buffers[kStages][kBatch];
  auto pipe = cuda::make_pipeline();
  const int first = batches * blockIdx.x, last = first + batches, i = 4 * threadIdx.x;
  for (int batch = first, next = first; batch < last; ++batch) {
    for (; next < last && next < batch + kStages; ++next) {
      pipe.producer_acquire();
      cuda::memcpy_async(buffers[next % kStages] + i, in + kBatch * next + i, cuda::aligned_size_t<16>(16), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    __syncthreads();
    reverse<kSteps>(out + kBatch * batch, buffers[batch % kStages]);
    __syncthreads();
    pipe.consumer_release();
  }
}
__global__ void rounds_at_mbarrier(int* out, int rounds) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  for (int i = 0; i < rounds; ++i) barrier.arrive_and_wait();
  out[blockIdx.x * blockDim.x + threadIdx.x] = rounds;
}

/// @param steps of work on each number
template <int kSteps>
void add_ladder(Cases& cases) {
  const auto in = reinterpret_cast<const int*>(cases.a);
  const auto out = reinterpret_cast<int*>(cases.b);
  const auto add = [&](const char* way, void (*kernel)(const int*, int*, int), int stages, int blocks, int batches) {
    cases.add("pipelines",
              std::string(way) + "_" + std::to_string(stages) + "_" + std::to_string(kSteps) + "_" +
                  std::to_string(blocks) + "_" + std::to_string(batches),
              stages, kernel, blocks, kThreads, 0, in, out, batches);
  };
  for (const auto& [blocks, batches] : {std::pair{132, 64}, {132, 256}, {264, 64}}) {
    add("plain", loads_and_stores<kSteps>, 0, blocks, batches);
    add("block", pipeline_of_block<1, kSteps>, 1, blocks, batches);
    add("block", pipeline_of_block<2, kSteps>, 2, blocks, batches);
    add("block", pipeline_of_block<4, kSteps>, 4, blocks, batches);
    add("block", pipeline_of_block<8, kSteps>, 8, blocks, batches);
    add("no_copies", pipeline_of_block<1, kSteps, false>, 1, blocks, batches);
    add("thread", pipeline_of_thread<1, kSteps>, 1, blocks, batches);
    add("thread", pipeline_of_thread<2, kSteps>, 2, blocks, batches);
    add("thread", pipeline_of_thread<4, kSteps>, 4, blocks, batches);
    add("thread", pipeline_of_thread<8, kSteps>, 8, blocks, batches);
  }
}

}  // namespace

void add_pipelines(Cases& cases) {
  add_ladder<0>(cases);
  add_ladder<4>(cases);
  add_ladder<16>(cases);
  for (const int threads : {32, 128, 1024})
    for (const int rounds : {64, 512})
      cases.add("pipelines", "rounds_" + std::to_string(threads) + "_" + std::to_string(rounds), rounds,
                rounds_at_mbarrier, 132, threads, 0, reinterpret_cast<int*>(cases.b), rounds);
}
