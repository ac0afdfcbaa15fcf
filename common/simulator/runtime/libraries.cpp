// Keeps the libraries of the process.
#include "common/simulator/runtime/libraries.h"

#include "common/simulator/runtime/module_image.h"

namespace warpbook::simulator::runtime {
namespace {

HandleTable<Library>& libraries() {
  static auto* all = new HandleTable<Library>;
  return *all;
}

}  // namespace

Library* find_library(const void* handle) { return libraries().find(handle); }

Library* library_of(const DeviceModule* module) {
  for (const auto& [handle, library] : libraries().live()) {
    if (library->module == module) return library.get();
  }
  return nullptr;
}

cudaError_t load_library(Runtime& device, const void* image, Library*& library, std::string& log) {
  DeviceModule* module = nullptr;
  if (const cudaError_t error = load_image(device, image, module, log)) return error;
  // The images belong to the program and only exist during this call: devices of other architectures read theirs now.
  const unsigned architecture = device.architecture();
  for (unsigned number = 0; number < device.device_count(); ++number) {
    const OnDevice there(number);
    if (device.architecture() != architecture) static_cast<void>(device.load(*module));
  }
  library = libraries().add();
  library->module = module;
  return cudaSuccess;
}

cudaError_t unload_library(Runtime& device, const void* handle) {
  Library* const library = find_library(handle);
  if (library == nullptr) return cudaErrorInvalidResourceHandle;
  const cudaError_t error = device.wait_for_all();
  unload_image(device, *library->module);
  libraries().remove(handle);
  return error;
}

std::vector<std::string> entry_names(DeviceModule& module) {
  std::vector<std::string> names;
  for (const Function& function : module.program().functions) {
    if (function.entry) names.push_back(function.name);
  }
  return names;
}

cudaError_t find_library_variable(Runtime& device, const void* handle, const char* name, bool managed,
                                  std::uint64_t& address, std::size_t& bytes) {
  Library* const library = find_library(handle);
  if (library == nullptr) return cudaErrorInvalidResourceHandle;
  // After a device reset the variables are created again.
  if (const cudaError_t error = device.load(*library->module)) return error;
  address = library->module->address_of(name);
  const Allocation* const place = address == 0 ? nullptr : device.memory.find(address);
  if (place == nullptr || (place->kind == MemoryKind::managed) != managed) return cudaErrorSymbolNotFound;
  bytes = place->bytes;
  return cudaSuccess;
}

}  // namespace warpbook::simulator::runtime
