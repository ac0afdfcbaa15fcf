// Executable graphs: a copy of a graph that can be launched repeatedly. The object behind cudaGraphExec_t.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "common/simulator/runtime/backlog.h"
#include "common/simulator/runtime/graph.h"

namespace warpbook::simulator::runtime {

class Runtime;
struct Stream;

class GraphExec {
 public:
  GraphExec(Runtime& runtime, const Graph& source, std::uint64_t flags);
  ~GraphExec();
  GraphExec(const GraphExec&) = delete;
  GraphExec& operator=(const GraphExec&) = delete;

  Graph& graph() { return graph_; }
  const Graph& graph() const { return graph_; }
  std::uint64_t flags() const { return flags_; }
  /// The node here that was made from the given node of the original graph; nullptr if there is none.
  GraphNode* node_of(const GraphNode& source) const;

  /// Where a node runs: the number of a branch. Nodes of one branch run one after another. Branch 0 is in the stream of
  /// the launch; the other branches are like streams of their own.
  std::size_t branch_of(const GraphNode& node) const { return branch_of_.at(&node); }
  /// Number of the stream that represents a branch in a launch in @p stream.
  std::uint32_t stream_of(Runtime& runtime, std::size_t branch, const Stream& stream, unsigned device);
  /// Number of the stream that represents branch 0 if a kernel launches the graph, except as a tail launch.
  std::uint32_t own_stream(Runtime& runtime, unsigned device);
  std::size_t nodes() const { return nodes_.size(); }
  bool is_for_device() const { return (flags_ & cudaGraphInstantiateFlagDeviceLaunch) != 0; }
  /// What a node executes.
  struct NodeState {
    NodeValues values;
    std::vector<std::byte> arguments;
    bool enabled = true;
  };
  /// Launches by kernels use the state of the host's latest upload or launch (H200, 2026-11-23).
  void upload();
  bool is_uploaded() const { return uploaded_ != nullptr; }
  const NodeState& uploaded(const GraphNode& node) const { return uploaded_->at(&node); }
  unsigned under_way = 0;  ///< Launches that are not complete.
  /// The end of the host's latest launch: the next one waits for it, in any stream. 0: there was none.
  Backlog::Ticket last_launch = 0;

  /// Copies the parameters of @p other. @returns the result of cudaGraphExecUpdate; @p where gets the node of @p other
  cudaGraphExecUpdateResult update(const Graph& other, const GraphNode*& where, const GraphNode*& from);

  /// Copies the parameters of a graph of the same topology into a child graph.
  bool update_child(GraphNode& node, const Graph& other);

 private:
  void index(const Graph& graph);
  void place(const Graph& graph, std::size_t first);

  Runtime& runtime_;
  Graph graph_;
  const std::uint64_t flags_;
  const std::uint64_t source_;                           ///< Handle of the graph from which it was made.
  std::unordered_map<std::uint64_t, GraphNode*> nodes_;  ///< By id of the node that it is a copy of.
  std::unordered_map<const GraphNode*, std::size_t> branch_of_;
  std::size_t branch_count_ = 1;
  std::vector<std::uint32_t> streams_;  ///< Of branches 1, 2, ...
  std::uint32_t own_stream_ = 0;        ///< 0: no kernel has launched it.
  std::unique_ptr<std::unordered_map<const GraphNode*, NodeState>> uploaded_;
  /// For branches with nodes on a device other than the branch's own: by branch and device.
  std::map<std::pair<std::size_t, unsigned>, std::uint32_t> streams_elsewhere_;
};

/// Instantiates a graph.
/// @param result the reason if it cannot be instantiated
/// @param where the node responsible
std::shared_ptr<GraphExec> instantiate(Runtime& runtime, Graph& graph, std::uint64_t flags,
                                       cudaGraphInstantiateResult& result, const GraphNode*& where, cudaError_t& error);

/// Puts all nodes of @p exec into @p stream (graph_launch.cpp).
cudaError_t launch_graph(Runtime& runtime, const Stream& stream, const std::shared_ptr<GraphExec>& exec);

}  // namespace warpbook::simulator::runtime
