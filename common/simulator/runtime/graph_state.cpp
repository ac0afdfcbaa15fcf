// Keeps graphs until they are destroyed, and reports them to the leak check.
#include "common/simulator/runtime/graph_state.h"

#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {

std::uint64_t GraphState::keep(std::unique_ptr<Graph> graph, const char* call) {
  const std::uint64_t handle = handle_of(graph.get());
  if (runtime_.options.checks.any()) runtime_.objects.made(graph.get(), "graph", call, runtime_.places.here());
  graphs_[handle] = std::move(graph);
  return handle;
}

Graph* GraphState::own(std::uint64_t handle) const {
  const auto found = graphs_.find(handle);
  return found == graphs_.end() ? nullptr : found->second.get();
}

std::unique_ptr<Graph> GraphState::take(Graph& graph) {
  runtime_.objects.gone(&graph);
  return std::move(graphs_.extract(handle_of(&graph)).mapped());
}

void GraphState::destroy(Graph& graph) {
  runtime_.objects.gone(&graph);
  const auto held = graph.user_objects;
  graphs_.erase(handle_of(&graph));
  for (const auto& [object, count] : held) user_objects.release(object, count);
}

std::uint64_t GraphState::keep(std::shared_ptr<GraphExec> exec, const char* call) {
  const std::uint64_t handle = handle_of(exec.get());
  if (runtime_.options.checks.any())
    runtime_.objects.made(exec.get(), "executable graph", call, runtime_.places.here());
  execs_[handle] = std::move(exec);
  return handle;
}

std::shared_ptr<GraphExec> GraphState::exec(std::uint64_t handle) const {
  const auto found = execs_.find(handle);
  return found == execs_.end() ? nullptr : found->second;
}

void GraphState::destroy(const std::shared_ptr<GraphExec>& exec) {
  runtime_.objects.gone(exec.get());
  const auto held = exec->graph().user_objects;
  execs_.erase(handle_of(exec.get()));
  for (const auto& [object, count] : held) user_objects.release(object, count);
}

void GraphState::clear() {
  captures.clear();
  execs_.clear();
  graphs_.clear();
  memory.clear();
  conditions.clear();
}

}  // namespace warpbook::simulator::runtime
