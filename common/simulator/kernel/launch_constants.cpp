// Follows definitions downwards: an instruction is the same in all blocks if all registers that it reads are.
#include "common/simulator/kernel/launch_constants.h"

#include <algorithm>

namespace warpbook::simulator {

using ptx::OperationId;

bool is_pure(OperationId id) {
  switch (id) {
    // The carry is an operand of these that is not a register.
    case OperationId::add_cc:
    case OperationId::addc:
    case OperationId::sub_cc:
    case OperationId::subc:
    case OperationId::mad_cc:
    case OperationId::madc:
      return false;
    case OperationId::cvta:
    case OperationId::cvta_to:
    case OperationId::isspacep:
      return true;
    default:
      break;
  }
  switch (id) {
#define WB_OPERATION(id, opcode, modifiers, operands, pipe) case OperationId::id:
#include "common/simulator/ptx/operations/compare.def"
#include "common/simulator/ptx/operations/convert.def"
#include "common/simulator/ptx/operations/floating.def"
#include "common/simulator/ptx/operations/integer.def"
#include "common/simulator/ptx/operations/logic.def"
#include "common/simulator/ptx/operations/video.def"
#undef WB_OPERATION
    return true;
    default:
      return false;
  }
}

bool crosses_lanes(OperationId id) {
  switch (id) {
#define WB_OPERATION(id, opcode, modifiers, operands, pipe) case OperationId::id:
#include "common/simulator/ptx/operations/matrix.def"
#include "common/simulator/ptx/operations/warp.def"
#undef WB_OPERATION
    return true;
    default:
      return false;
  }
}

std::vector<bool> find_launch_constants(const std::vector<InstructionKind>& kinds, const std::vector<Access>& accesses,
                                        const std::vector<std::uint32_t>& live_at_entry, std::size_t registers) {
  // A register qualifies if one instruction writes it, before anything reads it, and no lane reads it from another
  // lane.
  std::vector<unsigned> writers(registers, 0);
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    for (const std::uint32_t r : accesses[i].writes) ++writers[r];
    if (!kinds[i].crosses_lanes) continue;
    for (const std::uint32_t r : accesses[i].reads) writers[r] += 2;
  }
  for (const std::uint32_t r : live_at_entry) writers[r] += 2;

  // What an instruction reads is defined above it, so they can be visited in the order of the text.
  std::vector<bool> constant(registers, false), found(kinds.size(), false);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const Access& access = accesses[i];
    if (!kinds[i].repeats || access.writes.empty()) continue;
    const auto is_constant = [&](std::uint32_t r) { return constant[r]; };
    const auto is_written_here_only = [&](std::uint32_t r) { return writers[r] == 1; };
    if (!std::all_of(access.reads.begin(), access.reads.end(), is_constant) ||
        !std::all_of(access.writes.begin(), access.writes.end(), is_written_here_only))
      continue;
    found[i] = true;
    for (const std::uint32_t r : access.writes) constant[r] = true;
  }
  return found;
}

}  // namespace warpbook::simulator
