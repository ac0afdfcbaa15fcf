// Lab launch_overhead: one small step many times, in five ways.
// This is the only file you edit. What each function must do is in launch_overhead.h, what to do first in README.md.
#ifndef _CG_LIMIT_INCLUDED_DEPENDENCIES
#define _CG_LIMIT_INCLUDED_DEPENDENCIES  // Without parts that this file does not need, it compiles twice as fast.
#endif
#include <cooperative_groups.h>

#include <algorithm>
#include <utility>

#include "common/cuda/check.cuh"
#include "launch_overhead.h"
#include "step.cuh"  // The step: a kernel, and a function for kernels of your own.

// ---- Part 1: predictions --------------------------------------------------------------------------------------------

int predict_loop_ns(int steps, int call_ns, int kernel_ns) {
  // BEGIN SOLUTION
  // TODO(student): draw two rows, the host's calls and the kernels. (2 lines) Delete the next line.
  // SKELETON: warpbook::not_started();
  if (steps == 0) return 0;
  return call_ns + (steps - 1) * std::max(call_ns, kernel_ns) + kernel_ns;
  // END SOLUTION
}

int predict_replays(int make_us, int loop_us, int graph_us) {
  // BEGIN SOLUTION
  // TODO(student): what does each launch of the graph save? (2 lines) Delete the next line.
  // SKELETON: warpbook::not_started();
  if (graph_us >= loop_us) return 0;
  return make_us / (loop_us - graph_us) + 1;
  // END SOLUTION
}

// ---- Part 2: a loop of the host -------------------------------------------------------------------------------------

void by_host(unsigned* a, unsigned* b, int count, int steps) {
  // BEGIN SOLUTION
  // TODO(student): launch step<<<blocks_for(count), kThreads>>> for each step. (4 lines) Delete the next line.
  // SKELETON: warpbook::not_started();
  for (int s = 0; s < steps; ++s) {
    step<<<blocks_for(count), kThreads>>>(a, b, count);
    std::swap(a, b);
  }
  WB_CHECK(cudaGetLastError());
  // END SOLUTION
}

// ---- Part 3: a loop inside the kernel -------------------------------------------------------------------------------

constexpr int kThreadsOfBlock = 1024;  // Threads of the one block.

__global__ void block_kernel(unsigned* a, unsigned* b, int count, int steps) {
  // BEGIN SOLUTION
  // TODO(student): in each step, a thread computes next_cell() of every kThreadsOfBlock-th cell. Who waits, and when?
  // Exchange the pointers after each step. (5 to 8 lines)
  for (int s = 0; s < steps; ++s) {
    for (int i = threadIdx.x; i < count; i += kThreadsOfBlock) b[i] = next_cell(a, i, count);
    __syncthreads();
    unsigned* const other = a;
    a = b;
    b = other;
  }
  // END SOLUTION
}

void by_block(unsigned* a, unsigned* b, int count, int steps) {
  // BEGIN SOLUTION
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
  block_kernel<<<1, kThreadsOfBlock>>>(a, b, count, steps);
  WB_CHECK(cudaGetLastError());
}

// ---- Part 4: launches by kernels ------------------------------------------------------------------------------------

__global__ void parent_kernel(unsigned* a, unsigned* b, int count, int steps) {
  // BEGIN SOLUTION
  // TODO(student): one thread runs here. It does what the host does in part 2: the same launch, into the stream in
  // which each grid waits for the one before it. (4 to 6 lines)
  for (int s = 0; s < steps; ++s) {
    step<<<(count + kThreads - 1) / kThreads, kThreads>>>(a, b, count);
    unsigned* const other = a;
    a = b;
    b = other;
  }
  // END SOLUTION
}

void by_kernels(unsigned* a, unsigned* b, int count, int steps) {
  // BEGIN SOLUTION
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
  parent_kernel<<<1, 1>>>(a, b, count, steps);
  WB_CHECK(cudaGetLastError());
}

// ---- Part 5: a graph ------------------------------------------------------------------------------------------------

