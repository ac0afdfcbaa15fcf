// Modules that a program loads at run time, and links of PTX.
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "common/simulator/driver/driver_api.h"
#include "common/simulator/remote/calls.h"
#include "common/simulator/remote/device/images.h"
#include "common/simulator/remote/device/session.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/fat_binary_layout.h"
#include "common/simulator/runtime/ptx_image.h"

namespace warpbook::simulator::remote {
namespace {

constexpr unsigned kLogBytes = 8192;
constexpr std::size_t kElfHead = 16;

/// Fat binaries may be read again when a module is reset, so they are kept.
std::vector<std::unique_ptr<Image>>& images() {
  static auto* const all = new std::vector<std::unique_ptr<Image>>;
  return *all;
}

/// Rejects bytes that the driver would not take for text: it would follow the pointers in them.
void check_text(const std::string& text) {
  using runtime::kContainerMagic, runtime::kWrapperMagic;
  std::uint32_t word = 0;
  if (text.size() >= sizeof word) std::memcpy(&word, text.data(), sizeof word);
  const bool image = text.size() >= kElfHead && runtime::is_ptx_image(text.data());
  if (word == kWrapperMagic || word == kContainerMagic || image) throw WireError("a text of device code is none");
}

/// Buffers for the compiler's messages.
struct Log {
  char text[kLogBytes] = "";
  CUjit_option options[2] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[2] = {text, reinterpret_cast<void*>(std::uintptr_t{kLogBytes})};
};

/// Logs of links, which live as long as the links.
std::map<CUlinkState, std::unique_ptr<Log>>& logs() {
  static auto* const all = new std::map<CUlinkState, std::unique_ptr<Log>>;
  return *all;
}

}  // namespace

void answer_module(Session&, Reader& from, Writer& to) {
  const auto loaded_as = from.get<ModuleKind>();
  const auto kind = from.get<ImageKind>();
  std::string text;
  const void* image = nullptr;
  switch (kind) {
    case ImageKind::none:
      break;
    case ImageKind::text: {
      text = from.text();
      check_text(text);
      image = text.c_str();
      break;
    }
    case ImageKind::fat_binary:
      images().push_back(std::make_unique<Image>());
      images().back()->read(from);
      image = images().back()->wrapper();
      break;
    case ImageKind::ptx_image: {
      text = from.text();
      const auto bytes = std::as_bytes(std::span(text));
      if (!runtime::read_ptx_image(bytes) || runtime::ptx_image_bytes(text.data()) != text.size())
        throw WireError("an image of PTX is none");
      image = text.data();
      break;
    }
    default:
      throw WireError("there is no such image");
  }
  from.end();
  Log log;
  std::uint64_t handle = 0, error = 0;
  switch (loaded_as) {
    case ModuleKind::module: {
      CUmodule module = nullptr;
      error = cuModuleLoadDataEx(&module, image, 2, log.options, log.values);
      handle = reinterpret_cast<std::uint64_t>(module);
      break;
    }
    case ModuleKind::library: {
      CUlibrary library = nullptr;
      error = cuLibraryLoadData(&library, image, log.options, log.values, 2, nullptr, nullptr, 0);
      handle = reinterpret_cast<std::uint64_t>(library);
      break;
    }
    case ModuleKind::runtime_library: {
      cudaLibrary_t library = nullptr;
      cudaJitOption options[] = {cudaJitErrorLogBuffer, cudaJitErrorLogBufferSizeBytes};
      error = cudaLibraryLoadData(&library, image, options, log.values, 2, nullptr, nullptr, 0);
      handle = reinterpret_cast<std::uint64_t>(library);
      break;
    }
    default:
      throw WireError("an image cannot be loaded as that");
  }
  to.put(static_cast<std::uint32_t>(error));
  to.put(handle);
  to.text(log.text);
}

void answer_link(Session&, Reader& from, Writer& to) {
  const auto kind = from.get<LinkKind>();
  auto link = reinterpret_cast<CUlinkState>(from.get<std::uint64_t>());
  const auto type = static_cast<CUjitInputType>(from.get<std::int32_t>());
  std::string data = from.text();
  const std::string name = from.text();
  from.end();
  CUresult error = CUDA_SUCCESS;
  std::string linked;
  switch (kind) {
    case LinkKind::create: {
      auto log = std::make_unique<Log>();
      link = nullptr;
      error = cuLinkCreate_v2(2, log->options, log->values, &link);
      if (error == CUDA_SUCCESS) logs()[link] = std::move(log);
      break;
    }
    case LinkKind::add: {
      const std::size_t bytes = data.size();
      data.push_back('\0');
      error = cuLinkAddData_v2(link, type, bytes == 0 ? nullptr : data.data(), bytes,
                               name.empty() ? nullptr : name.c_str(), 0, nullptr, nullptr);
      break;
    }
    case LinkKind::complete: {
      void* image = nullptr;
      std::size_t image_bytes = 0;
      error = cuLinkComplete(link, &image, &image_bytes);
      if (error == CUDA_SUCCESS) linked.assign(static_cast<const char*>(image), image_bytes);
      break;
    }
    case LinkKind::destroy:
      error = cuLinkDestroy(link);
      break;
    default:
      throw WireError("there is no such step of a link");
  }
  to.put(error);
  to.put(reinterpret_cast<std::uint64_t>(link));
  const auto log = logs().find(link);
  to.text(log == logs().end() ? "" : log->second->text);
  to.text(linked);
  // A link that could not be destroyed still writes to its log.
  if (kind == LinkKind::destroy && error == CUDA_SUCCESS && log != logs().end()) logs().erase(log);
}

}  // namespace warpbook::simulator::remote
