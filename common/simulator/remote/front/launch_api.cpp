// Launch entry points: what <<<>>> and cudaLaunchKernel become.
#include <vector>

#include "common/simulator/remote/front/launch.h"
#include "common/simulator/runtime/cuda_api.h"

namespace {

using namespace warpbook::simulator::remote;

struct Configuration {
  dim3 grid, block;
  std::size_t shared_bytes;
  cudaStream_t stream;
};

/// Pushed by <<<>>> and popped by the kernel's host function. A stack, because arguments may launch kernels themselves.
thread_local std::vector<Configuration> configurations;

cudaError_t launch_kernel(LaunchKind kind, const void* function, dim3 grid, dim3 block, void** arguments,
                          std::size_t shared_bytes, cudaStream_t stream) {
  return static_cast<cudaError_t>(
      launch({kind, function, {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared_bytes, stream, arguments}));
}

}  // namespace

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, void* stream) {
  configurations.push_back({grid, block, shared_bytes, static_cast<cudaStream_t>(stream)});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream) {
  if (configurations.empty()) return cudaErrorMissingConfiguration;
  const Configuration top = configurations.back();
  configurations.pop_back();
  *grid = top.grid;
  *block = top.block;
  *shared_bytes = top.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = top.stream;
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                               cudaStream_t stream) {
  return launch_kernel(LaunchKind::runtime_handle, kernel, grid, block, arguments, shared_bytes, stream);
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                             cudaStream_t stream) {
  return launch_kernel(LaunchKind::runtime, function, grid, block, arguments, shared_bytes, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                        size_t shared_bytes, cudaStream_t stream) {
  return launch_kernel(LaunchKind::runtime_cooperative, function, grid, block, arguments, shared_bytes, stream);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  if (config == nullptr) return cudaLaunchKernel(nullptr, {}, {}, nullptr, 0, nullptr);
  LaunchMessage message{LaunchKind::runtime_attributes,
                        function,
                        {config->gridDim.x, config->gridDim.y, config->gridDim.z},
                        {config->blockDim.x, config->blockDim.y, config->blockDim.z},
                        config->dynamicSmemBytes,
                        config->stream,
                        arguments};
  message.attributes = config->attrs;
  message.attribute_bytes = config->numAttrs * sizeof(cudaLaunchAttribute);
  return static_cast<cudaError_t>(launch(message));
}
