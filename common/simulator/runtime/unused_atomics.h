// Atomics whose result nobody reads become reductions, as in machine code.
#pragma once

#include "common/simulator/ptx/ast.h"

namespace warpbook::simulator::runtime {

/// nvcc writes `atom` for atomicAdd() and leaves it to ptxas to see that the old value is not wanted. A reduction is
/// counted by its own metrics, and blocks that only reduce integers need no order. Changes @p module in place.
/// @returns how many were changed
unsigned reduce_unused_atomics(ptx::Module& module);

}  // namespace warpbook::simulator::runtime
