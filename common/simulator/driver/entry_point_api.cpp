// Finding calls by name at run time.
#include <dlfcn.h>

#include <string>

#include "common/simulator/driver/driver_call.h"

namespace {

/// This library, whatever the process found first under the name libcuda.so.1.
void* this_library() {
  Dl_info info;
  if (::dladdr(reinterpret_cast<void*>(&cuInit), &info) == 0) return nullptr;
  return ::dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

}  // namespace

/// Gives the newest version of a call. @param flags CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM chooses *_ptsz,
/// *_ptds
CUresult cuGetProcAddress_v2(const char* symbol, void** function, int, cuuint64_t flags,
                             CUdriverProcAddressQueryResult* status) {
  if (symbol == nullptr || function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *function = nullptr;
  void* library = this_library();
  const bool per_thread = (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0;
  for (const char* version : {"_v4", "_v3", "_v2", ""}) {
    for (const char* suffix : {"_ptsz", "_ptds", ""}) {
      if (!per_thread && *suffix != '\0') continue;
      if (*function == nullptr) *function = ::dlsym(library, (std::string(symbol) + version + suffix).c_str());
    }
  }
  const bool found = *function != nullptr;
  if (status != nullptr) *status = found ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return found ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

/// The undocumented door of the static runtime.
CUresult cuGetExportTable(const void**, const CUuuid*) {
  return warpbook::simulator::driver::not_supported(
      "cuGetExportTable",
      ". This program has NVIDIA's runtime inside (nvcc -cudart static): build it with "
      "nvcc -cudart shared");
}
