// Modules loaded at run time: what CUmodule and CUfunction point to, and links of PTX.
#pragma once

#include <string>
#include <vector>

#include "common/simulator/driver/driver_api.h"
#include "common/simulator/runtime/kernel_resources.h"
#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::driver {

/// Loads an image (runtime/module_image.h) and gives it to the current context. @param log receives the message of a
/// failure. @returns an error of the driver
CUresult load_module(runtime::Runtime& device, const void* image, runtime::DeviceModule*& module, std::string& log);

/// The live module that @p handle names, of the current context or of a library; or nullptr.
runtime::DeviceModule* find_module(CUmodule handle);

/// The kernel that a CUfunction or a CUkernel names (also one of the runtime, from cudaGetFuncBySymbol), or nullptr.
runtime::Kernel* find_function(const void* handle);

/// An input of a link that cannot be linked here: what is wrong, and what to do.
struct LinkError {
  CUresult error = CUDA_SUCCESS;
  std::string message;
};

/// The PTX texts in an input of a link: PTX, or a cubin or fat binary that carries some. Nothing of libraries that the
/// virtual GPU has itself. @throws LinkError
std::vector<std::string> ptx_of_input(CUjitInputType type, std::string_view data, std::string_view name);

}  // namespace warpbook::simulator::driver
