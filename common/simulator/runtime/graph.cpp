// Adds, removes, orders and copies nodes.
#include "common/simulator/runtime/graph.h"

#include <algorithm>
#include <cstring>
#include <queue>
#include <unordered_set>

#include "common/simulator/runtime/active_device.h"

namespace warpbook::simulator::runtime {
namespace {

std::uint64_t last_id = 0;

std::unordered_set<const void*>& live_graphs() {
  static auto* all = new std::unordered_set<const void*>;
  return *all;
}

std::unordered_set<const void*>& live_nodes() {
  static auto* all = new std::unordered_set<const void*>;
  return *all;
}

bool same_data(const cudaGraphEdgeData& a, const cudaGraphEdgeData& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

}  // namespace

Graph* find_graph(std::uint64_t handle) {
  auto* const graph = reinterpret_cast<Graph*>(handle);
  return live_graphs().count(graph) == 0 ? nullptr : graph;
}

GraphNode* find_node(std::uint64_t handle) {
  auto* const node = reinterpret_cast<GraphNode*>(handle);
  return live_nodes().count(node) == 0 ? nullptr : node;
}

bool GraphNode::waits_for(const GraphNode* other) const {
  return std::any_of(before.begin(), before.end(), [&](const GraphEdge& edge) { return edge.node == other; });
}

Graph::Graph(GraphNode* owner) : owner_(owner), id_(++last_id) { live_graphs().insert(this); }

Graph::~Graph() {
  for (const auto& node : nodes_) live_nodes().erase(node.get());
  live_graphs().erase(this);
}

GraphNode& Graph::add(const NodeValues& values, std::vector<std::byte> arguments) {
  GraphNode& node = *nodes_.emplace_back(std::make_unique<GraphNode>());
  live_nodes().insert(&node);
  node.graph = this;
  node.id = ++last_id;
  node.values = values;
  node.arguments = std::move(arguments);
  node.device = active_device();
  return node;
}

void Graph::remove(GraphNode& node) {
  for (const GraphEdge& edge : node.before) std::erase(edge.node->after, &node);
  for (GraphNode* after : node.after)
    std::erase_if(after->before, [&](const GraphEdge& edge) { return edge.node == &node; });
  live_nodes().erase(&node);
  std::erase_if(nodes_, [&](const auto& each) { return each.get() == &node; });
}

bool Graph::connect(GraphNode& from, GraphNode& to, const cudaGraphEdgeData& data) {
  if (to.waits_for(&from)) return false;
  to.before.push_back({&from, data});
  from.after.push_back(&to);
  return true;
}

bool Graph::disconnect(GraphNode& from, GraphNode& to, const cudaGraphEdgeData& data) {
  const auto edge = std::find_if(to.before.begin(), to.before.end(), [&](const GraphEdge& each) {
    return each.node == &from && same_data(each.data, data);
  });
  if (edge == to.before.end()) return false;
  to.before.erase(edge);
  std::erase(from.after, &to);
  return true;
}

std::vector<GraphNode*> Graph::in_order() const {
  const auto younger = [](const GraphNode* a, const GraphNode* b) { return a->id > b->id; };
  std::priority_queue<GraphNode*, std::vector<GraphNode*>, decltype(younger)> ready(younger);
  std::unordered_map<const GraphNode*, std::size_t> unmet;
  for (const auto& node : nodes_) {
    unmet[node.get()] = node->before.size();
    if (node->before.empty()) ready.push(node.get());
  }
  std::vector<GraphNode*> order;
  while (!ready.empty()) {
    GraphNode* const node = ready.top();
    ready.pop();
    order.push_back(node);
    for (GraphNode* after : node->after)
      if (--unmet[after] == 0) ready.push(after);
  }
  return order;
}

void Graph::copy_from(const Graph& other) {
  std::unordered_map<const GraphNode*, GraphNode*> copies;
  for (const auto& node : other.nodes_) {
    GraphNode& copy = add(node->values, node->arguments);
    copy.original = node->id;
    copy.enabled = node->enabled;
    copy.device = node->device;
    copies[node.get()] = &copy;
    for (const auto& graph : node->graphs) {
      Graph& inner = *copy.graphs.emplace_back(std::make_unique<Graph>(&copy));
      inner.copy_from(*graph);
      copy.handles.push_back(reinterpret_cast<cudaGraph_t>(&inner));
    }
  }
  for (const auto& node : other.nodes_)
    for (const GraphEdge& edge : node->before) connect(*copies.at(edge.node), *copies.at(node.get()), edge.data);
  conditions = other.conditions;
}

bool Graph::has(cudaGraphNodeType type) const {
  bool found = false;
  each_node([&](const GraphNode& node) { found = found || node.values.type == type; });
  return found;
}

const Graph& Graph::root() const {
  const Graph* graph = this;
  while (graph->owner_ != nullptr) graph = graph->owner_->graph;
  return *graph;
}

}  // namespace warpbook::simulator::runtime
