// The rows of asynchronous.def, whose handlers are the same in all instruction sets.
#include "common/simulator/machine/asynchronous.h"

#include "common/simulator/machine/operations/lanes.h"

namespace warpbook::simulator::operations::WB_ISA {

#define WB_OPERATION(id, opcode, modifiers, operands, pipe) \
  Handler resolve_##id(const ptx::Modifiers& m) { return asynchronous::resolve(ptx::OperationId::id, m); }
#include "common/simulator/ptx/operations/asynchronous.def"
#undef WB_OPERATION

}  // namespace warpbook::simulator::operations::WB_ISA
