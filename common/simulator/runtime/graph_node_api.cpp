// Graph nodes: creation and parameters.
#include <cstring>

#include "common/simulator/runtime/graph_entry.h"
#include "common/simulator/runtime/graph_values.h"

namespace {

using namespace warpbook::simulator::runtime;

/// Adds a node that @p values describes; @p error is what was wrong with the parameters.
cudaError_t add(const char* name, cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                std::size_t count, const Described& described, const cudaGraphEdgeData* edges = nullptr,
                GraphReply* answer = nullptr) {
  if (described.error != cudaSuccess) return described.error;
  GraphRequest request = graph_request(GraphCall::add_node, name, number_of(graph));
  request.values = described.values;
  request.arguments = described.arguments;
  if (node == nullptr || !put_nodes(request, dependencies, edges, count)) return refuse(name, cudaErrorInvalidValue);
  GraphReply reply = ask_graph(request);
  if (reply.error == cudaSuccess) *node = reinterpret_cast<cudaGraphNode_t>(reply.handle);
  const cudaError_t error = reply.error;
  if (answer != nullptr) *answer = std::move(reply);
  return error;
}

cudaError_t set(const char* name, cudaGraphNode_t node, const Described& described) {
  if (described.error != cudaSuccess) return described.error;
  GraphRequest request = graph_request(GraphCall::set_params, name, number_of(node));
  request.values = described.values;
  request.arguments = described.arguments;
  return ask_graph(request).error;
}

/// The parameters of a node of type @p type.
GraphReply get(const char* name, cudaGraphNode_t node, cudaGraphNodeType type, const void* out) {
  GraphReply reply;
  if (out == nullptr) {
    reply.error = refuse(name, cudaErrorInvalidValue);
    return reply;
  }
  GraphRequest request = graph_request(GraphCall::get_params, name, number_of(node));
  request.values.type = type;
  return ask_graph(request);
}

/// Requests the parameters of a node of type @p type; @p take(reply) stores them where the program wants them.
template <class Take>
cudaError_t get(const char* name, cudaGraphNode_t node, cudaGraphNodeType type, const void* out, const Take& take) {
  const GraphReply reply = get(name, node, type, out);
  if (reply.error == cudaSuccess) take(reply);
  return reply.error;
}

/// Attributes of kernel nodes that have an effect or are at least stored. @returns 0 for others
std::uint64_t known_attribute(cudaLaunchAttributeID id) {
  switch (id) {
    case cudaLaunchAttributeCooperative:
      return kNodeCooperative;
    case cudaLaunchAttributePriority:
      return kNodePriority;
    case cudaLaunchAttributeClusterDimension:
      return kNodeCluster;
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
      return kNodeClusterPolicy;
    default:
      return 0;
  }
}

cudaError_t get_attribute(const char* name, cudaGraphNode_t node, cudaLaunchAttributeID id,
                          cudaLaunchAttributeValue* value) {
  if (value == nullptr || known_attribute(id) == 0) return refuse(name, cudaErrorInvalidValue);
  const GraphReply reply = get(name, node, cudaGraphNodeTypeKernel, value);
  if (reply.error != cudaSuccess) return reply.error;
  const NodeValues& values = reply.values;
  *value = {};
  if (id == cudaLaunchAttributeCooperative) value->cooperative = values.cooperative;
  if (id == cudaLaunchAttributePriority) value->priority = values.priority;
  if (id == cudaLaunchAttributeClusterDimension)
    value->clusterDim = {values.cluster[0], values.cluster[1], values.cluster[2]};
  if (id == cudaLaunchAttributeClusterSchedulingPolicyPreference)
    value->clusterSchedulingPolicyPreference = static_cast<cudaClusterSchedulingPolicy>(values.cluster_policy);
  return cudaSuccess;
}

cudaError_t set_attribute(const char* name, cudaGraphNode_t node, cudaLaunchAttributeID id,
                          const cudaLaunchAttributeValue* value) {
  const std::uint64_t which = known_attribute(id);
  if (value == nullptr || which == 0) return refuse(name, cudaErrorInvalidValue);
  GraphRequest request = graph_request(GraphCall::set_params, name, number_of(node), 0, which);
  if (which == kNodeCooperative) request.values.cooperative = value->cooperative;
  if (which == kNodePriority) request.values.priority = value->priority;
  if (which == kNodeCluster) request.values.cluster = {value->clusterDim.x, value->clusterDim.y, value->clusterDim.z};
  if (which == kNodeClusterPolicy) request.values.cluster_policy = value->clusterSchedulingPolicyPreference;
  return ask_graph(request).error;
}

}  // namespace

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  constexpr const char* kName = "cudaGraphNodeGetType";
  if (type == nullptr) return refuse(kName, cudaErrorInvalidValue);
  GraphRequest request = graph_request(GraphCall::get_params, kName, number_of(node));
  request.values.type = -1;
  const GraphReply reply = ask_graph(request);
  if (reply.error == cudaSuccess) *type = static_cast<cudaGraphNodeType>(reply.values.type);
  return reply.error;
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   size_t count, const cudaKernelNodeParams* parameters) {
  return add("cudaGraphAddKernelNode", node, graph, dependencies, count,
             describe_kernel("cudaGraphAddKernelNode", parameters));
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  return get("cudaGraphKernelNodeGetParams", node, cudaGraphNodeTypeKernel, parameters, [&](const GraphReply& reply) {
    *parameters = {};
    parameters->func = reinterpret_cast<void*>(reply.values.function);
    parameters->gridDim = {reply.values.grid[0], reply.values.grid[1], reply.values.grid[2]};
    parameters->blockDim = {reply.values.block[0], reply.values.block[1], reply.values.block[2]};
    parameters->sharedMemBytes = static_cast<unsigned>(reply.values.shared_bytes);
    parameters->kernelParams =
        keep_arguments("cudaGraphKernelNodeGetParams", number_of(node), reply.values.function, reply.arguments);
  });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* parameters) {
  return set("cudaGraphKernelNodeSetParams", node, describe_kernel("cudaGraphKernelNodeSetParams", parameters));
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
  return ask_graph(graph_request(GraphCall::copy_attributes, "cudaGraphKernelNodeCopyAttributes", number_of(to),
                                 number_of(from)))
      .error;
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID id,
                                            cudaLaunchAttributeValue* value) {
  return get_attribute("cudaGraphKernelNodeGetAttribute", node, id, value);
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID id,
                                            const cudaLaunchAttributeValue* value) {
  return set_attribute("cudaGraphKernelNodeSetAttribute", node, id, value);
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   size_t count, const cudaMemcpy3DParms* parameters) {
  return add("cudaGraphAddMemcpyNode", node, graph, dependencies, count,
             describe_copy("cudaGraphAddMemcpyNode", parameters));
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* parameters) {
  return set("cudaGraphMemcpyNodeSetParams", node, describe_copy("cudaGraphMemcpyNodeSetParams", parameters));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                     size_t count, void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return add("cudaGraphAddMemcpyNode1D", node, graph, dependencies, count,
             describe_row("cudaGraphAddMemcpyNode1D", to, from, bytes, kind));
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from, size_t bytes,
                                           cudaMemcpyKind kind) {
  return set("cudaGraphMemcpyNodeSetParams1D", node,
             describe_row("cudaGraphMemcpyNodeSetParams1D", to, from, bytes, kind));
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies, size_t count, const void* symbol,
                                           const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return add("cudaGraphAddMemcpyNodeToSymbol", node, graph, dependencies, count,
             describe_symbol(1, symbol, from, bytes, offset, kind));
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol, const void* from,
                                                 size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return set("cudaGraphMemcpyNodeSetParamsToSymbol", node, describe_symbol(1, symbol, from, bytes, offset, kind));
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, size_t count, void* to,
                                             const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return add("cudaGraphAddMemcpyNodeFromSymbol", node, graph, dependencies, count,
             describe_symbol(2, to, symbol, bytes, offset, kind));
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to, const void* symbol, size_t bytes,
                                                   size_t offset, cudaMemcpyKind kind) {
  return set("cudaGraphMemcpyNodeSetParamsFromSymbol", node, describe_symbol(2, to, symbol, bytes, offset, kind));
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   size_t count, const cudaMemsetParams* parameters) {
  return add("cudaGraphAddMemsetNode", node, graph, dependencies, count,
             describe_fill("cudaGraphAddMemsetNode", parameters));
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
  return set("cudaGraphMemsetNodeSetParams", node, describe_fill("cudaGraphMemsetNodeSetParams", parameters));
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                 size_t count, const cudaHostNodeParams* parameters) {
  return add("cudaGraphAddHostNode", node, graph, dependencies, count,
             describe_host("cudaGraphAddHostNode", parameters));
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
  return set("cudaGraphHostNodeSetParams", node, describe_host("cudaGraphHostNodeSetParams", parameters));
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                        size_t count, cudaEvent_t event) {
  return add("cudaGraphAddEventRecordNode", node, graph, dependencies, count,
             describe_event(cudaGraphNodeTypeEventRecord, event));
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return set("cudaGraphEventRecordNodeSetEvent", node, describe_event(cudaGraphNodeTypeEventRecord, event));
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                      size_t count, cudaEvent_t event) {
  return add("cudaGraphAddEventWaitNode", node, graph, dependencies, count,
             describe_event(cudaGraphNodeTypeWaitEvent, event));
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return set("cudaGraphEventWaitNodeSetEvent", node, describe_event(cudaGraphNodeTypeWaitEvent, event));
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters) {
  return get("cudaGraphMemcpyNodeGetParams", node, cudaGraphNodeTypeMemcpy, parameters,
             [&](const GraphReply& reply) { *parameters = copy_parameters(reply.values); });
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters) {
  return get("cudaGraphMemsetNodeGetParams", node, cudaGraphNodeTypeMemset, parameters,
             [&](const GraphReply& reply) { *parameters = fill_parameters(reply.values); });
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters) {
  return get("cudaGraphHostNodeGetParams", node, cudaGraphNodeTypeHost, parameters, [&](const GraphReply& reply) {
    *parameters = {reinterpret_cast<cudaHostFn_t>(reply.values.host_function),
                   reinterpret_cast<void*>(reply.values.user_data)};
  });
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return get("cudaGraphEventRecordNodeGetEvent", node, cudaGraphNodeTypeEventRecord, event,
             [&](const GraphReply& reply) { *event = reinterpret_cast<cudaEvent_t>(reply.values.event); });
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return get("cudaGraphEventWaitNodeGetEvent", node, cudaGraphNodeTypeWaitEvent, event,
             [&](const GraphReply& reply) { *event = reinterpret_cast<cudaEvent_t>(reply.values.event); });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                       size_t count, cudaGraph_t child) {
  return add("cudaGraphAddChildGraphNode", node, graph, dependencies, count, describe_child(child, false));
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  return get("cudaGraphChildGraphNodeGetGraph", node, cudaGraphNodeTypeGraph, graph,
             [&](const GraphReply& reply) { *graph = reinterpret_cast<cudaGraph_t>(reply.values.graph); });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                  size_t count) {
  return add("cudaGraphAddEmptyNode", node, graph, dependencies, count, Described());
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                     size_t count, cudaMemAllocNodeParams* parameters) {
  constexpr const char* kName = "cudaGraphAddMemAllocNode";
  GraphReply answer;
  const cudaError_t error =
      add(kName, node, graph, dependencies, count, describe_allocation(kName, parameters), nullptr, &answer);
  if (error == cudaSuccess) parameters->dptr = reinterpret_cast<void*>(answer.values.address);
  return error;
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* parameters) {
  return get("cudaGraphMemAllocNodeGetParams", node, cudaGraphNodeTypeMemAlloc, parameters,
             [&](const GraphReply& reply) {
               *parameters = {};
               parameters->poolProps.allocType = cudaMemAllocationTypePinned;
               parameters->poolProps.location = {cudaMemLocationTypeDevice, 0};
               parameters->bytesize = reply.values.bytes;
               parameters->dptr = reinterpret_cast<void*>(reply.values.address);
             });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                    size_t count, void* pointer) {
  return add("cudaGraphAddMemFreeNode", node, graph, dependencies, count, describe_free(pointer));
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer) {
  return get("cudaGraphMemFreeNodeGetParams", node, cudaGraphNodeTypeMemFree, pointer,
             [&](const GraphReply& reply) { std::memcpy(pointer, &reply.values.address, sizeof(void*)); });
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                             const cudaGraphEdgeData* edges, size_t count, cudaGraphNodeParams* parameters) {
  constexpr const char* kName = "cudaGraphAddNode";
  GraphReply answer;
  const cudaError_t error =
      add(kName, node, graph, dependencies, count, describe_any(kName, parameters), edges, &answer);
  if (error != cudaSuccess) return error;
  if (parameters->type == cudaGraphNodeTypeMemAlloc)
    parameters->alloc.dptr = reinterpret_cast<void*>(answer.values.address);
  if (parameters->type == cudaGraphNodeTypeConditional)
    parameters->conditional.phGraph_out = keep_bodies(answer.handle, answer.nodes);
  return cudaSuccess;
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  return set("cudaGraphNodeSetParams", node, describe_any("cudaGraphNodeSetParams", parameters));
}
