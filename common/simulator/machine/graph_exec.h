// The executable graph that a grid is part of: cudaGetCurrentGraphExec() reads it from %current_graph_exec. Like the
// workspace of a cooperative grid (grid_workspace.h), the launch passes it after the kernel's parameters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/simulator/machine/launch.h"

namespace warpbook::simulator {

/// Makes the launch of @p kernel part of the graph @p exec. A workspace may follow the kernel's @p parameters.
void append_graph_exec(const Function& kernel, std::vector<std::byte>& parameters, std::uint64_t exec);

/// The appended handle; 0 if the launch is not part of a graph that kernels may launch.
std::uint64_t graph_exec(const Launch& launch);

}  // namespace warpbook::simulator
