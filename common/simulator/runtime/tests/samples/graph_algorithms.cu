// Graphs: all-pairs shortest paths in tiles (Floyd-Warshall), breadth-first search with frontiers, connected
// components.
#include <numeric>

#include "sample.h"

namespace {

constexpr int kFar = 1 << 28, kTile = 16;

/// Iteration @p k of tiled Floyd-Warshall: first the tile on the diagonal, then its row and column, then the rest.
template <int Phase>
__global__ void relax(int* ways, int count, int k) {
  __shared__ int left[kTile][kTile], up[kTile][kTile];
  int row = blockIdx.y, column = blockIdx.x;
  if (Phase == 0) row = column = k;
  if (Phase == 1) blockIdx.y == 0 ? row = k : (row = blockIdx.x, column = k);
  const int x = threadIdx.x, y = threadIdx.y, i = row * kTile + y, j = column * kTile + x;
  left[y][x] = ways[i * count + k * kTile + x];
  up[y][x] = ways[(k * kTile + y) * count + j];
  int own = ways[i * count + j];
  __syncthreads();
  for (int m = 0; m < kTile; ++m) {
    own = min(own, left[y][m] + up[m][x]);
    if (Phase < 2) {
      __syncthreads();
      if (column == k) left[y][x] = own;
      if (row == k) up[y][x] = own;
      __syncthreads();
    }
  }
  ways[i * count + j] = own;
}

__global__ void next_frontier(const int* first, const int* to, int* depths, const int* frontier, int size, int* next,
                              int* next_size, int depth) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= size) return;
  for (int e = first[frontier[t]]; e < first[frontier[t] + 1]; ++e)
    if (atomicCAS(&depths[to[e]], -1, depth) == -1) next[atomicAdd(next_size, 1)] = to[e];
}

/// Every node takes the smallest label of its neighbours, and labels of labels, until none changes.
__global__ void join(const int* first, const int* to, int* labels, int count, int* changed) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= count) return;
  int least = labels[node];
  for (int e = first[node]; e < first[node + 1]; ++e) least = min(least, __ldcg(&labels[to[e]]));
  if (least < labels[node]) {
    atomicMin(&labels[labels[node]], least);
    atomicMin(&labels[node], least);
    *changed = 1;
  }
}

}  // namespace

int main() {
  sample::Numbers numbers(13);
  constexpr int kNodes = 64;
  std::vector<int> ways(kNodes * kNodes, kFar);
  for (int i = 0; i < kNodes; ++i) {
    ways[i * kNodes + i] = 0;
    for (int e = 0; e < 4; ++e) ways[i * kNodes + numbers.below(kNodes)] = 1 + numbers.below(100);
    ways[i * kNodes + i] = 0;
  }
  sample::Device<int> device_ways(ways);
  for (int k = 0; k < kNodes / kTile; ++k) {
    relax<0><<<1, dim3(kTile, kTile)>>>(device_ways, kNodes, k);
    relax<1><<<dim3(kNodes / kTile, 2), dim3(kTile, kTile)>>>(device_ways, kNodes, k);
    relax<2><<<dim3(kNodes / kTile, kNodes / kTile), dim3(kTile, kTile)>>>(device_ways, kNodes, k);
  }
  FINISH();
  for (int k = 0; k < kNodes; ++k)
    for (int i = 0; i < kNodes; ++i)
      for (int j = 0; j < kNodes; ++j)
        ways[i * kNodes + j] = std::min(ways[i * kNodes + j], ways[i * kNodes + k] + ways[k * kNodes + j]);
  sample::compare("shortest ways", device_ways.get(), ways);

  // An undirected graph in compressed sparse rows.
  constexpr int kCount = 3000;
  std::vector<std::vector<int>> neighbours(kCount);
  for (int e = 0; e < 2600; ++e) {
    const int a = numbers.below(kCount), b = numbers.below(kCount);
    neighbours[a].push_back(b), neighbours[b].push_back(a);
  }
  std::vector<int> first(1), to, depths(kCount, -1), labels(kCount, -1);
  for (const auto& each : neighbours) {
    to.insert(to.end(), each.begin(), each.end());
    first.push_back(static_cast<int>(to.size()));
  }
  const auto search = [&](int start, std::vector<int>& marks, bool counts) {
    std::vector<int> queue{start};
    marks[start] = counts ? 0 : start;
    for (std::size_t q = 0; q < queue.size(); ++q)
      for (const int n : neighbours[queue[q]])
        if (marks[n] == -1) marks[n] = counts ? marks[queue[q]] + 1 : start, queue.push_back(n);
  };
  search(0, depths, true);
  for (int i = 0; i < kCount; ++i)
    if (labels[i] == -1) search(i, labels, false);

  sample::Device<int> device_first(first), device_to(to), a(kCount), b(kCount), size(1),
      device_depths(std::vector<int>(kCount, -1));
  CUDA(cudaMemset(device_depths, 0, sizeof(int)));
  int *frontier = a, *next = b;
  for (int depth = 1, count = 1; count != 0; ++depth, std::swap(frontier, next)) {
    CUDA(cudaMemset(size, 0, sizeof(int)));
    next_frontier<<<(count + 127) / 128, 128>>>(device_first, device_to, device_depths, frontier, count, next, size,
                                                depth);
    CUDA(cudaMemcpy(&count, size, sizeof count, cudaMemcpyDeviceToHost));
  }
  sample::compare("breadth first", device_depths.get(), depths);

  std::vector<int> own(kCount);
  std::iota(own.begin(), own.end(), 0);
  a.put(own);
  for (int changed = 1; changed != 0;) {
    CUDA(cudaMemset(size, 0, sizeof(int)));
    join<<<(kCount + 255) / 256, 256>>>(device_first, device_to, a, kCount, size);
    CUDA(cudaMemcpy(&changed, size, sizeof changed, cudaMemcpyDeviceToHost));
  }
  sample::compare("connected components", a.get(), labels);
  return sample::passed();
}
