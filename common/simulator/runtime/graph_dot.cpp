// Writes nodes, edges and, as clusters, children and bodies.
#include "common/simulator/runtime/graph_dot.h"

#include <sstream>

#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {
namespace {

const char* name_of(std::int32_t type) {
  switch (type) {
    case cudaGraphNodeTypeKernel:
      return "KERNEL";
    case cudaGraphNodeTypeMemcpy:
      return "MEMCPY";
    case cudaGraphNodeTypeMemset:
      return "MEMSET";
    case cudaGraphNodeTypeHost:
      return "HOST";
    case cudaGraphNodeTypeGraph:
      return "CHILD_GRAPH";
    case cudaGraphNodeTypeWaitEvent:
      return "WAIT_EVENT";
    case cudaGraphNodeTypeEventRecord:
      return "EVENT_RECORD";
    case cudaGraphNodeTypeMemAlloc:
      return "MEM_ALLOC";
    case cudaGraphNodeTypeMemFree:
      return "MEM_FREE";
    case cudaGraphNodeTypeConditional:
      return "CONDITIONAL";
    default:
      return "EMPTY";
  }
}

class Drawing {
 public:
  explicit Drawing(std::uint64_t flags) : flags_(flags) {}

  std::string draw(const Graph& graph) {
    out_ << "digraph dot {\n";
    cluster(graph);
    out_ << "}\n";
    return out_.str();
  }

 private:
  bool wants(std::uint64_t flag) const { return (flags_ & (flag | cudaGraphDebugDotFlagsVerbose)) != 0; }

  static std::string id(const GraphNode& node) {
    return "\"graph_" + std::to_string(node.graph->id()) + "_node_" + std::to_string(node.id) + "\"";
  }

  std::string label(const GraphNode& node) const {
    const NodeValues& values = node.values;
    std::ostringstream text;
    text << name_of(values.type);
    if (values.type == cudaGraphNodeTypeKernel) {
      const Kernel* const kernel = registry().find_kernel(reinterpret_cast<const void*>(values.function));
      if (kernel != nullptr) text << "\\n" << kernel->name;
      if (wants(cudaGraphDebugDotFlagsKernelNodeParams)) {
        text << "\\ngrid " << values.grid[0] << "," << values.grid[1] << "," << values.grid[2] << " block "
             << values.block[0] << "," << values.block[1] << "," << values.block[2] << " shared "
             << values.shared_bytes;
      }
    }
    if (values.type == cudaGraphNodeTypeMemcpy && wants(cudaGraphDebugDotFlagsMemcpyNodeParams))
      text << "\\n" << values.width << "x" << values.height << "x" << values.depth << " bytes";
    if (values.type == cudaGraphNodeTypeMemset && wants(cudaGraphDebugDotFlagsMemsetNodeParams))
      text << "\\nvalue " << values.value << ", " << values.width << "x" << values.height << " elements of "
           << values.element_bytes << " bytes";
    if (values.type == cudaGraphNodeTypeMemAlloc) text << "\\n" << values.bytes << " bytes";
    if (wants(cudaGraphDebugDotFlagsHandles)) text << "\\n0x" << std::hex << handle_of(&node);
    return text.str();
  }

  void cluster(const Graph& graph) {
    out_ << "subgraph cluster_" << graph.id() << " {\nlabel=\"graph_" << graph.id() << "\"\n";
    for (const auto& node : graph.nodes()) out_ << id(*node) << " [shape=\"box\" label=\"" << label(*node) << "\"]\n";
    for (const auto& node : graph.nodes())
      for (const GraphEdge& edge : node->before) out_ << id(*edge.node) << " -> " << id(*node) << "\n";
    for (const auto& node : graph.nodes())
      for (const auto& inner : node->graphs) cluster(*inner);
    out_ << "}\n";
  }

  const std::uint64_t flags_;
  std::ostringstream out_;
};

}  // namespace

std::string dot_of(const Graph& graph, std::uint64_t flags) { return Drawing(flags).draw(graph); }

}  // namespace warpbook::simulator::runtime
