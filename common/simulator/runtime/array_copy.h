// Copies from and to CUDA arrays, as values: the entry points (array_copy_api.cpp) create them in the program's
// process; if the device is in another process, they are sent to it.
#pragma once

#include <cstdint>

#include "common/simulator/runtime/cuda_api.h"

namespace warpbook::simulator::runtime {

/// A handle that no array has: the device rejects it.
constexpr std::uint64_t kNoArray = 1;

/// One side of a copy: memory, or a position in an array.
struct ArrayCopySide {
  const void* base = nullptr;  ///< For memory: the first byte.
  std::uint64_t pitch = 0, slice_rows = 1;
  std::uint64_t array = 0;            ///< The array's handle; 0: memory.
  std::uint64_t x = 0, y = 0, z = 0;  ///< In the array: bytes, rows and slices or layers.
};

struct ArrayCopy {
  const char* name = "";
  ArrayCopySide to, from;
  std::uint64_t width = 0, height = 1, depth = 1;  ///< Bytes, rows and slices.
  cudaMemcpyKind kind = cudaMemcpyDefault;
  cudaStream_t stream = nullptr;
  bool blocking = true;
};

/// Executes it: array_copy.cpp in this process, or remote/front/array_copy.cpp.
cudaError_t copy_array(const ArrayCopy& copy);

/// cudaMemcpy3D with an array on at least one side.
cudaError_t copy_box_of_arrays(const char* name, const cudaMemcpy3DParms& parameters, cudaStream_t stream,
                               bool blocking);

}  // namespace warpbook::simulator::runtime
