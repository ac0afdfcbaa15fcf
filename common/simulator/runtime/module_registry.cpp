// Keeps what the program registers.
#include "common/simulator/runtime/module_registry.h"

#include <utility>

namespace warpbook::simulator::runtime {

DeviceModule& ModuleRegistry::add(const void* wrapper) {
  return *modules_.emplace_back(std::make_unique<DeviceModule>(wrapper));
}

DeviceModule& ModuleRegistry::add(ModuleImages images) {
  return *modules_.emplace_back(std::make_unique<DeviceModule>(std::move(images)));
}

void ModuleRegistry::retire(DeviceModule& module) {
  for (auto kernel = kernels_.begin(); kernel != kernels_.end();) {
    kernel = kernel->second->module == &module ? kernels_.erase(kernel) : std::next(kernel);
  }
  for (auto variable = variables_.begin(); variable != variables_.end();) {
    variable = variable->second->module == &module ? variables_.erase(variable) : std::next(variable);
  }
}

Kernel& ModuleRegistry::add_kernel(DeviceModule& module, const void* host, const char* mangled) {
  Kernel& kernel = module.add_kernel(host, mangled);
  if (host != nullptr) kernels_[host] = &kernel;
  kernels_[&kernel] = &kernel;
  return kernel;
}

void ModuleRegistry::add_variable(DeviceModule& module, DeviceVariable variable) {
  DeviceVariable& kept = module.add_variable(std::move(variable));
  variables_[kept.host] = &kept;
}

Kernel* ModuleRegistry::find_kernel(const void* host_or_handle) const {
  const auto kernel = kernels_.find(host_or_handle);
  return kernel == kernels_.end() ? nullptr : kernel->second;
}

DeviceVariable* ModuleRegistry::find_variable(const void* host) const {
  const auto variable = variables_.find(host);
  if (variable != variables_.end()) return variable->second;
  // A managed variable is also known by its own address: the host writes &variable.
  for (const auto& [key, candidate] : variables_) {
    if (!candidate->managed) continue;
    if (candidate->module->managed_address_of(candidate->name) == reinterpret_cast<std::uint64_t>(host))
      return candidate;
  }
  return nullptr;
}

}  // namespace warpbook::simulator::runtime
