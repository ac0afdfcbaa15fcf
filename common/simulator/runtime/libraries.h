// Libraries: modules that a program loads at run time and that belong to no context. The objects behind cudaLibrary_t
// and CUlibrary; their kernels are the runtime's, so a cudaKernel_t or CUkernel can be launched like any function.
#pragma once

#include <string>
#include <vector>

#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {

struct Library {
  DeviceModule* module = nullptr;
};

/// The live library that @p handle names, or nullptr.
Library* find_library(const void* handle);
/// The library that a module belongs to, or nullptr.
Library* library_of(const DeviceModule* module);

/// Loads an image. @param log as for load_image()
cudaError_t load_library(Runtime& device, const void* image, Library*& library, std::string& log);
/// Frees its variables and kernels.
cudaError_t unload_library(Runtime& device, const void* handle);

/// The names of the kernels of a loaded module, in the order of its PTX.
std::vector<std::string> entry_names(DeviceModule& module);

/// The address of a variable of a library. @param managed a __managed__ variable is wanted, else a device variable
cudaError_t find_library_variable(Runtime& device, const void* handle, const char* name, bool managed,
                                  std::uint64_t& address, std::size_t& bytes);

}  // namespace warpbook::simulator::runtime
