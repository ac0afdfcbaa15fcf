// Which handler follows undefined bits through an operation.
#pragma once

#include "common/simulator/machine/taint_rule.h"

namespace warpbook::simulator {

/// What stands in front of operations of @p kind; nullptr: nothing does.
Handler tainting_handler(TaintRule::Kind kind);
/// In the place of HandlerSet::guard.
Handler tainting_guard();

}  // namespace warpbook::simulator
