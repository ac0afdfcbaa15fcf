// Lab memory_hierarchy: how long a load takes, by the level that serves it.
// This is the only file you edit. What each function must do is in memory_hierarchy.h, what to do first in README.md.
#include "common/cuda/check.cuh"
#include "common/cuda/event_timer.cuh"
#include "memory_hierarchy.h"

constexpr int kThreads = 256;  // Threads in a block of make_chain().

// ---- Part 1: what fits where ----------------------------------------------------------------------------------------

int predict_bytes_per_thread(int cache_bytes, int multiprocessors) {
  // BEGIN SOLUTION
  // TODO(student): answer with one line in place of the next one.
  // SKELETON: warpbook::not_started();
  return cache_bytes / (multiprocessors * 2048);
  // END SOLUTION
}

int predict_cached_bytes(int loads, int bytes_apart) {
  // BEGIN SOLUTION
  // TODO(student): far apart, each load takes a line of its own; close together, several share one. (3 lines)
  // SKELETON: warpbook::not_started();
  constexpr int kLine = 128;
  if (bytes_apart >= kLine) return loads * kLine;
  return (loads * bytes_apart + kLine - 1) / kLine * kLine;
  // END SOLUTION
}

int predict_level(int bytes, int l1_bytes, int l2_bytes) {
  // BEGIN SOLUTION
  // TODO(student): the first level that has room for all of the bytes. (1 line)
  // SKELETON: warpbook::not_started();
  return bytes <= l1_bytes ? 1 : bytes <= l2_bytes ? 2 : 3;
  // END SOLUTION
}

int choose_nodes(int level, int l1_bytes, int l2_bytes) {
  // BEGIN SOLUTION
  // TODO(student): choose the bytes for each level, and count nodes. (2 lines)
  // SKELETON: warpbook::not_started();
  const int bytes = level == 1 ? l1_bytes / 4 : level == 2 ? 4 * l1_bytes : 2 * l2_bytes;
  return bytes / static_cast<int>(sizeof(Node));
  // END SOLUTION
}

