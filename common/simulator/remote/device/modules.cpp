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
#include "common/simulator/runtime/fat_binary_layout.h"

namespace warpbook::simulator::remote {
namespace {

constexpr unsigned kLogBytes = 8192;

/// What cuLinkComplete gave, by the link's handle: the program knows it by that.
std::map<CUlinkState, void*>& linked() {
  static auto* const all = new std::map<CUlinkState, void*>;
  return *all;
}

/// Fat binaries may be read again when a module is reset: they stay.
std::vector<std::unique_ptr<Image>>& images() {
  static auto* const all = new std::vector<std::unique_ptr<Image>>;
  return *all;
}

/// What the driver would take for something else than text: it would follow what stands in it.
void check_text(const std::string& text) {
  using runtime::kContainerMagic, runtime::kWrapperMagic;
  std::uint32_t word = 0;
  if (text.size() >= sizeof word) std::memcpy(&word, text.data(), sizeof word);
  if (word == kWrapperMagic || word == kContainerMagic || text.rfind("wbp-link", 0) == 0)
    throw WireError("a text of device code is none");
}

/// Options that take the messages of the compiler.
struct Log {
  char text[kLogBytes] = "";
  CUjit_option options[2] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[2] = {text, reinterpret_cast<void*>(std::uintptr_t{kLogBytes})};
};

/// The logs of links live as long as these.
std::map<CUlinkState, std::unique_ptr<Log>>& logs() {
  static auto* const all = new std::map<CUlinkState, std::unique_ptr<Log>>;
  return *all;
}

}  // namespace

void answer_module(Session&, Reader& from, Writer& to) {
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
    case ImageKind::linked: {
      const auto found = linked().find(reinterpret_cast<CUlinkState>(from.get<std::uint64_t>()));
      if (found == linked().end()) throw WireError("there is no such linked image");
      image = found->second;
      break;
    }
    default:
      throw WireError("there is no such image");
  }
  from.end();
  Log log;
  CUmodule module = nullptr;
  const CUresult error = cuModuleLoadDataEx(&module, image, 2, log.options, log.values);
  to.put(error);
  to.put(reinterpret_cast<std::uint64_t>(module));
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
      error = cuLinkComplete(link, &image, nullptr);
      if (error == CUDA_SUCCESS) linked()[link] = image;
      break;
    }
    case LinkKind::destroy:
      error = cuLinkDestroy(link);
      if (error == CUDA_SUCCESS) linked().erase(link);
      break;
    default:
      throw WireError("there is no such step of a link");
  }
  to.put(error);
  to.put(reinterpret_cast<std::uint64_t>(link));
  const auto log = logs().find(link);
  to.text(log == logs().end() ? "" : log->second->text);
  // A link that could not be destroyed still writes there.
  if (kind == LinkKind::destroy && error == CUDA_SUCCESS && log != logs().end()) logs().erase(log);
}

}  // namespace warpbook::simulator::remote
