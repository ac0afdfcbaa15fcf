// Determines what a kernel needs.
#include "common/simulator/runtime/kernel_resources.h"

#include <algorithm>

#include "common/simulator/runtime/call.h"

namespace warpbook::simulator::runtime {
namespace {

/// Live ranges ignore spills: ptxas gives a thread no more registers than its limit and .maxnreg allow, and leaves room
/// for as many blocks of known size per multiprocessor as .minnctapersm wants.
unsigned estimated_registers(const Device& device, const Function& function, unsigned limit, unsigned threads) {
  unsigned most = device.max_registers_per_thread;
  if (limit != 0) most = std::min(most, limit);
  if (threads != 0) {
    most = std::min(most, device.registers_per_block / threads);
    if (function.min_blocks != 0)
      most = std::min(most, device.registers_per_multiprocessor / (threads * function.min_blocks));
  }
  return std::min(function.declared_registers, most);
}

}  // namespace

cudaError_t find_resources(Runtime& runtime, Kernel& kernel, KernelResources& resources) {
  if (const cudaError_t error = runtime.load(*kernel.module)) return error;
  try {
    resources.program = &kernel.module->program(kernel.mangled);
  } catch (const DecodeError& error) {
    complain(kernel.name + ": " + error.what());
    return cudaErrorInvalidPtx;
  }
  resources.function = resources.program->find(kernel.mangled);
  if (resources.function == nullptr) return cudaErrorInvalidDeviceFunction;
  const Function& function = *resources.function;

  resources.max_threads = runtime.device().max_threads_per_block;
  const std::uint64_t bound = std::uint64_t{function.max_threads[0]} *
                              (function.max_threads[1] == 0 ? 1 : function.max_threads[1]) *
                              (function.max_threads[2] == 0 ? 1 : function.max_threads[2]);
  if (bound != 0 && bound < resources.max_threads) resources.max_threads = static_cast<unsigned>(bound);

  if (const CubinKernel* cubin = kernel.module->cubin_kernel(kernel.mangled)) {
    resources.from_cubin = true;
    resources.registers = cubin->registers;
    resources.static_shared = static_cast<std::uint32_t>(cubin->shared_bytes);
    resources.local_bytes = cubin->local_bytes;
    resources.constant_bytes = cubin->constant_bytes;
  } else {
    resources.registers = estimated_registers(runtime.device(), function, kernel.module->register_limit(kernel.mangled),
                                              bound == 0 ? 0 : resources.max_threads);
    resources.constant_bytes = kernel.module->constant_bytes();
    resources.static_shared = function.shared_bytes;
    resources.local_bytes = function.local_bytes;
  }
  return cudaSuccess;
}

cudaFuncAttributes attributes_of(const Runtime& runtime, const Kernel& kernel, const KernelResources& resources) {
  cudaFuncAttributes attributes{};
  attributes.sharedSizeBytes = resources.static_shared;
  attributes.constSizeBytes = resources.constant_bytes;
  attributes.localSizeBytes = resources.local_bytes;
  attributes.maxThreadsPerBlock = static_cast<int>(resources.max_threads);
  attributes.numRegs = static_cast<int>(resources.registers);
  attributes.ptxVersion = static_cast<int>(kernel.module->ptx_version());
  attributes.binaryVersion = static_cast<int>(runtime.architecture());
  attributes.maxDynamicSharedSizeBytes = static_cast<int>(dynamic_shared_limit(runtime, kernel, resources));
  attributes.preferredShmemCarveout = kernel.settings().carveout;
  attributes.nonPortableClusterSizeAllowed = kernel.settings().non_portable_cluster;
  const auto& cluster = resources.function->cluster;
  attributes.requiredClusterWidth = static_cast<int>(cluster[0]);
  attributes.requiredClusterHeight = static_cast<int>(cluster[1]);
  attributes.requiredClusterDepth = static_cast<int>(cluster[2]);
  return attributes;
}

std::uint32_t dynamic_shared_limit(const Runtime& runtime, const Kernel& kernel, const KernelResources& resources) {
  if (kernel.settings().max_dynamic_shared != 0) return kernel.settings().max_dynamic_shared;
  const std::uint32_t most = runtime.device().shared_per_block;
  return most > resources.static_shared ? most - resources.static_shared : 0;
}

}  // namespace warpbook::simulator::runtime
