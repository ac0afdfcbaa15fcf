// What can be linked at run time: everything that carries PTX.
#include <cstring>

#include "common/simulator/driver/modules.h"
#include "common/simulator/ptx/parser.h"
#include "common/simulator/runtime/fat_binary.h"
#include "common/simulator/runtime/fat_binary_layout.h"
#include "common/simulator/runtime/ptx_image.h"

namespace warpbook::simulator::driver {
namespace {

using runtime::kContainerMagic;

constexpr unsigned kArchitecture = 90;

std::vector<std::string> ptx_of_cubin(std::string_view data) {
  if (data.size() < sizeof(std::uint32_t) * 4 || !runtime::is_ptx_image(data.data())) {
    throw LinkError{CUDA_ERROR_NOT_SUPPORTED,
                    "the input is machine code (a cubin), which the virtual GPU cannot run: add the PTX, or make the "
                    "cubin with NVRTC, nvJitLink or nvcc under warpbook run, where they keep it"};
  }
  auto image = runtime::read_ptx_image(std::as_bytes(std::span(data.data(), data.size())));
  if (!image) throw LinkError{CUDA_ERROR_INVALID_IMAGE, "the input is a damaged PTX image"};
  return std::move(image->ptx);
}

std::vector<std::string> ptx_of_fat_binary(std::string_view data) {
  runtime::ContainerHeader header{};
  if (data.size() >= sizeof header) std::memcpy(&header, data.data(), sizeof header);
  if (header.magic != kContainerMagic || header.header_bytes < sizeof header || header.header_bytes > data.size() ||
      header.bytes > data.size() - header.header_bytes)
    throw LinkError{CUDA_ERROR_INVALID_IMAGE, "the input is not a complete fat binary"};
  try {
    const auto container = runtime::read_container(data.data());
    const runtime::FatBinaryEntry* const entry = runtime::choose_ptx(container, kArchitecture);
    if (entry == nullptr) {
      throw LinkError{CUDA_ERROR_NO_BINARY_FOR_GPU,
                      "the fat binary has no PTX: build it with -gencode arch=compute_90,code=compute_90"};
    }
    return {entry->read()};
  } catch (const runtime::FatBinaryError& error) {
    throw LinkError{CUDA_ERROR_INVALID_IMAGE, error.what()};
  }
}

}  // namespace

std::vector<std::string> ptx_of_input(CUjitInputType type, std::string_view data, std::string_view name) {
  switch (type) {
    case CU_JIT_INPUT_PTX: {
      std::string text(data);
      text.resize(std::strlen(text.c_str()));
      try {
        ptx::parse(text);
      } catch (const std::runtime_error& error) {
        throw LinkError{CUDA_ERROR_INVALID_PTX, error.what()};
      }
      return {std::move(text)};
    }
    case CU_JIT_INPUT_CUBIN:
      return ptx_of_cubin(data);
    case CU_JIT_INPUT_FATBINARY:
      return ptx_of_fat_binary(data);
    case CU_JIT_INPUT_OBJECT:
    case CU_JIT_INPUT_LIBRARY: {
      // NVIDIA's device runtime: the virtual GPU implements it itself.
      if (name.find("cudadevrt") != std::string_view::npos) return {};
      throw LinkError{CUDA_ERROR_NOT_SUPPORTED,
                      "objects and libraries of the host's linker cannot be linked at run time: add the PTX or a fat "
                      "binary of the device code (nvcc -ptx -rdc=true, nvcc -fatbin -rdc=true)"};
    }
    default:
      throw LinkError{CUDA_ERROR_NOT_SUPPORTED,
                      "the input is LTO-IR or NVVM IR, which the driver does not link: use nvJitLink, which warpbook "
                      "run passes on to NVIDIA's, or add PTX"};
  }
}

}  // namespace warpbook::simulator::driver
