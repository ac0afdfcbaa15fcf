// Which branches count as branches.
#pragma once

#include <cstddef>

#include "common/simulator/kernel/program.h"

namespace warpbook::simulator::runtime {

/// True if branch number @p branch (an index of Program::branches) only ends the threads that take it, as
/// `if (i >= n) return;` does. Machine code has a predicated exit there, which the counters of branch targets do not
/// see.
bool only_ends_threads(const Program& program, std::size_t branch);

}  // namespace warpbook::simulator::runtime
