// What can be linked at run time: everything that carries PTX.
#include <algorithm>
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

/// What is said of device code without PTX.
std::string no_ptx(const std::vector<runtime::FatBinaryContainer>& containers) {
  const auto is_lto_ir = [](const runtime::FatBinaryEntry& entry) {
    return entry.kind == runtime::FatBinaryEntry::Kind::lto_ir;
  };
  const bool lto_ir = std::any_of(containers.begin(), containers.end(), [&](const auto& container) {
    return std::any_of(container.entries.begin(), container.entries.end(), is_lto_ir);
  });
  return lto_ir
             ? "has LTO-IR (code=lto_90) without PTX, which only NVIDIA's linker can compile: link it with nvJitLink "
               "and -lto under warpbook run, or build it with -gencode arch=compute_90,code=compute_90"
             : "has no PTX: build it with -gencode arch=compute_90,code=compute_90";
}

/// An object of the host's compiler, or a library of them.
std::vector<std::string> ptx_of_objects(std::string_view data) {
  const std::vector<runtime::FatBinaryContainer> containers = runtime::containers_in(data);
  std::vector<std::string> found;
  try {
    for (const runtime::FatBinaryContainer& container : containers)
      if (const auto* const entry = runtime::choose_ptx(container, kArchitecture)) found.push_back(entry->read());
  } catch (const runtime::FatBinaryError& error) {
    throw LinkError{CUDA_ERROR_INVALID_IMAGE, error.what()};
  }
  if (found.empty()) throw LinkError{CUDA_ERROR_NO_BINARY_FOR_GPU, "the object or library " + no_ptx(containers)};
  return found;
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
    if (entry == nullptr) throw LinkError{CUDA_ERROR_NO_BINARY_FOR_GPU, "the fat binary " + no_ptx({container})};
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
      return ptx_of_objects(data);
    }
    default:
      throw LinkError{CUDA_ERROR_NOT_SUPPORTED,
                      "the input is LTO-IR or NVVM IR, which the driver does not link: use nvJitLink, which warpbook "
                      "run passes on to NVIDIA's, or add PTX"};
  }
}

}  // namespace warpbook::simulator::driver
