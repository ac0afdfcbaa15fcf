// Requirements for graphs that are launched from the device.
#pragma once

#include "common/simulator/runtime/graph.h"
#include "common/simulator/runtime/kernel_resources.h"

namespace warpbook::simulator::runtime {

class Runtime;

/// Looks for violations of the requirements. @param where receives the offending node
cudaGraphInstantiateResult check_for_device(Runtime& runtime, const Graph& graph, const GraphNode*& where);

/// Whether a kernel launches graphs: then it can only run as a node of a graph.
bool launches_graphs(const KernelResources& resources);

}  // namespace warpbook::simulator::runtime
