// Modules: loading images, linking PTX, finding kernels and variables.
#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>

#include "common/simulator/driver/driver_call.h"
#include "common/simulator/driver/modules.h"
#include "common/simulator/ptx/parser.h"

namespace {

using namespace warpbook::simulator::driver;
using warpbook::simulator::runtime::DeviceModule;
using warpbook::simulator::runtime::Kernel;

/// The options of the JIT compiler that have an effect here: where its messages go.
struct Logs {
  char* error = nullptr;
  std::size_t error_bytes = 0;
  char* info = nullptr;
  std::size_t info_bytes = 0;

  Logs() = default;
  Logs(unsigned count, const CUjit_option* options, void* const* values) {
    for (unsigned i = 0; i < count; ++i) {
      // Numbers are passed in the pointer itself.
      const auto number = static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(values[i]) & 0xffffffffu);
      if (options[i] == CU_JIT_ERROR_LOG_BUFFER) error = static_cast<char*>(values[i]);
      if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) error_bytes = number;
      if (options[i] == CU_JIT_INFO_LOG_BUFFER) info = static_cast<char*>(values[i]);
      if (options[i] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES) info_bytes = number;
      if (options[i] == CU_JIT_WALL_TIME && values[i] != nullptr) *static_cast<float*>(values[i]) = 0;
    }
    write(info, info_bytes, "");
    write(error, error_bytes, "");
  }

  void fail(const std::string& message) const { write(error, error_bytes, message); }

 private:
  static void write(char* to, std::size_t bytes, const std::string& text) {
    if (to == nullptr || bytes == 0) return;
    const std::size_t length = std::min(bytes - 1, text.size());
    std::memcpy(to, text.data(), length);
    to[length] = '\0';
  }
};

/// What CUlinkState points to.
struct LinkState {
  Logs logs;
  LinkedImage image;
};

warpbook::simulator::runtime::HandleTable<LinkState>& link_states() {
  static auto* states = new warpbook::simulator::runtime::HandleTable<LinkState>;
  return *states;
}

CUresult load(const char* name, CUmodule* handle, const void* image, const Logs& logs = {}) {
  return driver_call(CallKind::ordinary, name, [&](Runtime& device) {
    if (handle == nullptr || image == nullptr) return CUDA_ERROR_INVALID_VALUE;
    DeviceModule* module = nullptr;
    std::string log;
    const CUresult error = load_module(device, image, module, log);
    logs.fail(log);
    if (error == CUDA_SUCCESS) *handle = reinterpret_cast<CUmodule>(module);
    return error;
  });
}

bool read_file(const char* path, std::string& text) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  std::stringstream whole;
  whole << file.rdbuf();
  text = whole.str();
  return true;
}

}  // namespace

CUresult cuModuleLoadData(CUmodule* module, const void* image) { return load("cuModuleLoadData", module, image); }

CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned count, CUjit_option* options, void** values) {
  if (count != 0 && (options == nullptr || values == nullptr)) return CUDA_ERROR_INVALID_VALUE;
  return load("cuModuleLoadDataEx", module, image, Logs(count, options, values));
}

CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) {
  return load("cuModuleLoadFatBinary", module, image);
}

