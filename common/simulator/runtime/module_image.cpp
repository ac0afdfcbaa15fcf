// Reads images and makes modules from them.
#include "common/simulator/runtime/module_image.h"

#include <cstring>

#include "common/simulator/runtime/fat_binary.h"
#include "common/simulator/runtime/fat_binary_layout.h"
#include "common/simulator/runtime/ptx_image.h"

namespace warpbook::simulator::runtime {
namespace {

constexpr std::uint32_t kElfMagic = 0x464c457f;

struct RefusedImage {
  cudaError_t error;
  std::string message;
};

/// PTX text ends with a null byte, so it may be shorter than a word.
bool starts_with(const void* image, std::uint32_t magic) { return std::memcmp(image, &magic, sizeof magic) == 0; }

ModuleImages read_image(const void* image) {
  const auto* text = static_cast<const char*>(image);
  if (*text == '\0')
    throw RefusedImage{cudaErrorInvalidKernelImage, "the image is empty: expected PTX text or a fat binary"};
  if (::strnlen(text, sizeof(std::uint32_t)) < sizeof(std::uint32_t) && *text != 0x7f) {
    // The wrapper of a fat binary has no null byte in its first word.
    return {{text}, {}, {}, 0};
  }
  if (starts_with(image, kWrapperMagic)) return {{}, read_fat_binary(image), {}, 0};
  if (starts_with(image, kContainerMagic)) return {{}, {read_container(image)}, {}, 0};
  if (!starts_with(image, kElfMagic)) return {{text}, {}, {}, 0};
  if (!is_ptx_image(image)) {
    throw RefusedImage{
        cudaErrorNoKernelImageForDevice,
        "the image is machine code (a cubin); the virtual GPU runs PTX: build it with nvcc -ptx or -fatbin, or start "
        "the program with warpbook run, where NVRTC, nvJitLink and nvcc keep the PTX"};
  }
  auto found = read_ptx_image({static_cast<const std::byte*>(image), ptx_image_bytes(image)});
  if (!found || found->ptx.empty())
    throw RefusedImage{cudaErrorInvalidKernelImage,
                       "the image is damaged: it is not a complete ELF file with PTX in it"};
  return {std::move(found->ptx), {}, std::move(found->cubin), found->architecture};
}

}  // namespace

cudaError_t load_image(Runtime& device, const void* image, DeviceModule*& module, std::string& log) {
  ModuleImages images;
  try {
    images = read_image(image);
  } catch (const RefusedImage& refused) {
    log = refused.message;
    complain_once(refused.message);
    return refused.error;
  } catch (const FatBinaryError& error) {
    log = error.what();
    complain_once(log);
    return cudaErrorInvalidKernelImage;
  }
  DeviceModule& made = registry().add(std::move(images));
  cudaError_t error = device.load(made);
  if (error != cudaSuccess) {
    log = made.load(device.memory, device.architecture()).value_or(ModuleError{}).message;
  } else {
    try {
      made.program();  // An invalid module is refused here, as by the driver's compiler.
    } catch (const DecodeError& wrong) {
      log = wrong.what();
      complain_once(log);
      error = cudaErrorInvalidPtx;
    }
  }
  if (error != cudaSuccess) {
    unload_image(device, made);
    return error;
  }
  module = &made;
  return cudaSuccess;
}

void unload_image(Runtime& device, DeviceModule& module) {
  for (unsigned number = 0; number < device.device_count(); ++number) {
    const OnDevice there(number);
    module.unload(device.memory);
  }
  module.forget(device.memory);
  registry().retire(module);
}

Kernel* find_entry(DeviceModule& module, const char* name) {
  const auto* found = module.program().find(name);
  if (found == nullptr || !found->entry) return nullptr;
  for (const auto& kernel : module.kernels()) {
    if (kernel->mangled == name) {
      if (registry().find_kernel(kernel.get()) != nullptr) return kernel.get();
    }
  }
  return &registry().add_kernel(module, nullptr, name);
}

}  // namespace warpbook::simulator::runtime
