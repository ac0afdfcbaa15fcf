// Which branches count as branches.
#pragma once

#include <cstddef>

#include "common/simulator/kernel/program.h"

namespace warpbook::simulator::runtime {

/// True if branch number @p branch (an index of Program::branches) only ends the threads that take it, as in `if (i >=
/// n) return;`. In machine code that is a predicated exit, which the branch target counters do not see.
bool only_ends_threads(const Program& program, std::size_t branch);

}  // namespace warpbook::simulator::runtime
