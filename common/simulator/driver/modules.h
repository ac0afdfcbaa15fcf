// Modules loaded at run time: what CUmodule and CUfunction point to, and PTX linking.
#pragma once

#include <string>
#include <vector>

#include "common/simulator/driver/driver_api.h"
#include "common/simulator/runtime/kernel_resources.h"
#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::driver {

/// Loads an image (runtime/module_image.h) into the current context. @param log receives the message if it fails
/// @returns a driver error
CUresult load_module(runtime::Runtime& device, const void* image, runtime::DeviceModule*& module, std::string& log);

/// The live module with this handle, of the current context or of a library; or nullptr.
runtime::DeviceModule* find_module(CUmodule handle);

/// The kernel with this CUfunction or CUkernel handle (or the runtime's, from cudaGetFuncBySymbol), or nullptr.
runtime::Kernel* find_function(const void* handle);

/// An input that cannot be linked here: what is wrong, and what to do.
struct LinkError {
  CUresult error = CUDA_SUCCESS;
  std::string message;
};

/// The PTX texts in an input of a link: PTX, or a cubin or fat binary that carries some. Nothing for libraries that the
/// virtual GPU implements itself. @throws LinkError
std::vector<std::string> ptx_of_input(CUjitInputType type, std::string_view data, std::string_view name);

}  // namespace warpbook::simulator::driver
