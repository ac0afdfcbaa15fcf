// Graphs: creation, copies and queries.
#include <cstring>
#include <fstream>

#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/graph_entry.h"

namespace {

using namespace warpbook::simulator::runtime;

/// A call that returns nodes and, optionally, edge data.
cudaError_t list_nodes(GraphCall call, const char* name, std::uint64_t of, cudaGraphNode_t* nodes,
                       cudaGraphEdgeData* edges, std::size_t* count) {
  if (count == nullptr) return refuse(name, cudaErrorInvalidValue);
  const GraphReply reply = ask_graph(graph_request(call, name, of));
  if (reply.error != cudaSuccess) return reply.error;
  const std::size_t room = *count;
  take_nodes(reply.nodes, nodes, room);
  for (std::size_t i = 0; edges != nullptr && i < std::min(room, reply.edges.size()); ++i) edges[i] = reply.edges[i];
  *count = count_of(reply.nodes, nodes == nullptr, room);
  return cudaSuccess;
}

cudaError_t change_edges(GraphCall call, const char* name, cudaGraph_t graph, const cudaGraphNode_t* from,
                         const cudaGraphNode_t* to, const cudaGraphEdgeData* edges, std::size_t count) {
  GraphRequest request = graph_request(call, name, number_of(graph));
  if (!put_nodes(request, from, edges, count) || (count != 0 && to == nullptr))
    return refuse(name, cudaErrorInvalidValue);
  for (std::size_t i = 0; i < count; ++i) request.targets.push_back(number_of(to[i]));
  return ask_graph(request).error;
}

/// A call that returns one handle.
template <class Handle>
cudaError_t take_handle(const GraphRequest& request, Handle* out) {
  if (out == nullptr) return refuse(request.name, cudaErrorInvalidValue);
  const GraphReply reply = ask_graph(request);
  if (reply.error == cudaSuccess) *out = reinterpret_cast<Handle>(reply.handle);
  return reply.error;
}

}  // namespace

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  return take_handle(graph_request(GraphCall::create, "cudaGraphCreate", 0, 0, flags), graph);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return ask_graph(graph_request(GraphCall::destroy, "cudaGraphDestroy", number_of(graph))).error;
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  return take_handle(graph_request(GraphCall::clone, "cudaGraphClone", number_of(graph)), clone);
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* found, cudaGraphNode_t node, cudaGraph_t clone) {
  return take_handle(
      graph_request(GraphCall::find_in_clone, "cudaGraphNodeFindInClone", number_of(node), number_of(clone)), found);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return ask_graph(graph_request(GraphCall::destroy_node, "cudaGraphDestroyNode", number_of(node))).error;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return list_nodes(GraphCall::nodes, "cudaGraphGetNodes", number_of(graph), nodes, nullptr, count);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return list_nodes(GraphCall::roots, "cudaGraphGetRootNodes", number_of(graph), nodes, nullptr, count);
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* edges,
                              size_t* count) {
  constexpr const char* kName = "cudaGraphGetEdges";
  if (count == nullptr || (from == nullptr) != (to == nullptr)) return refuse(kName, cudaErrorInvalidValue);
  const GraphReply reply = ask_graph(graph_request(GraphCall::edges, kName, number_of(graph)));
  if (reply.error != cudaSuccess) return reply.error;
  const std::size_t room = *count;
  take_nodes(reply.nodes, from, room);
  take_nodes(reply.targets, to, room);
  for (std::size_t i = 0; edges != nullptr && i < std::min(room, reply.edges.size()); ++i) edges[i] = reply.edges[i];
  *count = count_of(reply.nodes, from == nullptr, room);
  return cudaSuccess;
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData* edges,
                                         size_t* count) {
  return list_nodes(GraphCall::dependencies, "cudaGraphNodeGetDependencies", number_of(node), nodes, edges, count);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData* edges,
                                           size_t* count) {
  return list_nodes(GraphCall::dependents, "cudaGraphNodeGetDependentNodes", number_of(node), nodes, edges, count);
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     const cudaGraphEdgeData* edges, size_t count) {
  return change_edges(GraphCall::add_edges, "cudaGraphAddDependencies", graph, from, to, edges, count);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                        const cudaGraphEdgeData* edges, size_t count) {
  return change_edges(GraphCall::remove_edges, "cudaGraphRemoveDependencies", graph, from, to, edges, count);
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned flags) {
  constexpr const char* kName = "cudaGraphDebugDotPrint";
  if (path == nullptr) return refuse(kName, cudaErrorInvalidValue);
  const GraphReply reply = ask_graph(graph_request(GraphCall::dot, kName, number_of(graph), 0, flags));
  if (reply.error != cudaSuccess) return reply.error;
  std::ofstream file(path);
  file << reply.text;
  return file.flush() ? cudaSuccess : refuse(kName, cudaErrorOperatingSystem);
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned initial_value, unsigned flags) {
  constexpr const char* kName = "cudaGraphConditionalHandleCreate";
  if (handle == nullptr) return refuse(kName, cudaErrorInvalidValue);
  const GraphReply reply =
      ask_graph(graph_request(GraphCall::create_condition, kName, number_of(graph), initial_value, flags));
  if (reply.error == cudaSuccess) *handle = reply.handle;
  return reply.error;
}

cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* pointer, cudaHostFn_t destructor, unsigned references,
                                 unsigned flags) {
  GraphRequest request = graph_request(GraphCall::create_user_object, "cudaUserObjectCreate", number_of(pointer),
                                       number_of(destructor), flags);
  request.third = references;
  return take_handle(request, object);
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count) {
  return ask_graph(graph_request(GraphCall::retain_user_object, "cudaUserObjectRetain", number_of(object), count))
      .error;
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count) {
  return ask_graph(graph_request(GraphCall::release_user_object, "cudaUserObjectRelease", number_of(object), count))
      .error;
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count, unsigned flags) {
  GraphRequest request =
      graph_request(GraphCall::graph_retain, "cudaGraphRetainUserObject", number_of(graph), number_of(object), flags);
  request.third = count;
  return ask_graph(request).error;
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count) {
  GraphRequest request =
      graph_request(GraphCall::graph_release, "cudaGraphReleaseUserObject", number_of(graph), number_of(object));
  request.third = count;
  return ask_graph(request).error;
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
  constexpr const char* kName = "cudaDeviceGetGraphMemAttribute";
  if (value == nullptr) return refuse(kName, cudaErrorInvalidValue);
  const GraphReply reply =
      ask_graph(graph_request(GraphCall::memory_attribute, kName, static_cast<std::uint64_t>(device), 0, attribute));
  if (reply.error == cudaSuccess) std::memcpy(value, &reply.handle, sizeof reply.handle);
  return reply.error;
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
  constexpr const char* kName = "cudaDeviceSetGraphMemAttribute";
  if (value == nullptr) return refuse(kName, cudaErrorInvalidValue);
  std::uint64_t number = 0;
  std::memcpy(&number, value, sizeof number);
  return ask_graph(graph_request(GraphCall::set_memory_attribute, kName, static_cast<std::uint64_t>(device), number,
                                 attribute))
      .error;
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  return ask_graph(graph_request(GraphCall::trim_memory, "cudaDeviceGraphMemTrim", static_cast<std::uint64_t>(device)))
      .error;
}
