// The executable graph that a grid is part of: cudaGetCurrentGraphExec() reads it from %current_graph_exec. Like the
// workspace of a cooperative grid (grid_workspace.h), the launch passes it behind the kernel's parameters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/simulator/machine/launch.h"

namespace warpbook::simulator {

/// Makes the launch of @p kernel with @p parameters, which a workspace may follow, one of the graph @p exec.
void append_graph_exec(const Function& kernel, std::vector<std::byte>& parameters, std::uint64_t exec);

/// What was appended; 0 if the launch is not part of a graph that kernels may launch.
std::uint64_t graph_exec(const Launch& launch);

}  // namespace warpbook::simulator
