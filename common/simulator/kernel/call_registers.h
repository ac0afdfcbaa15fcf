// Calls that pass registers: from the manual's older style to parameters.
//
// A function may take and return registers (".func (.reg .u32 %r) f(.reg .u32 %a)"), and a call may pass registers,
// vectors of them and literals. Both become parameters of the frame: a function loads what it takes and stores what it
// returns before each `ret`; a call stores what it passes to variables of its own, and loads what comes back.
#pragma once

#include <optional>

#include "common/simulator/ptx/ast.h"

namespace warpbook::simulator {

/// @p module with parameters in place of registers; empty if it passes none. @throws DecodeError for what cannot be
/// passed
std::optional<ptx::Module> without_call_registers(const ptx::Module& module);

}  // namespace warpbook::simulator
