// Registers that are filled before a frame starts: constants and the fixed special registers.
#include <algorithm>

#include "common/simulator/kernel/registers.h"
#include "common/simulator/machine/block_state.h"
#include "common/simulator/machine/cluster.h"
#include "common/simulator/machine/graph_exec.h"
#include "common/simulator/machine/grid_workspace.h"

namespace warpbook::simulator {
namespace {

using PresetKind = Preset::Kind;

bool differs_by_lane(PresetKind kind) {
  switch (kind) {
    case PresetKind::tid_x:
    case PresetKind::tid_y:
    case PresetKind::tid_z:
    case PresetKind::laneid:
    case PresetKind::lanemask_eq:
    case PresetKind::lanemask_lt:
    case PresetKind::lanemask_le:
    case PresetKind::lanemask_gt:
    case PresetKind::lanemask_ge:
      return true;
    default:
      return false;
  }
}

std::uint64_t value_of(const Preset& preset, const WarpState& warp, unsigned lane, std::uint32_t local_base) {
  const Launch& launch = *warp.state->launch;
  const Block& block = *warp.block;
  const std::uint64_t thread = std::uint64_t{warp.index} * kWarpSize + lane;
  const std::uint32_t self = 1u << lane;
  switch (preset.kind) {
    case PresetKind::constant:
      return preset.value;
    case PresetKind::tid_x:
      return thread % launch.block.x;
    case PresetKind::tid_y:
      return thread / launch.block.x % launch.block.y;
    case PresetKind::tid_z:
      return thread / launch.block.x / launch.block.y;
    case PresetKind::ntid_x:
      return launch.block.x;
    case PresetKind::ntid_y:
      return launch.block.y;
    case PresetKind::ntid_z:
      return launch.block.z;
    case PresetKind::ctaid_x:
      return block.index[0];
    case PresetKind::ctaid_y:
      return block.index[1];
    case PresetKind::ctaid_z:
      return block.index[2];
    case PresetKind::nctaid_x:
      return launch.grid.x;
    case PresetKind::nctaid_y:
      return launch.grid.y;
    case PresetKind::nctaid_z:
      return launch.grid.z;
    case PresetKind::laneid:
      return lane;
    case PresetKind::warpid:
      return warp.index;
    case PresetKind::nwarpid:
      return 64;  // The warps that an SM holds, as compute capability 9.0 reports.
    case PresetKind::smid:
      return launch.first_multiprocessor + block.linear % launch.multiprocessors;
    case PresetKind::nsmid:
      return launch.all_multiprocessors != 0 ? launch.all_multiprocessors : launch.multiprocessors;
    case PresetKind::gridid:  // Also what else is one for the whole grid.
      if (preset.value == kHighWorkspace) return grid_workspace(launch) >> 32;
      if (preset.value == kLowWorkspace) return grid_workspace(launch) & 0xffffffffu;
      if (preset.value == kGraphExec) return graph_exec(launch);
      return launch.grid_id;
    case PresetKind::lanemask_eq:
      return self;
    case PresetKind::lanemask_lt:
      return self - 1;
    case PresetKind::lanemask_le:
      return self | (self - 1);
    case PresetKind::lanemask_gt:
      return ~(self | (self - 1));
    case PresetKind::lanemask_ge:
      return ~(self - 1);
    case PresetKind::dynamic_smem_size:
      return launch.dynamic_shared_bytes;
    case PresetKind::total_smem_size:
      if (preset.value == kReservedShared) return warp.state->reserved_shared;
      return warp.state->own_shared + (preset.value == kOccupiedShared ? kReservedSharedBytes : 0);
    case PresetKind::cluster_ctaid_x:
      return block.index[0] % launch.cluster.x;
    case PresetKind::cluster_ctaid_y:
      return block.index[1] % launch.cluster.y;
    case PresetKind::cluster_ctaid_z:
      return block.index[2] % launch.cluster.z;
    case PresetKind::cluster_nctaid_x:
      return launch.cluster.x;
    case PresetKind::cluster_nctaid_y:
      return launch.cluster.y;
    case PresetKind::cluster_nctaid_z:
      return launch.cluster.z;
    case PresetKind::cluster_ctarank:
      return rank_in_cluster(block, launch);
    case PresetKind::cluster_nctarank:
      return launch.cluster.count();
    case PresetKind::clusterid_x:
      return block.index[0] / launch.cluster.x;
    case PresetKind::clusterid_y:
      return block.index[1] / launch.cluster.y;
    case PresetKind::clusterid_z:
      return block.index[2] / launch.cluster.z;
    case PresetKind::nclusterid_x:
      return launch.grid.x / launch.cluster.x;
    case PresetKind::nclusterid_y:
      return launch.grid.y / launch.cluster.y;
    case PresetKind::nclusterid_z:
      return launch.grid.z / launch.cluster.z;
    case PresetKind::is_explicit_cluster:
      return launch.explicit_cluster ? 1 : 0;
    case PresetKind::dynamic_shared:
      return (launch.kernel->shared_bytes + 15) / 16 * 16 + preset.value;
    case PresetKind::local:
      return preset.value + local_base;
  }
  return 0;
}

/// One value in all lanes.
void fill_lanes(const Preset& preset, std::uint64_t value, std::byte* registers) {
  std::byte* slot = registers + preset.slot;
  if (preset.bytes == 8)
    std::fill_n(reinterpret_cast<std::uint64_t*>(slot), kWarpSize, value);
  else
    std::fill_n(reinterpret_cast<std::uint32_t*>(slot), kWarpSize, static_cast<std::uint32_t>(value));
}

void fill(const Preset& preset, WarpState& warp, std::byte* registers, std::uint32_t local_base) {
  std::byte* slot = registers + preset.slot;
  if (preset.bytes == 1) {
    const bool constant = preset.kind == PresetKind::constant;
    *reinterpret_cast<std::uint32_t*>(slot) = constant ? static_cast<std::uint32_t>(preset.value)
                                              : value_of(preset, warp, 0, local_base) != 0 ? kFullMask
                                                                                           : 0;
    return;
  }
  if (!differs_by_lane(preset.kind)) {
    fill_lanes(preset, value_of(preset, warp, 0, local_base), registers);
    return;
  }
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    const std::uint64_t value = value_of(preset, warp, lane, local_base);
    if (preset.bytes == 8)
      reinterpret_cast<std::uint64_t*>(slot)[lane] = value;
    else
      reinterpret_cast<std::uint32_t*>(slot)[lane] = static_cast<std::uint32_t>(value);
  }
}

}  // namespace

void fill_presets(WarpState& warp, const Function& function, std::byte* registers, std::uint32_t local_base) {
  for (const Preset& preset : function.presets) fill(preset, warp, registers, local_base);
}

std::vector<Preset> block_presets(const Function& kernel) {
  std::vector<Preset> result;
  for (const Preset& preset : kernel.presets) {
    if (differs_by_block(preset.kind) && !preset.only_linear) result.push_back(preset);
  }
  return result;
}

void fill_block_presets(const std::vector<Preset>& presets, const std::vector<std::unique_ptr<WarpState>>& warps) {
  for (const Preset& preset : presets) {
    const std::uint64_t value = value_of(preset, *warps.front(), 0, 0);
    for (const auto& warp : warps) fill_lanes(preset, value, warp->root.registers);
  }
}

}  // namespace warpbook::simulator
