// Reads images and keeps the modules made from them.
#include "common/simulator/driver/modules.h"

#include <cstring>

#include "common/simulator/driver/context.h"
#include "common/simulator/runtime/fat_binary.h"
#include "common/simulator/runtime/fat_binary_layout.h"

namespace warpbook::simulator::driver {
namespace {

using namespace runtime;

constexpr std::uint32_t kElfMagic = 0x464c457f;

template <class Word>
Word first_word(const void* image) {
  Word word;
  std::memcpy(&word, image, sizeof word);
  return word;
}

/// PTX text ends with a null byte, so it may be shorter than a word.
bool starts_with(const void* image, std::uint32_t magic) { return std::memcmp(image, &magic, sizeof magic) == 0; }

struct Refused {
  CUresult error;
  std::string message;
};

ModuleImages read_image(const void* image) {
  const auto* text = static_cast<const char*>(image);
  if (*text == '\0') throw Refused{CUDA_ERROR_INVALID_IMAGE, "the image is empty: expected PTX text or a fat binary"};
  if (std::strlen(text) < sizeof(std::uint32_t) && *text != 0x7f) return {{text}, {}};
  if (starts_with(image, kWrapperMagic)) return {{}, read_fat_binary(image)};
  if (starts_with(image, kContainerMagic)) return {{}, {read_container(image)}};
  if (starts_with(image, kElfMagic)) {
    throw Refused{CUDA_ERROR_NO_BINARY_FOR_GPU,
                  "the image is machine code (a cubin); the virtual GPU runs PTX: build it with nvcc -ptx or -fatbin"};
  }
  if (std::strncmp(text, "wbp-link", 8) == 0 && first_word<std::uint64_t>(image) == LinkedImage::kMagic) {
    return {static_cast<const LinkedImage*>(image)->ptx, {}};
  }
  return {{text}, {}};
}

}  // namespace

CUresult load_module(Runtime& device, const void* image, DeviceModule*& module, std::string& log) {
  ModuleImages images;
  try {
    images = read_image(image);
  } catch (const Refused& refused) {
    log = refused.message;
    complain_once(refused.message);
    return refused.error;
  } catch (const FatBinaryError& error) {
    log = error.what();
    complain_once(log);
    return CUDA_ERROR_INVALID_IMAGE;
  }
  DeviceModule& made = registry().add(std::move(images));
  cudaError_t error = device.load(made);
  if (error != cudaSuccess) {
    log = made.load(device.memory, device.architecture()).value_or(ModuleError{}).message;
  } else {
    try {
      made.program();  // A module that makes no sense is refused here, as by the driver's compiler.
    } catch (const DecodeError& wrong) {
      log = wrong.what();
      complain_once(log);
      error = cudaErrorInvalidPtx;
    }
  }
  if (error != cudaSuccess) {
    unload_module(device, made);
    return static_cast<CUresult>(error);
  }
  module = &made;
  current_context()->modules.insert(&made);
  return CUDA_SUCCESS;
}

void unload_module(Runtime& device, DeviceModule& module) {
  module.unload(device.memory);
  registry().retire(module);
}

DeviceModule* find_module(CUmodule handle) {
  auto* module = reinterpret_cast<DeviceModule*>(handle);
  const Context* context = current_context();
  return context != nullptr && context->modules.count(module) != 0 ? module : nullptr;
}

Kernel* find_function(CUfunction handle) { return registry().find_kernel(handle); }

}  // namespace warpbook::simulator::driver
