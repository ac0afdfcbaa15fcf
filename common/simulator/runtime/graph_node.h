// Node values: checks and completion when a node is made, and what copies and memsets mean.
#pragma once

#include <cstddef>
#include <vector>

#include "common/simulator/runtime/copy.h"
#include "common/simulator/runtime/graph.h"
#include "common/simulator/runtime/grid_run.h"

namespace warpbook::simulator::runtime {

NodeValues copy_values(const Box& to, const Box& from, const BoxSize& size, cudaMemcpyKind kind);
NodeValues fill_values(const Box& to, const BoxSize& size, std::uint32_t value, unsigned element);
Box target_of(const NodeValues& values);
Box source_of(const NodeValues& values);
BoxSize size_of(const NodeValues& values);

/// Copies what cudaGraphKernelNodeSetAttribute sets from one kernel node to another.
void copy_kernel_attributes(const NodeValues& from, NodeValues& to);

/// Checks the values of a node and fills in what the device decides: addresses of symbols and of memory.
/// @param was the previous values if the node exists already
/// @returns CUDA's error for a node that is not possible
cudaError_t complete(Runtime& runtime, NodeValues& values, std::vector<std::byte>& arguments,
                     const NodeValues* was = nullptr);

/// The launch that a kernel node describes.
cudaError_t launch_of(Runtime& runtime, const NodeValues& values, const std::vector<std::byte>& arguments,
                      GridRun& run);

}  // namespace warpbook::simulator::runtime
