// How a program gets its CUDA runtime, from its ELF headers.
#include <elf.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "grader/cli/commands.h"

namespace warpbook::grader {

namespace {

/// A file in memory, read with bounds.
class Image {
 public:
  Image(std::string bytes, std::string path) : bytes_(std::move(bytes)), path_(std::move(path)) {}

  template <class T>
  T at(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) {
      throw std::runtime_error(path_ + " is a damaged ELF file: an offset is beyond its end");
    }
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

  std::string text_at(std::uint64_t offset) const {
    const auto end = bytes_.find('\0', offset);
    if (offset >= bytes_.size() || end == std::string::npos) {
      throw std::runtime_error(path_ + " is a damaged ELF file: a name is not terminated");
    }
    return bytes_.substr(offset, end - offset);
  }

  bool is_elf() const { return bytes_.size() > EI_CLASS && bytes_.compare(0, SELFMAG, ELFMAG) == 0; }
  bool is_64_bit() const { return bytes_[EI_CLASS] == ELFCLASS64; }

 private:
  std::string bytes_, path_;
};

}  // namespace

CudaLinkage read_linkage(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error(path + " cannot be read");
  const Image image(std::string(std::istreambuf_iterator<char>(in), {}), path);
  CudaLinkage linkage;
  if (!image.is_elf()) return linkage;
  if (!image.is_64_bit()) throw std::runtime_error(path + " is a 32-bit program; CUDA programs are 64-bit");
  linkage.elf = true;

  const auto header = image.at<Elf64_Ehdr>(0);
  const auto section = [&](std::uint64_t i) { return image.at<Elf64_Shdr>(header.e_shoff + i * header.e_shentsize); };
  if (header.e_shoff == 0 || header.e_shnum == 0) return linkage;
  const auto names = section(header.e_shstrndx);
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    const auto current = section(i);
    const std::string name = image.text_at(names.sh_offset + current.sh_name);
    if (name == ".nv_fatbin") linkage.device_code = true;
    if (current.sh_type != SHT_DYNAMIC) continue;
    const auto strings = section(current.sh_link);
    for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= current.sh_size; at += sizeof(Elf64_Dyn)) {
      const auto entry = image.at<Elf64_Dyn>(current.sh_offset + at);
      if (entry.d_tag == DT_NULL) break;
      if (entry.d_tag == DT_NEEDED) linkage.needed.push_back(image.text_at(strings.sh_offset + entry.d_un.d_val));
    }
  }
  return linkage;
}

}  // namespace warpbook::grader