// The steps as a graph that cannot be launched yet. The caller destroys it.
cudaGraph_t capture(unsigned* a, unsigned* b, int count, int steps) {
  // BEGIN SOLUTION
  // TODO(student): make a stream; begin to capture it (cudaStreamCaptureModeGlobal), launch as in part 2, but into this
  // stream, end the capture; destroy the stream; return the graph. (10 lines)
  cudaStream_t stream = nullptr;
  WB_CHECK(cudaStreamCreate(&stream));
  WB_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int s = 0; s < steps; ++s) {
    step<<<blocks_for(count), kThreads, 0, stream>>>(a, b, count);
    std::swap(a, b);
  }
  cudaGraph_t graph = nullptr;
  WB_CHECK(cudaStreamEndCapture(stream, &graph));
  WB_CHECK(cudaStreamDestroy(stream));
  return graph;
  // SKELETON: return nullptr;  // TODO(student): delete this line, too.
  // END SOLUTION
}

cudaGraphExec_t record(unsigned* a, unsigned* b, int count, int steps) {
  // BEGIN SOLUTION
  // TODO(student): capture the steps, instantiate the graph, destroy it: the copy that can be launched stays. (5 lines)
  // Delete the next line.
  // SKELETON: warpbook::not_started();
  const cudaGraph_t graph = capture(a, b, count, steps);
  cudaGraphExec_t ready = nullptr;
  WB_CHECK(cudaGraphInstantiate(&ready, graph, 0));
  WB_CHECK(cudaGraphDestroy(graph));
  return ready;
  // END SOLUTION
}

void replay(cudaGraphExec_t graph, int times) {
  // BEGIN SOLUTION
  // TODO(student): launch the graph into the default stream, which is nullptr. (1 or 2 lines) Delete the next line.
  // SKELETON: warpbook::not_started();
  for (int i = 0; i < times; ++i) WB_CHECK(cudaGraphLaunch(graph, nullptr));
  // END SOLUTION
}

void redirect(cudaGraphExec_t graph, unsigned* a, unsigned* b, int count, int steps) {
  // BEGIN SOLUTION
  // TODO(student): capture the new steps, and let cudaGraphExecUpdate() bring what is new into `graph`. (4 lines)
  // Delete the next line.
  // SKELETON: warpbook::not_started();
  const cudaGraph_t changed = capture(a, b, count, steps);
  cudaGraphExecUpdateResultInfo info{};
  WB_CHECK(cudaGraphExecUpdate(graph, changed, &info));
  WB_CHECK(cudaGraphDestroy(changed));
  // END SOLUTION
}

// ---- Part 6: a grid that waits --------------------------------------------------------------------------------------

__global__ void grid_kernel(unsigned* a, unsigned* b, int count, int steps) {
  // BEGIN SOLUTION
  // TODO(student): as block_kernel, but by all threads of the grid, which are this_grid().num_threads(). All of the
  // grid waits between two steps. (7 to 10 lines)
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  for (int s = 0; s < steps; ++s) {
    for (int i = grid.thread_rank(); i < count; i += grid.num_threads()) b[i] = next_cell(a, i, count);
    if (s + 1 < steps) grid.sync();
    unsigned* const other = a;
    a = b;
    b = other;
  }
  // END SOLUTION
}

void by_grid(unsigned* a, unsigned* b, int count, int steps) {
  // BEGIN SOLUTION
  // TODO(student): launch as many blocks of kThreads threads as there are cells for, but no more than fit on the device
  // at a time, by cudaLaunchCooperativeKernel(). (7 lines) Delete the next line.
  // SKELETON: warpbook::not_started();
  int blocks = 0, multiprocessors = 0;
  WB_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, grid_kernel, kThreads, 0));
  WB_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  blocks = std::min(blocks * multiprocessors, blocks_for(count));
  void* arguments[] = {&a, &b, &count, &steps};
  void* const kernel = reinterpret_cast<void*>(grid_kernel);
  WB_CHECK(cudaLaunchCooperativeKernel(kernel, blocks, kThreads, arguments, 0, nullptr));
  // END SOLUTION
}

// ---- Part 7: the fastest way ----------------------------------------------------------------------------------------

void advance(unsigned* a, unsigned* b, int count, int steps) {
  // BEGIN SOLUTION
  // TODO(student): choose. Where is the limit, and does it depend on the number of steps, too? (4 lines)
  // Delete the next line.
  // SKELETON: warpbook::not_started();
  if (count <= 4096) return by_block(a, b, count, steps);
  by_grid(a, b, count, steps);
  // END SOLUTION
}
