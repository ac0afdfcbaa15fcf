// libcu++: barriers with completion, latches, semaphores, pipelines and memcpy_async in their forms.
#include <cooperative_groups.h>

#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>

#include "sample.h"

namespace cg = cooperative_groups;
#pragma nv_diag_suppress static_var_with_dynamic_init

namespace {

using Barrier = cuda::barrier<cuda::thread_scope_block>;

/// What the last thread to arrive does before the others continue.
struct Doubler {
  int* value;
  __device__ void operator()() const { *value *= 2; }
};

/// Every phase doubles the sum once, in the completion function of a barrier.
__global__ void phases(int* out) {
  __shared__ cuda::std::aligned_storage_t<sizeof(cuda::barrier<cuda::thread_scope_block, Doubler>),
                                          alignof(cuda::barrier<cuda::thread_scope_block, Doubler>)>
      place;
  __shared__ int value;
  auto& barrier = reinterpret_cast<cuda::barrier<cuda::thread_scope_block, Doubler>&>(place);
  if (threadIdx.x == 0) {
    value = 1;
    init(&barrier, blockDim.x, Doubler{&value});
  }
  __syncthreads();
  for (int phase = 0; phase < 10; ++phase) {
    if (phase == static_cast<int>(threadIdx.x % 10)) atomicAdd(&value, 1);
    barrier.arrive_and_wait();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = value;
}

/// Producers arrive and continue; consumers wait; some threads leave with arrive_and_drop.
__global__ void produce_and_consume(int* out) {
  __shared__ Barrier full, empty, last;
  __shared__ int buffer[32];
  if (threadIdx.x == 0) {
    init(&full, 64);
    init(&empty, 64);
    init(&last, 64);
  }
  __syncthreads();
  int sum = 0;
  for (int round = 0; round < 8; ++round) {
    if (threadIdx.x < 32) {
      empty.arrive_and_wait();
      buffer[threadIdx.x] = round * 100 + threadIdx.x;
      (void)full.arrive();
    } else {
      (void)empty.arrive();
      full.arrive_and_wait();
      sum += buffer[threadIdx.x - 32];
    }
  }
  if (threadIdx.x >= 32) out[threadIdx.x - 32] = sum;
  if (threadIdx.x % 2 == 0) {
    last.arrive_and_drop();
  } else {
    last.arrive_and_wait();
    last.arrive_and_wait();
    last.wait_parity(true);
  }
}

/// Blocks wait until all have counted down a latch in global memory.
__global__ void start_together(cuda::latch<cuda::thread_scope_device>* latch, int* counter, int* out) {
  __shared__ int seen;
  if (threadIdx.x == 0) {
    atomicAdd(counter, 1);
    __threadfence();
    latch->arrive_and_wait();
    seen = *static_cast<volatile int*>(counter);
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = seen;
}

struct Room {
  cuda::counting_semaphore<cuda::thread_scope_device, 3> places;
  cuda::binary_semaphore<cuda::thread_scope_device> door;
  int inside, most, visits;
};

__global__ void open_room(Room* room) { new (room) Room{3, 1, 0, 0, 0}; }

/// At most three blocks are in the critical section at a time.
__global__ void visit(Room* room) {
  room->places.acquire();
  const int inside = atomicAdd(&room->inside, 1) + 1;
  atomicMax(&room->most, inside);
  room->door.acquire();
  room->visits = room->visits + 1;
  room->door.release();
  atomicSub(&room->inside, 1);
  room->places.release();
}

/// Tiles are loaded through a block pipeline in three stages; a barrier waits for the last one.
__global__ void sum_by_pipeline(const int* in, int* out, int tiles) {
  constexpr int kStages = 3, kTile = 256;
  __shared__ alignas(16) int buffer[kStages][kTile];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  const auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int ahead = 0, tile = 0; tile < tiles; ++tile) {
    for (; ahead < tiles && ahead < tile + kStages; ++ahead) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, buffer[ahead % kStages], in + ahead * kTile,
                         cuda::aligned_size_t<16>(sizeof(int) * kTile), pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    sum += buffer[tile % kStages][block.num_threads() - 1 - threadIdx.x] * (tile + 1);
    pipeline.consumer_release();
  }
  out[threadIdx.x] = sum;
}

/// The same for a single thread, and with a barrier.
__global__ void sum_alone(const int* in, int* out, int tiles) {
  __shared__ int mine[2][64], all[64];
  __shared__ Barrier barrier;
  const auto block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&barrier, 64);
  block.sync();
  cuda::memcpy_async(block, all, in, sizeof all, barrier);
  auto pipeline = cuda::make_pipeline();
  int sum = 0;
  for (int tile = 0; tile <= tiles; ++tile) {
    if (tile < tiles) {
      pipeline.producer_acquire();
      cuda::memcpy_async(&mine[tile % 2][threadIdx.x], in + tile * 64 + threadIdx.x, sizeof(int), pipeline);
      pipeline.producer_commit();
    }
    if (tile > 0) {
      cuda::pipeline_consumer_wait_prior<0>(pipeline);
      if (tile < tiles) pipeline.consumer_wait();
      sum += mine[(tile - 1) % 2][threadIdx.x] * tile;
      pipeline.consumer_release();
    }
  }
  barrier.arrive_and_wait();
  out[threadIdx.x] = sum + all[63 - threadIdx.x];
}

}  // namespace

