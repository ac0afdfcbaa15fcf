// CUDA arrays: cudaMallocArray and its relatives, and queries. Copies are in array_copy_api.cpp.
#include <algorithm>

#include "common/simulator/runtime/about_device.h"
#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/image_state.h"

using namespace warpbook::simulator::runtime;

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width, size_t height,
                            unsigned flags) {
  return call(CallKind::ordinary, "cudaMallocArray", [&](Runtime& runtime) {
    if ((flags & (cudaArrayLayered | cudaArrayCubemap)) != 0)
      return refused("cudaMallocArray", "layers and cubes: use cudaMalloc3DArray()");
    return make_array(runtime, "cudaMallocArray", array, format, {width, height, 0}, flags);
  });
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                              unsigned flags) {
  return call(CallKind::ordinary, "cudaMalloc3DArray",
              [&](Runtime& runtime) { return make_array(runtime, "cudaMalloc3DArray", array, format, extent, flags); });
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array, const cudaChannelFormatDesc* format,
                                     cudaExtent extent, unsigned levels, unsigned flags) {
  return call(CallKind::ordinary, "cudaMallocMipmappedArray", [&](Runtime& runtime) {
    return make_mipmapped_array(runtime, "cudaMallocMipmappedArray", array, format, extent, levels, flags);
  });
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level, cudaMipmappedArray_const_t array, unsigned number) {
  return call(CallKind::ordinary, "cudaGetMipmappedArrayLevel", [&](Runtime& runtime) {
    const MipmappedArray* const found = runtime.images->mipmapped_arrays.find(array);
    if (level == nullptr || found == nullptr || number >= found->levels.size()) return cudaErrorInvalidValue;
    *level = reinterpret_cast<cudaArray_t>(found->levels[number]);
    return cudaSuccess;
  });
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  return call(CallKind::ordinary, "cudaFreeArray", [&](Runtime& runtime) { return free_array(runtime, array); });
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
  return call(CallKind::ordinary, "cudaFreeMipmappedArray",
              [&](Runtime& runtime) { return free_mipmapped_array(runtime, array); });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags, cudaArray_t array) {
  return call(CallKind::ordinary, "cudaArrayGetInfo", [&](Runtime& runtime) {
    const Array* const found = runtime.images->arrays.find(array);
    if (found == nullptr) return cudaErrorInvalidValue;
    if (format != nullptr) *format = found->format;
    if (extent != nullptr) *extent = found->extent;
    if (flags != nullptr) *flags = found->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
  return call(CallKind::ordinary, "cudaGetChannelDesc", [&](Runtime& runtime) {
    const Array* const found = runtime.images->arrays.find(array);
    if (format == nullptr || found == nullptr) return cudaErrorInvalidValue;
    *format = found->format;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* width, const cudaChannelFormatDesc* format, int device) {
  return call(CallKind::query, "cudaDeviceGetTexture1DLinearMaxWidth", [&](Runtime& runtime) {
    if (width == nullptr || format == nullptr) return cudaErrorInvalidValue;
    if (!is_device(runtime, device)) return cudaErrorInvalidDevice;
    cudaError_t error = cudaSuccess;
    const auto texels = texel_format(*format, error);
    if (!texels) return cudaErrorInvalidValue;
    // 4 GiB, and at most 2^30 texels: limits of an H200 (2026-11-24).
    constexpr std::size_t kMostBytes = std::size_t{1} << 32, kMostTexels = std::size_t{1} << 30;
    *width = std::min(kMostTexels, kMostBytes / texels->bytes());
    return cudaSuccess;
  });
}
