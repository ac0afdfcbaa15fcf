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
  // TODO(student): draw two rows, the host's calls and the kernels. (2 lines) Delete the next line.
  warpbook::not_started();
}

int predict_replays(int make_us, int loop_us, int graph_us) {
  // TODO(student): what does each launch of the graph save? (2 lines) Delete the next line.
  warpbook::not_started();
}

// ---- Part 2: a loop of the host -------------------------------------------------------------------------------------

void by_host(unsigned* a, unsigned* b, int count, int steps) {
  // TODO(student): launch step<<<blocks_for(count), kThreads>>> for each step. (4 lines) Delete the next line.
  warpbook::not_started();
}

// ---- Part 3: a loop inside the kernel -------------------------------------------------------------------------------

constexpr int kThreadsOfBlock = 1024;  // Threads of the one block.

__global__ void block_kernel(unsigned* a, unsigned* b, int count, int steps) {
  // TODO(student): in each step, a thread computes next_cell() of every kThreadsOfBlock-th cell. Who waits, and when?
  // Exchange the pointers after each step. (5 to 8 lines)
}

void by_block(unsigned* a, unsigned* b, int count, int steps) {
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  warpbook::not_started();
  block_kernel<<<1, kThreadsOfBlock>>>(a, b, count, steps);
  WB_CHECK(cudaGetLastError());
}

// ---- Part 4: launches by kernels ------------------------------------------------------------------------------------

__global__ void parent_kernel(unsigned* a, unsigned* b, int count, int steps) {
  // TODO(student): one thread runs here. It does what the host does in part 2: the same launch, into the stream in
  // which each grid waits for the one before it. (4 to 6 lines)
}

void by_kernels(unsigned* a, unsigned* b, int count, int steps) {
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  warpbook::not_started();
  parent_kernel<<<1, 1>>>(a, b, count, steps);
  WB_CHECK(cudaGetLastError());
}

// ---- Part 5: a graph ------------------------------------------------------------------------------------------------

// The steps as a graph that cannot be launched yet. The caller destroys it.
cudaGraph_t capture(unsigned* a, unsigned* b, int count, int steps) {
  // TODO(student): make a stream; begin to capture it (cudaStreamCaptureModeGlobal), launch as in part 2, but into this
  // stream, end the capture; destroy the stream; return the graph. (10 lines)
  return nullptr;  // TODO(student): delete this line, too.
}

cudaGraphExec_t record(unsigned* a, unsigned* b, int count, int steps) {
  // TODO(student): capture the steps, instantiate the graph, destroy it: the copy that can be launched stays. (5 lines)
  // Delete the next line.
  warpbook::not_started();
}

void replay(cudaGraphExec_t graph, int times) {
  // TODO(student): launch the graph into the default stream, which is nullptr. (1 or 2 lines) Delete the next line.
  warpbook::not_started();
}

void redirect(cudaGraphExec_t graph, unsigned* a, unsigned* b, int count, int steps) {
  // TODO(student): capture the new steps, and let cudaGraphExecUpdate() bring what is new into `graph`. (4 lines)
  // Delete the next line.
  warpbook::not_started();
}

// ---- Part 6: a grid that waits --------------------------------------------------------------------------------------

__global__ void grid_kernel(unsigned* a, unsigned* b, int count, int steps) {
  // TODO(student): as block_kernel, but by all threads of the grid, which are this_grid().num_threads(). All of the
  // grid waits between two steps. (7 to 10 lines)
}

void by_grid(unsigned* a, unsigned* b, int count, int steps) {
  // TODO(student): launch as many blocks of kThreads threads as there are cells for, but no more than fit on the device
  // at a time, by cudaLaunchCooperativeKernel(). (7 lines) Delete the next line.
  warpbook::not_started();
}

// ---- Part 7: the fastest way ----------------------------------------------------------------------------------------

void advance(unsigned* a, unsigned* b, int count, int steps) {
  // TODO(student): choose. Where is the limit, and does it depend on the number of steps, too? (4 lines)
  // Delete the next line.
  warpbook::not_started();
}
