// All modules, kernels and variables that the program has registered, by the host address that represents them.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "common/simulator/runtime/device_module.h"

namespace warpbook::simulator::runtime {

/// Filled by the program's static constructors, before main. Not thread safe: guarded by the runtime's lock.
class ModuleRegistry {
 public:
  DeviceModule& add(const void* wrapper);
  DeviceModule& add(ModuleImages images);
  /// The module stays until the end of the process: profiles may still refer to its kernels.
  void retire(DeviceModule& module);

  /// @param host the host function of the kernel; nullptr if it is only known by its handle
  Kernel& add_kernel(DeviceModule& module, const void* host, const char* mangled);
  void add_variable(DeviceModule& module, DeviceVariable variable);

  /// The kernel for a host function or for a handle from __cudaGetKernel; nullptr if there is none.
  Kernel* find_kernel(const void* host_or_handle) const;
  /// The variable for the address of its host shadow (or of a managed variable itself); nullptr if there is none.
  DeviceVariable* find_variable(const void* host) const;

  const std::vector<std::unique_ptr<DeviceModule>>& modules() const { return modules_; }

 private:
  std::vector<std::unique_ptr<DeviceModule>> modules_;
  std::unordered_map<const void*, Kernel*> kernels_;  ///< By host function and by handle.
  std::unordered_map<const void*, DeviceVariable*> variables_;
};

}  // namespace warpbook::simulator::runtime
