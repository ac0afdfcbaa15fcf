// What a graph that kernels may launch must be.
#pragma once

#include "common/simulator/runtime/graph.h"
#include "common/simulator/runtime/kernel_resources.h"

namespace warpbook::simulator::runtime {

class Runtime;

/// Looks for what such a graph may not have. @param where gets the node that stands in the way
cudaGraphInstantiateResult check_for_device(Runtime& runtime, const Graph& graph, const GraphNode*& where);

/// A kernel launches graphs: it runs as a node of a graph only.
bool launches_graphs(const KernelResources& resources);

}  // namespace warpbook::simulator::runtime
