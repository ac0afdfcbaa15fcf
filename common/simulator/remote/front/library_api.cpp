// Libraries that a program loads at run time.
#include "common/simulator/remote/front/module_image.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/jit_logs.h"

namespace {

using namespace warpbook::simulator::remote;
using warpbook::simulator::runtime::JitLogs;

cudaError_t load(cudaLibrary_t* library, const void* code, const JitLogs& logs) {
  const LoadedImage loaded = load_image(ModuleKind::runtime_library, library == nullptr ? nullptr : code);
  logs.write("", loaded.log);
  if (loaded.error == 0) *library = reinterpret_cast<cudaLibrary_t>(loaded.handle);
  return static_cast<cudaError_t>(loaded.error);
}

}  // namespace

cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption* options, void** values,
                                unsigned count, cudaLibraryOption*, void**, unsigned) {
  if (count != 0 && (options == nullptr || values == nullptr)) return load(library, nullptr, {});
  return load(library, code, JitLogs(count, options, values));
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* path, cudaJitOption* options, void** values,
                                    unsigned count, cudaLibraryOption*, void**, unsigned) {
  if (path == nullptr || (count != 0 && (options == nullptr || values == nullptr))) return load(library, nullptr, {});
  std::string image;
  if (!read_image_file(path, image)) return cudaErrorFileNotFound;
  return load(library, image.data(), JitLogs(count, options, values));
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned count, cudaLibrary_t library) {
  return static_cast<cudaError_t>(enumerate_kernels(ListKind::runtime_library_kernels, kernels, count, library));
}
