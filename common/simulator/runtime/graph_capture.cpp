// Describes work as graph nodes.
#include "common/simulator/runtime/graph_capture.h"

#include "common/simulator/runtime/graph_node.h"
#include "common/simulator/runtime/graph_state.h"

namespace warpbook::simulator::runtime {

Captured capture_launch(Runtime& runtime, const Stream& stream, const GridRun& run) {
  NodeValues values;
  values.type = cudaGraphNodeTypeKernel;
  values.function = handle_of(run.kernel);
  values.grid = {run.grid.x, run.grid.y, run.grid.z};
  values.block = {run.block.x, run.block.y, run.block.z};
  values.shared_bytes = run.dynamic_shared;
  values.cooperative = run.cooperative;
  values.cluster = {run.cluster.x, run.cluster.y, run.cluster.z};
  values.cluster_policy = cudaClusterSchedulingPolicySpread;  // An H200's value for any kernel (2026-11-23).
  values.priority = stream.priority;
  // A cooperative grid has extra words after its parameters.
  const auto end = run.parameters.begin() + static_cast<std::ptrdiff_t>(run.resources.function->parameter_bytes);
  return runtime.graphs->captures.work(stream, values, {run.parameters.begin(), end});
}

Captured capture_copy(Runtime& runtime, const Stream& stream, const Box& to, const Box& from, const BoxSize& size,
                      cudaMemcpyKind kind) {
  const bool captures = runtime.graphs->captures.of(stream) != nullptr;
  if (captures && size.is_empty()) return cudaSuccess;
  if (captures) {
    if (const cudaError_t error = check_copy_node(runtime, to, from, size, kind)) return error;
  }
  return runtime.graphs->captures.work(stream, copy_values(to, from, size, kind));
}

Captured capture_fill(Runtime& runtime, const Stream& stream, const Box& to, const BoxSize& size, std::uint32_t value,
                      unsigned element) {
  const bool captures = runtime.graphs->captures.of(stream) != nullptr;
  if (captures && size.is_empty()) return cudaSuccess;
  if (captures) {
    if (const cudaError_t error = check_fill_node(runtime, to, size)) return error;
  }
  return runtime.graphs->captures.work(stream, fill_values(to, size, value, element));
}

Captured capture_host_function(Runtime& runtime, const Stream& stream, const void* function, void* user_data) {
  NodeValues values;
  values.type = cudaGraphNodeTypeHost;
  values.host_function = handle_of(function);
  values.user_data = handle_of(user_data);
  return runtime.graphs->captures.work(stream, values);
}

Captured capture_allocation(Runtime& runtime, const Stream& stream, void** pointer, std::uint64_t bytes) {
  Captures& captures = runtime.graphs->captures;
  if (captures.of(stream) == nullptr) return captures.work(stream, {});
  if (pointer == nullptr) return cudaErrorInvalidValue;
  NodeValues values;
  values.type = cudaGraphNodeTypeMemAlloc;
  values.bytes = bytes;
  values.device = static_cast<std::int32_t>(stream.device());
  values.address = runtime.graphs->memory.reserve(bytes);
  if (values.address == 0) return cudaErrorMemoryAllocation;
  *pointer = reinterpret_cast<void*>(values.address);
  return captures.work(stream, values);
}

Captured capture_free(Runtime& runtime, const Stream& stream, void* pointer) {
  Captures& captures = runtime.graphs->captures;
  if (captures.of(stream) != nullptr && pointer == nullptr) return cudaErrorInvalidValue;
  NodeValues values;
  values.type = cudaGraphNodeTypeMemFree;
  values.address = handle_of(pointer);
  return captures.work(stream, values);
}

Captured capture_nothing(Runtime& runtime, const Stream& stream) {
  const cudaError_t error = runtime.graphs->captures.synchronise(stream);
  return error == cudaSuccess ? Captured() : error;
}

}  // namespace warpbook::simulator::runtime
