// Modules loaded at run time: reading an image, and what CUmodule and CUfunction point to.
#pragma once

#include <string>

#include "common/simulator/driver/driver_api.h"
#include "common/simulator/runtime/kernel_resources.h"
#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::driver {

/// What cuLinkComplete hands out instead of machine code: PTX texts that belong together. Valid until cuLinkDestroy.
struct LinkedImage {
  static constexpr std::uint64_t kMagic = 0x6b6e696c2d706277;  ///< "wbp-link": the first bytes of no other image.
  std::uint64_t magic = kMagic;
  std::vector<std::string> ptx;
};

/// Loads an image: PTX text, a fat binary or its wrapper, or what cuLinkComplete returned; and gives it to the current
/// context. @param log receives the message of a failure. @returns an error of the driver
CUresult load_module(runtime::Runtime& device, const void* image, runtime::DeviceModule*& module, std::string& log);

/// Frees the module's variables and forgets its kernels.
void unload_module(runtime::Runtime& device, runtime::DeviceModule& module);

/// The live module that @p handle names, or nullptr.
runtime::DeviceModule* find_module(CUmodule handle);

/// The kernel that a CUfunction names (also one of the runtime, from cudaGetFuncBySymbol), or nullptr.
runtime::Kernel* find_function(CUfunction handle);

}  // namespace warpbook::simulator::driver
