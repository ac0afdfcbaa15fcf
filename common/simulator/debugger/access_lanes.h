// Which addresses the lanes of a warp are about to access.
#pragma once

#include <array>
#include <cstdint>

#include "common/simulator/kernel/program.h"
#include "common/simulator/machine/warp_state.h"

namespace warpbook::simulator::debugger {

struct AccessLanes {
  std::uint32_t lanes = 0;  ///< Zero if the operation is not a load, store or atomic.
  std::uint32_t bytes = 0;  ///< Per lane.
  bool reads = false, writes = false;
  std::array<std::uint64_t, kWarpSize> address = {};  ///< Generic addresses.
};

AccessLanes access_lanes(const WarpState& warp, const Operation& operation, const OperationDetail& detail);

}  // namespace warpbook::simulator::debugger
