// Modules: loading images, linking PTX, finding kernels and variables.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "common/simulator/driver/driver_call.h"
#include "common/simulator/driver/modules.h"
#include "common/simulator/ptx/parser.h"
#include "common/simulator/runtime/image_file.h"
#include "common/simulator/runtime/jit_logs.h"
#include "common/simulator/runtime/libraries.h"
#include "common/simulator/runtime/link_modules.h"
#include "common/simulator/runtime/module_image.h"
#include "common/simulator/runtime/ptx_image.h"

namespace {

using namespace warpbook::simulator::driver;
using warpbook::simulator::runtime::DeviceModule;
using warpbook::simulator::runtime::entry_names;
using warpbook::simulator::runtime::JitLogs;
using warpbook::simulator::runtime::Kernel;
using warpbook::simulator::runtime::read_image_file;

/// What CUlinkState points to.
struct LinkState {
  JitLogs logs;
  std::vector<std::string> ptx;
  std::string image;  ///< After cuLinkComplete.
  std::string errors;

  CUresult fail(CUresult error, const std::string& message) {
    errors += message + "\n";
    logs.write("", errors);
    warpbook::simulator::runtime::complain_once(message);
    return error;
  }
};

warpbook::simulator::runtime::HandleTable<LinkState>& link_states() {
  static auto* states = new warpbook::simulator::runtime::HandleTable<LinkState>;
  return *states;
}

CUresult load(const char* name, CUmodule* handle, const void* image, const JitLogs& logs = {}) {
  return driver_call(CallKind::ordinary, name, [&](Runtime& device) {
    if (handle == nullptr || image == nullptr) return CUDA_ERROR_INVALID_VALUE;
    DeviceModule* module = nullptr;
    std::string log;
    const CUresult error = load_module(device, image, module, log);
    logs.write("", log);
    if (error == CUDA_SUCCESS) *handle = reinterpret_cast<CUmodule>(module);
    return error;
  });
}

}  // namespace

CUresult cuModuleLoadData(CUmodule* module, const void* image) { return load("cuModuleLoadData", module, image); }

CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned count, CUjit_option* options, void** values) {
  if (count != 0 && (options == nullptr || values == nullptr)) return CUDA_ERROR_INVALID_VALUE;
  return load("cuModuleLoadDataEx", module, image, JitLogs(count, options, values));
}

CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) {
  return load("cuModuleLoadFatBinary", module, image);
}

CUresult cuModuleLoad(CUmodule* module, const char* path) {
  if (path == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const std::optional<std::string> image = read_image_file(path);
  if (!image) return CUDA_ERROR_FILE_NOT_FOUND;
  return load("cuModuleLoad", module, image->c_str());
}

CUresult cuModuleUnload(CUmodule handle) {
  return driver_call(CallKind::ordinary, "cuModuleUnload", [&](Runtime& device) {
    DeviceModule* module = find_module(handle);
    if (module == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    device.wait_for_all();
    if (current_context()->modules.erase(module) == 0) return CUDA_ERROR_INVALID_HANDLE;  // It belongs to a library.
    warpbook::simulator::runtime::unload_image(device, *module);
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule handle, const char* name) {
  return driver_call(CallKind::ordinary, "cuModuleGetFunction", [&](Runtime&) {
    if (function == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
    DeviceModule* module = find_module(handle);
    if (module == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    Kernel* const found = warpbook::simulator::runtime::find_entry(*module, name);
    if (found == nullptr) return CUDA_ERROR_NOT_FOUND;
    *function = reinterpret_cast<CUfunction>(found);
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleGetFunctionCount(unsigned* count, CUmodule handle) {
  return driver_call(CallKind::ordinary, "cuModuleGetFunctionCount", [&](Runtime&) {
    if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
    DeviceModule* module = find_module(handle);
    if (module == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    *count = static_cast<unsigned>(entry_names(*module).size());
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned count, CUmodule handle) {
  return driver_call(CallKind::ordinary, "cuModuleEnumerateFunctions", [&](Runtime&) {
    if (functions == nullptr && count != 0) return CUDA_ERROR_INVALID_VALUE;
    DeviceModule* module = find_module(handle);
    if (module == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    const auto names = entry_names(*module);
    for (std::size_t i = 0; i < count && i < names.size(); ++i)
      functions[i] = reinterpret_cast<CUfunction>(warpbook::simulator::runtime::find_entry(*module, names[i].c_str()));
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
  // What the program asked for, lazy by default; it makes no difference here.
  const char* const wanted = std::getenv("CUDA_MODULE_LOADING");
  *mode = wanted != nullptr && std::strcmp(wanted, "EAGER") == 0 ? CU_MODULE_EAGER_LOADING : CU_MODULE_LAZY_LOADING;
  return CUDA_SUCCESS;
}

CUresult cuLinkCreate_v2(unsigned count, CUjit_option* options, void** values, CUlinkState* handle) {
  return driver_call(CallKind::ordinary, "cuLinkCreate", [&](Runtime&) {
    if (handle == nullptr || (count != 0 && (options == nullptr || values == nullptr))) return CUDA_ERROR_INVALID_VALUE;
    LinkState* state = link_states().add();
    state->logs = JitLogs(count, options, values);
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
    try {
      const std::string_view input(static_cast<const char*>(data), bytes);
      for (std::string& text : ptx_of_input(type, input, name == nullptr ? "" : name))
        state->ptx.push_back(std::move(text));
    } catch (const LinkError& wrong) {
      return state->fail(wrong.error,
                         (name == nullptr || *name == '\0' ? std::string() : std::string(name) + ": ") + wrong.message);
    }
    return CUDA_SUCCESS;
  });
}

CUresult cuLinkAddFile_v2(CUlinkState handle, CUjitInputType type, const char* path, unsigned count,
                          CUjit_option* options, void** values) {
  if (path == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::optional<std::string> image = read_image_file(path);
  if (!image) return CUDA_ERROR_FILE_NOT_FOUND;
  return cuLinkAddData_v2(handle, type, image->data(), image->size(), path, count, options, values);
}

CUresult cuLinkComplete(CUlinkState handle, void** image, size_t* bytes) {
  return driver_call(CallKind::ordinary, "cuLinkComplete", [&](Runtime&) {
    LinkState* state = link_states().find(handle);
    if (state == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (image == nullptr || state->ptx.empty()) return CUDA_ERROR_INVALID_VALUE;
    try {
      std::vector<warpbook::simulator::ptx::Module> modules;
      for (const std::string& text : state->ptx) modules.push_back(warpbook::simulator::ptx::parse(text));
      const auto linked = modules.size() > 1 ? warpbook::simulator::runtime::link_modules(std::move(modules))
                                             : std::move(modules.front());
      const std::string missing = warpbook::simulator::runtime::undefined_symbol(linked);
      if (!missing.empty())
        return state->fail(CUDA_ERROR_INVALID_SOURCE, "cuLinkComplete: nothing that was added defines " + missing);
    } catch (const std::runtime_error& error) {
      return state->fail(CUDA_ERROR_INVALID_PTX, error.what());
    }
    state->image = warpbook::simulator::runtime::write_ptx_image({state->ptx, {}, 0});
    *image = state->image.data();
    if (bytes != nullptr) *bytes = state->image.size();
    return CUDA_SUCCESS;
  });
}

CUresult cuLinkDestroy(CUlinkState handle) {
  return driver_call(CallKind::query, "cuLinkDestroy",
                     [&](Runtime&) { return link_states().remove(handle) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE; });
}
