// Reads cubins: ELF files in which each kernel has a section .text.<name> and attributes in .nv.info sections.
#include "common/simulator/runtime/cubin.h"

#include <elf.h>

#include <cstring>
#include <stdexcept>
#include <vector>

namespace warpbook::simulator::runtime {
namespace {

// Attributes in .nv.info: { u8 format, u8 attribute, u16 }, for format 4 followed by that many bytes.
constexpr std::uint8_t kFormatSized = 4;
constexpr std::uint8_t kFrameSize = 0x11;   // { symbol, bytes }
constexpr std::uint8_t kMaxThreads = 0x05;  // { x, y, z }
constexpr std::uint8_t kRequiredThreads = 0x10;
constexpr std::uint8_t kRegisterCount = 0x2f;  // { symbol, registers }

/// The first bytes of .nv.shared.<kernel> are reserved for the system (reserved_shared_memory_per_block), from sm_90
/// on.
constexpr std::uint64_t kReservedShared = 1024;

template <class T>
T read_at(std::string_view image, std::uint64_t offset) {
  if (offset > image.size() || image.size() - offset < sizeof(T)) throw std::runtime_error("cubin: truncated");
  T value;
  std::memcpy(&value, image.data() + offset, sizeof value);
  return value;
}

std::string name_at(std::string_view image, const Elf64_Shdr& strings, std::uint32_t offset) {
  const std::uint64_t begin = strings.sh_offset + offset;
  if (begin >= image.size()) throw std::runtime_error("cubin: a name lies outside the file");
  const auto end = image.find('\0', begin);
  return std::string(image.substr(begin, end == std::string_view::npos ? end : end - begin));
}

struct Section {
  Elf64_Shdr header;
  std::string name;
};

/// Calls @p visit(attribute, offset, bytes) for each sized attribute of a .nv.info section.
template <class Visit>
void each_attribute(std::string_view image, const Elf64_Shdr& section, Visit visit) {
  std::uint64_t at = section.sh_offset;
  const std::uint64_t end = at + section.sh_size;
  while (at + 4 <= end) {
    const auto format = read_at<std::uint8_t>(image, at);
    const auto attribute = read_at<std::uint8_t>(image, at + 1);
    const auto bytes = read_at<std::uint16_t>(image, at + 2);
    at += 4;
    if (format != kFormatSized) continue;
    visit(attribute, at, bytes);
    at += bytes;
  }
}

bool starts_with(const std::string& text, std::string_view prefix, std::string& rest) {
  if (text.compare(0, prefix.size(), prefix) != 0) return false;
  rest = text.substr(prefix.size());
  return true;
}

}  // namespace

std::map<std::string, CubinKernel> read_cubin(std::string_view image) {
  const auto header = read_at<Elf64_Ehdr>(image, 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) throw std::runtime_error("cubin: not an ELF file");
  std::vector<Section> sections(header.e_shnum);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    sections[i].header = read_at<Elf64_Shdr>(image, header.e_shoff + std::uint64_t{i} * header.e_shentsize);
  }
  if (header.e_shstrndx >= sections.size()) throw std::runtime_error("cubin: no section names");
  for (Section& section : sections) {
    section.name = name_at(image, sections[header.e_shstrndx].header, section.header.sh_name);
  }

  std::map<std::string, CubinKernel> kernels;
  std::vector<std::string> symbols;
  std::string rest;
  for (const Section& section : sections) {
    if (section.header.sh_type == SHT_SYMTAB && section.header.sh_link < sections.size()) {
      for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= section.header.sh_size; at += sizeof(Elf64_Sym)) {
        const auto symbol = read_at<Elf64_Sym>(image, section.header.sh_offset + at);
        symbols.push_back(name_at(image, sections[section.header.sh_link].header, symbol.st_name));
      }
    } else if (starts_with(section.name, ".text.", rest)) {
      kernels[rest].registers = section.header.sh_info >> 24;
    }
  }
  std::uint64_t constants = 0;
  for (const Section& section : sections) {
    if (section.name == ".nv.constant3") constants = section.header.sh_size;
    if (starts_with(section.name, ".nv.shared.", rest)) {
      const auto kernel = kernels.find(rest);
      if (kernel == kernels.end() || section.header.sh_size < kReservedShared) continue;
      kernel->second.shared_bytes = section.header.sh_size - kReservedShared;
    }
    if (section.name == ".nv.info") {
      each_attribute(image, section.header, [&](std::uint8_t attribute, std::uint64_t at, std::uint16_t bytes) {
        if ((attribute != kRegisterCount && attribute != kFrameSize) || bytes < 8) return;
        const auto symbol = read_at<std::uint32_t>(image, at);
        const auto value = read_at<std::uint32_t>(image, at + 4);
        if (symbol >= symbols.size()) return;
        const auto kernel = kernels.find(symbols[symbol]);
        if (kernel == kernels.end()) return;
        if (attribute == kRegisterCount) kernel->second.registers = value;
        if (attribute == kFrameSize) kernel->second.local_bytes = value;
      });
    } else if (starts_with(section.name, ".nv.info.", rest)) {
      const auto kernel = kernels.find(rest);
      if (kernel == kernels.end()) continue;
      each_attribute(image, section.header, [&](std::uint8_t attribute, std::uint64_t at, std::uint16_t bytes) {
        if ((attribute != kMaxThreads && attribute != kRequiredThreads) || bytes < 12) return;
        kernel->second.max_threads = read_at<std::uint32_t>(image, at) * read_at<std::uint32_t>(image, at + 4) *
                                     read_at<std::uint32_t>(image, at + 8);
      });
    }
  }
  for (auto& [name, kernel] : kernels) kernel.constant_bytes = constants;
  return kernels;
}

}  // namespace warpbook::simulator::runtime
