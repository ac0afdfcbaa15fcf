// All graph objects of a device: graphs, executable graphs, captures, memory and user objects.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "common/simulator/runtime/capture.h"
#include "common/simulator/runtime/graph.h"
#include "common/simulator/runtime/graph_exec.h"
#include "common/simulator/runtime/graph_memory.h"
#include "common/simulator/runtime/user_objects.h"

namespace warpbook::simulator::runtime {

class GraphState {
 public:
  explicit GraphState(Runtime& runtime) : captures(runtime), memory(runtime), runtime_(runtime) {}

  Captures captures;
  GraphMemory memory;
  UserObjects user_objects;
  std::map<std::uint64_t, std::uint32_t> conditions;  ///< Values of conditions, by handle.
  std::uint64_t last_condition = 0;

  /// Keeps a graph that the program made with @p call.
  std::uint64_t keep(std::unique_ptr<Graph> graph, const char* call);
  /// A graph that the program may destroy: neither a child nor a body. nullptr if there is none
  Graph* own(std::uint64_t handle) const;
  /// Removes it: it becomes a child.
  std::unique_ptr<Graph> take(Graph& graph);
  void destroy(Graph& graph);

  std::uint64_t keep(std::shared_ptr<GraphExec> exec, const char* call);
  std::shared_ptr<GraphExec> exec(std::uint64_t handle) const;
  void destroy(const std::shared_ptr<GraphExec>& exec);

  /// cudaDeviceReset
  void clear();

 private:
  Runtime& runtime_;
  std::map<std::uint64_t, std::unique_ptr<Graph>> graphs_;
  std::map<std::uint64_t, std::shared_ptr<GraphExec>> execs_;
};

}  // namespace warpbook::simulator::runtime
