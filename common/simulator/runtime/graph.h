// Graphs: nodes, what they wait for, and how a graph is copied. What cudaGraph_t and cudaGraphNode_t point to.
//
// A graph knows nothing of time or order: graph_exec.h runs copies of it. Nodes keep the order in which they were made,
// which is the order of every list that a program gets, and decides between nodes that could run next.
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
  std::uint64_t id = 0;        ///< Of no other node, ever.
  std::uint64_t original = 0;  ///< Id of the node that this one is a copy of; 0 if it is none.
  NodeValues values;
  std::vector<std::byte> arguments;            ///< Of a kernel.
  std::vector<GraphEdge> before;               ///< What it waits for, in the order in which the program said so.
  std::vector<GraphNode*> after;               ///< What waits for it.
  std::vector<std::unique_ptr<Graph>> graphs;  ///< The child, or the bodies of a conditional node.
  std::vector<cudaGraph_t> handles;            ///< Of these, for the program.
  bool enabled = true;                         ///< In an executable graph.
  unsigned device = 0;                         ///< That was current when it was made: its work is done there.

  bool waits_for(const GraphNode* other) const;
};

/// A value that decides what a conditional node runs.
struct GraphCondition {
  std::uint32_t initial = 0;
  bool assigns = false;             ///< It gets its initial value at each launch.
  const GraphNode* user = nullptr;  ///< The conditional node that has it.
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
  /// All nodes, each behind those that it waits for; of several the oldest. Fewer than there are if some wait in a
  /// ring.
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

  /// The graph at the top, of which this is a child or a body.
  const Graph& root() const;
  GraphNode* owner() const { return owner_; }
  void set_owner(GraphNode* owner) { owner_ = owner; }
  std::uint64_t id() const { return id_; }

  std::map<std::uint64_t, GraphCondition> conditions;   ///< By handle.
  std::map<std::uint64_t, std::uint32_t> user_objects;  ///< References that it holds.
  bool moved = false;                                   ///< It was given to another graph as a child.
  unsigned captures = 0;                                ///< Captures that add to it.
  unsigned instances = 0;                               ///< Executable graphs made of it that are alive.
  bool was_instantiated = false;                        ///< At any time.

 private:
  GraphNode* owner_;
  const std::uint64_t id_;
  std::vector<std::unique_ptr<GraphNode>> nodes_;
};

/// All graphs and nodes that are alive: whether a handle names one of them.
Graph* find_graph(std::uint64_t handle);
GraphNode* find_node(std::uint64_t handle);
inline std::uint64_t handle_of(const void* object) { return reinterpret_cast<std::uint64_t>(object); }

}  // namespace warpbook::simulator::runtime
