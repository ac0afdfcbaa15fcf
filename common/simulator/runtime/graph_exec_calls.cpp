// Executes calls on executable graphs.
#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/graph_calls.h"
#include "common/simulator/runtime/graph_node.h"
#include "common/simulator/runtime/graph_state.h"

namespace warpbook::simulator::runtime::graph_calls {
namespace {

/// An executable graph is about to change or to be destroyed: deferred work may still use it.
void finish_launches(Runtime& runtime) { runtime.backlog.try_to_finish_all(); }

/// The node of an executable graph that corresponds to the request's second handle.
GraphNode* exec_node(Runtime& runtime, const GraphRequest& request) {
  const auto exec = runtime.graphs->exec(request.first);
  const GraphNode* const node = find_node(request.second);
  return exec == nullptr || node == nullptr ? nullptr : exec->node_of(*node);
}

bool can_be_disabled(const GraphNode& node) {
  return node.values.type == cudaGraphNodeTypeKernel || node.values.type == cudaGraphNodeTypeMemcpy ||
         node.values.type == cudaGraphNodeTypeMemset;
}

}  // namespace

cudaError_t change(Runtime& runtime, GraphNode& node, const GraphRequest& request) {
  NodeValues values = request.values;
  std::vector<std::byte> arguments = request.arguments;
  if (values.type != node.values.type) return cudaErrorInvalidValue;
  if (values.type == cudaGraphNodeTypeGraph || values.type == cudaGraphNodeTypeConditional ||
      values.type == cudaGraphNodeTypeEmpty)
    return cudaErrorInvalidValue;
  if (values.type == cudaGraphNodeTypeKernel) copy_kernel_attributes(node.values, values);
  if (const cudaError_t error = complete(runtime, values, arguments, &node.values)) return error;
  if (values.type == cudaGraphNodeTypeKernel) {
    values.function = handle_of(registry().find_kernel(reinterpret_cast<const void*>(values.function)));
  }
  node.values = values;
  node.arguments = std::move(arguments);
  return cudaSuccess;
}

cudaError_t upload(Runtime& runtime, const GraphRequest& request, GraphReply&) {
  const Stream* const stream = runtime.find_stream(stream_of(request.second));
  const auto exec = runtime.graphs->exec(request.first);
  if (exec == nullptr) return cudaErrorInvalidValue;
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  exec->upload();
  return cudaSuccess;
}

cudaError_t instantiate_graph(Runtime& runtime, const GraphRequest& request, GraphReply& reply) {
  Graph* const graph = find_graph(request.first);
  if (graph == nullptr) return cudaErrorInvalidValue;
  constexpr std::uint64_t kKnown = cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
                                   cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;
  if ((request.flags & ~kKnown) != 0 || graph->moved || graph->captures != 0) return cudaErrorInvalidValue;
  constexpr std::uint64_t kExclusive = cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagAutoFreeOnLaunch;
  if ((request.flags & kExclusive) == kExclusive) return cudaErrorInvalidValue;
  cudaGraphInstantiateResult result{};
  const GraphNode* where = nullptr;
  cudaError_t error = cudaSuccess;
  // What an H200 returns from cudaGraphExecGetFlags (2026-11-23).
  std::uint64_t flags = request.flags & ~std::uint64_t{cudaGraphInstantiateFlagUpload};
  if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0) flags = cudaGraphInstantiateFlagDeviceLaunch;
  auto exec = instantiate(runtime, *graph, flags, result, where, error);
  reply.other = result;
  reply.third = handle_of(where);
  if (exec == nullptr) return error;
  reply.handle = runtime.graphs->keep(std::move(exec), request.name);
  return cudaSuccess;
}

cudaError_t destroy_exec(Runtime& runtime, const GraphRequest& request, GraphReply&) {
  const auto exec = runtime.graphs->exec(request.first);
  if (exec == nullptr) return cudaErrorInvalidValue;
  finish_launches(runtime);
  runtime.graphs->destroy(exec);
  return cudaSuccess;
}

cudaError_t exec_flags(Runtime& runtime, const GraphRequest& request, GraphReply& reply) {
  const auto exec = runtime.graphs->exec(request.first);
  if (exec == nullptr) return cudaErrorInvalidValue;
  reply.handle = exec->flags();
  return cudaSuccess;
}

cudaError_t exec_set_params(Runtime& runtime, const GraphRequest& request, GraphReply&) {
  GraphNode* const node = exec_node(runtime, request);
  if (node == nullptr) return cudaErrorInvalidValue;
  finish_launches(runtime);
  if (request.values.type == cudaGraphNodeTypeGraph && node->values.type == cudaGraphNodeTypeGraph) {
    const Graph* const child = find_graph(request.values.graph);
    if (child == nullptr) return cudaErrorInvalidValue;
    return runtime.graphs->exec(request.first)->update_child(*node, *child) ? cudaSuccess : cudaErrorInvalidValue;
  }
  const NodeValues &was = node->values, &now = request.values;
  // A memset of several rows keeps its shape; one of a single row may change its length.
  if (was.type == cudaGraphNodeTypeMemset && now.type == was.type &&
      ((was.height == 1) != (now.height == 1) || was.element_bytes != now.element_bytes))
    return cudaErrorInvalidValue;
  return change(runtime, *node, request);
}

cudaError_t exec_update(Runtime& runtime, const GraphRequest& request, GraphReply& reply) {
  const auto exec = runtime.graphs->exec(request.first);
  const Graph* const graph = find_graph(request.second);
  if (exec == nullptr || graph == nullptr) return cudaErrorInvalidValue;
  finish_launches(runtime);
  const GraphNode *where = nullptr, *from = nullptr;
  const auto result = exec->update(*graph, where, from);
  reply.other = result;
  reply.handle = handle_of(where);
  reply.third = handle_of(from);
  return result == cudaGraphExecUpdateSuccess ? cudaSuccess : cudaErrorGraphExecUpdateFailure;
}

cudaError_t set_enabled(Runtime& runtime, const GraphRequest& request, GraphReply&) {
  GraphNode* const node = exec_node(runtime, request);
  if (node == nullptr || !can_be_disabled(*node)) return cudaErrorInvalidValue;
  node->enabled = request.flags != 0;
  return cudaSuccess;
}

cudaError_t get_enabled(Runtime& runtime, const GraphRequest& request, GraphReply& reply) {
  const GraphNode* const node = exec_node(runtime, request);
  if (node == nullptr || !can_be_disabled(*node)) return cudaErrorInvalidValue;
  reply.handle = node->enabled;
  return cudaSuccess;
}

cudaError_t launch(Runtime& runtime, const GraphRequest& request, GraphReply&) {
  const auto exec = runtime.graphs->exec(request.first);
  if (exec == nullptr) return cudaErrorInvalidValue;
  const Stream* const stream = runtime.find_stream(stream_of(request.second));
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (runtime.capturing != 0) {
    // An H200 does not add it to the captured graph as a child.
    if (const cudaError_t error = runtime.graphs->captures.synchronise(*stream)) return error;
  }
  exec->upload();
  return launch_graph(runtime, *stream, exec);
}

}  // namespace warpbook::simulator::runtime::graph_calls
