// Kernel names as people read them.
#pragma once

#include <string>

namespace warpbook::simulator::runtime {

/// Demangles @p mangled and writes it as Nsight Compute does: no return type, `const float *` rather than
/// `float const*`. Template parameters in the argument list are shown as the types they stand for.
std::string kernel_name(const std::string& mangled);

/// Of such a name only the function's: no namespace, no template arguments, no parameters.
std::string function_name(const std::string& kernel_name);

}  // namespace warpbook::simulator::runtime
