// CUB's block and warp algorithms: load, store, sort, scan, reduce, exchange, histogram, discontinuity.
#include <algorithm>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <numeric>

#include "sample.h"

namespace {

constexpr int kThreads = 128, kItems = 4, kTile = kThreads * kItems;

/// Sorts a tile, and marks where a new value begins.
__global__ void sort_tile(const int* in, int* sorted, int* heads) {
  using Load = cub::BlockLoad<int, kThreads, kItems, cub::BLOCK_LOAD_TRANSPOSE>;
  using Sort = cub::BlockRadixSort<int, kThreads, kItems>;
  using Heads = cub::BlockDiscontinuity<int, kThreads>;
  using Store = cub::BlockStore<int, kThreads, kItems, cub::BLOCK_STORE_WARP_TRANSPOSE>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Sort::TempStorage sort;
    typename Heads::TempStorage heads;
    typename Store::TempStorage store;
  } shared;
  const int offset = blockIdx.x * kTile;
  int items[kItems], flags[kItems];
  Load(shared.load).Load(in + offset, items);
  __syncthreads();
  Sort(shared.sort).Sort(items);
  __syncthreads();
  Heads(shared.heads).FlagHeads(flags, items, cuda::std::not_equal_to<int>());
  __syncthreads();
  Store(shared.store).Store(sorted + offset, items);
  __syncthreads();
  Store(shared.store).Store(heads + offset, flags);
}

/// Sums, running sums and a histogram of a tile.
__global__ void sum_tile(const int* in, int* running, int* totals, unsigned* bins) {
  using Scan = cub::BlockScan<int, kThreads, cub::BLOCK_SCAN_WARP_SCANS>;
  using Reduce = cub::BlockReduce<int, kThreads, cub::BLOCK_REDUCE_RAKING>;
  using Exchange = cub::BlockExchange<int, kThreads, kItems>;
  using Histogram = cub::BlockHistogram<unsigned char, kThreads, kItems, 16>;
  __shared__ typename Scan::TempStorage scan;
  __shared__ typename Reduce::TempStorage reduce;
  __shared__ typename Exchange::TempStorage exchange;
  __shared__ typename Histogram::TempStorage histogram;
  __shared__ unsigned counts[16];
  const int offset = blockIdx.x * kTile;
  int items[kItems], sums[kItems];
  unsigned char digits[kItems];
  cub::LoadDirectStriped<kThreads>(threadIdx.x, in + offset, items);
  Exchange(exchange).StripedToBlocked(items);
  for (int i = 0; i < kItems; ++i) digits[i] = items[i] & 15;
  int total = 0;
  Scan(scan).ExclusiveSum(items, sums, total);
  cub::StoreDirectBlocked(threadIdx.x, running + offset, sums);
  const int again = Reduce(reduce).Sum(items);
  Histogram(histogram).Histogram(digits, counts);
  __syncthreads();
  if (threadIdx.x == 0) totals[blockIdx.x] = total == again ? total : -1;
  if (threadIdx.x < 16) bins[blockIdx.x * 16 + threadIdx.x] = counts[threadIdx.x];
}

/// Half warps: the maximum, running sums, and sorted pairs of items.
__global__ void of_warps(const int* in, int* greatest, int* running, int* sorted) {
  using Reduce = cub::WarpReduce<int, 16>;
  using Scan = cub::WarpScan<int, 16>;
  using Sort = cub::WarpMergeSort<int, 2, 16>;
  __shared__ typename Reduce::TempStorage reduce[4];
  __shared__ typename Scan::TempStorage scan[4];
  __shared__ typename Sort::TempStorage sort[4];
  const int half = threadIdx.x / 16, value = in[threadIdx.x];
  const int most = Reduce(reduce[half]).Reduce(value, cuda::maximum<>{});
  if (threadIdx.x % 16 == 0) greatest[half] = most;
  int sum = 0;
  Scan(scan[half]).InclusiveSum(value, sum);
  running[threadIdx.x] = sum;
  int items[2] = {in[2 * threadIdx.x], in[2 * threadIdx.x + 1]};
  Sort(sort[half]).Sort(items, [](int a, int b) { return a < b; });
  sorted[2 * threadIdx.x] = items[0];
  sorted[2 * threadIdx.x + 1] = items[1];
}

}  // namespace

int main() {
  constexpr int kBlocks = 3, kCount = kBlocks * kTile;
  sample::Numbers numbers(21);
  std::vector<int> host(kCount), sorted, heads(kCount), running(kCount), totals(kBlocks);
  for (int& value : host) value = numbers.below(600) - 300;
  std::vector<unsigned> bins(kBlocks * 16);
  sorted = host;
  for (int block = 0; block < kBlocks; ++block) {
    const int from = block * kTile;
    std::sort(sorted.begin() + from, sorted.begin() + from + kTile);
    std::exclusive_scan(host.begin() + from, host.begin() + from + kTile, running.begin() + from, 0);
    for (int i = from; i < from + kTile; ++i) {
      heads[i] = i == from || sorted[i] != sorted[i - 1];
      totals[block] += host[i];
      ++bins[block * 16 + (host[i] & 15)];
    }
  }
  sample::Device<int> input(host), a(kCount), b(kCount), c(kBlocks);
  sample::Device<unsigned> d(kBlocks * 16);
  sort_tile<<<kBlocks, kThreads>>>(input, a, b);
  FINISH();
  sample::compare("BlockRadixSort", a.get(), sorted);
  sample::compare("BlockDiscontinuity", b.get(), heads);
  sum_tile<<<kBlocks, kThreads>>>(input, a, c, d);
  FINISH();
  sample::compare("BlockScan", a.get(), running);
  sample::compare("BlockReduce", c.get(), totals);
  sample::compare("BlockHistogram", d.get(), bins);

  sample::Device<int> greatest(4), sums(64), pairs(128);
  of_warps<<<1, 64>>>(input, greatest, sums, pairs);
  FINISH();
  std::vector<int> most(4, -1000), half_sums(64), half_sorted(host.begin(), host.begin() + 128);
  for (int i = 0; i < 64; ++i) {
    most[i / 16] = std::max(most[i / 16], host[i]);
    half_sums[i] = host[i] + (i % 16 == 0 ? 0 : half_sums[i - 1]);
  }
  for (int half = 0; half < 4; ++half) std::sort(half_sorted.begin() + half * 32, half_sorted.begin() + half * 32 + 32);
  sample::compare("WarpReduce", greatest.get(), most);
  sample::compare("WarpScan", sums.get(), half_sums);
  sample::compare("WarpMergeSort", pairs.get(), half_sorted);
  return sample::passed();
}
