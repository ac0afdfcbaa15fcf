// Cooperative grids through calls: what libcudadevrt.a offers to compilers other than nvcc, among them Numba.
#pragma once

#include <vector>

#include "common/simulator/ptx/ast.h"

namespace warpbook::simulator::runtime {

/// Adds definitions of cudaCGGetIntrinsicHandle and cudaCGSynchronize (cuda_device_runtime_api.h) if @p modules call
/// and do not define them. The handle of a grid is the address of its workspace, or 0 if the launch was not cooperative
/// or for another scope. Synchronising with handle 0 returns 999 (cudaErrorUnknown), as on an H200 (2026-11-23).
void add_grid_calls(std::vector<ptx::Module>& modules);

}  // namespace warpbook::simulator::runtime
