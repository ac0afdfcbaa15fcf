// Images passed at run time: reads one, and makes a module from it.
#pragma once

#include <string>

#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {

/// Loads an image: PTX text, a fat binary or its wrapper, or PTX packaged like a cubin (ptx_image.h).
/// @param log receives the message of a failure, which is also printed once on standard error
cudaError_t load_image(Runtime& device, const void* image, DeviceModule*& module, std::string& log);

/// Frees the module's variables and forgets its kernels.
void unload_image(Runtime& device, DeviceModule& module);

/// The kernel of a loaded module whose PTX name is @p name, or nullptr. Always returns the same object.
Kernel* find_entry(DeviceModule& module, const char* name);

}  // namespace warpbook::simulator::runtime
