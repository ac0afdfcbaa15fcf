// The step that all ways of lab launch_overhead repeat, complete.
#pragma once

constexpr int kThreads = 256;  // Threads of a block of step.

// Blocks of kThreads threads that have one thread for each of `count` cells.
inline int blocks_for(int count) { return (count + kThreads - 1) / kThreads; }

// The next value of cell i of the ring, which depends on its two neighbours: cell 0 is beside the last one.
__device__ inline unsigned next_cell(const unsigned* from, int i, int count) {
  const unsigned left = from[i == 0 ? count - 1 : i - 1], right = from[i + 1 == count ? 0 : i + 1];
  return (left ^ __funnelshift_l(from[i], from[i], 7)) + right;
}

// One step of all cells, a thread for each.
__global__ void step(const unsigned* from, unsigned* to, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < count) to[i] = next_cell(from, i, count);
}
