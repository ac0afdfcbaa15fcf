// The resources of a kernel: from ptxas if there is a cubin for the device, otherwise from the PTX.
#pragma once

#include <cstdint>

#include "common/simulator/kernel/program.h"
#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {

struct KernelResources {
  const Program* program = nullptr;
  const Function* function = nullptr;
  unsigned registers = 0;           ///< Per thread.
  bool from_cubin = false;          ///< Otherwise registers are estimated from live ranges.
  std::uint32_t static_shared = 0;  ///< Per block.
  std::uint64_t local_bytes = 0;
  std::uint64_t constant_bytes = 0;
  unsigned max_threads = 0;  ///< Per block: the launch bound, or the device's limit.
};

/// Loads the kernel's module if needed. @returns an error for a kernel that cannot run
cudaError_t find_resources(Runtime& runtime, Kernel& kernel, KernelResources& resources);

/// What cudaFuncGetAttributes returns.
cudaFuncAttributes attributes_of(const Runtime& runtime, const Kernel& kernel, const KernelResources& resources);

/// The most dynamic shared memory that a launch may request: 48 KiB less the static part, or the kernel's opt-in.
std::uint32_t dynamic_shared_limit(const Runtime& runtime, const Kernel& kernel, const KernelResources& resources);

}  // namespace warpbook::simulator::runtime
