// Calls that pass registers: rewrites the PTX manual's older style to .param variables.
//
// A function may take and return registers (".func (.reg .u32 %r) f(.reg .u32 %a)"), and a call may pass registers,
// vectors of them and literals. Both become .param variables in the frame: a function loads its arguments and stores
// its results before each `ret`; a call stores its arguments to variables of its own, and loads the results.
#pragma once

#include <optional>

#include "common/simulator/ptx/ast.h"

namespace warpbook::simulator {

/// @returns @p module with .param variables in place of registers; empty if it passes no registers. @throws DecodeError
/// for what cannot be passed
std::optional<ptx::Module> without_call_registers(const ptx::Module& module);

}  // namespace warpbook::simulator
