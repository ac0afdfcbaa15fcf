// Driver libraries: images are sent to the device completely.
#include "common/simulator/driver/driver_api.h"
#include "common/simulator/remote/front/module_image.h"
#include "common/simulator/runtime/jit_logs.h"

namespace {

using namespace warpbook::simulator::remote;
using warpbook::simulator::runtime::JitLogs;

CUresult load(CUlibrary* library, const void* code, const JitLogs& logs) {
  if (library == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const LoadedImage loaded = load_image(ModuleKind::library, code);
  logs.write("", loaded.log);
  if (loaded.error == CUDA_SUCCESS) *library = reinterpret_cast<CUlibrary>(loaded.handle);
  return static_cast<CUresult>(loaded.error);
}

}  // namespace

CUresult cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* options, void** values, unsigned count,
                           CUlibraryOption*, void**, unsigned) {
  if (count != 0 && (options == nullptr || values == nullptr)) return CUDA_ERROR_INVALID_VALUE;
  return load(library, code, JitLogs(count, options, values));
}

CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* path, CUjit_option* options, void** values,
                               unsigned count, CUlibraryOption*, void**, unsigned) {
  if (path == nullptr || (count != 0 && (options == nullptr || values == nullptr))) return CUDA_ERROR_INVALID_VALUE;
  std::string image;
  if (!read_image_file(path, image)) return CUDA_ERROR_FILE_NOT_FOUND;
  return load(library, image.data(), JitLogs(count, options, values));
}

CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned count, CUlibrary library) {
  return static_cast<CUresult>(enumerate_kernels(ListKind::library_kernels, kernels, count, library));
}

CUresult cuKernelGetName(const char** name, CUkernel kernel) {
  return cuFuncGetName(name, reinterpret_cast<CUfunction>(kernel));
}
