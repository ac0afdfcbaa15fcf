// Launches as in CUDA 3: shape, shared memory and parameters are set one by one, and stored with the function.
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include "common/simulator/driver/driver_api.h"

// Deprecated since CUDA 4, but still used.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace {

constexpr unsigned kLargestParameters = 32764;

struct LegacyLaunch {
  unsigned block[3] = {1, 1, 1};
  unsigned shared_bytes = 0;
  std::vector<std::byte> parameters;
};

std::mutex legacy_launch_lock;

std::map<CUfunction, LegacyLaunch>& legacy_launches() {
  static auto* const all = new std::map<CUfunction, LegacyLaunch>;
  return *all;
}

/// Calls @p body(launch) with the settings of a function, if it exists.
template <class Body>
CUresult with_launch(CUfunction function, Body body) {
  if (const CUresult error = cuFuncLoad(function)) return error;
  const std::lock_guard guard(legacy_launch_lock);
  return body(legacy_launches()[function]);
}

}  // namespace

CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z) {
  if (x <= 0 || y <= 0 || z <= 0) return CUDA_ERROR_INVALID_VALUE;
  return with_launch(function, [&](LegacyLaunch& launch) {
    launch.block[0] = static_cast<unsigned>(x);
    launch.block[1] = static_cast<unsigned>(y);
    launch.block[2] = static_cast<unsigned>(z);
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncSetSharedSize(CUfunction function, unsigned bytes) {
  return with_launch(function, [&](LegacyLaunch& launch) {
    launch.shared_bytes = bytes;
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config) {
  if (static_cast<unsigned>(config) > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE) return CUDA_ERROR_INVALID_VALUE;
  return with_launch(function, [](LegacyLaunch&) { return CUDA_SUCCESS; });
}

CUresult cuParamSetSize(CUfunction function, unsigned bytes) {
  if (bytes > kLargestParameters) return CUDA_ERROR_INVALID_VALUE;
  return with_launch(function, [&](LegacyLaunch& launch) {
    launch.parameters.resize(bytes);
    return CUDA_SUCCESS;
  });
}

CUresult cuParamSetv(CUfunction function, int offset, void* value, unsigned bytes) {
  if (offset < 0 || value == nullptr || bytes > kLargestParameters ||
      static_cast<unsigned>(offset) > kLargestParameters)
    return CUDA_ERROR_INVALID_VALUE;
  return with_launch(function, [&](LegacyLaunch& launch) {
    const std::size_t end = static_cast<std::size_t>(offset) + bytes;
    if (launch.parameters.size() < end) launch.parameters.resize(end);
    std::memcpy(launch.parameters.data() + offset, value, bytes);
    return CUDA_SUCCESS;
  });
}

CUresult cuParamSeti(CUfunction function, int offset, unsigned value) {
  return cuParamSetv(function, offset, &value, sizeof value);
}

CUresult cuParamSetf(CUfunction function, int offset, float value) {
  return cuParamSetv(function, offset, &value, sizeof value);
}

CUresult cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream) {
  if (width <= 0 || height <= 0) return CUDA_ERROR_INVALID_VALUE;
  return with_launch(function, [&](LegacyLaunch& launch) {
    std::size_t bytes = launch.parameters.size();
    std::byte nothing{};
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, bytes == 0 ? &nothing : launch.parameters.data(),
                     CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
    return cuLaunchKernel(function, static_cast<unsigned>(width), static_cast<unsigned>(height), 1, launch.block[0],
                          launch.block[1], launch.block[2], launch.shared_bytes, stream, nullptr, extra);
  });
}

CUresult cuLaunchGrid(CUfunction function, int width, int height) {
  return cuLaunchGridAsync(function, width, height, nullptr);
}

CUresult cuLaunch(CUfunction function) { return cuLaunchGrid(function, 1, 1); }
