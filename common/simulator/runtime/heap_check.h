// The checks of what kernels get from malloc: guards around it, and whose it is.
#pragma once

#include <string>

#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {

/// Before a grid of @p kernel runs: what it allocates is its own.
void start_heap_check(Runtime& runtime, const std::string& kernel);

/// After it: adds findings for what was damaged.
void finish_heap_check(Runtime& runtime, const std::string& kernel);

}  // namespace warpbook::simulator::runtime
