// Libraries, and kernels that belong to no context. A CUkernel serves as the CUfunction in every context.
#include <optional>

#include "common/simulator/driver/driver_call.h"
#include "common/simulator/driver/modules.h"
#include "common/simulator/runtime/about_device.h"
#include "common/simulator/runtime/image_file.h"
#include "common/simulator/runtime/jit_logs.h"
#include "common/simulator/runtime/libraries.h"
#include "common/simulator/runtime/module_image.h"

namespace {

using namespace warpbook::simulator::driver;
using warpbook::simulator::runtime::JitLogs;
using warpbook::simulator::runtime::Kernel;
using warpbook::simulator::runtime::Library;

CUresult load_library_image(const char* name, CUlibrary* library, const void* code, const JitLogs& logs) {
  return driver_call(
      CallKind::ordinary, name,
      [&](Runtime& device) {
        if (library == nullptr || code == nullptr) return CUDA_ERROR_INVALID_VALUE;
        Library* made = nullptr;
        std::string log;
        const cudaError_t error = load_library(device, code, made, log);
        logs.write("", log);
        if (error == cudaSuccess) *library = reinterpret_cast<CUlibrary>(made);
        return result_of(error);
      },
      Needs::initialised);
}

/// Calls @p body(device, library) for a live library whose module is loaded.
template <class Body>
CUresult with_library(const char* name, CUlibrary handle, Body body) {
  return driver_call(
      CallKind::ordinary, name,
      [&](Runtime& device) {
        Library* const library = warpbook::simulator::runtime::find_library(handle);
        if (library == nullptr) return CUDA_ERROR_INVALID_HANDLE;
        if (const cudaError_t error = device.load(*library->module)) return result_of(error);
        return result_of(body(device, *library));
      },
      Needs::initialised);
}

CUresult get_library_variable(const char* call_name, CUdeviceptr* address, size_t* bytes, CUlibrary handle,
                              const char* name, bool managed) {
  return with_library(call_name, handle, [&](Runtime& device, Library&) {
    if (name == nullptr || (address == nullptr && bytes == nullptr)) return cudaErrorInvalidValue;
    std::uint64_t found = 0;
    std::size_t size = 0;
    const cudaError_t error = find_library_variable(device, handle, name, managed, found, size);
    if (error != cudaSuccess) return error;
    if (address != nullptr) *address = found;
    if (bytes != nullptr) *bytes = size;
    return cudaSuccess;
  });
}

/// Calls on a kernel that are the same as on its function on a device.
template <class Body>
CUresult as_function(CUkernel kernel, CUdevice device, Body body) {
  const std::lock_guard guard(warpbook::simulator::runtime::runtime_lock());
  if (!warpbook::simulator::runtime::is_device(Runtime::instance(), device)) return CUDA_ERROR_INVALID_DEVICE;
  const Context* const now = current_context();
  const auto number = static_cast<unsigned>(device);
  if (now != nullptr && now->device == number) return body(reinterpret_cast<CUfunction>(kernel));
  const unsigned before = warpbook::simulator::runtime::current_device();
  context_stack().push_back(&primary_context(number));
  follow_context();
  const CUresult result = body(reinterpret_cast<CUfunction>(kernel));
  context_stack().pop_back();
  warpbook::simulator::runtime::set_current_device(before);
  return result;
}

}  // namespace

CUresult cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* options, void** values, unsigned count,
                           CUlibraryOption*, void**, unsigned) {
  if (count != 0 && (options == nullptr || values == nullptr)) return CUDA_ERROR_INVALID_VALUE;
  return load_library_image("cuLibraryLoadData", library, code, JitLogs(count, options, values));
}

CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* path, CUjit_option* options, void** values,
                               unsigned count, CUlibraryOption*, void**, unsigned) {
  if (path == nullptr || (count != 0 && (options == nullptr || values == nullptr))) return CUDA_ERROR_INVALID_VALUE;
  const std::optional<std::string> image = warpbook::simulator::runtime::read_image_file(path);
  if (!image) return CUDA_ERROR_FILE_NOT_FOUND;
  return load_library_image("cuLibraryLoadFromFile", library, image->c_str(), JitLogs(count, options, values));
}

