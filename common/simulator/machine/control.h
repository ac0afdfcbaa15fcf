// Handlers for control flow and for operations that the decoder adds, in one set.
#pragma once

#include "common/simulator/kernel/program.h"
#include "common/simulator/machine/warp_state.h"

namespace warpbook::simulator {

const HandlerSet& handler_set();

inline WarpState& state_of(Warp& warp) { return static_cast<WarpState&>(warp); }

/// Executes a call of a function that the machine provides (vprintf, malloc, free, assert).
const Operation* call_system(WarpState& warp, const Operation* operation, const CallSite& site);

}  // namespace warpbook::simulator
