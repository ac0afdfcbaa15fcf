// libnvJitLink.so.13: NVIDIA's run-time linker for device code, with cubins that also carry the PTX they were made
// from.
//
// NVIDIA's library does the linking, so it decides what is an error. PTX inputs are kept and linked again when the
// virtual GPU loads the image. Link-time optimisation (-lto) is done twice, the second time to PTX, with LTO-IR of ours
// that uses what the PTX inputs use: NVIDIA's library takes none of them there.
#define NVJITLINK_NO_INLINE
#pragma GCC visibility push(default)
#include <nvJitLink.h>
#pragma GCC visibility pop
#include <nvrtc.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "common/simulator/compilers/kept_symbols.h"
#include "common/simulator/compilers/real_library.h"
#include "common/simulator/runtime/fat_binary.h"
#include "common/simulator/runtime/fat_binary_layout.h"
#include "common/simulator/runtime/ptx_image.h"

/// What a handle of this library points to.
struct nvJitLink {
  nvJitLinkHandle real = nullptr;
  nvJitLinkHandle to_ptx = nullptr;  ///< The same link with -lto -ptx, where the program asked for -lto and a cubin.
  unsigned architecture = 0;
  std::vector<std::string> ptx;  ///< Inputs that are PTX.
  std::string lacking;           ///< Why the inputs cannot run; empty if they can.
  std::string image;             ///< After nvJitLinkComplete.
};

