// Which registers can share a slot: live ranges of a function's registers and the slots assigned to them.
//
// PTX is in near-SSA form, so a kernel names hundreds of registers and uses few at a time. A warp's register block is
// the hot data of the whole simulator; sharing slots keeps it in the first-level cache. Sharing is safe under
// divergence because every write is masked: each lane sees its own sequential program, for which the ranges hold.
#pragma once

#include <cstdint>
#include <vector>

#include "common/simulator/kernel/flow_graph.h"

namespace warpbook::simulator {

/// Registers read and written by one instruction, as indices into the function's list of registers.
struct Access {
  std::vector<std::uint32_t> reads, writes;
  bool guarded = false;  ///< A guarded write leaves the other lanes' old values, so it does not end a range.
};

enum class RegisterClass : std::uint8_t { predicate, narrow, wide };
constexpr std::uint32_t slot_bytes(RegisterClass c) {
  return c == RegisterClass::wide ? 256 : c == RegisterClass::narrow ? 128 : 64;
}

struct SlotAssignment {
  std::vector<std::uint32_t> offset;         ///< Of each register, from the start given.
  std::uint32_t bytes = 0;                   ///< End of the last slot.
  std::vector<std::uint32_t> live_at_entry;  ///< Registers that may be read before they are written.
  std::uint32_t pressure = 0;  ///< Most 32-bit registers live at once (wide ones count 2, predicates none).
};

/// @param start offset of the first slot, a multiple of 64
SlotAssignment assign_slots(const FlowGraph& graph, const std::vector<Access>& accesses,
                            const std::vector<RegisterClass>& classes, std::uint32_t start);

}  // namespace warpbook::simulator
