// The workspace of a cooperative grid: the words in device memory by which its blocks synchronise (grid.sync()).
//
// cooperative_groups finds its address in %envreg1 and %envreg2 and uses ordinary instructions on it; an address of 0
// means that the launch was not cooperative. Like a driver, the launch passes the address after the kernel's
// parameters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/simulator/machine/launch.h"
#include "common/simulator/machine/worker.h"

namespace warpbook::simulator {

/// Bytes of a workspace: its size and its barrier, one word each.
constexpr std::uint64_t kGridWorkspaceBytes = 8;

/// Makes the launch of @p kernel with @p parameters cooperative. @param address of 8 bytes that hold
/// {kGridWorkspaceBytes, 0}
void append_grid_workspace(const Function& kernel, std::vector<std::byte>& parameters, std::uint64_t address);

/// The address of the workspace; 0 if the launch is not cooperative.
std::uint64_t grid_workspace(const Launch& launch);

/// Call before the blocks of worker.launch run.
void prepare_grid_barrier(Worker& worker);
/// @p block has performed an atomic operation on the barrier's word. If it is the last block to do so and the word says
/// that all have arrived, this counts as a barrier.
void at_grid_barrier(Worker& worker, std::uint64_t block);

}  // namespace warpbook::simulator
