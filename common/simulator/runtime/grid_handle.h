// Cooperative grids by calls: what libcudadevrt.a has for compilers other than nvcc, Numba among them.
#pragma once

#include <vector>

#include "common/simulator/ptx/ast.h"

namespace warpbook::simulator::runtime {

/// Adds what @p modules call and do not define of cudaCGGetIntrinsicHandle and cudaCGSynchronize
/// (cuda_device_runtime_api.h): the handle of a grid is the address of its workspace; 0 if the launch was not
/// cooperative, and for another scope. Synchronising by 0 returns 999 (cudaErrorUnknown), as on an H200 (2026-11-23).
void add_grid_calls(std::vector<ptx::Module>& modules);

}  // namespace warpbook::simulator::runtime
