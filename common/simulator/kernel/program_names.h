// Where a program keeps what its PTX names: registers, parameters and variables of each function, for a debugger.
//
// A program that is decoded with names gives each register a slot of its own for the lifetime of its frame, and
// executes every instruction as written. It is slower; the results are the same.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/simulator/kernel/program.h"
#include "common/simulator/ptx/types.h"

namespace warpbook::simulator {

struct NamedRegister {
  std::string name;                  ///< "%r12"
  std::uint32_t slot = 0;            ///< In the frame's register block.
  ptx::Type type = ptx::Type::none;  ///< As declared.
};

struct FunctionNames {
  std::vector<NamedRegister> registers;             ///< In the order of declaration.
  std::map<std::string, std::uint32_t> local;       ///< Offsets in a lane's frame: .local and .param variables.
  std::map<std::string, std::uint32_t> shared;      ///< Offsets in the block's shared memory.
  std::vector<std::string> dynamic_shared;          ///< Start where static shared memory ends.
  std::map<std::string, std::uint32_t> parameters;  ///< Of a kernel: offsets in the launch's buffer.
};

/// Same index as Program::functions.
using ProgramNames = std::vector<FunctionNames>;

/// decode() that also fills @p names, if it is not nullptr. Operations have the same positions either way. @throws
/// DecodeError
std::unique_ptr<Program> decode(const ptx::Module& module, const SymbolAddress& address_of, const HandlerSet& handlers,
                                const DecodeOptions& options, ProgramNames* names);

}  // namespace warpbook::simulator
