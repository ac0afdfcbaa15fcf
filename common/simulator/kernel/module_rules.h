// What must be right about a module as a whole: its heads, the calls of functions by name, and what may be written.
#pragma once

#include "common/simulator/ptx/ast.h"

namespace warpbook::simulator {

/// Refuses what NVIDIA's assembler refuses beside instructions. Asked only where no assembler has seen the text.
/// @throws DecodeError
void check_module(const ptx::Module& module);

}  // namespace warpbook::simulator
