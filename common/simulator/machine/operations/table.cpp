// All resolvers of one instruction set, by row. Compiled once for each instruction set, like the families.
#include "common/simulator/machine/operations/table.h"

#include "common/simulator/machine/operations/lanes.h"

namespace warpbook::simulator::operations::WB_ISA {

#define WB_OPERATION(id, opcode, modifiers, operands, pipe) Handler resolve_##id(const ptx::Modifiers&);
#include "common/simulator/ptx/operations.def"
#undef WB_OPERATION

Handler find_handler(ptx::OperationId id, const ptx::Modifiers& modifiers) {
  using Resolver = Handler (*)(const ptx::Modifiers&);
  static constexpr Resolver kResolvers[] = {
#define WB_OPERATION(id, opcode, modifiers, operands, pipe) resolve_##id,
#include "common/simulator/ptx/operations.def"
#undef WB_OPERATION
  };
  return kResolvers[static_cast<std::size_t>(id)](modifiers);
}

}  // namespace warpbook::simulator::operations::WB_ISA
