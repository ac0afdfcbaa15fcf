// Kernel names in readable form.
#pragma once

#include <string>

namespace warpbook::simulator::runtime {

/// Demangles @p mangled and writes it as Nsight Compute does: no return type, `const float *` instead of `float
/// const*`. Template parameters in the argument list are replaced by their types.
std::string kernel_name(const std::string& mangled);

/// Only the function's name: no namespace, no template arguments, no parameters.
std::string function_name(const std::string& kernel_name);

}  // namespace warpbook::simulator::runtime
