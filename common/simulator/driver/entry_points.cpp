// Looks calls up in a library.
#include "common/simulator/driver/entry_points.h"

#include <dlfcn.h>

#include <string>

namespace warpbook::simulator::driver {
namespace {

void* library_of(void* own) {
  Dl_info info;
  if (::dladdr(own, &info) == 0) return nullptr;
  return ::dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

}  // namespace

CUresult find_entry_point(void* own, const char* symbol, void** function, cuuint64_t flags,
                          CUdriverProcAddressQueryResult* status) {
  if (symbol == nullptr || function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *function = nullptr;
  void* library = library_of(own);
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

}  // namespace warpbook::simulator::driver
