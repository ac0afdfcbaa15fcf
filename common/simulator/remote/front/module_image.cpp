// Finds where images end, and sends them completely.
#include "common/simulator/remote/front/module_image.h"

#include <cstring>
#include <optional>

#include "common/simulator/remote/front/fat_binary_image.h"
#include "common/simulator/remote/front/process.h"
#include "common/simulator/runtime/fat_binary_layout.h"
#include "common/simulator/runtime/image_file.h"
#include "common/simulator/runtime/ptx_image.h"

namespace warpbook::simulator::remote {
namespace {

using runtime::kContainerMagic, runtime::kWrapperMagic;

constexpr char kElfBegin = 0x7f;

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
      image != nullptr && (strnlen(text, sizeof(std::uint32_t)) == sizeof(std::uint32_t) || *text == kElfBegin);
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
  } else if (is_word && runtime::is_ptx_image(image)) {
    to.put(ImageKind::ptx_image);
    to.block(image, runtime::ptx_image_bytes(image));
  } else if (*text == kElfBegin) {
    to.put(ImageKind::text);  // Machine code, which the device rejects by its first bytes.
    to.block(image, sizeof(std::uint32_t) * 4);
  } else {
    to.put(ImageKind::text);
    to.block(text, std::strlen(text));
  }
}

}  // namespace

LoadedImage load_image(ModuleKind kind, const void* image) {
  Exchange exchange(Call::modules);
  exchange.arguments().put(kind);
  put_image(exchange.arguments(), image);
  Reader answer = exchange.ask();
  LoadedImage loaded;
  loaded.error = answer.get<std::uint32_t>();
  loaded.handle = answer.get<std::uint64_t>();
  loaded.log = answer.text();
  return loaded;
}

bool read_image_file(const char* path, std::string& image) {
  std::optional<std::string> whole = runtime::read_image_file(path);
  if (!whole) return false;
  image = std::move(*whole);
  image.resize(image.size() + sizeof(std::uint64_t));
  return true;
}

std::uint32_t enumerate_kernels(ListKind kind, void* handles, unsigned count, const void* owner) {
  Exchange exchange(Call::lists);
  Writer& to = exchange.arguments();
  to.put(kind);
  to.put(reinterpret_cast<std::uint64_t>(owner));
  to.put<std::uint32_t>(count);
  to.put<std::uint8_t>(handles != nullptr);
  Reader answer = exchange.ask();
  const auto error = answer.get<std::uint32_t>();
  const auto found = answer.block();
  if (error == 0 && !found.empty()) std::memcpy(handles, found.data(), found.size());
  return error;
}

}  // namespace warpbook::simulator::remote
