// Graphs: nodes, their dependencies, and how a graph is copied. The objects behind cudaGraph_t and cudaGraphNode_t.
//
// A graph knows nothing of time or execution: graph_exec.h runs copies of it. Nodes keep the order of their creation.
// All lists that a program gets have this order, and it decides between nodes that could run next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "common/simulator/runtime/graph_message.h"

namespace warpbook::simulator::runtime {

class Graph;

struct GraphEdge {
  struct GraphNode* node = nullptr;
  cudaGraphEdgeData data{};
};

struct GraphNode {
  Graph* graph = nullptr;
  std::uint64_t id = 0;        ///< Never used for another node.
  std::uint64_t original = 0;  ///< Id of the node that this one is a copy of; 0 if it is not a copy.
  NodeValues values;
  std::vector<std::byte> arguments;            ///< Of a kernel.
  std::vector<GraphEdge> before;               ///< What it waits for, in the order in which the program said so.
  std::vector<GraphNode*> after;               ///< What waits for it.
  std::vector<std::unique_ptr<Graph>> graphs;  ///< The child, or the bodies of a conditional node.
  std::vector<cudaGraph_t> handles;            ///< Of these, for the program.
  bool enabled = true;                         ///< Used in an executable graph only.
  unsigned device = 0;                         ///< The current device when the node was made: it runs there.

  bool waits_for(const GraphNode* other) const;
};

/// A value that decides what a conditional node runs.
struct GraphCondition {
  std::uint32_t initial = 0;
  bool assigns = false;             ///< It gets its initial value at each launch.
  const GraphNode* user = nullptr;  ///< The conditional node that uses it.
};

class Graph {
 public:
  explicit Graph(GraphNode* owner = nullptr);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  GraphNode& add(const NodeValues& values, std::vector<std::byte> arguments = {});
  void remove(GraphNode& node);
  /// @returns false if there is such an edge already
  bool connect(GraphNode& from, GraphNode& to, const cudaGraphEdgeData& data);
  /// @returns false if there is none, or one with other data
  bool disconnect(GraphNode& from, GraphNode& to, const cudaGraphEdgeData& data);

  const std::vector<std::unique_ptr<GraphNode>>& nodes() const { return nodes_; }
  /// All nodes in topological order; among several candidates the oldest first. Fewer than there are if the graph has a
  /// cycle.
  std::vector<GraphNode*> in_order() const;
  /// Copies nodes, edges, children and bodies from @p other. The graph must be empty.
  void copy_from(const Graph& other);
  /// Calls @p visit for each node here and in children and bodies.
  template <class Visit>
  void each_node(const Visit& visit) const {
    for (const auto& node : nodes_) {
      visit(*node);
      for (const auto& graph : node->graphs) graph->each_node(visit);
    }
  }
  bool has(cudaGraphNodeType type) const;

  /// The outermost graph, of which this is a child or a body.
  const Graph& root() const;
  GraphNode* owner() const { return owner_; }
  void set_owner(GraphNode* owner) { owner_ = owner; }
  std::uint64_t id() const { return id_; }

  std::map<std::uint64_t, GraphCondition> conditions;   ///< By handle.
  std::map<std::uint64_t, std::uint32_t> user_objects;  ///< References that it holds.
  bool moved = false;                                   ///< It was moved into another graph as a child.
  unsigned captures = 0;                                ///< Captures that add to it.
  unsigned instances = 0;                               ///< Live executable graphs made from it.
  bool was_instantiated = false;                        ///< At any time, even if no instance is left.

 private:
  GraphNode* owner_;
  const std::uint64_t id_;
  std::vector<std::unique_ptr<GraphNode>> nodes_;
};

/// All live graphs and nodes: tells whether a handle names one of them.
Graph* find_graph(std::uint64_t handle);
GraphNode* find_node(std::uint64_t handle);
inline std::uint64_t handle_of(const void* object) { return reinterpret_cast<std::uint64_t>(object); }

}  // namespace warpbook::simulator::runtime
