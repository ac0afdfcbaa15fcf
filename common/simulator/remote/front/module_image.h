// Images that a program loads at run time, to be sent to the device.
#pragma once

#include <cstdint>
#include <string>

#include "common/simulator/remote/calls.h"
#include "common/simulator/remote/wire.h"

namespace warpbook::simulator::remote {

struct LoadedImage {
  std::uint32_t error = 0;  ///< Of the API that the kind belongs to.
  std::uint64_t handle = 0;
  std::string log;
};

/// Loads the image at @p image, which may be null.
LoadedImage load_image(ModuleKind kind, const void* image);

/// Reads a file and appends null bytes. @returns false if there is no such file
bool read_image_file(const char* path, std::string& image);

/// Requests the handles of the kernels of a module or library.
std::uint32_t enumerate_kernels(ListKind kind, void* handles, unsigned count, const void* owner);

}  // namespace warpbook::simulator::remote
