// Executable graphs: instantiation, updates and launches.
#include "common/simulator/runtime/graph_entry.h"
#include "common/simulator/runtime/graph_values.h"

namespace {

using namespace warpbook::simulator::runtime;

cudaError_t set_exec(const char* name, cudaGraphExec_t exec, cudaGraphNode_t node, const Described& described) {
  if (described.error != cudaSuccess) return described.error;
  GraphRequest request = graph_request(GraphCall::exec_set_params, name, number_of(exec), number_of(node));
  request.values = described.values;
  request.arguments = described.arguments;
  return ask_graph(request).error;
}

cudaError_t instantiate(const char* name, cudaGraphExec_t* exec, cudaGraph_t graph, std::uint64_t flags,
                        GraphReply* answer = nullptr) {
  if (exec == nullptr) return refuse(name, cudaErrorInvalidValue);
  GraphReply reply = ask_graph(graph_request(GraphCall::instantiate, name, number_of(graph), 0, flags));
  if (reply.error == cudaSuccess) *exec = reinterpret_cast<cudaGraphExec_t>(reply.handle);
  const cudaError_t error = reply.error;
  if (answer != nullptr) *answer = std::move(reply);
  return error;
}

}  // namespace

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
  // This call has no stream for the upload.
  if ((flags & cudaGraphInstantiateFlagUpload) != 0) return refuse("cudaGraphInstantiate", cudaErrorInvalidValue);
  return instantiate("cudaGraphInstantiate", exec, graph, flags);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
  constexpr const char* kName = "cudaGraphInstantiateWithFlags";
  if ((flags & cudaGraphInstantiateFlagUpload) != 0) return refuse(kName, cudaErrorInvalidValue);
  return instantiate(kName, exec, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* parameters) {
  constexpr const char* kName = "cudaGraphInstantiateWithParams";
  if (parameters == nullptr) return refuse(kName, cudaErrorInvalidValue);
  GraphReply reply;
  const cudaError_t error = instantiate(kName, exec, graph, parameters->flags, &reply);
  parameters->errNode_out = reinterpret_cast<cudaGraphNode_t>(reply.third);
  parameters->result_out = static_cast<cudaGraphInstantiateResult>(reply.other);
  if (error != cudaSuccess && parameters->result_out == cudaGraphInstantiateSuccess)
    parameters->result_out = cudaGraphInstantiateError;
  const bool uploads = (parameters->flags & cudaGraphInstantiateFlagUpload) != 0;
  return error == cudaSuccess && uploads ? cudaGraphUpload(*exec, parameters->uploadStream) : error;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return ask_graph(graph_request(GraphCall::destroy_exec, "cudaGraphExecDestroy", number_of(exec))).error;
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long* flags) {
  constexpr const char* kName = "cudaGraphExecGetFlags";
  if (flags == nullptr) return refuse(kName, cudaErrorInvalidValue);
  const GraphReply reply = ask_graph(graph_request(GraphCall::exec_flags, kName, number_of(exec)));
  if (reply.error == cudaSuccess) *flags = reply.handle;
  return reply.error;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  return ask_graph(graph_request(GraphCall::upload, "cudaGraphUpload", number_of(exec), number_of(stream))).error;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  return ask_graph(graph_request(GraphCall::launch, "cudaGraphLaunch", number_of(exec), number_of(stream))).error;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* info) {
  constexpr const char* kName = "cudaGraphExecUpdate";
  if (info == nullptr) return refuse(kName, cudaErrorInvalidValue);
  const GraphReply reply = ask_graph(graph_request(GraphCall::exec_update, kName, number_of(exec), number_of(graph)));
  const bool decided = reply.error == cudaSuccess || reply.error == cudaErrorGraphExecUpdateFailure;
  info->result = decided ? static_cast<cudaGraphExecUpdateResult>(reply.other) : cudaGraphExecUpdateError;
  info->errorNode = reinterpret_cast<cudaGraphNode_t>(reply.handle);
  info->errorFromNode = reinterpret_cast<cudaGraphNode_t>(reply.third);
  return reply.error;
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled) {
  return ask_graph(graph_request(GraphCall::set_enabled, "cudaGraphNodeSetEnabled", number_of(exec), number_of(node),
                                 enabled))
      .error;
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned* enabled) {
  constexpr const char* kName = "cudaGraphNodeGetEnabled";
  if (enabled == nullptr) return refuse(kName, cudaErrorInvalidValue);
  const GraphReply reply = ask_graph(graph_request(GraphCall::get_enabled, kName, number_of(exec), number_of(node)));
  if (reply.error == cudaSuccess) *enabled = static_cast<unsigned>(reply.handle);
  return reply.error;
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  constexpr const char* kName = "cudaGraphExecNodeSetParams";
  return set_exec(kName, exec, node, describe_any(kName, parameters));
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  return set_exec("cudaGraphExecKernelNodeSetParams", exec, node,
                  describe_kernel("cudaGraphExecKernelNodeSetParams", parameters));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
  return set_exec("cudaGraphExecMemcpyNodeSetParams", exec, node,
                  describe_copy("cudaGraphExecMemcpyNodeSetParams", parameters));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to, const void* from,
                                               size_t bytes, cudaMemcpyKind kind) {
  return set_exec("cudaGraphExecMemcpyNodeSetParams1D", exec, node,
                  describe_row("cudaGraphExecMemcpyNodeSetParams1D", to, from, bytes, kind));
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, const void* symbol,
                                                     const void* from, size_t bytes, size_t offset,
                                                     cudaMemcpyKind kind) {
  return set_exec("cudaGraphExecMemcpyNodeSetParamsToSymbol", exec, node,
                  describe_symbol(1, symbol, from, bytes, offset, kind));
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                                       const void* symbol, size_t bytes, size_t offset,
                                                       cudaMemcpyKind kind) {
  return set_exec("cudaGraphExecMemcpyNodeSetParamsFromSymbol", exec, node,
                  describe_symbol(2, to, symbol, bytes, offset, kind));
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  return set_exec("cudaGraphExecMemsetNodeSetParams", exec, node,
                  describe_fill("cudaGraphExecMemsetNodeSetParams", parameters));
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
  return set_exec("cudaGraphExecHostNodeSetParams", exec, node,
                  describe_host("cudaGraphExecHostNodeSetParams", parameters));
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event) {
  return set_exec("cudaGraphExecEventRecordNodeSetEvent", exec, node,
                  describe_event(cudaGraphNodeTypeEventRecord, event));
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event) {
  return set_exec("cudaGraphExecEventWaitNodeSetEvent", exec, node, describe_event(cudaGraphNodeTypeWaitEvent, event));
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child) {
  return set_exec("cudaGraphExecChildGraphNodeSetParams", exec, node, describe_child(child, false));
}
