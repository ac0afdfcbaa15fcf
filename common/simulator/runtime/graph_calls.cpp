// Executes calls on captures and graphs. Those on executable graphs are in graph_exec_calls.cpp.
#include "common/simulator/runtime/graph_calls.h"

#include <algorithm>
#include <optional>

#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/graph_dot.h"
#include "common/simulator/runtime/graph_node.h"
#include "common/simulator/runtime/graph_state.h"
#include "common/simulator/runtime/host.h"

namespace warpbook::simulator::runtime {
namespace {

using graph_calls::stream_of;
using Answer = cudaError_t (*)(Runtime& runtime, const GraphRequest& request, GraphReply& reply);

cudaGraphEdgeData data_of(const GraphRequest& request, std::size_t index) {
  return index < request.edges.size() ? request.edges[index] : cudaGraphEdgeData{};
}

/// Edges for programmatic dependent launch, which let the second kernel start early: here it starts when the first has
/// ended, which is legal.
bool is_known(const cudaGraphEdgeData& data) {
  return data.type <= cudaGraphDependencyTypeProgrammatic &&
         data.from_port <= cudaGraphKernelNodePortLaunchCompletion && data.to_port == 0;
}

/// The nodes of the request in @p graph. Nothing if one is missing or occurs twice.
std::optional<std::vector<GraphEdge>> edges_of(const GraphRequest& request, const Graph& graph) {
  std::vector<GraphEdge> edges;
  for (std::size_t i = 0; i < request.nodes.size(); ++i) {
    GraphNode* const node = find_node(request.nodes[i]);
    if (node == nullptr || node->graph != &graph || !is_known(data_of(request, i))) return std::nullopt;
    const bool twice =
        std::any_of(edges.begin(), edges.end(), [&](const GraphEdge& edge) { return edge.node == node; });
    if (twice) return std::nullopt;
    edges.push_back({node, data_of(request, i)});
  }
  return edges;
}

// Captures.

cudaError_t begin_capture(Runtime& runtime, const GraphRequest& request, GraphReply&) {
  const Stream* const stream = runtime.find_stream(stream_of(request.first));
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  return runtime.graphs->captures.begin(*stream, static_cast<cudaStreamCaptureMode>(request.flags), nullptr, {});
}

cudaError_t begin_capture_to(Runtime& runtime, const GraphRequest& request, GraphReply&) {
  const Stream* const stream = runtime.find_stream(stream_of(request.first));
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  Graph* const graph = find_graph(request.second);
  if (graph == nullptr) return cudaErrorInvalidValue;
  const auto edges = edges_of(request, *graph);
  if (!edges) return cudaErrorInvalidValue;
  return runtime.graphs->captures.begin(*stream, static_cast<cudaStreamCaptureMode>(request.flags), graph, *edges);
}

cudaError_t end_capture(Runtime& runtime, const GraphRequest& request, GraphReply& reply) {
  const Stream* const stream = runtime.find_stream(stream_of(request.first));
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  return runtime.graphs->captures.end(*stream, reply.handle);
}

cudaError_t capture_info(Runtime& runtime, const GraphRequest& request, GraphReply& reply) {
  const Stream* const stream = runtime.find_stream(stream_of(request.first));
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  const Captures& captures = runtime.graphs->captures;
  const Capture* const capture = captures.of(*stream);
  reply.handle = cudaStreamCaptureStatusNone;
  if (capture == nullptr) {
    // Whether work in it would collide with a capture: the legacy stream cannot be queried while there is one.
    const bool legacy = stream->is_default();
    return legacy && captures.any_blocking() ? cudaErrorStreamCaptureImplicit : cudaSuccess;
  }
  reply.handle = capture->invalid ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
  reply.other = capture->id;
  if (capture->invalid) return cudaSuccess;
  reply.third = handle_of(capture->graph);
  for (const GraphEdge& edge : capture->streams.at(stream->number)) {
    reply.nodes.push_back(handle_of(edge.node));
    reply.edges.push_back(edge.data);
  }
  return cudaSuccess;
}

cudaError_t update_dependencies(Runtime& runtime, const GraphRequest& request, GraphReply&) {
  const Stream* const stream = runtime.find_stream(stream_of(request.first));
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  Capture* const capture = runtime.graphs->captures.of(*stream);
  if (capture == nullptr) return cudaErrorIllegalState;
  if (capture->invalid) return cudaErrorStreamCaptureInvalidated;
  if (request.flags > cudaStreamSetCaptureDependencies) return cudaErrorInvalidValue;
  const auto edges = edges_of(request, *capture->graph);
  if (!edges) return cudaErrorInvalidValue;
  Capture::Nodes& nodes = capture->streams[stream->number];
  if (request.flags == cudaStreamSetCaptureDependencies) nodes.clear();
  for (const GraphEdge& edge : *edges) {
    const bool known = std::any_of(nodes.begin(), nodes.end(), [&](const GraphEdge& e) { return e.node == edge.node; });
    if (!known) nodes.push_back(edge);
  }
  return cudaSuccess;
}

cudaError_t exchange_mode(Runtime&, const GraphRequest& request, GraphReply& reply) {
  if (request.flags > cudaStreamCaptureModeRelaxed) return cudaErrorInvalidValue;
  reply.handle = static_cast<std::uint64_t>(thread_capture_mode());
  thread_capture_mode() = static_cast<cudaStreamCaptureMode>(request.flags);
  return cudaSuccess;
}

// Graphs.

cudaError_t create(Runtime& runtime, const GraphRequest& request, GraphReply& reply) {
  if (request.flags != 0) return cudaErrorInvalidValue;
  reply.handle = runtime.graphs->keep(std::make_unique<Graph>(), request.name);
  return cudaSuccess;
}

cudaError_t destroy(Runtime& runtime, const GraphRequest& request, GraphReply&) {
  Graph* const graph = runtime.graphs->own(request.first);
  if (graph == nullptr || graph->captures != 0) return cudaErrorInvalidValue;
  runtime.graphs->destroy(*graph);
  return cudaSuccess;
}

cudaError_t clone(Runtime& runtime, const GraphRequest& request, GraphReply& reply) {
  const Graph* const graph = find_graph(request.first);
  if (graph == nullptr) return cudaErrorInvalidValue;
  const bool single = graph->has(cudaGraphNodeTypeMemAlloc) || graph->has(cudaGraphNodeTypeMemFree) ||
                      graph->has(cudaGraphNodeTypeConditional);
  if (single) return cudaErrorNotSupported;
  auto copy = std::make_unique<Graph>();
  copy->copy_from(*graph);
  copy->user_objects = graph->user_objects;
  for (const auto& [object, count] : copy->user_objects) runtime.graphs->user_objects.retain(object, count);
  reply.handle = runtime.graphs->keep(std::move(copy), request.name);
  return cudaSuccess;
}

/// Creates the child graph or the bodies of a new node.
cudaError_t add_inner(Runtime& runtime, GraphNode& node) {
  const NodeValues& values = node.values;
  if (values.type == cudaGraphNodeTypeGraph) {
    if (values.moves_graph != 0) {
      std::unique_ptr<Graph> child = runtime.graphs->take(*runtime.graphs->own(values.graph));
      child->moved = true;
      child->set_owner(&node);
      node.graphs.push_back(std::move(child));
    } else {
      node.graphs.push_back(std::make_unique<Graph>(&node));
      node.graphs[0]->copy_from(*find_graph(values.graph));
    }
    node.values.graph = handle_of(node.graphs[0].get());
  }
  if (values.type == cudaGraphNodeTypeConditional)
    for (std::uint32_t i = 0; i < values.bodies; ++i) node.graphs.push_back(std::make_unique<Graph>(&node));
  return cudaSuccess;
}

bool is_within(const Graph& graph, const Graph* inner) {
  for (; inner != nullptr; inner = inner->owner() == nullptr ? nullptr : inner->owner()->graph)
    if (inner == &graph) return true;
  return false;
}

cudaError_t check_inner(Runtime& runtime, const Graph& graph, const NodeValues& values) {
  if (values.type == cudaGraphNodeTypeGraph) {
    const Graph* const child = find_graph(values.graph);
    if (child == nullptr || is_within(*child, &graph)) return cudaErrorInvalidValue;
    if (child->has(cudaGraphNodeTypeConditional)) return cudaErrorNotSupported;
    const bool has_memory = child->has(cudaGraphNodeTypeMemAlloc) || child->has(cudaGraphNodeTypeMemFree);
    if (has_memory && values.moves_graph == 0) return cudaErrorNotSupported;
    if (values.moves_graph != 0 && runtime.graphs->own(values.graph) == nullptr) return cudaErrorInvalidValue;
  }
  if (values.type == cudaGraphNodeTypeConditional) {
    const auto& conditions = graph.root().conditions;
    const auto condition = conditions.find(values.condition);
    if (condition == conditions.end() || condition->second.user != nullptr) return cudaErrorInvalidValue;
    const std::uint32_t most = values.condition_type == cudaGraphCondTypeIf      ? 2
                               : values.condition_type == cudaGraphCondTypeWhile ? 1
                                                                                 : ~0u;
    if (values.condition_type < 0 || values.condition_type > cudaGraphCondTypeSwitch || values.bodies == 0 ||
        values.bodies > most || values.bodies > 4096)
      return cudaErrorInvalidValue;
  }
  if (values.type == cudaGraphNodeTypeMemFree) {
    bool twice = false;
    graph.each_node([&](const GraphNode& node) {
      twice = twice || (node.values.type == cudaGraphNodeTypeMemFree && node.values.address == values.address);
    });
    if (twice || graph.was_instantiated) return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

cudaError_t add_node(Runtime& runtime, const GraphRequest& request, GraphReply& reply) {
  Graph* const graph = find_graph(request.first);
  if (graph == nullptr) return cudaErrorInvalidValue;
  const auto edges = edges_of(request, *graph);
  if (!edges) return cudaErrorInvalidValue;
  NodeValues values = request.values;
  std::vector<std::byte> arguments = request.arguments;
  if (const cudaError_t error = check_inner(runtime, *graph, values)) return error;
  if (const cudaError_t error = complete(runtime, values, arguments)) return error;
  if (values.type == cudaGraphNodeTypeKernel)  // A host function and a handle name the same kernel: the handle is
                                               // stored.
    values.function = handle_of(registry().find_kernel(reinterpret_cast<const void*>(values.function)));
  GraphNode& node = graph->add(values, std::move(arguments));
  for (const GraphEdge& edge : *edges) graph->connect(*edge.node, node, edge.data);
  if (const cudaError_t error = add_inner(runtime, node)) return error;
  if (values.type == cudaGraphNodeTypeConditional)
    const_cast<Graph&>(graph->root()).conditions.at(values.condition).user = &node;
  reply.handle = handle_of(&node);
  reply.values = node.values;
  for (const auto& inner : node.graphs) reply.nodes.push_back(handle_of(inner.get()));
  return cudaSuccess;
}

cudaError_t destroy_node(Runtime&, const GraphRequest& request, GraphReply&) {
  GraphNode* const node = find_node(request.first);
  if (node == nullptr) return cudaErrorInvalidValue;
  const bool fixed = node->values.type == cudaGraphNodeTypeMemAlloc || node->values.type == cudaGraphNodeTypeMemFree;
  if (fixed || node->graph->captures != 0) return cudaErrorNotSupported;
  auto& conditions = const_cast<Graph&>(node->graph->root()).conditions;
  for (auto& [handle, condition] : conditions)
    if (condition.user == node) condition.user = nullptr;
  node->graph->remove(*node);
  return cudaSuccess;
}

cudaError_t set_params(Runtime& runtime, const GraphRequest& request, GraphReply&) {
  GraphNode* const node = find_node(request.first);
  if (node == nullptr) return cudaErrorInvalidValue;
  if (request.flags == 0) return graph_calls::change(runtime, *node, request);
  if (node->values.type != cudaGraphNodeTypeKernel) return cudaErrorInvalidValue;
  NodeValues values = node->values;
  if ((request.flags & kNodeCooperative) != 0) values.cooperative = request.values.cooperative;
  if ((request.flags & kNodePriority) != 0) values.priority = request.values.priority;
  if ((request.flags & kNodeClusterPolicy) != 0) values.cluster_policy = request.values.cluster_policy;
  if ((request.flags & kNodeCluster) != 0) {
    values.cluster = request.values.cluster;
    GridRun run;
    run.planned = true;
    if (const cudaError_t error = launch_of(runtime, values, node->arguments, run)) return error;
  }
  node->values = values;
  return cudaSuccess;
}

cudaError_t get_params(Runtime&, const GraphRequest& request, GraphReply& reply) {
  const GraphNode* const node = find_node(request.first);
  if (node == nullptr) return cudaErrorInvalidValue;
  if (request.values.type >= 0 && request.values.type != node->values.type) return cudaErrorInvalidValue;
  reply.values = node->values;
  reply.arguments = node->arguments;
  if (node->values.type == cudaGraphNodeTypeKernel) {
    const Kernel* const kernel = registry().find_kernel(reinterpret_cast<const void*>(node->values.function));
    // If the program knows the kernel by a host function, that is returned.
    if (kernel != nullptr && kernel->host != nullptr && request.flags == 0)
      reply.values.function = handle_of(kernel->host);
  }
  return cudaSuccess;
}

cudaError_t copy_attributes(Runtime&, const GraphRequest& request, GraphReply&) {
  GraphNode* const to = find_node(request.first);
  const GraphNode* const from = find_node(request.second);
  const bool kernels = to != nullptr && from != nullptr && to->values.type == cudaGraphNodeTypeKernel &&
                       from->values.type == cudaGraphNodeTypeKernel;
  if (!kernels) return cudaErrorInvalidValue;
  copy_kernel_attributes(from->values, to->values);
  return cudaSuccess;
}

cudaError_t find_in_clone(Runtime&, const GraphRequest& request, GraphReply& reply) {
  const GraphNode* const node = find_node(request.first);
  const Graph* const graph = find_graph(request.second);
  if (node == nullptr || graph == nullptr) return cudaErrorInvalidValue;
  graph->each_node([&](const GraphNode& each) {
    if (each.original == node->id) reply.handle = handle_of(&each);
  });
  return reply.handle == 0 ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t nodes(Runtime&, const GraphRequest& request, GraphReply& reply) {
  const Graph* const graph = find_graph(request.first);
  if (graph == nullptr) return cudaErrorInvalidValue;
  for (const auto& node : graph->nodes()) reply.nodes.push_back(handle_of(node.get()));
  return cudaSuccess;
}

cudaError_t roots(Runtime&, const GraphRequest& request, GraphReply& reply) {
  const Graph* const graph = find_graph(request.first);
  if (graph == nullptr) return cudaErrorInvalidValue;
  for (const auto& node : graph->nodes())
    if (node->before.empty()) reply.nodes.push_back(handle_of(node.get()));
  return cudaSuccess;
}

cudaError_t edges(Runtime&, const GraphRequest& request, GraphReply& reply) {
  const Graph* const graph = find_graph(request.first);
  if (graph == nullptr) return cudaErrorInvalidValue;
  for (const auto& node : graph->nodes()) {
    for (const GraphEdge& edge : node->before) {
      reply.nodes.push_back(handle_of(edge.node));
      reply.targets.push_back(handle_of(node.get()));
      reply.edges.push_back(edge.data);
    }
  }
  return cudaSuccess;
}

cudaError_t dependencies(Runtime&, const GraphRequest& request, GraphReply& reply) {
  const GraphNode* const node = find_node(request.first);
  if (node == nullptr) return cudaErrorInvalidValue;
  for (const GraphEdge& edge : node->before) {
    reply.nodes.push_back(handle_of(edge.node));
    reply.edges.push_back(edge.data);
  }
  return cudaSuccess;
}

cudaError_t dependents(Runtime&, const GraphRequest& request, GraphReply& reply) {
  const GraphNode* const node = find_node(request.first);
  if (node == nullptr) return cudaErrorInvalidValue;
  for (const GraphNode* after : node->after) {
    reply.nodes.push_back(handle_of(after));
    for (const GraphEdge& edge : after->before)
      if (edge.node == node) reply.edges.push_back(edge.data);
  }
  return cudaSuccess;
}

/// Changes the edges of @p graph that the request lists: all of them, or none.
cudaError_t change_edges(const GraphRequest& request, bool add) {
  Graph* const graph = find_graph(request.first);
  if (graph == nullptr || request.nodes.size() != request.targets.size()) return cudaErrorInvalidValue;
  for (std::size_t i = 0; i < request.nodes.size(); ++i) {
    const GraphNode* const from = find_node(request.nodes[i]);
    const GraphNode* const to = find_node(request.targets[i]);
    if (from == nullptr || to == nullptr || from->graph != graph || to->graph != graph || from == to)
      return cudaErrorInvalidValue;
    if (add == to->waits_for(from) || !is_known(data_of(request, i))) return cudaErrorInvalidValue;
    const bool fixed = to->values.type == cudaGraphNodeTypeMemFree || to->values.type == cudaGraphNodeTypeMemAlloc;
    if (!add && fixed) return cudaErrorNotSupported;
  }
  for (std::size_t i = 0; i < request.nodes.size(); ++i) {
    GraphNode &from = *find_node(request.nodes[i]), &to = *find_node(request.targets[i]);
    const bool done =
        add ? graph->connect(from, to, data_of(request, i)) : graph->disconnect(from, to, data_of(request, i));
    if (!done) return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

cudaError_t add_edges(Runtime&, const GraphRequest& request, GraphReply&) { return change_edges(request, true); }
cudaError_t remove_edges(Runtime&, const GraphRequest& request, GraphReply&) { return change_edges(request, false); }

cudaError_t dot(Runtime&, const GraphRequest& request, GraphReply& reply) {
  const Graph* const graph = find_graph(request.first);
  if (graph == nullptr) return cudaErrorInvalidValue;
  reply.text = dot_of(*graph, request.flags);
  return cudaSuccess;
}

cudaError_t create_condition(Runtime& runtime, const GraphRequest& request, GraphReply& reply) {
  Graph* const graph = find_graph(request.first);
  if (graph == nullptr || request.flags > cudaGraphCondAssignDefault) return cudaErrorInvalidValue;
  constexpr std::uint64_t kFirst = 0x10000;
  reply.handle = kFirst + ++runtime.graphs->last_condition;
  const_cast<Graph&>(graph->root()).conditions[reply.handle] = {static_cast<std::uint32_t>(request.second),
                                                                request.flags != 0, nullptr};
  runtime.graphs->conditions[reply.handle] = static_cast<std::uint32_t>(request.second);
  return cudaSuccess;
}

// Memory and user objects.

/// Graph memory is counted for all devices together.
cudaError_t check_memory_device(const Runtime& runtime, const GraphRequest& request) {
  if (request.first >= runtime.device_count()) return cudaErrorInvalidDevice;
  return runtime.device_count() == 1 ? cudaSuccess : not_supported(request.name, " in a machine with several devices");
}

cudaError_t memory_attribute(Runtime& runtime, const GraphRequest& request, GraphReply& reply) {
  const GraphMemory& memory = runtime.graphs->memory;
  if (const cudaError_t error = check_memory_device(runtime, request)) return error;
  switch (request.flags) {
    case cudaGraphMemAttrUsedMemCurrent:
    case cudaGraphMemAttrReservedMemCurrent:
      reply.handle = memory.held();
      return cudaSuccess;
    case cudaGraphMemAttrUsedMemHigh:
      reply.handle = memory.used_high;
      return cudaSuccess;
    case cudaGraphMemAttrReservedMemHigh:
      reply.handle = memory.reserved_high;
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

/// Only the high watermarks can be set, and only to zero.
cudaError_t set_memory_attribute(Runtime& runtime, const GraphRequest& request, GraphReply&) {
  GraphMemory& memory = runtime.graphs->memory;
  if (const cudaError_t error = check_memory_device(runtime, request)) return error;
  if (request.second != 0) return cudaErrorInvalidValue;
  if (request.flags == cudaGraphMemAttrUsedMemHigh) {
    memory.used_high = memory.held();
  } else if (request.flags == cudaGraphMemAttrReservedMemHigh) {
    memory.reserved_high = memory.held();
  } else {
    return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

cudaError_t trim_memory(Runtime& runtime, const GraphRequest& request, GraphReply&) {
  if (const cudaError_t error = check_memory_device(runtime, request)) return error;
  runtime.graphs->memory.trim();
  return cudaSuccess;
}

cudaError_t create_user_object(Runtime& runtime, const GraphRequest& request, GraphReply& reply) {
  const bool valid = request.second != 0 && request.third != 0 && request.third <= 0x7fffffff &&
                     request.flags == cudaUserObjectNoDestructorSync;
  if (!valid) return cudaErrorInvalidValue;
  reply.handle =
      runtime.graphs->user_objects.create(request.second, request.first, static_cast<std::uint32_t>(request.third));
  return cudaSuccess;
}

bool names_references(Runtime& runtime, std::uint64_t object, std::uint64_t count) {
  return runtime.graphs->user_objects.is_live(object) && count != 0 && count <= 0x7fffffff;
}

cudaError_t retain_user_object(Runtime& runtime, const GraphRequest& request, GraphReply&) {
  if (!names_references(runtime, request.first, request.second)) return cudaErrorInvalidValue;
  runtime.graphs->user_objects.retain(request.first, static_cast<std::uint32_t>(request.second));
  return cudaSuccess;
}

cudaError_t release_user_object(Runtime& runtime, const GraphRequest& request, GraphReply&) {
  if (!names_references(runtime, request.first, request.second)) return cudaErrorInvalidValue;
  const bool released = runtime.graphs->user_objects.release(request.first, static_cast<std::uint32_t>(request.second));
  return released ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t graph_retain(Runtime& runtime, const GraphRequest& request, GraphReply&) {
  Graph* const graph = find_graph(request.first);
  if (graph == nullptr || !names_references(runtime, request.second, request.third)) return cudaErrorInvalidValue;
  const auto count = static_cast<std::uint32_t>(request.third);
  if (request.flags > cudaGraphUserObjectMove) return cudaErrorInvalidValue;
  if (request.flags != cudaGraphUserObjectMove) runtime.graphs->user_objects.retain(request.second, count);
  graph->user_objects[request.second] += count;
  return cudaSuccess;
}

cudaError_t graph_release(Runtime& runtime, const GraphRequest& request, GraphReply&) {
  Graph* const graph = find_graph(request.first);
  if (graph == nullptr || !names_references(runtime, request.second, request.third)) return cudaErrorInvalidValue;
  const auto held = graph->user_objects.find(request.second);
  const auto count = static_cast<std::uint32_t>(request.third);
  if (held == graph->user_objects.end() || held->second < count) return cudaErrorInvalidValue;
  held->second -= count;
  if (held->second == 0) graph->user_objects.erase(held);
  runtime.graphs->user_objects.release(request.second, count);
  return cudaSuccess;
}

cudaError_t refuse(Runtime&, const GraphRequest& request, GraphReply&) {
  // The program's process may send any value.
  return request.flags <= cudaErrorUnknown ? static_cast<cudaError_t>(request.flags) : cudaErrorUnknown;
}

/// Where the parameters of a kernel are.
cudaError_t layout(Runtime& runtime, const GraphRequest& request, GraphReply& reply) {
  Kernel* const kernel = registry().find_kernel(reinterpret_cast<const void*>(request.first));
  if (kernel == nullptr) return cudaErrorInvalidResourceHandle;
  KernelResources resources;
  if (const cudaError_t error = find_resources(runtime, *kernel, resources)) return error;
  reply.handle = resources.function->parameter_bytes;
  for (const Parameter& parameter : resources.function->parameters) {
    reply.nodes.push_back(parameter.offset);
    reply.targets.push_back(parameter.bytes);
  }
  return cudaSuccess;
}

constexpr Answer kAnswers[] = {
#define WB_GRAPH_CALL(name, answer) answer,
#include "common/simulator/runtime/graph_calls.def"
#undef WB_GRAPH_CALL
};

}  // namespace

GraphReply ask_graph(const GraphRequest& request) {
  GraphReply reply;
  const auto which = static_cast<std::size_t>(request.call);
  const CallKind kind = request.call == GraphCall::launch          ? CallKind::enqueue
                        : request.call == GraphCall::exchange_mode ? CallKind::query
                                                                   : CallKind::ordinary;
  reply.error = call(kind, request.name, [&](Runtime& runtime) {
    return which < std::size(kAnswers) ? kAnswers[which](runtime, request, reply) : cudaErrorInvalidValue;
  });
  return reply;
}

}  // namespace warpbook::simulator::runtime