/// An attribute of device 0.
[[maybe_unused]] static int attribute(cudaDeviceAttr which) {
  int value = 0;
  WB_CHECK(cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

int ask_device(MemoryFact fact) {
  // BEGIN SOLUTION
  // TODO(student): README.md has the names of the attributes. The peak rate follows from the memory's clock, in kHz,
  // and the width of its bus, in bits. (6 lines)
  // SKELETON: warpbook::not_started();
  if (fact == kL2Bytes) return attribute(cudaDevAttrL2CacheSize);
  if (fact == kSharedBytesPerMultiprocessor) return attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  if (fact == kSharedBytesPerBlock) return attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  if (fact == kConstantBytes) return attribute(cudaDevAttrTotalConstantMemory);
  const double bytes_per_clock = 2.0 * attribute(cudaDevAttrGlobalMemoryBusWidth) / 8;
  return static_cast<int>(bytes_per_clock * attribute(cudaDevAttrMemoryClockRate) / 1000);
  // END SOLUTION
}

// ---- Part 2: a chain ------------------------------------------------------------------------------------------------

__global__ void make_chain_kernel(const int* order, int n, Node* nodes) {
  // BEGIN SOLUTION
  // TODO(student): thread k links one node. (2 lines)
  const int k = blockIdx.x * kThreads + threadIdx.x;
  if (k < n) nodes[order[k]].next = order[(k + 1) % n];
  // END SOLUTION
}

void make_chain(const int* order, int n, Node* nodes) {
  // BEGIN SOLUTION
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
  make_chain_kernel<<<(n + kThreads - 1) / kThreads, kThreads>>>(order, n, nodes);
  WB_CHECK(cudaGetLastError());
}

// ---- Part 3: a walk, and how long it takes --------------------------------------------------------------------------

__global__ void walk_kernel(const Node* nodes, int start, int steps, int* end) {
  // BEGIN SOLUTION
  // TODO(student): each step needs what the last one loaded. What makes the compiler keep the loads? (3 lines)
  int at = start;
  for (int step = 0; step < steps; ++step) at = nodes[at].next;
  *end = at;
  // END SOLUTION
}

void walk(const Node* nodes, int start, int steps, int* end) {
  // BEGIN SOLUTION
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
  walk_kernel<<<1, 1>>>(nodes, start, steps, end);
  WB_CHECK(cudaGetLastError());
}

double measure_ns(const Node* nodes, int start, int skipped, int counted, int* end) {
  // BEGIN SOLUTION
  // TODO(student): walk once without a timer; then measure two walks with warpbook::EventTimer, whose stop() returns
  // microseconds. (9 lines)
  // SKELETON: warpbook::not_started();
  const auto microseconds = [&](int steps) {
    warpbook::EventTimer timer;
    timer.start();
    walk(nodes, start, steps, end);
    return static_cast<double>(timer.stop());
  };
  walk(nodes, start, skipped, end);
  const double before = microseconds(skipped);
  return 1000 * (microseconds(skipped + counted) - before) / counted;
  // END SOLUTION
}

// ---- Part 4: constant memory ----------------------------------------------------------------------------------------

__constant__ int constant_links[512];

__global__ void walk_constant_kernel(int start, int steps, int* end) {
  // BEGIN SOLUTION
  // TODO(student): as walk_kernel, in constant_links. (3 lines)
  int at = start;
  for (int step = 0; step < steps; ++step) at = constant_links[at];
  *end = at;
  // END SOLUTION
}

void walk_constant(const int* next, int n, int start, int steps, int* end) {
  // BEGIN SOLUTION
  // TODO(student): cudaMemcpyToSymbolAsync() copies to constant_links; `next` is on the device. (1 line)
  // SKELETON: warpbook::not_started();
  WB_CHECK(cudaMemcpyToSymbolAsync(constant_links, next, n * sizeof(int), 0, cudaMemcpyDeviceToDevice));
  // END SOLUTION
  walk_constant_kernel<<<1, 1>>>(start, steps, end);
  WB_CHECK(cudaGetLastError());
}

// ---- Part 5: streams ------------------------------------------------------------------------------------------------

__global__ void read_rounds_kernel(const uint4* in, int n, int rounds, unsigned* sums) {
  // BEGIN SOLUTION
  // TODO(student): two loops, then one atomicAdd() of each warp: __reduce_add_sync() adds its lanes. (6 lines)
  unsigned sum = 0;
  for (int round = 0; round < rounds; ++round)
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
      const uint4 words = in[i];
      sum += words.x + words.y + words.z + words.w;
    }
  const unsigned of_warp = __reduce_add_sync(0xffffffff, sum);
  if (threadIdx.x % 32 == 0) atomicAdd(&sums[blockIdx.x], of_warp);
  // END SOLUTION
}

void read_rounds(const unsigned* in, int n, int rounds, unsigned* sums, int blocks) {
  // BEGIN SOLUTION
  // TODO(student): how many threads in a block have enough bytes in flight? (1 line)
  // SKELETON: warpbook::not_started();
  read_rounds_kernel<<<blocks, 1024>>>(reinterpret_cast<const uint4*>(in), n, rounds, sums);
  // END SOLUTION
  WB_CHECK(cudaGetLastError());
}

// ---- Part 6: many walks ---------------------------------------------------------------------------------------------

constexpr int kWalkers = 1024;  // Threads in a block of walk_many().

__global__ void walk_many_kernel(const int* next, int n, const int* start, int* end, int count, int steps) {
  // BEGIN SOLUTION
  // TODO(student): choose where the links lie while the block walks. (9 lines)
  __shared__ int links[8192];
  for (int i = threadIdx.x; i < n; i += kWalkers) links[i] = next[i];
  __syncthreads();
  const int walker = blockIdx.x * kWalkers + threadIdx.x;
  if (walker >= count) return;
  int at = start[walker];
  for (int step = 0; step < steps; ++step) at = links[at];
  end[walker] = at;
  // END SOLUTION
}

void walk_many(const int* next, int n, const int* start, int* end, int count, int steps) {
  // BEGIN SOLUTION
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
  if (count > 0) walk_many_kernel<<<(count + kWalkers - 1) / kWalkers, kWalkers>>>(next, n, start, end, count, steps);
  WB_CHECK(cudaGetLastError());
}
