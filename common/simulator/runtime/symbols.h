// Device variables by the host variable that represents them.
#pragma once

#include <cstddef>

#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {

struct Symbol {
  cudaError_t error = cudaErrorInvalidSymbol;
  char* address = nullptr;
  std::size_t bytes = 0;
};

/// Loads the variable's module if needed.
Symbol find_symbol(Runtime& runtime, const void* host);

}  // namespace warpbook::simulator::runtime
