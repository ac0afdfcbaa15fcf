// Which functions of a module a kernel needs.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "common/simulator/ptx/ast.h"

namespace warpbook::simulator {

/// Names of the functions that a thread of @p kernel can come to, the kernel's own among them.
/// @returns nothing where only the whole module will do: addresses of functions are used, which count them, or the
/// kernel may launch others
std::optional<std::set<std::string>> needed_functions(const ptx::Module& module, const std::string& kernel);

/// Functions that the machine answers, whatever else there is in the module.
bool is_plain_system_call(std::string_view name);

/// Whether kernels of @p module may allocate memory: it declares a function that does.
bool uses_heap(const ptx::Module& module);

}  // namespace warpbook::simulator
