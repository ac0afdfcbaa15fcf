// Other ways to do the same: links of 16 bits, walks unrolled by four, events kept for all measurements.
#include <algorithm>

#include "common/cuda/check.cuh"
#include "memory_hierarchy.h"

namespace {

__constant__ int ring[512];

__global__ void link(const int* order, int n, Node* nodes) {
  for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x)
    nodes[order[k == 0 ? n - 1 : k - 1]].next = order[k];
}

__global__ void go(const Node* nodes, int start, int steps, int* end) {
  const Node* at = nodes + start;
#pragma unroll 4
  while (steps-- > 0) at = nodes + at->next;
  *end = static_cast<int>(at - nodes);
}

__global__ void go_round(int start, int steps, int* end) {
  while (steps-- > 0) start = ring[start];
  if (threadIdx.x == 0) *end = start;
}

__global__ void read(const uint4* in, int n, int rounds, unsigned* sums) {
  unsigned sum = 0;
  for (int k = 0; k < rounds; ++k)
#pragma unroll 4
    for (int i = threadIdx.x; i < n; i += 512) sum += in[i].x + in[i].y + in[i].z + in[i].w;
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffff, sum, lanes);
  if (threadIdx.x % 32 == 0) atomicAdd(&sums[blockIdx.x], sum);
}

__global__ void go_many(const int* next, int n, const int* start, int* end, int count, int steps) {
  extern __shared__ unsigned short links[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) links[i] = static_cast<unsigned short>(next[i]);
  __syncthreads();
  for (int walker = blockIdx.x * blockDim.x + threadIdx.x; walker < count; walker += gridDim.x * blockDim.x) {
    int at = start[walker];
    for (int step = 0; step < steps; ++step) at = links[at];
    end[walker] = at;
  }
}

}  // namespace

int predict_bytes_per_thread(int cache_bytes, int multiprocessors) { return cache_bytes / 2048 / multiprocessors; }

int predict_cached_bytes(int loads, int bytes_apart) {
  return 128 * (1 + (loads - 1) / std::max(1, 128 / std::min(bytes_apart, 128)));
}

int predict_level(int bytes, int l1_bytes, int l2_bytes) { return 1 + (bytes > l1_bytes) + (bytes > l2_bytes); }

int choose_nodes(int level, int l1_bytes, int l2_bytes) {
  const int bytes[] = {l1_bytes / 2, l2_bytes / 2, 2 * l2_bytes};
  return bytes[level - 1] >> 5;
}

int ask_device(MemoryFact fact) {
  cudaDeviceProp device;
  WB_CHECK(cudaGetDeviceProperties(&device, 0));
  int kilohertz = 0;
  WB_CHECK(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrMemoryClockRate, 0));
  if (fact == kL2Bytes) return device.l2CacheSize;
  if (fact == kSharedBytesPerMultiprocessor) return static_cast<int>(device.sharedMemPerMultiprocessor);
  if (fact == kSharedBytesPerBlock) return static_cast<int>(device.sharedMemPerBlockOptin);
  if (fact == kConstantBytes) return static_cast<int>(device.totalConstMem);
  return static_cast<int>(device.memoryBusWidth / 4LL * kilohertz / 1000);
}

void make_chain(const int* order, int n, Node* nodes) {
  link<<<std::min(264, (n + 511) / 512), 512>>>(order, n, nodes);
}

void walk(const Node* nodes, int start, int steps, int* end) { go<<<1, 1>>>(nodes, start, steps, end); }

double measure_ns(const Node* nodes, int start, int skipped, int counted, int* end) {
  cudaEvent_t events[3];
  for (cudaEvent_t& event : events) WB_CHECK(cudaEventCreate(&event));
  walk(nodes, start, skipped, end);
  WB_CHECK(cudaEventRecord(events[0]));
  walk(nodes, start, skipped, end);
  WB_CHECK(cudaEventRecord(events[1]));
  walk(nodes, start, skipped + counted, end);
  WB_CHECK(cudaEventRecord(events[2]));
  WB_CHECK(cudaEventSynchronize(events[2]));
  float skipping = 0, all = 0;
  WB_CHECK(cudaEventElapsedTime(&skipping, events[0], events[1]));
  WB_CHECK(cudaEventElapsedTime(&all, events[1], events[2]));
  for (const cudaEvent_t event : events) WB_CHECK(cudaEventDestroy(event));
  return 1e6 * (static_cast<double>(all) - skipping) / counted;
}

void walk_constant(const int* next, int n, int start, int steps, int* end) {
  void* links = nullptr;
  WB_CHECK(cudaGetSymbolAddress(&links, ring));
  WB_CHECK(cudaMemcpyAsync(links, next, 4 * n, cudaMemcpyDeviceToDevice));
  go_round<<<1, 32>>>(start, steps, end);
}

void read_rounds(const unsigned* in, int n, int rounds, unsigned* sums, int blocks) {
  read<<<blocks, 512>>>(reinterpret_cast<const uint4*>(in), n, rounds, sums);
}

void walk_many(const int* next, int n, const int* start, int* end, int count, int steps) {
  if (count > 0)
    go_many<<<std::min(264, (count + 1023) / 1024), 1024, n * sizeof(unsigned short)>>>(next, n, start, end, count,
                                                                                        steps);
}
