// Device linking: joins the PTX modules of several translation units (-rdc=true) into one.
#pragma once

#include <string>
#include <vector>

#include "common/simulator/ptx/ast.h"

namespace warpbook::simulator::runtime {

/// Joins @p modules by symbol name: a definition replaces declarations of the same name, the first of several weak
/// definitions is kept, source files are renumbered so that each keeps its name, and symbols with internal linkage
/// (string literals, static functions) get unique names.
/// @throws std::runtime_error for a symbol that is defined twice
ptx::Module link_modules(std::vector<ptx::Module> modules);

/// A variable or function that @p module uses and nothing defines; empty if there is none. Symbols of the device
/// runtime and of the compiler's own calls are always defined.
std::string undefined_symbol(const ptx::Module& module);

}  // namespace warpbook::simulator::runtime
