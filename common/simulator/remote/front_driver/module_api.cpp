// Modules and links: images are sent to the device completely.
#include <map>
#include <mutex>
#include <string>

#include "common/simulator/driver/driver_api.h"
#include "common/simulator/remote/front/module_image.h"
#include "common/simulator/remote/front/process.h"
#include "common/simulator/runtime/jit_logs.h"

namespace {

using namespace warpbook::simulator::remote;

using warpbook::simulator::runtime::JitLogs;

/// What this process stores for a link.
struct Link {
  JitLogs logs;
  std::string image;  ///< After cuLinkComplete.
};

std::mutex lock;

std::map<CUlinkState, Link>& links() {
  static auto* const all = new std::map<CUlinkState, Link>;
  return *all;
}

CUresult load(CUmodule* module, const void* image, const JitLogs& logs = {}) {
  if (module == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const LoadedImage loaded = load_image(ModuleKind::module, image);
  logs.write("", loaded.log);
  if (loaded.error == CUDA_SUCCESS) *module = reinterpret_cast<CUmodule>(loaded.handle);
  return static_cast<CUresult>(loaded.error);
}

/// One step of a link. @param link the returned handle
CUresult step(LinkKind kind, CUlinkState& link, CUjitInputType type = CU_JIT_INPUT_PTX, const std::string& data = "",
              const char* name = nullptr) {
  Exchange exchange(Call::link);
  Writer& to = exchange.arguments();
  to.put(kind);
  to.put(reinterpret_cast<std::uint64_t>(link));
  to.put<std::int32_t>(type);
  to.text(data);
  to.text(name == nullptr ? "" : name);
  Reader answer = exchange.ask();
  const auto error = answer.get<CUresult>();
  link = reinterpret_cast<CUlinkState>(answer.get<std::uint64_t>());
  const std::string log = answer.text(), linked = answer.text();
  const std::lock_guard guard(lock);
  const auto known = links().find(link);
  if (known == links().end()) return error;
  known->second.logs.write("", log);
  if (kind == LinkKind::complete && error == CUDA_SUCCESS) known->second.image = linked;
  return error;
}

}  // namespace

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return image == nullptr ? CUDA_ERROR_INVALID_VALUE : load(module, image);
}

CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned count, CUjit_option* options, void** values) {
  if (image == nullptr || (count != 0 && (options == nullptr || values == nullptr))) return CUDA_ERROR_INVALID_VALUE;
  return load(module, image, JitLogs(count, options, values));
}

CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) { return cuModuleLoadData(module, image); }

CUresult cuModuleLoad(CUmodule* module, const char* path) {
  if (module == nullptr || path == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::string text;
  if (!read_image_file(path, text)) return CUDA_ERROR_FILE_NOT_FOUND;
  return load(module, text.data());
}

CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned count, CUmodule module) {
  return static_cast<CUresult>(enumerate_kernels(ListKind::module_functions, functions, count, module));
}

CUresult cuLinkCreate_v2(unsigned count, CUjit_option* options, void** values, CUlinkState* link) {
  if (link == nullptr || (count != 0 && (options == nullptr || values == nullptr))) return CUDA_ERROR_INVALID_VALUE;
  CUlinkState made = nullptr;
  const CUresult error = step(LinkKind::create, made);
  if (error != CUDA_SUCCESS) return error;
  const std::lock_guard guard(lock);
  links()[made] = {JitLogs(count, options, values), {}};
  *link = made;
  return error;
}

CUresult cuLinkAddData_v2(CUlinkState link, CUjitInputType type, void* data, size_t bytes, const char* name, unsigned,
                          CUjit_option*, void**) {
  const std::string text(static_cast<const char*>(data), data == nullptr ? 0 : bytes);
  return step(LinkKind::add, link, type, text, name);
}

CUresult cuLinkAddFile_v2(CUlinkState link, CUjitInputType type, const char* path, unsigned, CUjit_option*, void**) {
  if (path == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::string text;
  if (!read_image_file(path, text)) return CUDA_ERROR_FILE_NOT_FOUND;
  text.resize(text.size() - sizeof(std::uint64_t));  // Removes the appended null bytes.
  return step(LinkKind::add, link, type, text, path);
}

CUresult cuLinkComplete(CUlinkState link, void** image, size_t* bytes) {
  CUlinkState handle = link;
  const CUresult error = step(LinkKind::complete, handle);
  if (error != CUDA_SUCCESS) return error;
  if (image == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const std::lock_guard guard(lock);
  std::string& linked = links()[link].image;
  *image = linked.data();
  if (bytes != nullptr) *bytes = linked.size();
  return error;
}

CUresult cuLinkDestroy(CUlinkState link) {
  CUlinkState handle = link;
  const CUresult error = step(LinkKind::destroy, handle);
  const std::lock_guard guard(lock);
  links().erase(link);
  return error;
}