CUresult cuModuleLoad(CUmodule* module, const char* path) {
  if (path == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::string image;
  if (!read_file(path, image)) return CUDA_ERROR_FILE_NOT_FOUND;
  return load("cuModuleLoad", module, image.c_str());
}

CUresult cuModuleUnload(CUmodule handle) {
  return driver_call(CallKind::ordinary, "cuModuleUnload", [&](Runtime& device) {
    DeviceModule* module = find_module(handle);
    if (module == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    device.wait_for_all();
    current_context()->modules.erase(module);
    unload_module(device, *module);
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule handle, const char* name) {
  return driver_call(CallKind::ordinary, "cuModuleGetFunction", [&](Runtime&) {
    if (function == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
    DeviceModule* module = find_module(handle);
    if (module == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    const auto* found = module->program().find(name);
    if (found == nullptr || !found->entry) return CUDA_ERROR_NOT_FOUND;
    for (const auto& kernel : module->kernels()) {
      if (kernel->mangled == name) {
        *function = reinterpret_cast<CUfunction>(kernel.get());
        return CUDA_SUCCESS;
      }
    }
    *function =
        reinterpret_cast<CUfunction>(&warpbook::simulator::runtime::registry().add_kernel(*module, nullptr, name));
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr* address, size_t* bytes, CUmodule handle, const char* name) {
  return driver_call(CallKind::ordinary, "cuModuleGetGlobal", [&](Runtime& device) {
    if (name == nullptr || (address == nullptr && bytes == nullptr)) return CUDA_ERROR_INVALID_VALUE;
    DeviceModule* module = find_module(handle);
    if (module == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    const std::uint64_t place = module->address_of(name);
    if (place == 0) return CUDA_ERROR_NOT_FOUND;
    if (address != nullptr) *address = place;
    if (bytes != nullptr) *bytes = device.memory.find(place)->bytes;
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  if (mode == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *mode = CU_MODULE_EAGER_LOADING;
  return CUDA_SUCCESS;
}

CUresult cuLinkCreate_v2(unsigned count, CUjit_option* options, void** values, CUlinkState* handle) {
  return driver_call(CallKind::ordinary, "cuLinkCreate", [&](Runtime&) {
    if (handle == nullptr || (count != 0 && (options == nullptr || values == nullptr))) return CUDA_ERROR_INVALID_VALUE;
    LinkState* state = link_states().add();
    state->logs = Logs(count, options, values);
    *handle = reinterpret_cast<CUlinkState>(state);
    return CUDA_SUCCESS;
  });
}

CUresult cuLinkAddData_v2(CUlinkState handle, CUjitInputType type, void* data, size_t bytes, const char* name, unsigned,
                          CUjit_option*, void**) {
  return driver_call(CallKind::ordinary, "cuLinkAddData", [&](Runtime&) {
    LinkState* state = link_states().find(handle);
    if (state == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (data == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    if (type != CU_JIT_INPUT_PTX)
      return warpbook::simulator::driver::not_supported("cuLinkAddData", " for anything but CU_JIT_INPUT_PTX");
    std::string text(static_cast<const char*>(data), bytes);
    text.resize(std::strlen(text.c_str()));
    try {
      warpbook::simulator::ptx::parse(text);
    } catch (const std::runtime_error& error) {
      const std::string message =
          std::string(name == nullptr ? "" : name) + (name == nullptr ? "" : ": ") + error.what();
      state->logs.fail(message);
      warpbook::simulator::runtime::complain_once(message);
      return CUDA_ERROR_INVALID_PTX;
    }
    state->image.ptx.push_back(std::move(text));
    return CUDA_SUCCESS;
  });
}

CUresult cuLinkAddFile_v2(CUlinkState handle, CUjitInputType type, const char* path, unsigned count,
                          CUjit_option* options, void** values) {
  if (path == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::string text;
  if (!read_file(path, text)) return CUDA_ERROR_FILE_NOT_FOUND;
  return cuLinkAddData_v2(handle, type, text.data(), text.size(), path, count, options, values);
}

CUresult cuLinkComplete(CUlinkState handle, void** image, size_t* bytes) {
  return driver_call(CallKind::ordinary, "cuLinkComplete", [&](Runtime&) {
    LinkState* state = link_states().find(handle);
    if (state == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (image == nullptr || state->image.ptx.empty()) return CUDA_ERROR_INVALID_VALUE;
    *image = &state->image;
    if (bytes != nullptr) *bytes = sizeof state->image;
    return CUDA_SUCCESS;
  });
}

CUresult cuLinkDestroy(CUlinkState handle) {
  return driver_call(CallKind::query, "cuLinkDestroy",
                     [&](Runtime&) { return link_states().remove(handle) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE; });
}
