// Keeps track of the modules of contexts.
#include "common/simulator/driver/modules.h"

#include "common/simulator/driver/context.h"
#include "common/simulator/driver/results.h"
#include "common/simulator/runtime/libraries.h"
#include "common/simulator/runtime/module_image.h"

namespace warpbook::simulator::driver {

CUresult load_module(runtime::Runtime& device, const void* image, runtime::DeviceModule*& module, std::string& log) {
  if (const cudaError_t error = load_image(device, image, module, log)) return result_of(error);
  module->only_device = static_cast<int>(current_context()->device);
  current_context()->modules.insert(module);
  return CUDA_SUCCESS;
}

runtime::DeviceModule* find_module(CUmodule handle) {
  auto* module = reinterpret_cast<runtime::DeviceModule*>(handle);
  const Context* context = current_context();
  if (context != nullptr && context->modules.count(module) != 0) return module;
  return runtime::library_of(module) != nullptr ? module : nullptr;
}

runtime::Kernel* find_function(const void* handle) { return runtime::registry().find_kernel(handle); }

}  // namespace warpbook::simulator::driver
