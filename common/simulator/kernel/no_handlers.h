// Handlers that do nothing, for tests that decode programs and never run them.
#pragma once

#include "common/simulator/kernel/program.h"

namespace warpbook::simulator {

inline const Operation* do_nothing(Warp& /*warp*/, const Operation* op) { return op; }

inline HandlerSet no_handlers() {
  HandlerSet set;
  set.find = [](ptx::OperationId, const ptx::Modifiers&) -> Handler { return do_nothing; };
  for (Handler* handler :
       {&set.block_entry, &set.guard, &set.branch, &set.indexed_branch, &set.call, &set.indirect_call, &set.system_call,
        &set.ret, &set.exit, &set.read_clock, &set.widen_unsigned, &set.widen_signed, &set.narrow, &set.unsupported})
    *handler = do_nothing;
  return set;
}

}  // namespace warpbook::simulator
