// A graph as a drawing for Graphviz: cudaGraphDebugDotPrint.
#pragma once

#include <cstdint>
#include <string>

#include "common/simulator/runtime/graph.h"

namespace warpbook::simulator::runtime {

/// @param flags cudaGraphDebugDotFlags: parameters of nodes are written where they ask for them
std::string dot_of(const Graph& graph, std::uint64_t flags);

}  // namespace warpbook::simulator::runtime