int main() {
  sample::Device<int> out(256);
  phases<<<2, 50>>>(out);
  FINISH();
  int value = 1;
  for (int phase = 0; phase < 10; ++phase) value = (value + 5) * 2;
  sample::compare("completion of a barrier", out.get()[1], value);

  produce_and_consume<<<1, 64>>>(out);
  FINISH();
  std::vector<int> got = out.get(), wanted(32);
  got.resize(32);
  for (int i = 0; i < 32; ++i) wanted[i] = 2800 + 8 * i;
  sample::compare("producers and consumers", got, wanted);

  cuda::latch<cuda::thread_scope_device>* latch = nullptr;
  CUDA(cudaMalloc(&latch, sizeof *latch));
  const cuda::latch<cuda::thread_scope_device> eight(8);
  CUDA(cudaMemcpy(latch, &eight, sizeof eight, cudaMemcpyHostToDevice));
  sample::Device<int> counter(1);
  start_together<<<8, 32>>>(latch, counter, out);
  FINISH();
  sample::compare("latch", out.get(), std::vector<int>(256, 8));
  CUDA(cudaFree(latch));

  sample::Device<char> place(sizeof(Room));
  Room* const room = reinterpret_cast<Room*>(place.data());
  open_room<<<1, 1>>>(room);
  visit<<<40, 1>>>(room);
  FINISH();
  const std::vector<char> bytes = place.get();
  const Room& left = reinterpret_cast<const Room&>(*bytes.data());
  sample::compare("visits", left.visits, 40);
  sample::holds("at most three inside", left.most >= 1 && left.most <= 3 && left.inside == 0);

  constexpr int kTiles = 9;
  std::vector<int> host(256 * kTiles), sums(256), alone(64);
  for (int i = 0; i < 256 * kTiles; ++i) host[i] = i * 7 % 1000;
  for (int i = 0; i < 256; ++i)
    for (int tile = 0; tile < kTiles; ++tile) sums[i] += host[tile * 256 + 255 - i] * (tile + 1);
  for (int i = 0; i < 64; ++i) {
    alone[i] = host[63 - i];
    for (int tile = 0; tile < kTiles; ++tile) alone[i] += host[tile * 64 + i] * (tile + 1);
  }
  sample::Device<int> input(host);
  sum_by_pipeline<<<1, 256>>>(input, out, kTiles);
  FINISH();
  sample::compare("pipeline of a block", out.get(), sums);
  sum_alone<<<1, 64>>>(input, out, kTiles);
  FINISH();
  got = out.get();
  got.resize(64);
  sample::compare("pipeline of a thread", got, alone);
  return sample::passed();
}
