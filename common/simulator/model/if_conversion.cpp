// Finds short bodies between a forward branch and its target.
#include "common/simulator/model/if_conversion.h"

namespace warpbook::simulator {
namespace {

/// PTX instructions up to which ptxas predicates a body rather than branch over it: validation/reduction has predicated
/// bodies of eight instructions: two loads, an addition, a store and their addresses.
constexpr unsigned kLongest = 10;

/// The last operation of the block that is in the PTX, or the block's end.
std::uint32_t last_of(const Program& program, const Program::Range& block) {
  for (std::uint32_t i = block.end; i > block.begin; --i)
    if (!program.details[i - 1].internal) return i - 1;
  return block.end;
}

bool is_short(const Program& program, const Program::Range& block) {
  unsigned instructions = 0;
  for (std::uint32_t i = block.begin; i < block.end; ++i) {
    const OperationDetail& detail = program.details[i];
    if (detail.internal || detail.pipe == ptx::Pipe::none) continue;
    if (detail.pipe == ptx::Pipe::branch || detail.pipe == ptx::Pipe::barrier) return false;
    if (program.operations[i].atomic != ptx::AtomicOp::none) return false;
    ++instructions;
  }
  return instructions > 0 && instructions <= kLongest;
}

}  // namespace

std::vector<bool> find_predicated_blocks(const Program& program) {
  std::vector<bool> predicated(program.blocks.size(), false);
  for (std::size_t b = 0; b + 2 < program.blocks.size(); ++b) {
    const std::uint32_t last = last_of(program, program.blocks[b]);
    if (last == program.blocks[b].end || program.details[last].id != ptx::OperationId::bra) continue;
    const Operation& branch = program.operations[last];
    if (branch.guard == kNoOperand) continue;
    const auto target = static_cast<std::uint32_t>(branch.immediate);
    predicated[b + 1] = target == program.blocks[b + 2].begin && is_short(program, program.blocks[b + 1]);
  }
  return predicated;
}

}  // namespace warpbook::simulator
