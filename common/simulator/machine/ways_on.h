// Where control may go from an operation, for those who look for loops.
#pragma once

#include <cstdint>
#include <vector>

#include "common/simulator/machine/control.h"

namespace warpbook::simulator {

/// The ends of @p operation's ways to other basic blocks, as operation indices. @returns whether control may also go
/// straight on
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
