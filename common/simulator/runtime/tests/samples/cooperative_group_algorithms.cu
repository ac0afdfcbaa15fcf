// Cooperative groups beyond one tile: asynchronous copies and reductions, updating scans, clusters, large tiles.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cuda/atomic>

#include "sample.h"

namespace cg = cooperative_groups;

namespace {

/// Block copies: of elements with a remainder, waiting for all or for the previous stage.
__global__ void copy_and_sum(const int* in, int* out, int count) {
  __shared__ alignas(16) int stage[2][160];
  const auto block = cg::this_thread_block();
  const int stages = (count + 159) / 160;
  const auto fetch = [&](int s) {
    const int from = s * 160, left = count - from < 160 ? count - from : 160;
    cg::memcpy_async(block, stage[s % 2], 160, in + from, left);
  };
  fetch(0);
  int sum = 0;
  for (int s = 0; s < stages; ++s) {
    if (s + 1 < stages) {
      fetch(s + 1);
      cg::wait_prior<1>(block);
    } else {
      cg::wait(block);
    }
    for (int i = block.thread_rank(); i < 160 && s * 160 + i < count; i += block.num_threads())
      sum += stage[s % 2][i] * (s + 1);
    block.sync();
  }
  out[block.thread_rank()] = sum;
}

/// Every tile adds its sum to an atomic, and allocates a piece of a buffer with an updating scan.
__global__ void reserve(const int* wanted, int* counter, int* places, int* total) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  const int own = wanted[block.group_index().x * block.num_threads() + block.thread_rank()];
  cuda::atomic_ref<int, cuda::thread_scope_device> sum(*total), taken(*counter);
  cg::reduce_update_async(tile, sum, own, cg::plus<int>());
  const int place = cg::exclusive_scan_update(tile, taken, own, cg::plus<int>());
  places[block.group_index().x * block.num_threads() + block.thread_rank()] = place;
}

/// Blocks of a cluster add up values from each other's shared memory.
__global__ void __cluster_dims__(4, 1, 1) exchange(int* out) {
  __shared__ int part[64];
  const cg::cluster_group cluster = cg::this_cluster();
  const auto block = cg::this_thread_block();
  part[block.thread_rank()] = cluster.block_rank() * 1000 + block.thread_rank();
  auto token = cluster.barrier_arrive();
  int sum = cluster.num_blocks() * 100000 + cluster.thread_rank();
  cluster.barrier_wait(std::move(token));
  for (unsigned i = 0; i < cluster.num_blocks(); ++i)
    sum += *cluster.map_shared_rank(&part[63 - block.thread_rank()], i) * (i + 1);
  sum += cluster.query_shared_rank(cluster.map_shared_rank(part, 3)) * 10;
  cluster.sync();
  out[cg::this_grid().thread_rank()] = sum;
}

struct Pair {
  float value;
  int place;
};

/// The maximum of each tile of 128 threads, of 64 or of 256, with its index: a user-defined type and operation.
template <unsigned Size>
__global__ void where_greatest(const float* in, int* out) {
  __shared__ cg::block_tile_memory<512> memory;
  const auto block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<Size>(block);
  const Pair own{in[block.thread_rank()], static_cast<int>(block.thread_rank())};
  const Pair best = cg::reduce(
      tile, own, [](Pair a, Pair b) { return a.value > b.value || (a.value == b.value && a.place < b.place) ? a : b; });
  out[block.thread_rank()] = best.place;
  cg::invoke_one(tile, [&] { out[block.thread_rank()] += 1000; });
}

/// Lanes with equal keys add up their values, and one of them stores the sum.
__global__ void sum_by_key(const int* keys, const int* values, int* sums) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto equal = cg::labeled_partition(tile, keys[i]);
  const int sum = cg::reduce(equal, values[i], cg::plus<int>());
  if (equal.thread_rank() == 0) atomicAdd(&sums[keys[i]], sum);
}

}  // namespace

int main() {
  sample::Numbers numbers(8);
  constexpr int kCount = 1000;
  std::vector<int> host(kCount), sums(96);
  for (int& value : host) value = numbers.below(1000);
  for (int i = 0; i < kCount; ++i) sums[i % 160 % 96] += host[i] * (i / 160 + 1);
  sample::Device<int> input(host), out(1024), counter(1), total(1);
  copy_and_sum<<<1, 96>>>(input, out, kCount);
  FINISH();
  std::vector<int> got = out.get();
  got.resize(96);
  sample::compare("memcpy_async", got, sums);

  reserve<<<5, 64>>>(input, counter, out, total);
  FINISH();
  int all = 0;
  for (int i = 0; i < 320; ++i) all += host[i];
  sample::compare("reduce_update_async", total.get()[0], all);
  sample::compare("taken", counter.get()[0], all);
  std::vector<int> owner(all, -1);
  got = out.get();
  bool apart = true;
  for (int i = 0; i < 320; ++i) {
    for (int k = 0; k < host[i]; ++k) {
      apart = apart && owner[got[i] + k] == -1;
      owner[got[i] + k] = i;
    }
  }
  sample::holds("pieces lie apart", apart);

  exchange<<<8, 64>>>(out);
  FINISH();
  std::vector<int> exchanged(512);
  for (int i = 0; i < 512; ++i) {
    exchanged[i] = 400000 + i % 256 + 30;
    for (int block = 0; block < 4; ++block) exchanged[i] += (block * 1000 + 63 - i % 64) * (block + 1);
  }
  got = out.get();
  got.resize(512);
  sample::compare("clusters", got, exchanged);

  std::vector<float> heights(512);
  for (float& height : heights) height = numbers.below(300);
  sample::Device<float> floats(heights);
  const auto check = [&](const char* name, int size) {
    std::vector<int> best(512);
    for (int from = 0; from < 512; from += size) {
      int place = from;
      for (int i = from; i < from + size; ++i) place = heights[i] > heights[place] ? i : place;
      for (int i = from; i < from + size; ++i) best[i] = place + (i == from ? 1000 : 0);
    }
    std::vector<int> answer = out.get();
    answer.resize(512);
    sample::compare(name, answer, best);
  };
  where_greatest<64><<<1, 512>>>(floats, out);
  FINISH();
  check("tiles of 64", 64);
  where_greatest<128><<<1, 512>>>(floats, out);
  FINISH();
  check("tiles of 128", 128);
  where_greatest<256><<<1, 512>>>(floats, out);
  FINISH();
  check("tiles of 256", 256);

  std::vector<int> keys(960), by_key(11);
  for (int i = 0; i < 960; ++i) by_key[keys[i] = numbers.below(11)] += host[i];
  sample::Device<int> labels(keys), key_sums(11);
  sum_by_key<<<10, 96>>>(labels, input, key_sums);
  FINISH();
  sample::compare("labeled_partition", key_sums.get(), by_key);
  return sample::passed();
}
