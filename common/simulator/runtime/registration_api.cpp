// What nvcc's host code calls before main: registers fat binaries, kernels and variables.
#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/debugging.h"

namespace {

using namespace warpbook::simulator::runtime;

/// The handle of a fat binary points to a word for the runtime's own use: here, the module.
DeviceModule& module_of(void** handle) { return *static_cast<DeviceModule*>(*handle); }

void add_variable(void** handle, const void* host, const char* name, std::size_t bytes, bool constant, bool managed) {
  const std::lock_guard guard(runtime_lock());
  DeviceVariable variable;
  variable.host = host;
  variable.name = name;
  variable.bytes = bytes;
  variable.constant = constant;
  variable.managed = managed;
  registry().add_variable(module_of(handle), std::move(variable));
}

}  // namespace

void** __cudaRegisterFatBinary(void* wrapper) {
  begin_debugging();
  const std::lock_guard guard(runtime_lock());
  auto** handle = new void*;
  *handle = &registry().add(wrapper);
  return handle;
}

void __cudaRegisterFatBinaryEnd(void**) {}

void __cudaUnregisterFatBinary(void** handle) {
  const std::lock_guard guard(runtime_lock());
  registry().retire(module_of(handle));
}

void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*,
                            int*) {
  const std::lock_guard guard(runtime_lock());
  registry().add_kernel(module_of(handle), host, name);
}

void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, size_t bytes, int constant, int) {
  add_variable(handle, host, name, bytes, constant != 0, false);
}

void __cudaRegisterManagedVar(void** handle, void** host, char*, const char* name, int, size_t bytes, int constant,
                              int) {
  add_variable(handle, host, name, bytes, constant != 0, true);
}

void __cudaRegisterHostVar(void** handle, const char* name, char* host, size_t bytes) {
  add_variable(handle, host, name, bytes, false, false);
}

char __cudaInitModule(void** handle) {
  const cudaError_t error =
      call(CallKind::query, "__cudaInitModule", [&](Runtime& runtime) { return runtime.load(module_of(handle)); });
  return static_cast<char>(error == cudaSuccess);
}
