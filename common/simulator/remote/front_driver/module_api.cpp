// Modules and links: images go to the device whole.
#include <algorithm>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <string>

#include "common/simulator/driver/driver_api.h"
#include "common/simulator/remote/front/fat_binary_image.h"
#include "common/simulator/remote/front/process.h"
#include "common/simulator/runtime/fat_binary_layout.h"

namespace {

using namespace warpbook::simulator::remote;

using warpbook::simulator::runtime::kContainerMagic, warpbook::simulator::runtime::kWrapperMagic;

/// What cuLinkComplete hands out instead of machine code: the device knows the rest by the link's handle.
struct LinkedImage {
  static constexpr std::uint64_t kMagic = 0x6b6e696c2d706277;  // "wbp-link": the first bytes of no other image
  std::uint64_t magic = kMagic;
  CUlinkState link = nullptr;
};

/// Where messages of the compiler go.
struct Logs {
  char* error = nullptr;
  std::size_t bytes = 0;

  Logs() = default;
  Logs(unsigned count, const CUjit_option* options, void* const* values) {
    for (unsigned i = 0; i < count; ++i) {
      const auto number = static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(values[i]) & 0xffffffffu);
      if (options[i] == CU_JIT_ERROR_LOG_BUFFER) error = static_cast<char*>(values[i]);
      if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) bytes = number;
      if (options[i] == CU_JIT_INFO_LOG_BUFFER && values[i] != nullptr) *static_cast<char*>(values[i]) = '\0';
      if (options[i] == CU_JIT_WALL_TIME && values[i] != nullptr) *static_cast<float*>(values[i]) = 0;
    }
  }
  void write(const std::string& text) const {
    if (error == nullptr || bytes == 0) return;
    const std::size_t length = std::min(bytes - 1, text.size());
    std::memcpy(error, text.data(), length);
    error[length] = '\0';
  }
};

/// What a link keeps in this process.
struct Link {
  Logs logs;
  LinkedImage image;
};

std::mutex lock;

std::map<CUlinkState, Link>& links() {
  static auto* const all = new std::map<CUlinkState, Link>;
  return *all;
}

template <class Word>
Word first_word(const void* image) {
  Word word;
  std::memcpy(&word, image, sizeof word);
  return word;
}

void put_image(Writer& to, const void* image) {
  const auto* const text = static_cast<const char*>(image);
  // PTX text ends with a null byte, so it may be shorter than a word.
  const bool is_word =
      image != nullptr && (strnlen(text, sizeof(std::uint32_t)) == sizeof(std::uint32_t) || *text == 0x7f);
  const auto word = is_word ? first_word<std::uint32_t>(image) : 0;
  if (image == nullptr) {
    to.put(ImageKind::none);
  } else if (word == kWrapperMagic || first_word<std::uint8_t>(image) == 0xb1) {
    to.put(ImageKind::fat_binary);
    put_fat_binary(to, image);
  } else if (word == kContainerMagic) {
    to.put(ImageKind::fat_binary);
    to.put(kWrapperMagic);
    to.put<std::uint32_t>(1);
    to.block(image, container_bytes(image));
  } else if (is_word && std::strncmp(text, "wbp-link", 8) == 0) {
    to.put(ImageKind::linked);
    to.put(reinterpret_cast<std::uint64_t>(static_cast<const LinkedImage*>(image)->link));
  } else if (*text == 0x7f) {
    to.put(ImageKind::text);  // Machine code, which the device refuses by its first word.
    to.block(image, sizeof(std::uint32_t));
  } else {
    to.put(ImageKind::text);
    to.block(text, std::strlen(text));
  }
}

CUresult load(CUmodule* module, const void* image, const Logs& logs = {}) {
  if (module == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Exchange exchange(Call::modules);
  put_image(exchange.arguments(), image);
  Reader answer = exchange.ask();
  const auto error = answer.get<CUresult>();
  const auto handle = answer.get<std::uint64_t>();
  logs.write(answer.text());
  if (error == CUDA_SUCCESS) *module = reinterpret_cast<CUmodule>(handle);
  return error;
}

bool read_file(const char* path, std::string& text) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  std::stringstream whole;
  whole << file.rdbuf();
  text = whole.str();
  return true;
}

/// One step of a link. @param link the handle that comes back
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
  const std::string log = answer.text();
  const std::lock_guard guard(lock);
  const auto known = links().find(link);
  if (known != links().end()) known->second.logs.write(log);
  return error;
}

}  // namespace

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return image == nullptr ? CUDA_ERROR_INVALID_VALUE : load(module, image);
}

CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned count, CUjit_option* options, void** values) {
  if (image == nullptr || (count != 0 && (options == nullptr || values == nullptr))) return CUDA_ERROR_INVALID_VALUE;
  return load(module, image, Logs(count, options, values));
}

CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) { return cuModuleLoadData(module, image); }

CUresult cuModuleLoad(CUmodule* module, const char* path) {
  if (module == nullptr || path == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::string text;
  if (!read_file(path, text)) return CUDA_ERROR_FILE_NOT_FOUND;
  text.resize(text.size() + sizeof(std::uint64_t));
  return load(module, text.data());
}

CUresult cuLinkCreate_v2(unsigned count, CUjit_option* options, void** values, CUlinkState* link) {
  if (link == nullptr || (count != 0 && (options == nullptr || values == nullptr))) return CUDA_ERROR_INVALID_VALUE;
  CUlinkState made = nullptr;
  const CUresult error = step(LinkKind::create, made);
  if (error != CUDA_SUCCESS) return error;
  const std::lock_guard guard(lock);
  links()[made] = {Logs(count, options, values), {LinkedImage::kMagic, made}};
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
  if (!read_file(path, text)) return CUDA_ERROR_FILE_NOT_FOUND;
  return step(LinkKind::add, link, type, text, path);
}

CUresult cuLinkComplete(CUlinkState link, void** image, size_t* bytes) {
  CUlinkState handle = link;
  const CUresult error = step(LinkKind::complete, handle);
  if (error != CUDA_SUCCESS) return error;
  if (image == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const std::lock_guard guard(lock);
  *image = &links()[link].image;
  if (bytes != nullptr) *bytes = sizeof(LinkedImage);
  return error;
}

CUresult cuLinkDestroy(CUlinkState link) {
  CUlinkState handle = link;
  const CUresult error = step(LinkKind::destroy, handle);
  const std::lock_guard guard(lock);
  links().erase(link);
  return error;
}
