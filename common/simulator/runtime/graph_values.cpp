// Translates node parameters.
#include "common/simulator/runtime/graph_values.h"

#include <cstring>
#include <map>
#include <mutex>

#include "common/simulator/runtime/graph_entry.h"

namespace warpbook::simulator::runtime {
namespace {

Described wrong(const char* name, cudaError_t error) {
  Described described;
  described.error = runtime::refuse(name, error);
  return described;
}

std::uint64_t begin_of(const cudaPitchedPtr& memory, const cudaPos& position) {
  if (memory.ptr == nullptr) return 0;
  return number_of(memory.ptr) + (position.z * memory.ysize + position.y) * memory.pitch + position.x;
}

/// Fields whose names differ in two structures of the same layout.
template <class To, class From>
To same(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(static_cast<void*>(&to), &from, sizeof to);
  return to;
}

}  // namespace

Described describe_kernel(const char* name, const cudaKernelNodeParams* parameters) {
  if (parameters == nullptr) return wrong(name, cudaErrorInvalidValue);
  Described described;
  NodeValues& values = described.values;
  values.type = cudaGraphNodeTypeKernel;
  values.function = number_of(parameters->func);
  values.grid = {parameters->gridDim.x, parameters->gridDim.y, parameters->gridDim.z};
  values.block = {parameters->blockDim.x, parameters->blockDim.y, parameters->blockDim.z};
  values.shared_bytes = parameters->sharedMemBytes;
  described.error =
      pack_arguments(name, values.function, parameters->kernelParams, parameters->extra, described.arguments);
  return described;
}

Described describe_copy(const char* name, const cudaMemcpy3DParms* parameters) {
  if (parameters == nullptr) return wrong(name, cudaErrorInvalidValue);
  if (parameters->srcArray != nullptr || parameters->dstArray != nullptr) return wrong(name, cudaErrorNotSupported);
  Described described;
  NodeValues& values = described.values;
  values.type = cudaGraphNodeTypeMemcpy;
  values.to = begin_of(parameters->dstPtr, parameters->dstPos);
  values.to_pitch = parameters->dstPtr.pitch;
  values.to_rows = parameters->dstPtr.ysize;
  values.from = begin_of(parameters->srcPtr, parameters->srcPos);
  values.from_pitch = parameters->srcPtr.pitch;
  values.from_rows = parameters->srcPtr.ysize;
  values.width = parameters->extent.width;
  values.height = parameters->extent.height;
  values.depth = parameters->extent.depth;
  values.kind = parameters->kind;
  const bool rows = values.height > 1 || values.depth > 1;
  if (rows && (values.width > values.to_pitch || values.width > values.from_pitch))
    return wrong(name, cudaErrorInvalidPitchValue);
  return described;
}

Described describe_row(const char*, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  Described described;
  NodeValues& values = described.values;
  values.type = cudaGraphNodeTypeMemcpy;
  values.to = number_of(to);
  values.from = number_of(from);
  values.to_pitch = values.from_pitch = values.width = bytes;
  values.to_rows = values.from_rows = 1;
  values.kind = kind;
  return described;
}

Described describe_symbol(int side, const void* to, const void* from, std::size_t bytes, std::size_t offset,
                          cudaMemcpyKind kind) {
  Described described = describe_row("", const_cast<void*>(to), from, bytes, kind);
  described.values.symbol_side = side;
  described.values.symbol_offset = offset;
  return described;
}

Described describe_fill(const char* name, const cudaMemsetParams* parameters) {
  if (parameters == nullptr) return wrong(name, cudaErrorInvalidValue);
  Described described;
  NodeValues& values = described.values;
  values.type = cudaGraphNodeTypeMemset;
  values.to = number_of(parameters->dst);
  values.element_bytes = parameters->elementSize;
  values.value = parameters->value;
  values.width = parameters->width;
  values.height = parameters->height;
  // The pitch of a single row has no meaning.
  values.to_pitch = parameters->height > 1 ? parameters->pitch : parameters->width * parameters->elementSize;
  values.to_rows = parameters->height;
  return described;
}

Described describe_host(const char* name, const cudaHostNodeParams* parameters) {
  if (parameters == nullptr || parameters->fn == nullptr) return wrong(name, cudaErrorInvalidValue);
  Described described;
  described.values.type = cudaGraphNodeTypeHost;
  described.values.host_function = number_of(parameters->fn);
  described.values.user_data = number_of(parameters->userData);
  return described;
}

Described describe_event(cudaGraphNodeType type, cudaEvent_t event) {
  Described described;
  described.values.type = type;
  described.values.event = number_of(event);
  return described;
}

Described describe_child(cudaGraph_t child, bool moves) {
  Described described;
  described.values.type = cudaGraphNodeTypeGraph;
  described.values.graph = number_of(child);
  described.values.moves_graph = moves;
  return described;
}

Described describe_allocation(const char* name, const cudaMemAllocNodeParams* parameters) {
  if (parameters == nullptr) return wrong(name, cudaErrorInvalidValue);
  const cudaMemPoolProps& pool = parameters->poolProps;
  if (pool.allocType != cudaMemAllocationTypePinned || pool.location.type != cudaMemLocationTypeDevice ||
      pool.location.id < 0 || pool.handleTypes != cudaMemHandleTypeNone)
    return wrong(name, cudaErrorInvalidValue);
  for (std::size_t i = 0; i < parameters->accessDescCount && parameters->accessDescs != nullptr; ++i)
    if (parameters->accessDescs[i].location.id != pool.location.id) return wrong(name, cudaErrorNotSupported);
  Described described;
  described.values.type = cudaGraphNodeTypeMemAlloc;
  described.values.bytes = parameters->bytesize;
  described.values.device = pool.location.id;
  return described;
}

Described describe_free(const void* pointer) {
  Described described;
  described.values.type = cudaGraphNodeTypeMemFree;
  described.values.address = number_of(pointer);
  return described;
}

Described describe_any(const char* name, const cudaGraphNodeParams* parameters) {
  if (parameters == nullptr) return wrong(name, cudaErrorInvalidValue);
  switch (parameters->type) {
    case cudaGraphNodeTypeKernel: {
      const auto kernel = same<cudaKernelNodeParams>(parameters->kernel);
      return describe_kernel(name, &kernel);
    }
    case cudaGraphNodeTypeMemcpy:
      if (parameters->memcpy.flags != 0) return wrong(name, cudaErrorInvalidValue);
      return describe_copy(name, &parameters->memcpy.copyParams);
    case cudaGraphNodeTypeMemset: {
      const auto fill = same<cudaMemsetParams>(parameters->memset);
      return describe_fill(name, &fill);
    }
    case cudaGraphNodeTypeHost: {
      const auto host = same<cudaHostNodeParams>(parameters->host);
      return describe_host(name, &host);
    }
    case cudaGraphNodeTypeGraph:
      return describe_child(parameters->graph.graph, parameters->graph.ownership == cudaGraphChildGraphOwnershipMove);
    case cudaGraphNodeTypeEmpty:
      return {};
    case cudaGraphNodeTypeWaitEvent:
      return describe_event(parameters->type, parameters->eventWait.event);
    case cudaGraphNodeTypeEventRecord:
      return describe_event(parameters->type, parameters->eventRecord.event);
    case cudaGraphNodeTypeMemAlloc: {
      const auto allocation = same<cudaMemAllocNodeParams>(parameters->alloc);
      return describe_allocation(name, &allocation);
    }
    case cudaGraphNodeTypeMemFree:
      return describe_free(parameters->free.dptr);
    case cudaGraphNodeTypeConditional: {
      Described described;
      described.values.type = cudaGraphNodeTypeConditional;
      described.values.condition = parameters->conditional.handle;
      described.values.condition_type = parameters->conditional.type;
      described.values.bodies = parameters->conditional.size;
      return described;
    }
    default:
      return wrong(name, cudaErrorNotSupported);
  }
}

cudaMemcpy3DParms copy_parameters(const NodeValues& values) {
  cudaMemcpy3DParms parameters{};
  parameters.dstPtr = {reinterpret_cast<void*>(values.to), values.to_pitch, values.width, values.to_rows};
  parameters.srcPtr = {reinterpret_cast<void*>(values.from), values.from_pitch, values.width, values.from_rows};
  parameters.extent = {values.width, values.height, values.depth};
  parameters.kind = static_cast<cudaMemcpyKind>(values.kind);
  return parameters;
}

cudaMemsetParams fill_parameters(const NodeValues& values) {
  cudaMemsetParams parameters{};
  parameters.dst = reinterpret_cast<void*>(values.to);
  parameters.pitch = values.to_pitch;
  parameters.value = values.value;
  parameters.elementSize = values.element_bytes;
  parameters.width = values.width;
  parameters.height = values.height;
  return parameters;
}

cudaGraph_t* keep_bodies(std::uint64_t node, const std::vector<std::uint64_t>& graphs) {
  static std::mutex lock;
  static auto* const all = new std::map<std::uint64_t, std::vector<cudaGraph_t>>;
  const std::lock_guard guard(lock);
  std::vector<cudaGraph_t>& kept = (*all)[node];
  kept.clear();
  for (const std::uint64_t graph : graphs) kept.push_back(reinterpret_cast<cudaGraph_t>(graph));
  return kept.data();
}

}  // namespace warpbook::simulator::runtime
