// Which handler propagates undefined bits through an operation.
#pragma once

#include "common/simulator/machine/taint_rule.h"

namespace warpbook::simulator {

/// The handler placed in front of operations of @p kind; nullptr: none.
Handler tainting_handler(TaintRule::Kind kind);
/// Replaces HandlerSet::guard.
Handler tainting_guard();

}  // namespace warpbook::simulator
