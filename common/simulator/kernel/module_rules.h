// What must be right about a module as a whole: its heads, the calls of functions by name, and what may be written.
#pragma once

#include <string>

#include "common/simulator/ptx/operation_table.h"

namespace warpbook::simulator {

/// Refuses what NVIDIA's assembler refuses beside instructions. Asked only where no assembler has seen the text.
/// @throws DecodeError
void check_module(const ptx::Module& module);

/// What the version or the target of @p module lacks for an instruction; empty if it lacks nothing.
std::string missing_for(const ptx::Match& match, const ptx::Instruction& instruction, const ptx::Module& module);
/// Why the module's target has no instruction such as @p match; empty if it has. Asked only where no assembler has seen
/// the text.
std::string missing_on_target(const ptx::Match& match, const ptx::Module& module);

}  // namespace warpbook::simulator
