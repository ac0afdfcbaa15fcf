// Executable graphs: a copy of a graph that can be launched again and again. What cudaGraphExec_t points to.
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
  /// The node here for a node of the graph that it was made of; nullptr if there is none.
  GraphNode* node_of(const GraphNode& source) const;

  /// Where a node runs: a number of one of the graph's branches. Nodes of one branch run one after another; branch 0 is
  /// in the stream of the launch. Branches are like streams that the device has for itself.
  std::size_t branch_of(const GraphNode& node) const { return branch_of_.at(&node); }
  /// Number of the stream that stands for a branch in a launch in @p stream.
  std::uint32_t stream_of(Runtime& runtime, std::size_t branch, const Stream& stream, unsigned device);
  /// Number of the stream that stands for branch 0 where a kernel launches the graph, not as a tail.
  std::uint32_t own_stream(Runtime& runtime, unsigned device);
  std::size_t nodes() const { return nodes_.size(); }
  bool is_for_device() const { return (flags_ & cudaGraphInstantiateFlagDeviceLaunch) != 0; }
  /// What a node is to do.
  struct NodeState {
    NodeValues values;
    std::vector<std::byte> arguments;
    bool enabled = true;
  };
  /// Kernels launch it as it was when the host uploaded it, or launched it, last (H200, 2026-11-23).
  void upload();
  bool is_uploaded() const { return uploaded_ != nullptr; }
  const NodeState& uploaded(const GraphNode& node) const { return uploaded_->at(&node); }
  unsigned under_way = 0;  ///< Launches that are not complete.
  /// The end of the host's latest launch: the next one is behind it, in whatever stream. 0: there was none.
  Backlog::Ticket last_launch = 0;

  /// Takes over the parameters of @p other. @returns what cudaGraphExecUpdate says; @p where gets the node of @p other
  cudaGraphExecUpdateResult update(const Graph& other, const GraphNode*& where, const GraphNode*& from);

  /// Takes over the parameters of a graph of the same shape for a child.
  bool update_child(GraphNode& node, const Graph& other);

 private:
  void index(const Graph& graph);
  void place(const Graph& graph, std::size_t first);

  Runtime& runtime_;
  Graph graph_;
  const std::uint64_t flags_;
  const std::uint64_t source_;                           ///< Handle of the graph that it was made of.
  std::unordered_map<std::uint64_t, GraphNode*> nodes_;  ///< By id of the node that it is a copy of.
  std::unordered_map<const GraphNode*, std::size_t> branch_of_;
  std::size_t branch_count_ = 1;
  std::vector<std::uint32_t> streams_;  ///< Of branches 1, 2, ...
  std::uint32_t own_stream_ = 0;        ///< 0: no kernel has launched it.
  std::unique_ptr<std::unordered_map<const GraphNode*, NodeState>> uploaded_;
  /// Of branches some of whose nodes are on another device than the branch: by branch and device.
  std::map<std::pair<std::size_t, unsigned>, std::uint32_t> streams_elsewhere_;
};

/// Makes one.
/// @param result what stands in the way
/// @param where at which node
std::shared_ptr<GraphExec> instantiate(Runtime& runtime, Graph& graph, std::uint64_t flags,
                                       cudaGraphInstantiateResult& result, const GraphNode*& where, cudaError_t& error);

/// Puts all nodes of @p exec into @p stream. See graph_launch.cpp.
cudaError_t launch_graph(Runtime& runtime, const Stream& stream, const std::shared_ptr<GraphExec>& exec);

}  // namespace warpbook::simulator::runtime
