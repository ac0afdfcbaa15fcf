// Looks up driver functions by name, for programs of the runtime API, in libcuda.so.1 next to this library. Built into
// the front library, too, because it needs no device.
#include <cuda.h>
#include <dlfcn.h>

#include <string>

#include "common/simulator/runtime/cuda_api.h"

namespace {

using GetProcAddress = decltype(&cuGetProcAddress_v2);

GetProcAddress get_proc_address() {
  static const auto found = [] {
    Dl_info info;
    void* library = nullptr;
    if (::dladdr(reinterpret_cast<void*>(&cudaRuntimeGetVersion), &info) != 0) {
      std::string path = info.dli_fname;
      path.resize(path.rfind('/') + 1);
      library = ::dlopen((path + "libcuda.so.1").c_str(), RTLD_LAZY);
    }
    if (library == nullptr) library = ::dlopen("libcuda.so.1", RTLD_LAZY);
    if (library == nullptr) return GetProcAddress{};
    // The first lookup initialises the driver, and makes no context (H200, driver 580.159, 2026-11-27).
    if (void* const init = ::dlsym(library, "cuInit")) reinterpret_cast<decltype(&cuInit)>(init)(0);
    return reinterpret_cast<GetProcAddress>(::dlsym(library, "cuGetProcAddress_v2"));
  }();
  return found;
}

cudaError_t find_driver_call(const char* symbol, void** function, unsigned version, unsigned long long flags,
                             cudaDriverEntryPointQueryResult* status) {
  if (symbol == nullptr || function == nullptr) return cudaErrorInvalidValue;
  if (get_proc_address() == nullptr) return cudaErrorSharedObjectInitFailed;
  CUdriverProcAddressQueryResult result{};
  const CUresult error = get_proc_address()(symbol, function, static_cast<int>(version), flags, &result);
  if (status != nullptr) *status = static_cast<cudaDriverEntryPointQueryResult>(result);
  // A missing symbol is not an error of this call.
  if (error == CUDA_ERROR_NOT_FOUND && status != nullptr) return cudaSuccess;
  return static_cast<cudaError_t>(error);
}

constexpr unsigned kNewestVersion = 13000;

}  // namespace

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status) {
  return find_driver_call(symbol, function, kNewestVersion, flags, status);
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned version,
                                             unsigned long long flags, cudaDriverEntryPointQueryResult* status) {
  return find_driver_call(symbol, function, version, flags, status);
}