namespace {

using namespace warpbook::simulator;

template <class Function>
Function* real(const char* name) {
  static compilers::RealLibrary library("libnvJitLink.so.13", "WARPBOOK_NVJITLINK", "nvidia-nvjitlink");
  return reinterpret_cast<Function*>(library.find(name));
}

/// Calls a function of NVIDIA's library by the name that the header of CUDA 13.0 gives it.
template <class... Parameters, class... Arguments>
nvJitLinkResult ask(const char* name, nvJitLinkResult (*)(Parameters...), Arguments... arguments) {
  auto* const function = real<nvJitLinkResult(Parameters...)>(name);
  return function == nullptr ? NVJITLINK_ERROR_INTERNAL : function(arguments...);
}
#define WB_ASK(call, ...) ask("__nvJitLink" #call "_13_0", &__nvJitLink##call##_13_0, __VA_ARGS__)

constexpr std::size_t kElfHead = 16;
constexpr const char* kArchitecture = "-arch=sm_";

bool has_option(const std::vector<std::string>& options, std::string_view wanted) {
  for (const std::string& option : options) {
    if (option == wanted) return true;
  }
  return false;
}

nvJitLinkResult create(nvJitLinkHandle* handle, const std::vector<std::string>& options) {
  std::vector<const char*> texts;
  for (const std::string& option : options) texts.push_back(option.c_str());
  return WB_ASK(Create, handle, static_cast<std::uint32_t>(texts.size()), texts.data());
}

nvJitLinkInputType type_of(std::string_view data) {
  std::uint32_t word = 0;
  if (data.size() >= sizeof word) std::memcpy(&word, data.data(), sizeof word);
  if (word == runtime::kContainerMagic) return NVJITLINK_INPUT_FATBIN;
  if (data.rfind("\x7f"
                 "ELF",
                 0) == 0)
    return NVJITLINK_INPUT_CUBIN;
  if (data.rfind("!<arch>", 0) == 0) return NVJITLINK_INPUT_LIBRARY;
  return data.find(".version") < data.find('\0') ? NVJITLINK_INPUT_PTX : NVJITLINK_INPUT_LTOIR;
}

bool has_lto_ir(const runtime::FatBinaryContainer& container) {
  return std::any_of(container.entries.begin(), container.entries.end(), [](const runtime::FatBinaryEntry& entry) {
    return entry.kind == runtime::FatBinaryEntry::Kind::lto_ir;
  });
}

/// An object of the host's compiler, or a library of them: its fat binaries.
void keep_objects(nvJitLink& link, std::string_view data, const std::string& name) {
  // The virtual GPU answers the calls of the device runtime itself.
  if (name.find("cudadevrt") != std::string::npos) return;
  bool lto_ir = false, has_ptx = false;
  try {
    for (const runtime::FatBinaryContainer& container : runtime::containers_in(data)) {
      const runtime::FatBinaryEntry* const entry = runtime::choose_ptx(container, link.architecture);
      if (entry != nullptr) link.ptx.push_back(entry->read());
      has_ptx = has_ptx || entry != nullptr;
      lto_ir = lto_ir || has_lto_ir(container);
    }
  } catch (const runtime::FatBinaryError& error) {
    link.lacking = name + ": " + error.what();
  }
  if (has_ptx || (lto_ir && link.to_ptx != nullptr)) return;
  link.lacking = name + (lto_ir ? " has LTO-IR alone, and the link is without -lto" : " has no PTX");
}

/// What an input means for the image: its PTX, or why there is none.
void keep(nvJitLink& link, nvJitLinkInputType type, std::string_view data, const std::string& name) {
  if (type == NVJITLINK_INPUT_ANY) type = type_of(data);
  switch (type) {
    case NVJITLINK_INPUT_PTX:
      link.ptx.emplace_back(data.substr(0, data.find('\0')));
      break;
    case NVJITLINK_INPUT_LTOIR:
      break;  // The second link returns it as PTX.
    case NVJITLINK_INPUT_FATBIN:
      try {
        const auto container = runtime::read_container(data.data());
        const runtime::FatBinaryEntry* const entry = runtime::choose_ptx(container, link.architecture);
        if (entry != nullptr) link.ptx.push_back(entry->read());
        if (entry == nullptr && link.to_ptx == nullptr)
          link.lacking = name + " is a fat binary without PTX" +
                         (has_lto_ir(container) ? " (it has LTO-IR, and the link is without -lto)" : "");
      } catch (const runtime::FatBinaryError& error) {
        link.lacking = name + ": " + error.what();
      }
      break;
    case NVJITLINK_INPUT_CUBIN: {
      const auto image = runtime::read_ptx_image(std::as_bytes(std::span(data.data(), data.size())));
      if (!image) link.lacking = name + " is a cubin that does not carry its PTX";
      if (image) link.ptx.insert(link.ptx.end(), image->ptx.begin(), image->ptx.end());
      break;
    }
    case NVJITLINK_INPUT_LIBRARY:
    case NVJITLINK_INPUT_OBJECT:
      keep_objects(link, data, name);
      break;
    default:
      link.lacking = name + " is of a kind that is not known";
  }
}

nvJitLinkResult add(nvJitLink& link, nvJitLinkInputType type, std::string_view data, const char* name) {
  const std::string called = name == nullptr ? "an input" : name;
  keep(link, type, data, called);
  // If the input came from this library, NVIDIA's library gets the machine code inside it.
  std::string inside;
  if (data.size() >= kElfHead && runtime::is_ptx_image(data.data())) {
    auto image = runtime::read_ptx_image(std::as_bytes(std::span(data.data(), data.size())));
    if (image && !image->cubin.empty()) {
      inside = std::move(image->cubin);
      data = inside;
    } else if (image && image->ptx.size() == 1) {
      inside = std::move(image->ptx.front());
      data = {inside.c_str(), inside.size() + 1};
      type = NVJITLINK_INPUT_PTX;
    }
  }
  const nvJitLinkResult result = WB_ASK(AddData, link.real, type, data.data(), data.size(), name);
  const nvJitLinkInputType kind = type == NVJITLINK_INPUT_ANY ? type_of(data) : type;
  const bool lto = kind == NVJITLINK_INPUT_LTOIR || kind == NVJITLINK_INPUT_FATBIN || kind == NVJITLINK_INPUT_OBJECT ||
                   (kind == NVJITLINK_INPUT_LIBRARY && called.find("cudadevrt") == std::string::npos);
  if (result == NVJITLINK_SUCCESS && link.to_ptx != nullptr && lto) {
    // Whatever cannot become PTX is reported at the end.
    if (WB_ASK(AddData, link.to_ptx, type, data.data(), data.size(), name) != NVJITLINK_SUCCESS)
      link.lacking = called + " cannot be linked to PTX";
  }
  return result;
}

std::string bytes_of(const char* size_name, const char* name, nvJitLinkHandle handle, std::size_t end) {
  auto* const get_size = real<nvJitLinkResult(nvJitLinkHandle, size_t*)>(size_name);
  auto* const get = real<nvJitLinkResult(nvJitLinkHandle, char*)>(name);
  std::size_t count = 0;
  if (get_size == nullptr || get == nullptr || get_size(handle, &count) != NVJITLINK_SUCCESS || count == 0) return {};
  std::string bytes(count, '\0');
  if (get(handle, bytes.data()) != NVJITLINK_SUCCESS) return {};
  bytes.resize(count - std::min(end, count));
  return bytes;
}

/// @p source as LTO-IR by NVIDIA's NVRTC; empty if there is none.
std::string lto_ir_of(const std::string& source, const std::string& architecture) {
  static compilers::RealLibrary library("libnvrtc.so.13", "WARPBOOK_NVRTC", "nvidia-cuda-nvrtc", false);
  const auto call = [](auto* declared, const char* name, auto... arguments) {
    auto* const function = reinterpret_cast<decltype(declared)>(library.find(name));
    return function != nullptr && function(arguments...) == NVRTC_SUCCESS;
  };
#define WB_RTC(function, ...) call(&function, #function, __VA_ARGS__)
  nvrtcProgram program = nullptr;
  if (!WB_RTC(nvrtcCreateProgram, &program, source.c_str(), "uses.cu", 0, nullptr, nullptr)) return {};
  const char* const options[] = {architecture.c_str(), "-dlto"};
  std::size_t bytes = 0;
  std::string code;
  if (WB_RTC(nvrtcCompileProgram, program, 2, options) && WB_RTC(nvrtcGetLTOIRSize, program, &bytes)) {
    code.resize(bytes);
    if (!WB_RTC(nvrtcGetLTOIR, program, code.data())) code.clear();
  }
  WB_RTC(nvrtcDestroyProgram, &program);
#undef WB_RTC
  return code;
}

/// What the LTO-IR becomes; empty if there is none.
std::string optimised_ptx(nvJitLink& link) {
  const compilers::Symbols symbols = compilers::symbols_from_elsewhere(link.ptx);
  if (!symbols.empty()) {
    const std::string uses =
        lto_ir_of(compilers::source_that_uses(symbols), kArchitecture + std::to_string(link.architecture));
    if (!uses.empty()) WB_ASK(AddData, link.to_ptx, NVJITLINK_INPUT_LTOIR, uses.data(), uses.size(), "uses");
  }
  if (WB_ASK(Complete, link.to_ptx) != NVJITLINK_SUCCESS) return {};
  const std::string ptx = bytes_of("__nvJitLinkGetLinkedPtxSize_13_0", "__nvJitLinkGetLinkedPtx_13_0", link.to_ptx, 0);
  return compilers::with_visible(symbols, ptx.substr(0, ptx.find('\0')));
}

/// Makes the image of a link that NVIDIA's library has completed.
void make_image(nvJitLink& link) {
  std::string cubin = bytes_of("__nvJitLinkGetLinkedCubinSize_13_0", "__nvJitLinkGetLinkedCubin_13_0", link.real, 0);
  if (cubin.empty()) return;  // There is no cubin with -ptx.
  if (link.to_ptx != nullptr) {
    std::string ptx = optimised_ptx(link);
    if (!ptx.empty()) link.ptx.push_back(std::move(ptx));
  }
  if (link.ptx.empty() && link.lacking.empty()) link.lacking = "no input has PTX";
  if (!link.lacking.empty()) {
    std::fprintf(stderr,
                 "warpbook: what nvJitLink linked cannot run on the virtual GPU, which needs PTX: %s. Add PTX, a fat "
                 "binary with PTX, LTO-IR with -lto, or cubins that NVRTC made in this program\n",
                 link.lacking.c_str());
    link.image = std::move(cubin);
    return;
  }
  link.image = runtime::write_ptx_image({link.ptx, std::move(cubin), link.architecture});
}

}  // namespace

