// Instantiates graphs, assigns branches, and copies parameters from other graphs.
#include "common/simulator/runtime/graph_exec.h"

#include <algorithm>
#include <set>

#include "common/simulator/machine/cluster.h"
#include "common/simulator/runtime/device_graph_rules.h"
#include "common/simulator/runtime/graph_node.h"
#include "common/simulator/runtime/graph_state.h"
#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {
namespace {

/// Which nodes of a graph precede which, as bits by position.
class Ancestors {
 public:
  explicit Ancestors(std::size_t nodes) : words_((nodes + 63) / 64), bits_(nodes * words_) {}
  void add(std::size_t node, std::size_t before) {
    for (std::size_t word = 0; word < words_; ++word) bits_[node * words_ + word] |= bits_[before * words_ + word];
    bits_[node * words_ + before / 64] |= std::uint64_t{1} << before % 64;
  }
  bool has(std::size_t node, std::size_t before) const {
    return (bits_[node * words_ + before / 64] >> before % 64 & 1) != 0;
  }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

/// What cudaGraphExecUpdate cannot change.
cudaGraphExecUpdateResult difference(const GraphNode& mine, const GraphNode& other) {
  const NodeValues &a = mine.values, &b = other.values;
  if (a.type != b.type) return cudaGraphExecUpdateErrorNodeTypeChanged;
  switch (a.type) {
    case cudaGraphNodeTypeKernel:
      return a.cooperative == b.cooperative ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorAttributesChanged;
    case cudaGraphNodeTypeMemset:
      // A one-dimensional memset stays one-dimensional; its address and value may change.
      return (a.height == 1) == (b.height == 1) && a.element_bytes == b.element_bytes
                 ? cudaGraphExecUpdateSuccess
                 : cudaGraphExecUpdateErrorParametersChanged;
    case cudaGraphNodeTypeMemAlloc:
    case cudaGraphNodeTypeMemFree:
      return a.address == b.address && a.bytes == b.bytes ? cudaGraphExecUpdateSuccess
                                                          : cudaGraphExecUpdateErrorParametersChanged;
    case cudaGraphNodeTypeConditional:
      return a.condition == b.condition && a.condition_type == b.condition_type && a.bodies == b.bodies
                 ? cudaGraphExecUpdateSuccess
                 : cudaGraphExecUpdateErrorParametersChanged;
    default:
      return cudaGraphExecUpdateSuccess;
  }
}

/// Compares graphs node by node in the order of creation. @returns the first difference
cudaGraphExecUpdateResult compare(const Graph& mine, const Graph& other, const GraphNode*& where,
                                  const GraphNode*& from) {
  where = from = nullptr;
  if (mine.nodes().size() != other.nodes().size()) return cudaGraphExecUpdateErrorTopologyChanged;
  std::unordered_map<const GraphNode*, std::size_t> position, other_position;
  for (std::size_t i = 0; i < mine.nodes().size(); ++i) {
    position[mine.nodes()[i].get()] = i;
    other_position[other.nodes()[i].get()] = i;
  }
  for (std::size_t i = 0; i < mine.nodes().size(); ++i) {
    const GraphNode &a = *mine.nodes()[i], &b = *other.nodes()[i];
    std::set<std::size_t> before, other_before;
    for (const GraphEdge& edge : a.before) before.insert(position.at(edge.node));
    for (const GraphEdge& edge : b.before) other_before.insert(other_position.at(edge.node));
    where = &b;
    if (before != other_before) return cudaGraphExecUpdateErrorTopologyChanged;
    if (const auto result = difference(a, b)) return result;
    if (a.graphs.size() != b.graphs.size()) return cudaGraphExecUpdateErrorTopologyChanged;
    for (std::size_t g = 0; g < a.graphs.size(); ++g)
      if (const auto result = compare(*a.graphs[g], *b.graphs[g], where, from)) return result;
  }
  where = nullptr;
  return cudaGraphExecUpdateSuccess;
}

void take_over(Graph& mine, const Graph& other) {
  for (std::size_t i = 0; i < mine.nodes().size(); ++i) {
    GraphNode& to = *mine.nodes()[i];
    const GraphNode& from = *other.nodes()[i];
    // A size of clusters that the new graph does not give stays as it was, as on an H200 (2026-11-24).
    const auto cluster = to.values.cluster;
    const bool keeps = dim3_of(from.values.cluster).x == 0 && from.values.function == to.values.function;
    to.values = from.values;
    if (keeps) to.values.cluster = cluster;
    to.arguments = from.arguments;
    for (std::size_t g = 0; g < to.graphs.size(); ++g) take_over(*to.graphs[g], *from.graphs[g]);
  }
}

bool is_allowed_in_body(std::int32_t type) {
  return type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeEmpty || type == cudaGraphNodeTypeGraph ||
         type == cudaGraphNodeTypeMemset || type == cudaGraphNodeTypeMemcpy || type == cudaGraphNodeTypeConditional;
}

/// The first node that depends on itself through others, in @p graph or a graph inside it.
const GraphNode* in_ring(const Graph& graph) {
  const auto order = graph.in_order();
  if (order.size() != graph.nodes().size()) {
    const std::set<const GraphNode*> reached(order.begin(), order.end());
    for (const auto& node : graph.nodes())
      if (reached.count(node.get()) == 0) return node.get();
  }
  for (const auto& node : graph.nodes())
    for (const auto& inner : node->graphs)
      if (const GraphNode* const found = in_ring(*inner)) return found;
  return nullptr;
}

const GraphNode* forbidden_in_body(const Graph& graph, bool in_body) {
  for (const auto& node : graph.nodes()) {
    if (in_body && !is_allowed_in_body(node->values.type)) return node.get();
    const bool inner = in_body || node->values.type == cudaGraphNodeTypeConditional;
    for (const auto& each : node->graphs)
      if (const GraphNode* const found = forbidden_in_body(*each, inner)) return found;
  }
  return nullptr;
}

bool uses_all_conditions(const Graph& graph) {
  return std::all_of(graph.conditions.begin(), graph.conditions.end(),
                     [](const auto& each) { return each.second.user != nullptr; });
}

}  // namespace

GraphExec::GraphExec(Runtime& runtime, const Graph& source, std::uint64_t flags)
    : runtime_(runtime), flags_(flags), source_(handle_of(&source)) {
  graph_.copy_from(source);
  graph_.user_objects = source.user_objects;
  for (const auto& [object, count] : graph_.user_objects) runtime.graphs->user_objects.retain(object, count);
  index(graph_);
  place(graph_, 0);
  for (std::size_t branch = 1; branch < branch_count_; ++branch) streams_.push_back(runtime.create_branch());
}

GraphExec::~GraphExec() {
  for (const std::uint32_t stream : streams_) runtime_.timeline.destroy_stream(stream);
  if (own_stream_ != 0) runtime_.timeline.destroy_stream(own_stream_);
  if (Graph* const source = find_graph(source_)) --source->instances;
}

void GraphExec::index(const Graph& graph) {
  for (const auto& node : graph.nodes()) {
    nodes_[node->original] = node.get();
    for (const auto& inner : node->graphs) index(*inner);
  }
}

GraphNode* GraphExec::node_of(const GraphNode& source) const {
  const auto found = nodes_.find(source.id);
  return found == nodes_.end() ? nullptr : found->second;
}

std::uint32_t GraphExec::stream_of(Runtime& runtime, std::size_t branch, const Stream& stream, unsigned device) {
  const std::uint32_t number = branch == 0 ? stream.number : streams_[branch - 1];
  if (Timeline::device_of(number) == device) return number;
  std::uint32_t& other = streams_elsewhere_[{branch, device}];
  const OnDevice there(device);
  if (other == 0) other = runtime.create_branch();
  return other;
}

void GraphExec::upload() {
  if (!is_for_device()) return;
  uploaded_ = std::make_unique<std::unordered_map<const GraphNode*, NodeState>>();
  graph_.each_node([this](const GraphNode& node) {
    (*uploaded_)[&node] = {node.values, node.arguments, node.enabled};
  });
}

std::uint32_t GraphExec::own_stream(Runtime& runtime, unsigned device) {
  const OnDevice there(device);
  if (own_stream_ == 0) own_stream_ = runtime.create_branch();
  return own_stream_;
}

/// A node continues the branch of one of its dependencies, or of anything before that; else it opens a new branch.
/// @param first the branch of the node that contains this graph
void GraphExec::place(const Graph& graph, std::size_t first) {
  const std::vector<GraphNode*> order = graph.in_order();
  std::unordered_map<const GraphNode*, std::size_t> position;
  for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = i;
  Ancestors ancestors(order.size());
  std::map<std::size_t, std::size_t> last;  // By branch: the position of the latest node there.
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const GraphEdge& edge : order[i]->before) ancestors.add(i, position.at(edge.node));
    std::size_t branch = branch_count_;
    for (const GraphEdge& edge : order[i]->before) {
      const std::size_t candidate = branch_of_.at(edge.node);
      if (last.at(candidate) == position.at(edge.node)) {
        branch = candidate;
        break;
      }
    }
    if (branch == branch_count_ && last.count(first) == 0) branch = first;
    for (auto each = last.begin(); branch == branch_count_ && each != last.end(); ++each)
      if (ancestors.has(i, each->second)) branch = each->first;
    if (branch == branch_count_) ++branch_count_;
    last[branch] = i;
    branch_of_[order[i]] = branch;
    for (const auto& inner : order[i]->graphs) place(*inner, branch);
  }
}

