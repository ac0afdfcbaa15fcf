// Kernels of the driver: launches, names, and the choice of a block.
#include <cstring>

#include "common/simulator/driver/driver_api.h"
#include "common/simulator/remote/front/launch.h"
#include "common/simulator/runtime/cuda_api.h"

namespace {

using namespace warpbook::simulator::remote;

/// Reads the driver's `extra`; false if it is anything but parameters in a buffer.
bool read_extra(void** extra, LaunchMessage& message) {
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER) {
      message.buffer = extra[1];
    } else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE) {
      message.buffer_bytes = *static_cast<std::size_t*>(extra[1]);
    } else {
      return false;
    }
  }
  return message.buffer != nullptr;
}

}  // namespace

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream, void** parameters,
                        void** extra) {
  LaunchMessage message{
      LaunchKind::driver, function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, stream,
      parameters};
  if (extra != nullptr && (parameters != nullptr || !read_extra(extra, message))) return CUDA_ERROR_INVALID_VALUE;
  return static_cast<CUresult>(launch(message));
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters, void** extra) {
  if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
  LaunchMessage message{LaunchKind::driver_attributes,
                        function,
                        {config->gridDimX, config->gridDimY, config->gridDimZ},
                        {config->blockDimX, config->blockDimY, config->blockDimZ},
                        config->sharedMemBytes,
                        config->hStream,
                        parameters};
  if (extra != nullptr && (parameters != nullptr || !read_extra(extra, message))) return CUDA_ERROR_INVALID_VALUE;
  message.attributes = config->attrs;
  message.attribute_bytes = config->numAttrs * sizeof(CUlaunchAttribute);
  return static_cast<CUresult>(launch(message));
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                   CUstream stream, void** parameters) {
  return static_cast<CUresult>(launch({LaunchKind::driver_cooperative,
                                       function,
                                       {grid_x, grid_y, grid_z},
                                       {block_x, block_y, block_z},
                                       shared_bytes,
                                       stream,
                                       parameters}));
}

CUresult cuFuncGetName(const char** name, CUfunction function) {
  return static_cast<CUresult>(cudaFuncGetName(name, reinterpret_cast<const void*>(function)));
}
