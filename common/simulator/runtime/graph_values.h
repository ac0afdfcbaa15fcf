// Converts node parameters of the runtime API to node values and back.
#pragma once

#include <vector>

#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/graph_message.h"

namespace warpbook::simulator::runtime {

/// The values of a node, or nothing if the parameters are invalid: the error is then already the thread's last error.
struct Described {
  NodeValues values;
  std::vector<std::byte> arguments;
  cudaError_t error = cudaSuccess;
};

Described describe_kernel(const char* name, const cudaKernelNodeParams* parameters);
Described describe_copy(const char* name, const cudaMemcpy3DParms* parameters);
Described describe_row(const char* name, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
/// @param side 1: @p to is the symbol, 2: @p from is
Described describe_symbol(int side, const void* to, const void* from, std::size_t bytes, std::size_t offset,
                          cudaMemcpyKind kind);
Described describe_fill(const char* name, const cudaMemsetParams* parameters);
Described describe_host(const char* name, const cudaHostNodeParams* parameters);
Described describe_event(cudaGraphNodeType type, cudaEvent_t event);
Described describe_child(cudaGraph_t child, bool moves);
Described describe_allocation(const char* name, const cudaMemAllocNodeParams* parameters);
Described describe_free(const void* pointer);
Described describe_any(const char* name, const cudaGraphNodeParams* parameters);

cudaMemcpy3DParms copy_parameters(const NodeValues& values);
cudaMemsetParams fill_parameters(const NodeValues& values);

/// The array that a conditional node's parameters point to: it lives as long as the process.
cudaGraph_t* keep_bodies(std::uint64_t node, const std::vector<std::uint64_t>& graphs);

}  // namespace warpbook::simulator::runtime
