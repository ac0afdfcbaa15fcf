// The contract of lab launch_overhead: what the functions in launch_overhead.cu must do.
#pragma once

#include <cuda_runtime.h>

#include "common/cuda/lab.h"

/// @defgroup launch_overhead Lab launch_overhead
/// One small step many times: launched by the host, by kernels and from a graph, and in a loop inside a kernel.
///
/// The cells of a ring have 32 bits each. In a step, every cell gets a new value, computed from its own and its two
/// neighbours' (next_cell() in step.cuh). All ways get two device arrays, `a` and `b`, of `count` cells each. `a` holds
/// the cells at first. Steps go from one array to the other, in turn: after `steps` of them, the cells are in `a` if
/// `steps` is even, and in `b` if it is odd. The other array then holds anything. Work that a function starts itself is
/// in the default stream, and need not be waited for. All steps are done on the device.
/// @{

/// Part 1: a host launches a kernel `steps` times into one stream. A launch takes the host `call_ns`; the kernel can
/// start when the call is over and the kernel before it has ended, and takes `kernel_ns`. Nothing else takes time.
/// @param steps     0 to 1000
/// @param call_ns   1 to 100,000 nanoseconds
/// @param kernel_ns 1 to 100,000 nanoseconds
/// @returns nanoseconds from the start of the first call to the end of the last kernel; 0 without steps
int predict_loop_ns(int steps, int call_ns, int kernel_ns);

/// Part 1: making a graph takes `make_us` once, each of its launches `graph_us`; a loop that does the same without a
/// graph takes `loop_us` each time. From how many times on does the graph take less time in all?
/// @param make_us, loop_us, graph_us 1 to 10,000 microseconds
/// @returns the smallest such number, or 0 if the graph never takes less
int predict_replays(int make_us, int loop_us, int graph_us);

/// Part 2: does the steps by a loop of the host, which launches `step` once for each of them.
/// @param a, b  device, `count` cells each
/// @param count 1 to 2^18
/// @param steps 0 to 1000
void by_host(unsigned* a, unsigned* b, int count, int steps);

/// Part 3: does the steps by one launch of one block, in a loop inside the kernel.
/// @param a, b  device, `count` cells each
/// @param count 1 to 4096
/// @param steps 0 to 1000
void by_block(unsigned* a, unsigned* b, int count, int steps);

/// Part 4: does the steps by one launch of the host: grids that kernels launch do one step each. (The grid of the host
/// may do the first one.)
/// @param a, b  device, `count` cells each
/// @param count 1 to 2^18
/// @param steps 0 to 1000
void by_kernels(unsigned* a, unsigned* b, int count, int steps);

/// Part 5: makes a graph of `steps` kernels, one for each step, in order. No step is done yet: the caller launches the
/// graph, as often as it likes, and destroys it.
/// @param a, b  device, `count` cells each
/// @param count 1 to 2^18
/// @param steps 2 to 200, even
/// @returns the graph, ready to be launched
cudaGraphExec_t record(unsigned* a, unsigned* b, int count, int steps);

/// Part 5: launches a graph that record() made `times` times, one after the other.
/// @param graph as record() returned it
/// @param times 1 to 100
void replay(cudaGraphExec_t graph, int times);

/// Part 5: changes a graph that record() made: from now on its launches do as many steps, of other cells.
/// @param graph as record() returned it
/// @param a, b  device, `count` cells each: other arrays than before
/// @param count 1 to 2^18; may differ from before
/// @param steps as many as the graph has
void redirect(cudaGraphExec_t graph, unsigned* a, unsigned* b, int count, int steps);

/// Part 6: does the steps by one launch of a cooperative grid, whose blocks wait for each other between two steps.
/// Without steps, a launch that does nothing is as good as none. Where the device holds fewer threads than there are
/// cells, each thread takes several.
/// @param a, b  device, `count` cells each
/// @param count 1 to 2^18
/// @param steps 0 to 1000
void by_grid(unsigned* a, unsigned* b, int count, int steps);

/// Part 7: does the steps in the way that is fastest for this number of cells. Each call has other arrays.
/// @param a, b  device, `count` cells each
/// @param count 1 to 2^16
/// @param steps 0 to 1000
void advance(unsigned* a, unsigned* b, int count, int steps);

/// @}