CUresult cuLibraryUnload(CUlibrary library) {
  return with_library("cuLibraryUnload", library,
                      [&](Runtime& device, Library&) { return unload_library(device, library); });
}

CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary handle, const char* name) {
  return with_library("cuLibraryGetKernel", handle, [&](Runtime&, Library& library) {
    if (kernel == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
    Kernel* const found = warpbook::simulator::runtime::find_entry(*library.module, name);
    if (found == nullptr) return CUDA_ERROR_NOT_FOUND;
    *kernel = reinterpret_cast<CUkernel>(found);
    return CUDA_SUCCESS;
  });
}

CUresult cuLibraryGetKernelCount(unsigned* count, CUlibrary handle) {
  return with_library("cuLibraryGetKernelCount", handle, [&](Runtime&, Library& library) {
    if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *count = static_cast<unsigned>(warpbook::simulator::runtime::entry_names(*library.module).size());
    return CUDA_SUCCESS;
  });
}

CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned count, CUlibrary handle) {
  return with_library("cuLibraryEnumerateKernels", handle, [&](Runtime&, Library& library) {
    if (kernels == nullptr && count != 0) return CUDA_ERROR_INVALID_VALUE;
    const auto names = warpbook::simulator::runtime::entry_names(*library.module);
    for (std::size_t i = 0; i < count && i < names.size(); ++i)
      kernels[i] =
          reinterpret_cast<CUkernel>(warpbook::simulator::runtime::find_entry(*library.module, names[i].c_str()));
    return CUDA_SUCCESS;
  });
}

CUresult cuLibraryGetModule(CUmodule* module, CUlibrary handle) {
  return with_library("cuLibraryGetModule", handle, [&](Runtime&, Library& library) {
    if (module == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    *module = reinterpret_cast<CUmodule>(library.module);
    return CUDA_SUCCESS;
  });
}

CUresult cuLibraryGetGlobal(CUdeviceptr* address, size_t* bytes, CUlibrary library, const char* name) {
  return get_library_variable("cuLibraryGetGlobal", address, bytes, library, name, false);
}

CUresult cuLibraryGetManaged(CUdeviceptr* address, size_t* bytes, CUlibrary library, const char* name) {
  return get_library_variable("cuLibraryGetManaged", address, bytes, library, name, true);
}

CUresult cuLibraryGetUnifiedFunction(void** function, CUlibrary library, const char* name) {
  return with_library("cuLibraryGetUnifiedFunction", library, [&](Runtime&, Library&) {
    if (function == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return CUDA_ERROR_INVALID_VALUE;  // Only PTX that marks a function as .unified has one, and nvcc generates none.
  });
}

CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
  return driver_call(CallKind::ordinary, "cuKernelGetFunction", [&](Runtime&) {
    if (function == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (find_function(kernel) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    *function = reinterpret_cast<CUfunction>(kernel);
    return CUDA_SUCCESS;
  });
}

CUresult cuKernelGetLibrary(CUlibrary* library, CUkernel kernel) {
  return driver_call(
      CallKind::ordinary, "cuKernelGetLibrary",
      [&](Runtime&) {
        if (library == nullptr) return CUDA_ERROR_INVALID_VALUE;
        const Kernel* const found = find_function(kernel);
        Library* const owner = found == nullptr ? nullptr : warpbook::simulator::runtime::library_of(found->module);
        if (owner == nullptr) return CUDA_ERROR_INVALID_HANDLE;
        *library = reinterpret_cast<CUlibrary>(owner);
        return CUDA_SUCCESS;
      },
      Needs::initialised);
}

CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device) {
  return as_function(kernel, device,
                     [&](CUfunction function) { return cuFuncGetAttribute(value, attribute, function); });
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device) {
  return as_function(kernel, device,
                     [&](CUfunction function) { return cuFuncSetAttribute(function, attribute, value); });
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device) {
  return as_function(kernel, device, [&](CUfunction function) { return cuFuncSetCacheConfig(function, config); });
}

CUresult cuKernelGetName(const char** name, CUkernel kernel) {
  return cuFuncGetName(name, reinterpret_cast<CUfunction>(kernel));
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t* offset, size_t* bytes) {
  return cuFuncGetParamInfo(reinterpret_cast<CUfunction>(kernel), index, offset, bytes);
}
