// Classifies memory operations.
#include "common/simulator/runtime/accesses.h"

#include <string_view>

#include "common/simulator/ptx/operation_table.h"

namespace warpbook::simulator::runtime {

const char* name_of(AccessOp op) {
  switch (op) {
    case AccessOp::ld:
      return "ld";
    case AccessOp::st:
      return "st";
    case AccessOp::atom:
      return "atom";
    case AccessOp::red:
      return "red";
    case AccessOp::other:
      break;
  }
  return "other";
}

const char* name_of(AccessSpace space) {
  switch (space) {
    case AccessSpace::global:
      return "global";
    case AccessSpace::shared:
      return "shared";
    case AccessSpace::local:
      return "local";
    case AccessSpace::other:
      break;
  }
  return "other";
}

AccessKind access_kind(const Program& program, std::size_t memory, const MemoryCounters& counted) {
  const std::uint32_t index = program.memory_operations[memory];
  const Operation& operation = program.operations[index];
  const OperationDetail& detail = program.details[index];
  const std::string_view opcode = ptx::row(detail.id).opcode;
  AccessKind kind;
  if (opcode == "ld" || opcode == "ldu") kind.op = AccessOp::ld;
  if (opcode == "st") kind.op = AccessOp::st;
  if (opcode == "atom") kind.op = AccessOp::atom;
  if (opcode == "red") kind.op = AccessOp::red;
  switch (detail.modifiers.space) {
    case ptx::Space::global:
      kind.space = AccessSpace::global;
      break;
    case ptx::Space::shared:
      kind.space = AccessSpace::shared;
      break;
    case ptx::Space::local:
      kind.space = AccessSpace::local;
      break;
    case ptx::Space::generic:
      kind.space = counted.sectors == 0 && counted.wavefronts > 0 ? AccessSpace::shared : AccessSpace::global;
      break;
    default:
      break;
  }
  const unsigned elements = operation.count > 1 ? operation.count : 1;
  kind.bytes_per_lane = elements * ptx::size_of(detail.modifiers.types[0]);
  return kind;
}

}  // namespace warpbook::simulator::runtime
