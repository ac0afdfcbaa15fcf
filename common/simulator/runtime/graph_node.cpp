// Checks the values of nodes.
#include "common/simulator/runtime/graph_node.h"

#include "common/simulator/runtime/about_device.h"
#include "common/simulator/runtime/graph_state.h"
#include "common/simulator/runtime/launch.h"
#include "common/simulator/runtime/symbols.h"

namespace warpbook::simulator::runtime {
namespace {

/// Finds the address of a copy's symbol operand.
cudaError_t resolve_symbol(Runtime& runtime, NodeValues& values) {
  if (values.symbol_side == 0) return cudaSuccess;
  const bool is_target = values.symbol_side == 1;
  const auto kind = static_cast<cudaMemcpyKind>(values.kind);
  const bool allowed = kind == cudaMemcpyDefault || kind == cudaMemcpyDeviceToDevice ||
                       kind == (is_target ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost);
  if (!allowed) return cudaErrorInvalidMemcpyDirection;
  std::uint64_t& side = is_target ? values.to : values.from;
  const Symbol symbol = find_symbol(runtime, reinterpret_cast<const void*>(side));
  if (symbol.error != cudaSuccess) return symbol.error;
  if (values.symbol_offset > symbol.bytes || values.width > symbol.bytes - values.symbol_offset)
    return cudaErrorInvalidValue;
  side = handle_of(symbol.address) + values.symbol_offset;
  values.symbol_side = 0;
  values.symbol_offset = 0;
  return cudaSuccess;
}

cudaError_t complete_fill(Runtime& runtime, const NodeValues& values) {
  const std::uint32_t element = values.element_bytes;
  if (element != 1 && element != 2 && element != 4) return cudaErrorInvalidValue;
  if (values.to % element != 0 || (values.height > 1 && values.to_pitch % element != 0)) return cudaErrorInvalidValue;
  if (element < sizeof values.value && values.value >> 8 * element != 0) return cudaErrorInvalidValue;
  return check_fill_node(runtime, target_of(values), size_of(values));
}

cudaError_t complete_memory(Runtime& runtime, NodeValues& values, const NodeValues* was) {
  if (was != nullptr) return cudaErrorInvalidValue;
  if (values.bytes == 0 || !is_device(runtime, values.device)) return cudaErrorInvalidValue;
  const OnDevice there(static_cast<unsigned>(values.device));
  values.address = runtime.graphs->memory.reserve(values.bytes);
  return values.address == 0 ? cudaErrorMemoryAllocation : cudaSuccess;
}

}  // namespace

NodeValues copy_values(const Box& to, const Box& from, const BoxSize& size, cudaMemcpyKind kind) {
  NodeValues values;
  values.type = cudaGraphNodeTypeMemcpy;
  values.to = handle_of(to.base);
  values.to_pitch = to.pitch;
  values.to_rows = to.slice_rows;
  values.from = handle_of(from.base);
  values.from_pitch = from.pitch;
  values.from_rows = from.slice_rows;
  values.width = size.width;
  values.height = size.height;
  values.depth = size.depth;
  values.kind = kind;
  return values;
}

NodeValues fill_values(const Box& to, const BoxSize& size, std::uint32_t value, unsigned element) {
  NodeValues values;
  values.type = cudaGraphNodeTypeMemset;
  values.to = handle_of(to.base);
  values.to_pitch = to.pitch;
  values.to_rows = to.slice_rows;
  values.width = size.width / element;
  values.height = size.height;
  values.depth = size.depth;
  values.value = element == 1 ? value & 0xff : value;
  values.element_bytes = element;
  return values;
}

Box target_of(const NodeValues& values) {
  return {reinterpret_cast<const void*>(values.to), values.to_pitch, values.to_rows};
}

Box source_of(const NodeValues& values) {
  return {reinterpret_cast<const void*>(values.from), values.from_pitch, values.from_rows};
}

BoxSize size_of(const NodeValues& values) {
  const std::uint64_t element = values.type == cudaGraphNodeTypeMemset ? values.element_bytes : 1;
  return {values.width * element, values.height, values.depth};
}

void copy_kernel_attributes(const NodeValues& from, NodeValues& to) {
  to.cooperative = from.cooperative;
  to.priority = from.priority;
  to.cluster = from.cluster;
  to.cluster_policy = from.cluster_policy;
}

cudaError_t launch_of(Runtime& runtime, const NodeValues& values, const std::vector<std::byte>& arguments,
                      GridRun& run) {
  Kernel* const kernel = registry().find_kernel(reinterpret_cast<const void*>(values.function));
  if (kernel == nullptr) return cudaErrorInvalidResourceHandle;
  KernelResources resources;
  if (const cudaError_t error = find_resources(runtime, *kernel, resources)) return error;
  if (arguments.size() < resources.function->parameter_bytes) return cudaErrorInvalidValue;
  std::vector<void*> pointers;
  for (const Parameter& parameter : resources.function->parameters)
    pointers.push_back(const_cast<std::byte*>(arguments.data() + parameter.offset));
  pointers.push_back(nullptr);
  return prepare_launch(runtime, *kernel,
                        {dim3_of(values.grid), dim3_of(values.block), values.shared_bytes, pointers.data(),
                         values.cooperative != 0, dim3_of(values.cluster)},
                        run);
}

cudaError_t complete(Runtime& runtime, NodeValues& values, std::vector<std::byte>& arguments, const NodeValues* was) {
  switch (values.type) {
    case cudaGraphNodeTypeKernel: {
      GridRun run;
      run.planned = true;
      return launch_of(runtime, values, arguments, run);
    }
    case cudaGraphNodeTypeMemcpy:
      if (const cudaError_t error = resolve_symbol(runtime, values)) return error;
      return check_copy_node(runtime, target_of(values), source_of(values), size_of(values),
                             static_cast<cudaMemcpyKind>(values.kind));
    case cudaGraphNodeTypeMemset:
      return complete_fill(runtime, values);
    case cudaGraphNodeTypeHost:
      return values.host_function == 0 ? cudaErrorInvalidValue : cudaSuccess;
    case cudaGraphNodeTypeGraph:
    case cudaGraphNodeTypeEmpty:
    case cudaGraphNodeTypeConditional:
      return cudaSuccess;
    case cudaGraphNodeTypeWaitEvent:
    case cudaGraphNodeTypeEventRecord:
      return runtime.events.find(reinterpret_cast<const void*>(values.event)) == nullptr
                 ? cudaErrorInvalidResourceHandle
                 : cudaSuccess;
    case cudaGraphNodeTypeMemAlloc:
      return complete_memory(runtime, values, was);
    case cudaGraphNodeTypeMemFree:
      if (was != nullptr) return cudaErrorInvalidValue;
      return runtime.graphs->memory.owns(values.address) ? cudaSuccess : cudaErrorInvalidValue;
    default:
      return cudaErrorNotSupported;
  }
}

}  // namespace warpbook::simulator::runtime
