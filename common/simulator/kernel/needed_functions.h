// Which functions of a module a kernel needs.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/simulator/ptx/ast.h"

namespace warpbook::simulator {

/// The names in what a name stands for; nothing if not all are known.
using NamesOf = std::function<std::optional<std::vector<std::string>>(const std::string&)>;

/// @p start and every name that it names, directly or indirectly; nothing if @p names_of cannot tell all.
std::optional<std::set<std::string>> reachable(const std::string& start, const NamesOf& names_of);

/// Names of the functions that a thread of @p kernel can reach, including the kernel.
/// @returns nothing if the whole module is needed: it uses addresses of functions, which depend on their number, or the
/// kernel may launch others
std::optional<std::set<std::string>> needed_functions(const ptx::Module& module, const std::string& kernel);

/// Functions that the machine always provides, whatever the module defines.
bool is_plain_system_call(std::string_view name);

/// Whether kernels of @p module may allocate memory: it declares malloc or a function like it.
bool uses_heap(const ptx::Module& module);

}  // namespace warpbook::simulator
