// Turns atomics with an unused result into reductions, as ptxas does.
#pragma once

#include "common/simulator/ptx/ast.h"

namespace warpbook::simulator::runtime {

/// nvcc writes `atom` for atomicAdd() and leaves it to ptxas to find that the old value is unused. Reductions have
/// their own metrics, and blocks that only use integer reductions need no order. Changes @p module in place.
/// @returns how many were changed
unsigned reduce_unused_atomics(ptx::Module& module);

}  // namespace warpbook::simulator::runtime
