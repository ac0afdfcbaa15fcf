// Reads the operands of an access.
#include "common/simulator/debugger/access_lanes.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "common/simulator/machine/address_space.h"

namespace warpbook::simulator::debugger {

AccessLanes access_lanes(const WarpState& warp, const Operation& operation, const OperationDetail& detail) {
  AccessLanes access;
  const std::string_view opcode = ptx::row(detail.id).opcode;
  access.reads = opcode == "ld" || opcode == "ldu" || opcode == "atom";
  access.writes = opcode == "st" || opcode == "atom" || opcode == "red";
  if ((!access.reads && !access.writes) || detail.modifiers.space == ptx::Space::param || operation.a == kNoOperand)
    return access;
  access.lanes = warp.active;
  if (operation.guard != kNoOperand) {
    std::uint32_t passing = 0;
    std::memcpy(&passing, warp.registers + operation.guard, sizeof passing);
    access.lanes &= operation.flags.negates_guard() ? ~passing : passing;
  }
  access.bytes = ptx::size_of(detail.modifiers.types[0]) * std::max<std::uint32_t>(1, detail.modifiers.vector);
  const std::uint64_t window = window_of(detail.modifiers.space);
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    std::uint64_t base = 0;
    if (operation.flags.has_narrow_address())
      std::memcpy(&base, warp.registers + operation.a + 4 * lane, 4);
    else
      std::memcpy(&base, warp.registers + operation.a + 8 * lane, 8);
    access.address[lane] = base + static_cast<std::uint64_t>(operation.immediate) + window;
  }
  return access;
}

}  // namespace warpbook::simulator::debugger
