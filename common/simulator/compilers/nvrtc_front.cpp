// libnvrtc.so.13: NVIDIA's run-time compiler for device code, with cubins that also carry the PTX they were made from.
//
// All calls go to NVIDIA's library. A program compiled for a real architecture (sm_90) has PTX, too: the virtual GPU
// runs the PTX, and the machine code beside it gives the number of registers that ptxas assigned to each kernel.
#pragma GCC visibility push(default)
#include <nvrtc.h>
#pragma GCC visibility pop

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "common/simulator/compilers/real_library.h"
#include "common/simulator/runtime/ptx_image.h"

namespace {

using warpbook::simulator::compilers::RealLibrary;
using warpbook::simulator::runtime::write_ptx_image;

template <class Function>
Function* real(const char* name) {
  static RealLibrary library("libnvrtc.so.13", "WARPBOOK_NVRTC", "nvidia-cuda-nvrtc");
  return reinterpret_cast<Function*>(library.find(name));
}

/// The bytes that a pair of calls returns: one gives the size, one the bytes.
nvrtcResult bytes_of(const char* size_name, const char* name, nvrtcProgram program, std::string& bytes) {
  auto* const get_size = real<nvrtcResult(nvrtcProgram, size_t*)>(size_name);
  auto* const get = real<nvrtcResult(nvrtcProgram, char*)>(name);
  if (get_size == nullptr || get == nullptr) return NVRTC_ERROR_INTERNAL_ERROR;
  size_t count = 0;
  if (const nvrtcResult result = get_size(program, &count); result != NVRTC_SUCCESS) return result;
  bytes.resize(count);
  return count == 0 ? NVRTC_SUCCESS : get(program, bytes.data());
}

/// The number after ".target sm_".
unsigned architecture_of(const std::string& ptx) {
  constexpr const char* kTarget = ".target sm_";
  const auto at = ptx.find(kTarget);
  return at == std::string::npos
             ? 0
             : static_cast<unsigned>(std::strtoul(ptx.c_str() + at + std::strlen(kTarget), nullptr, 10));
}

/// The image that is returned as the cubin; empty if there is none.
nvrtcResult image_of(nvrtcProgram program, std::string& image) {
  std::string cubin, ptx;
  nvrtcResult result = bytes_of("nvrtcGetCUBINSize", "nvrtcGetCUBIN", program, cubin);
  if (result == NVRTC_SUCCESS && !cubin.empty()) result = bytes_of("nvrtcGetPTXSize", "nvrtcGetPTX", program, ptx);
  if (result != NVRTC_SUCCESS || cubin.empty()) return result;
  ptx.resize(std::strlen(ptx.c_str()));
  const unsigned architecture = architecture_of(ptx);
  image = ptx.empty() ? cubin : write_ptx_image({{std::move(ptx)}, std::move(cubin), architecture});
  return NVRTC_SUCCESS;
}

}  // namespace

#define WB_NVRTC(name, parameters, arguments)                                     \
  nvrtcResult name parameters {                                                   \
    static auto* const function = real<nvrtcResult parameters>(#name);            \
    return function == nullptr ? NVRTC_ERROR_INTERNAL_ERROR : function arguments; \
  }
#include "common/simulator/compilers/nvrtc_calls.def"

const char* nvrtcGetErrorString(nvrtcResult result) {
  auto* const function = real<const char*(nvrtcResult)>("nvrtcGetErrorString");
  return function == nullptr ? "NVIDIA's libnvrtc.so.13 was not found" : function(result);
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t* bytes) {
  if (bytes == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  std::string image;
  const nvrtcResult result = image_of(program, image);
  if (result == NVRTC_SUCCESS) *bytes = image.size();
  return result;
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* cubin) {
  if (cubin == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  std::string image;
  const nvrtcResult result = image_of(program, image);
  if (result == NVRTC_SUCCESS) std::copy(image.begin(), image.end(), cubin);
  return result;
}
