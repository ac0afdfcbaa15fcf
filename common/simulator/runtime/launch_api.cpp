// Launch entry points: what <<<>>> and cudaLaunchKernel become.
#include <utility>
#include <vector>

#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/launch.h"

namespace {

using namespace warpbook::simulator::runtime;
using warpbook::simulator::Check;
using warpbook::simulator::Dim3;

struct Configuration {
  dim3 grid, block;
  std::size_t shared_bytes;
  cudaStream_t stream;
};

/// The next launch is written <<<>>>, which has no result.
thread_local bool by_syntax = false;

/// What <<<>>> pushes and the kernel's host function pops. A stack, because arguments may launch kernels themselves.
thread_local std::vector<Configuration> configurations;

Dim3 extent_of(const dim3& dim) { return {dim.x, dim.y, dim.z}; }

/// For the check "sync": whether the program will query the error.
void keep_refusal(cudaError_t error, const Kernel* kernel) {
  const std::lock_guard guard(runtime_lock());
  Runtime* const runtime = Runtime::existing();
  if (runtime == nullptr || !runtime->options.checks.has(Check::sync)) return;
  // A failed device refuses all work: its error was returned before.
  if (runtime->sticky_error() != cudaSuccess) return;
  UncheckedLaunch launch;
  launch.error = error;
  if (kernel != nullptr) launch.kernel = kernel->name;
  launch.host_place = runtime->places.here();
  runtime->unchecked.refused(std::move(launch));
}

cudaError_t launch_kernel(const char* name, const void* function, dim3 grid, dim3 block, void** arguments,
                          std::size_t shared_bytes, cudaStream_t handle, bool cooperative = false,
                          Dim3 cluster = {0, 0, 0}) {
  const bool unseen = std::exchange(by_syntax, false);
  Kernel* kernel = nullptr;
  const cudaError_t result = call(CallKind::enqueue, name, [&](Runtime& runtime) {
    if (function == nullptr) return cudaErrorInvalidDeviceFunction;
    kernel = registry().find_kernel(function);
    if (kernel == nullptr) return cudaErrorInvalidResourceHandle;
    Stream* stream = runtime.find_stream(handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    return launch(runtime, *stream, *kernel,
                  {extent_of(grid), extent_of(block), shared_bytes, arguments, cooperative, cluster});
  });
  if (result != cudaSuccess && unseen) keep_refusal(result, kernel);
  return result;
}

/// Attributes that change what a kernel can do, not just when it starts. @returns the name of one that is not supported
const char* unsupported_attribute(const cudaLaunchConfig_t& config) {
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config.attrs[i];
    switch (attribute.id) {
      case cudaLaunchAttributeDeviceUpdatableKernelNode:
        return " with cudaLaunchAttributeDeviceUpdatableKernelNode";
      default:
        break;
    }
  }
  return nullptr;
}

bool asks_for_cooperation(const cudaLaunchConfig_t& config) {
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    if (config.attrs[i].id == cudaLaunchAttributeCooperative && config.attrs[i].val.cooperative != 0) return true;
  }
  return false;
}

/// The cluster size that the launch requests; {0, 0, 0} if it does not.
Dim3 cluster_of(const cudaLaunchConfig_t& config) {
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const auto& value = config.attrs[i].val.clusterDim;
    if (config.attrs[i].id == cudaLaunchAttributeClusterDimension) return {value.x, value.y, value.z};
  }
  return {0, 0, 0};
}

}  // namespace

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, void* stream) {
  configurations.push_back({grid, block, shared_bytes, static_cast<cudaStream_t>(stream)});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream) {
  if (configurations.empty()) return remember(cudaErrorMissingConfiguration);
  const Configuration top = configurations.back();
  configurations.pop_back();
  by_syntax = true;
  *grid = top.grid;
  *block = top.block;
  *shared_bytes = top.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = top.stream;
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                               cudaStream_t stream) {
  return launch_kernel("kernel launch", kernel, grid, block, arguments, shared_bytes, stream);
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                             cudaStream_t stream) {
  return launch_kernel("cudaLaunchKernel", function, grid, block, arguments, shared_bytes, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                        size_t shared_bytes, cudaStream_t stream) {
  return launch_kernel("cudaLaunchCooperativeKernel", function, grid, block, arguments, shared_bytes, stream, true);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  if (config == nullptr) return remember(cudaErrorInvalidValue);
  if (const char* attribute = unsupported_attribute(*config)) return not_supported("cudaLaunchKernelExC", attribute);
  return launch_kernel("cudaLaunchKernelExC", function, config->gridDim, config->blockDim, arguments,
                       config->dynamicSmemBytes, config->stream, asks_for_cooperation(*config), cluster_of(*config));
}