extern "C" {

nvJitLinkResult __nvJitLinkCreate_13_0(nvJitLinkHandle* handle, uint32_t count, const char* const* options) {
  if (handle == nullptr) return NVJITLINK_ERROR_NULL_INPUT;
  std::vector<std::string> all;
  for (uint32_t i = 0; i < count && options != nullptr; ++i) all.emplace_back(options[i]);
  auto* const link = new nvJitLink;
  const nvJitLinkResult result = create(&link->real, all);
  *handle = link;
  for (const std::string& option : all) {
    if (option.rfind(kArchitecture, 0) == 0)
      link->architecture =
          static_cast<unsigned>(std::strtoul(option.c_str() + std::strlen(kArchitecture), nullptr, 10));
  }
  const bool lto = has_option(all, "-lto") || has_option(all, "-dlto");
  if (result != NVJITLINK_SUCCESS || !lto || has_option(all, "-ptx")) return result;
  all.emplace_back("-ptx");
  if (create(&link->to_ptx, all) != NVJITLINK_SUCCESS) link->to_ptx = nullptr;
  return result;
}

nvJitLinkResult __nvJitLinkDestroy_13_0(nvJitLinkHandle* handle) {
  if (handle == nullptr || *handle == nullptr) return NVJITLINK_ERROR_NULL_INPUT;
  nvJitLink* const link = *handle;
  nvJitLinkResult result = NVJITLINK_SUCCESS;
  if (link->real != nullptr) result = WB_ASK(Destroy, &link->real);
  if (link->to_ptx != nullptr) WB_ASK(Destroy, &link->to_ptx);
  delete link;
  *handle = nullptr;
  return result;
}

nvJitLinkResult __nvJitLinkAddData_13_0(nvJitLinkHandle handle, nvJitLinkInputType type, const void* data, size_t bytes,
                                        const char* name) {
  if (handle == nullptr || data == nullptr) return NVJITLINK_ERROR_NULL_INPUT;
  return add(*handle, type, {static_cast<const char*>(data), bytes}, name);
}

nvJitLinkResult __nvJitLinkAddFile_13_0(nvJitLinkHandle handle, nvJitLinkInputType type, const char* path) {
  if (handle == nullptr || path == nullptr) return NVJITLINK_ERROR_NULL_INPUT;
  std::ifstream file(path, std::ios::binary);
  if (!file) return WB_ASK(AddFile, handle->real, type, path);  // NVIDIA's library reports what is wrong with the file.
  std::string data(std::istreambuf_iterator<char>(file), {});
  if (type == NVJITLINK_INPUT_PTX) data.push_back('\0');
  return add(*handle, type, data, path);
}

nvJitLinkResult __nvJitLinkComplete_13_0(nvJitLinkHandle handle) {
  if (handle == nullptr) return NVJITLINK_ERROR_NULL_INPUT;
  const nvJitLinkResult result = WB_ASK(Complete, handle->real);
  if (result == NVJITLINK_SUCCESS) make_image(*handle);
  return result;
}

nvJitLinkResult __nvJitLinkGetLinkedCubinSize_13_0(nvJitLinkHandle handle, size_t* bytes) {
  if (handle == nullptr || bytes == nullptr) return NVJITLINK_ERROR_NULL_INPUT;
  const nvJitLinkResult result = WB_ASK(GetLinkedCubinSize, handle->real, bytes);
  if (result == NVJITLINK_SUCCESS && !handle->image.empty()) *bytes = handle->image.size();
  return result;
}

nvJitLinkResult __nvJitLinkGetLinkedCubin_13_0(nvJitLinkHandle handle, void* cubin) {
  if (handle == nullptr || cubin == nullptr) return NVJITLINK_ERROR_NULL_INPUT;
  if (handle->image.empty()) return WB_ASK(GetLinkedCubin, handle->real, cubin);
  std::memcpy(cubin, handle->image.data(), handle->image.size());
  return NVJITLINK_SUCCESS;
}

nvJitLinkResult __nvJitLinkGetLinkedPtxSize_13_0(nvJitLinkHandle handle, size_t* bytes) {
  return handle == nullptr ? NVJITLINK_ERROR_NULL_INPUT : WB_ASK(GetLinkedPtxSize, handle->real, bytes);
}

nvJitLinkResult __nvJitLinkGetLinkedPtx_13_0(nvJitLinkHandle handle, char* ptx) {
  return handle == nullptr ? NVJITLINK_ERROR_NULL_INPUT : WB_ASK(GetLinkedPtx, handle->real, ptx);
}

nvJitLinkResult __nvJitLinkGetErrorLogSize_13_0(nvJitLinkHandle handle, size_t* bytes) {
  return handle == nullptr ? NVJITLINK_ERROR_NULL_INPUT : WB_ASK(GetErrorLogSize, handle->real, bytes);
}

nvJitLinkResult __nvJitLinkGetErrorLog_13_0(nvJitLinkHandle handle, char* log) {
  return handle == nullptr ? NVJITLINK_ERROR_NULL_INPUT : WB_ASK(GetErrorLog, handle->real, log);
}

nvJitLinkResult __nvJitLinkGetInfoLogSize_13_0(nvJitLinkHandle handle, size_t* bytes) {
  return handle == nullptr ? NVJITLINK_ERROR_NULL_INPUT : WB_ASK(GetInfoLogSize, handle->real, bytes);
}

nvJitLinkResult __nvJitLinkGetInfoLog_13_0(nvJitLinkHandle handle, char* log) {
  return handle == nullptr ? NVJITLINK_ERROR_NULL_INPUT : WB_ASK(GetInfoLog, handle->real, log);
}

nvJitLinkResult nvJitLinkVersion(unsigned* major, unsigned* minor) {
  return ask("nvJitLinkVersion", &nvJitLinkVersion, major, minor);
}

// The names without a version, which programs use to look functions up.
#define WB_PLAIN(call, parameters) \
  [[gnu::alias("__nvJitLink" #call "_13_0")]] nvJitLinkResult nvJitLink##call parameters;
WB_PLAIN(Create, (nvJitLinkHandle * handle, uint32_t count, const char* const* options))
WB_PLAIN(Destroy, (nvJitLinkHandle * handle))
WB_PLAIN(AddData, (nvJitLinkHandle handle, nvJitLinkInputType type, const void* data, size_t bytes, const char* name))
WB_PLAIN(AddFile, (nvJitLinkHandle handle, nvJitLinkInputType type, const char* path))
WB_PLAIN(Complete, (nvJitLinkHandle handle))
WB_PLAIN(GetLinkedCubinSize, (nvJitLinkHandle handle, size_t* bytes))
WB_PLAIN(GetLinkedCubin, (nvJitLinkHandle handle, void* cubin))
WB_PLAIN(GetLinkedPtxSize, (nvJitLinkHandle handle, size_t* bytes))
WB_PLAIN(GetLinkedPtx, (nvJitLinkHandle handle, char* ptx))
WB_PLAIN(GetErrorLogSize, (nvJitLinkHandle handle, size_t* bytes))
WB_PLAIN(GetErrorLog, (nvJitLinkHandle handle, char* log))
WB_PLAIN(GetInfoLogSize, (nvJitLinkHandle handle, size_t* bytes))
WB_PLAIN(GetInfoLog, (nvJitLinkHandle handle, char* log))
}
