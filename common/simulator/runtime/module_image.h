// Images given at run time: reading one, and making a module of it.
#pragma once

#include <string>

#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {

/// Loads an image: PTX text, a fat binary or its wrapper, or PTX in the shape of a cubin (ptx_image.h).
/// @param log receives the message of a failure, which is also told once on the standard error
cudaError_t load_image(Runtime& device, const void* image, DeviceModule*& module, std::string& log);

/// Frees the module's variables and forgets its kernels.
void unload_image(Runtime& device, DeviceModule& module);

/// The kernel of a loaded module that its PTX calls @p name, or nullptr. The same one every time.
Kernel* find_entry(DeviceModule& module, const char* name);

}  // namespace warpbook::simulator::runtime
