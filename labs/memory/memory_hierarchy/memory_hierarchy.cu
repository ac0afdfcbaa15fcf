// Lab memory_hierarchy: how long a load takes, by the level that serves it.
// This is the only file you edit. What each function must do is in memory_hierarchy.h, what to do first in README.md.
#include "common/cuda/check.cuh"
#include "common/cuda/event_timer.cuh"
#include "memory_hierarchy.h"

constexpr int kThreads = 256;  // Threads in a block of make_chain().

// ---- Part 1: what fits where ----------------------------------------------------------------------------------------

int predict_bytes_per_thread(int cache_bytes, int multiprocessors) {
  // TODO(student): answer with one line in place of the next one.
  warpbook::not_started();
}

int predict_cached_bytes(int loads, int bytes_apart) {
  // TODO(student): far apart, each load takes a line of its own; close together, several share one. (3 lines)
  warpbook::not_started();
}

int predict_level(int bytes, int l1_bytes, int l2_bytes) {
  // TODO(student): the first level that has room for all of the bytes. (1 line)
  warpbook::not_started();
}

int choose_nodes(int level, int l1_bytes, int l2_bytes) {
  // TODO(student): choose the bytes for each level, and count nodes. (2 lines)
  warpbook::not_started();
}

/// An attribute of device 0.
[[maybe_unused]] static int attribute(cudaDeviceAttr which) {
  int value = 0;
  WB_CHECK(cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

int ask_device(MemoryFact fact) {
  // TODO(student): README.md has the names of the attributes. The peak rate follows from the memory's clock, in kHz,
  // and the width of its bus, in bits. (6 lines)
  warpbook::not_started();
}

// ---- Part 2: a chain ------------------------------------------------------------------------------------------------

__global__ void make_chain_kernel(const int* order, int n, Node* nodes) {
  // TODO(student): thread k links one node. (2 lines)
}

void make_chain(const int* order, int n, Node* nodes) {
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  warpbook::not_started();
  make_chain_kernel<<<(n + kThreads - 1) / kThreads, kThreads>>>(order, n, nodes);
  WB_CHECK(cudaGetLastError());
}

// ---- Part 3: a walk, and how long it takes --------------------------------------------------------------------------

__global__ void walk_kernel(const Node* nodes, int start, int steps, int* end) {
  // TODO(student): each step needs what the last one loaded. What makes the compiler keep the loads? (3 lines)
}

void walk(const Node* nodes, int start, int steps, int* end) {
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  warpbook::not_started();
  walk_kernel<<<1, 1>>>(nodes, start, steps, end);
  WB_CHECK(cudaGetLastError());
}

double measure_ns(const Node* nodes, int start, int skipped, int counted, int* end) {
  // TODO(student): walk once without a timer; then measure two walks with warpbook::EventTimer, whose stop() returns
  // microseconds. (9 lines)
  warpbook::not_started();
}

// ---- Part 4: constant memory ----------------------------------------------------------------------------------------

__constant__ int constant_links[512];

__global__ void walk_constant_kernel(int start, int steps, int* end) {
  // TODO(student): as walk_kernel, in constant_links. (3 lines)
}

void walk_constant(const int* next, int n, int start, int steps, int* end) {
  // TODO(student): cudaMemcpyToSymbolAsync() copies to constant_links; `next` is on the device. (1 line)
  warpbook::not_started();
  walk_constant_kernel<<<1, 1>>>(start, steps, end);
  WB_CHECK(cudaGetLastError());
}

// ---- Part 5: streams ------------------------------------------------------------------------------------------------

__global__ void read_rounds_kernel(const uint4* in, int n, int rounds, unsigned* sums) {
  // TODO(student): two loops, then one atomicAdd() of each warp: __reduce_add_sync() adds its lanes. (6 lines)
}

void read_rounds(const unsigned* in, int n, int rounds, unsigned* sums, int blocks) {
  // TODO(student): how many threads in a block have enough bytes in flight? (1 line)
  warpbook::not_started();
  WB_CHECK(cudaGetLastError());
}

// ---- Part 6: many walks ---------------------------------------------------------------------------------------------

constexpr int kWalkers = 1024;  // Threads in a block of walk_many().

__global__ void walk_many_kernel(const int* next, int n, const int* start, int* end, int count, int steps) {
  // TODO(student): choose where the links lie while the block walks. (9 lines)
}

void walk_many(const int* next, int n, const int* start, int* end, int count, int steps) {
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  warpbook::not_started();
  if (count > 0) walk_many_kernel<<<(count + kWalkers - 1) / kWalkers, kWalkers>>>(next, n, start, end, count, steps);
  WB_CHECK(cudaGetLastError());
}
