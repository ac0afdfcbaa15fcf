// Libraries and kernels as objects that are loaded at run time.
#include <optional>

#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/image_file.h"
#include "common/simulator/runtime/jit_logs.h"
#include "common/simulator/runtime/libraries.h"
#include "common/simulator/runtime/module_image.h"

namespace {

using namespace warpbook::simulator::runtime;

cudaError_t load_library_code(const char* name, cudaLibrary_t* library, const void* code, const JitLogs& logs) {
  return call(CallKind::ordinary, name, [&](Runtime& runtime) {
    if (library == nullptr || code == nullptr) return cudaErrorInvalidValue;
    Library* made = nullptr;
    std::string log;
    const cudaError_t error = load_library(runtime, code, made, log);
    logs.write("", log);
    if (error == cudaSuccess) *library = reinterpret_cast<cudaLibrary_t>(made);
    return error;
  });
}

cudaError_t get_library_variable(const char* call_name, void** address, size_t* bytes, cudaLibrary_t library,
                                 const char* name, bool managed) {
  return call(CallKind::ordinary, call_name, [&](Runtime& runtime) {
    if (name == nullptr || (address == nullptr && bytes == nullptr)) return cudaErrorInvalidValue;
    std::uint64_t found = 0;
    std::size_t size = 0;
    const cudaError_t error = find_library_variable(runtime, library, name, managed, found, size);
    if (error != cudaSuccess) return error;
    if (address != nullptr) *address = reinterpret_cast<void*>(found);
    if (bytes != nullptr) *bytes = size;
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption* options, void** values,
                                unsigned count, cudaLibraryOption*, void**, unsigned) {
  if (count != 0 && (options == nullptr || values == nullptr)) return remember(cudaErrorInvalidValue);
  return load_library_code("cudaLibraryLoadData", library, code, JitLogs(count, options, values));
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* path, cudaJitOption* options, void** values,
                                    unsigned count, cudaLibraryOption*, void**, unsigned) {
  if (path == nullptr || (count != 0 && (options == nullptr || values == nullptr)))
    return remember(cudaErrorInvalidValue);
  const std::optional<std::string> image = read_image_file(path);
  if (!image) return remember(cudaErrorFileNotFound);
  return load_library_code("cudaLibraryLoadFromFile", library, image->c_str(), JitLogs(count, options, values));
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  return call(CallKind::ordinary, "cudaLibraryUnload",
              [&](Runtime& runtime) { return unload_library(runtime, library); });
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t handle, const char* name) {
  return call(CallKind::ordinary, "cudaLibraryGetKernel", [&](Runtime& runtime) {
    if (kernel == nullptr || name == nullptr) return cudaErrorInvalidValue;
    Library* const library = find_library(handle);
    if (library == nullptr) return cudaErrorInvalidResourceHandle;
    if (const cudaError_t error = runtime.load(*library->module)) return error;
    Kernel* const found = find_entry(*library->module, name);
    if (found == nullptr) return cudaErrorSymbolNotFound;
    *kernel = reinterpret_cast<cudaKernel_t>(found);
    return cudaSuccess;
  });
}

cudaError_t cudaLibraryGetKernelCount(unsigned* count, cudaLibrary_t handle) {
  return call(CallKind::ordinary, "cudaLibraryGetKernelCount", [&](Runtime& runtime) {
    if (count == nullptr) return cudaErrorInvalidValue;
    Library* const library = find_library(handle);
    if (library == nullptr) return cudaErrorInvalidResourceHandle;
    if (const cudaError_t error = runtime.load(*library->module)) return error;
    *count = static_cast<unsigned>(entry_names(*library->module).size());
    return cudaSuccess;
  });
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned count, cudaLibrary_t handle) {
  return call(CallKind::ordinary, "cudaLibraryEnumerateKernels", [&](Runtime& runtime) {
    if (kernels == nullptr && count != 0) return cudaErrorInvalidValue;
    Library* const library = find_library(handle);
    if (library == nullptr) return cudaErrorInvalidResourceHandle;
    if (const cudaError_t error = runtime.load(*library->module)) return error;
    const auto names = entry_names(*library->module);
    for (std::size_t i = 0; i < count && i < names.size(); ++i)
      kernels[i] = reinterpret_cast<cudaKernel_t>(find_entry(*library->module, names[i].c_str()));
    return cudaSuccess;
  });
}

cudaError_t cudaLibraryGetGlobal(void** address, size_t* bytes, cudaLibrary_t library, const char* name) {
  return get_library_variable("cudaLibraryGetGlobal", address, bytes, library, name, false);
}

cudaError_t cudaLibraryGetManaged(void** address, size_t* bytes, cudaLibrary_t library, const char* name) {
  return get_library_variable("cudaLibraryGetManaged", address, bytes, library, name, true);
}

cudaError_t cudaLibraryGetUnifiedFunction(void** function, cudaLibrary_t handle, const char* name) {
  return call(CallKind::ordinary, "cudaLibraryGetUnifiedFunction", [&](Runtime&) {
    if (function == nullptr || name == nullptr) return cudaErrorInvalidValue;
    if (find_library(handle) == nullptr) return cudaErrorInvalidResourceHandle;
    return cudaErrorSymbolNotFound;  // Only functions that PTX marks .unified can be found; nvcc makes none.
  });
}
