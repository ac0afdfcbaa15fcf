// Operands whose registers and literals an instruction does not take, by their types: what NVIDIA's assembler calls an
// arguments mismatch. Asked only where no assembler has seen the text.
#pragma once

#include <string>

#include "common/simulator/kernel/registers.h"
#include "common/simulator/ptx/operation_table.h"

namespace warpbook::simulator {

/// The type of twice the size: what mul.wide makes.
ptx::Type widened(ptx::Type type);
/// The type of each element where a whole is taken apart: "mov.b64 {%r1, %r2}, %rd1".
ptx::Type part_of(ptx::Type whole, std::size_t parts);

/// Why @p instruction, which is written as row @p match, may not have its operands; empty if it may.
/// Video instructions are not looked at: they take parts of registers.
std::string refused_types(const ptx::Match& match, const ptx::Instruction& instruction, const RegisterNames& names,
                          const ptx::Module& module);

}  // namespace warpbook::simulator