cudaGraphExecUpdateResult GraphExec::update(const Graph& other, const GraphNode*& where, const GraphNode*& from) {
  const auto result = compare(graph_, other, where, from);
  if (result == cudaGraphExecUpdateSuccess) take_over(graph_, other);
  return result;
}

bool GraphExec::update_child(GraphNode& node, const Graph& other) {
  const GraphNode *where = nullptr, *from = nullptr;
  if (node.graphs.size() != 1 || compare(*node.graphs[0], other, where, from) != cudaGraphExecUpdateSuccess)
    return false;
  take_over(*node.graphs[0], other);
  return true;
}

std::shared_ptr<GraphExec> instantiate(Runtime& runtime, Graph& graph, std::uint64_t flags,
                                       cudaGraphInstantiateResult& result, const GraphNode*& where,
                                       cudaError_t& error) {
  where = in_ring(graph);
  if (where == nullptr) where = forbidden_in_body(graph, false);
  error = cudaErrorInvalidValue;
  result = cudaGraphInstantiateInvalidStructure;
  if (where != nullptr) return nullptr;
  result = cudaGraphInstantiateConditionalHandleUnused;
  if (!uses_all_conditions(graph)) return nullptr;
  graph.each_node([&](const GraphNode& node) {
    if (dim3_of(node.values.cluster).count() > kMostBlocksOfCluster) where = &node;
  });
  result = cudaGraphInstantiateError;
  error = cudaErrorInvalidClusterSize;
  if (where != nullptr) return nullptr;
  if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0) {
    error = cudaErrorInvalidValue;
    where = nullptr;
    result = check_for_device(runtime, graph, where);
    if (result != cudaGraphInstantiateSuccess) return nullptr;
  }
  // Memory and conditions exist once: two copies that run at the same time would share them.
  const bool single = graph.has(cudaGraphNodeTypeMemAlloc) || graph.has(cudaGraphNodeTypeMemFree) ||
                      graph.has(cudaGraphNodeTypeConditional);
  result = cudaGraphInstantiateError;
  error = cudaErrorNotSupported;
  if (single && graph.instances != 0) return nullptr;
  result = cudaGraphInstantiateSuccess;
  error = cudaSuccess;
  auto made = std::make_shared<GraphExec>(runtime, graph, flags);
  ++graph.instances;
  graph.was_instantiated = true;
  return made;
}

}  // namespace warpbook::simulator::runtime
