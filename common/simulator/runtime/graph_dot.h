// Writes a graph in Graphviz's format: cudaGraphDebugDotPrint.
#pragma once

#include <cstdint>
#include <string>

#include "common/simulator/runtime/graph.h"

namespace warpbook::simulator::runtime {

/// @param flags cudaGraphDebugDotFlags: they select which node parameters are written
std::string dot_of(const Graph& graph, std::uint64_t flags);

}  // namespace warpbook::simulator::runtime
