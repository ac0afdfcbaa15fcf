// Writes and reads PTX images.
#include "common/simulator/runtime/ptx_image.h"

#include <elf.h>

#include <cstdint>
#include <cstring>

namespace warpbook::simulator::runtime {
namespace {

constexpr Elf64_Half kCudaMachine = 190;  // EM_CUDA
constexpr char kMark[] = "wbptx";         // In the unused bytes of the ELF identification.
constexpr std::size_t kMarkAt = EI_NIDENT - sizeof kMark;
constexpr char kPtxSection[] = ".warpbook.ptx", kCubinSection[] = ".warpbook.cubin", kNames[] = ".shstrtab";

void append(std::string& to, const void* bytes, std::size_t count) {
  to.append(static_cast<const char*>(bytes), count);
}

void align(std::string& bytes) { bytes.resize((bytes.size() + 15) / 16 * 16); }

/// An object of the image, or nothing if it extends past the end.
template <class T>
std::optional<T> object_at(std::span<const std::byte> image, std::uint64_t offset) {
  if (offset > image.size() || image.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, image.data() + offset, sizeof value);
  return value;
}

}  // namespace

bool is_ptx_image(const void* image) {
  return std::memcmp(image, ELFMAG, SELFMAG) == 0 &&
         std::memcmp(static_cast<const char*>(image) + kMarkAt, kMark, sizeof kMark) == 0;
}

std::string write_ptx_image(const PtxImage& image) {
  std::string names(1, '\0');
  const auto name = [&](const char* text) {
    const auto at = static_cast<Elf64_Word>(names.size());
    names.append(text, std::strlen(text) + 1);
    return at;
  };
  const Elf64_Word ptx_name = name(kPtxSection), cubin_name = name(kCubinSection), names_name = name(kNames);

  Elf64_Ehdr header{};
  std::string bytes(sizeof header, '\0');
  std::vector<Elf64_Shdr> sections(1);
  const auto section = [&](Elf64_Word section_name, Elf64_Word type, const std::string& contents, std::size_t more) {
    align(bytes);
    Elf64_Shdr made{};
    made.sh_name = section_name;
    made.sh_type = type;
    made.sh_offset = bytes.size();
    made.sh_size = contents.size() + more;
    made.sh_addralign = 1;
    bytes += contents;
    bytes.append(more, '\0');
    sections.push_back(made);
  };
  for (const std::string& text : image.ptx) section(ptx_name, SHT_PROGBITS, text, 1);
  if (!image.cubin.empty()) section(cubin_name, SHT_PROGBITS, image.cubin, 0);
  section(names_name, SHT_STRTAB, names, 0);
  align(bytes);

  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  std::memcpy(header.e_ident + kMarkAt, kMark, sizeof kMark);
  header.e_type = ET_EXEC;
  header.e_machine = kCudaMachine;
  header.e_version = EV_CURRENT;
  header.e_flags = image.architecture;
  header.e_ehsize = sizeof header;
  header.e_shoff = bytes.size();
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<Elf64_Half>(sections.size());
  header.e_shstrndx = static_cast<Elf64_Half>(sections.size() - 1);
  std::memcpy(bytes.data(), &header, sizeof header);
  for (const Elf64_Shdr& made : sections) append(bytes, &made, sizeof made);
  return bytes;
}

std::size_t ptx_image_bytes(const void* image) {
  Elf64_Ehdr header;
  std::memcpy(&header, image, sizeof header);
  return header.e_shoff + std::size_t{header.e_shnum} * header.e_shentsize;
}

std::optional<PtxImage> read_ptx_image(std::span<const std::byte> image) {
  const auto header = object_at<Elf64_Ehdr>(image, 0);
  if (!header || !is_ptx_image(image.data()) || header->e_shentsize != sizeof(Elf64_Shdr)) return std::nullopt;
  const auto section = [&](std::uint64_t i) -> std::optional<Elf64_Shdr> {
    if (header->e_shoff > image.size()) return std::nullopt;
    return object_at<Elf64_Shdr>(image, header->e_shoff + i * sizeof(Elf64_Shdr));
  };
  const auto contents = [&](const Elf64_Shdr& of) -> std::optional<std::string> {
    if (of.sh_offset > image.size() || of.sh_size > image.size() - of.sh_offset) return std::nullopt;
    return std::string(reinterpret_cast<const char*>(image.data() + of.sh_offset), of.sh_size);
  };
  const auto table = section(header->e_shstrndx);
  const auto names = table ? contents(*table) : std::nullopt;
  if (!names || names->empty() || names->back() != '\0') return std::nullopt;

  PtxImage found;
  found.architecture = header->e_flags;
  for (std::uint64_t i = 1; i < header->e_shnum; ++i) {
    const auto current = section(i);
    if (!current || current->sh_name >= names->size()) return std::nullopt;
    auto bytes = contents(*current);
    if (!bytes) return std::nullopt;
    const std::string name = names->c_str() + current->sh_name;
    if (name == kPtxSection) {
      bytes->resize(std::strlen(bytes->c_str()));
      found.ptx.push_back(std::move(*bytes));
    } else if (name == kCubinSection) {
      found.cubin = std::move(*bytes);
    }
  }
  return found;
}

}  // namespace warpbook::simulator::runtime
