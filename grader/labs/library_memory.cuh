// Temporary memory of a library's functions: asked for and allocated at the first call, and kept as long as the
// program.
#pragma once

#include <cstddef>

#include "common/cuda/check.cuh"

/// Calls `function(temporary, bytes)`, a function of CUB: first without memory, to learn how many bytes it needs for
/// `n` elements, then with them. A ladder's rung is called again and again for the same n; what it asked the first time
/// and the memory are kept, so that the later calls take as long as the library's kernels. Each `function` has its own.
template <class Function>
void with_library_memory(int n, const Function& function) {
  static int known = -1;
  static std::size_t bytes = 0, held = 0;
  static void* memory = nullptr;
  if (n != known) WB_CHECK(function(nullptr, bytes));
  known = n;
  if (bytes > held) {
    WB_CHECK(cudaFree(memory));
    WB_CHECK(cudaMalloc(&memory, bytes));
    held = bytes;
  }
  WB_CHECK(function(memory, bytes));
}
