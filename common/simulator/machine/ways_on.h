// The successors of an operation in the control flow, for loop searches.
#pragma once

#include <cstdint>
#include <vector>

#include "common/simulator/machine/control.h"

namespace warpbook::simulator {

/// Appends the branch targets of @p operation, as operation indices. @returns whether control may also fall through
inline bool ways_on(const Program& program, const Operation& operation, std::vector<std::uint32_t>& targets) {
  const HandlerSet& handlers = handler_set();
  const bool always = operation.guard == kNoOperand;
  if (operation.handler == handlers.branch) {
    targets.push_back(static_cast<std::uint32_t>(operation.immediate));
    return !always;
  }
  if (operation.handler == handlers.indexed_branch) {
    targets = program.jump_tables[static_cast<std::size_t>(operation.immediate)];
    return false;
  }
  return operation.handler != handlers.exit && operation.handler != handlers.ret;
}

}  // namespace warpbook::simulator
