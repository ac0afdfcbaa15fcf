// Looks at the targets of branches.
#include "common/simulator/runtime/branches.h"

#include "common/simulator/ptx/operation_table.h"

namespace warpbook::simulator::runtime {

bool only_ends_threads(const Program& program, std::size_t branch) {
  const Operation& operation = program.operations[program.branches[branch]];
  if (program.details[operation.index].id != ptx::OperationId::bra || operation.immediate < 0) return false;
  auto target = static_cast<std::size_t>(operation.immediate);
  while (target < program.details.size() && program.details[target].internal) ++target;
  if (target >= program.details.size()) return false;
  const OperationDetail& detail = program.details[target];
  const bool leaves = detail.id == ptx::OperationId::exit ||
                      (detail.id == ptx::OperationId::ret && program.functions[detail.function].entry);
  return leaves && program.operations[target].guard == kNoOperand;
}

}  // namespace warpbook::simulator::runtime
