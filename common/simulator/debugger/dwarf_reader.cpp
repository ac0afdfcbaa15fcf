// Puts the sections into an ELF image for libdw, and walks the entries.
#include "common/simulator/debugger/dwarf_reader.h"

#include <cxxabi.h>
#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>

namespace warpbook::simulator::debugger {
namespace {

/// An ELF file that contains only the sections. The debug information in it needs no relocation.
std::vector<char> elf_image(const DebugSections& sections) {
  std::string names(1, '\0');
  std::vector<Elf64_Shdr> headers(1);
  std::vector<char> image(sizeof(Elf64_Ehdr));
  const auto add = [&](const std::string& name, const void* bytes, std::size_t size, unsigned type) {
    Elf64_Shdr header{};
    header.sh_name = static_cast<Elf64_Word>(names.size());
    header.sh_type = type;
    header.sh_offset = image.size();
    header.sh_size = size;
    header.sh_addralign = 1;
    names += name + '\0';
    headers.push_back(header);
    const char* const from = static_cast<const char*>(bytes);
    image.insert(image.end(), from, from + size);
  };
  for (const auto& [name, bytes] : sections.bytes) add(name, bytes.data(), bytes.size(), SHT_PROGBITS);
  // The section name table has a name, too.
  const std::string all = names + ".shstrtab" + '\0';
  add(".shstrtab", all.data(), all.size(), SHT_STRTAB);
  image.resize((image.size() + 7) / 8 * 8);
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_EXEC;
  header.e_machine = EM_X86_64;  // Only its byte order matters.
  header.e_version = EV_CURRENT;
  header.e_shoff = image.size();
  header.e_ehsize = sizeof(Elf64_Ehdr);
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<Elf64_Half>(headers.size());
  header.e_shstrndx = static_cast<Elf64_Half>(headers.size() - 1);
  std::memcpy(image.data(), &header, sizeof header);
  const char* const table = reinterpret_cast<const char*>(headers.data());
  image.insert(image.end(), table, table + headers.size() * sizeof(Elf64_Shdr));
  return image;
}

/// nvcc encodes the name of a register (up to eight characters) as a number: its characters, the last one lowest.
std::string register_name(std::uint64_t number) {
  std::string name;
  for (; number != 0; number >>= 8) name += static_cast<char>(number & 0xff);
  std::reverse(name.begin(), name.end());
  return name;
}

/// cuda-gdb's numbers of the address spaces.
ptx::Space space_of_class(std::uint64_t address_class) {
  switch (address_class) {
    case 4:
      return ptx::Space::constant;
    case 5:
      return ptx::Space::global;
    case 6:
      return ptx::Space::local;
    case 7:
      return ptx::Space::param;
    case 8:
      return ptx::Space::shared;
    default:
      return ptx::Space::generic;
  }
}

std::uint32_t line_of(std::uint64_t address) {
  if (address < kLineBase) return 0;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(address - kLineBase, ~0u));
}

/// nvcc writes names inside a namespace in mangled form.
std::string readable(const std::string& name) {
  if (name.rfind("_Z", 0) != 0) return name;
  int status = 0;
  char* const demangled = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string text = status == 0 && demangled != nullptr ? demangled : name;
  std::free(demangled);
  return text;
}

/// "__b_4Base": nvcc turns a base class into a member.
bool is_base(const std::string& member) { return member.rfind("__b_", 0) == 0 || member.rfind("__v_", 0) == 0; }

class Walker {
 public:
  Walker(const DebugSections& sections, DebugInfo& info) : sections_(sections), info_(info) {}

  void unit(Dwarf_Die& die) { declarations(die); }

 private:
  std::optional<std::uint64_t> number(Dwarf_Die& die, unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    if (dwarf_attr_integrate(&die, name, &attribute) == nullptr || dwarf_formudata(&attribute, &value) != 0)
      return std::nullopt;
    return value;
  }
  std::string text(Dwarf_Die& die, unsigned name) {
    Dwarf_Attribute attribute;
    const char* found =
        dwarf_attr_integrate(&die, name, &attribute) == nullptr ? nullptr : dwarf_formstring(&attribute);
    return found == nullptr ? std::string() : found;
  }
  template <class Visit>
  void children(Dwarf_Die& die, Visit visit) {
    Dwarf_Die child;
    for (int left = dwarf_child(&die, &child); left == 0; left = dwarf_siblingof(&child, &child)) visit(child);
  }

  void declarations(Dwarf_Die& die) {
    children(die, [&](Dwarf_Die& child) {
      switch (dwarf_tag(&child)) {
        case DW_TAG_namespace:
        case DW_TAG_structure_type:
        case DW_TAG_class_type:
          declarations(child);
          break;
        case DW_TAG_variable:
          if (auto found = variable(child); !found.locations.empty()) info_.globals.push_back(std::move(found));
          break;
        case DW_TAG_subprogram:
          subprogram(child);
          break;
        default:
          break;
      }
    });
  }

  void subprogram(Dwarf_Die& die) {
    Dwarf_Addr low = 0;
    if (dwarf_lowpc(&die, &low) != 0) return;
    Subprogram function;
    function.name = text(die, DW_AT_name);
    function.linkage_name = text(die, DW_AT_MIPS_linkage_name);
    if (function.linkage_name.empty()) function.linkage_name = text(die, DW_AT_linkage_name);
    if (function.linkage_name.empty()) function.linkage_name = function.name;  // extern "C"
    function.line = static_cast<std::uint32_t>(number(die, DW_AT_decl_line).value_or(0));
    function.result = target(die);
    scope(die, function.scope);
    info_.functions.push_back(std::move(function));
  }

  void scope(Dwarf_Die& die, Scope& to) {
    Dwarf_Addr low = 0, high = 0;
    if (dwarf_lowpc(&die, &low) == 0 && dwarf_highpc(&die, &high) == 0) {
      to.from = line_of(low);
      to.to = line_of(high);
    }
    children(die, [&](Dwarf_Die& child) {
      const int tag = dwarf_tag(&child);
      if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) {
        to.variables.push_back(variable(child));
        to.variables.back().is_parameter = tag == DW_TAG_formal_parameter;
      } else if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) {
        Scope inner;
        inner.from = to.from;
        inner.to = to.to;
        scope(child, inner);
        to.inner.push_back(std::move(inner));
      }
    });
  }

  Variable variable(Dwarf_Die& die) {
    Variable found;
    found.name = readable(text(die, DW_AT_name));
    found.type = target(die);
    Dwarf_Attribute attribute;
    if (dwarf_attr_integrate(&die, DW_AT_location, &attribute) == nullptr) return found;
    const ptx::Space space = space_of_class(number(die, DW_AT_address_class).value_or(0));
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    Dwarf_Addr base = 0, low = 0, high = 0;
    for (std::ptrdiff_t at = 0;
         (at = dwarf_getlocations(&attribute, at, &base, &low, &high, &operations, &count)) > 0;) {
      Location location = place(operations, count, space);
      const bool everywhere = low == 0 && high == ~Dwarf_Addr{0};
      location.from = everywhere ? 0 : line_of(low);
      location.to = everywhere ? ~0u : line_of(high);
      found.locations.push_back(std::move(location));
    }
    return found;
  }

  Location place(const Dwarf_Op* operations, std::size_t count, ptx::Space space) const {
    Location location;
    location.space = space;
    for (std::size_t i = 0; i < count; ++i) {
      const Dwarf_Op& operation = operations[i];
      if (operation.atom == DW_OP_regx && count == 1) {
        location.kind = Location::Kind::in_register;
        location.name = register_name(operation.number);
      } else if (operation.atom == DW_OP_addr && i == 0) {
        const std::uint64_t symbol = (operation.number - kSymbolBase) / kSymbolBytes;
        if (operation.number < kSymbolBase || symbol >= sections_.symbols.size()) return {};
        location.kind = Location::Kind::at_symbol;
        location.name = sections_.symbols[symbol];
        location.addend = static_cast<std::int64_t>((operation.number - kSymbolBase) % kSymbolBytes);
      } else if (operation.atom == DW_OP_plus_uconst && location.kind == Location::Kind::at_symbol) {
        location.addend += static_cast<std::int64_t>(operation.number);
      } else {
        return {};
      }
    }
    return location;
  }

  const Type* target(Dwarf_Die& die) {
    Dwarf_Attribute attribute;
    Dwarf_Die of;
    if (dwarf_attr_integrate(&die, DW_AT_type, &attribute) == nullptr || dwarf_formref_die(&attribute, &of) == nullptr)
      return nullptr;
    return type(of);
  }

  const Type* type(Dwarf_Die& die) {
    const Dwarf_Off offset = dwarf_dieoffset(&die);
    if (const auto known = known_.find(offset); known != known_.end()) return known->second;
    Type& made = info_.types.emplace_back();
    known_[offset] = &made;  // Registered before its members, which may point to it.
    made.name = text(die, DW_AT_name);
    made.bytes = number(die, DW_AT_byte_size).value_or(0);
    describe(die, made);
    return &made;
  }

  void describe(Dwarf_Die& die, Type& made) {
    using Kind = Type::Kind;
    switch (dwarf_tag(&die)) {
      case DW_TAG_base_type:
        base_type(made, number(die, DW_AT_encoding).value_or(0));
        break;
      case DW_TAG_pointer_type:
      case DW_TAG_reference_type:
      case DW_TAG_rvalue_reference_type:
        made.kind = Kind::pointer;
        made.is_reference = dwarf_tag(&die) != DW_TAG_pointer_type;
        made.bytes = 8;
        made.target = target(die);
        break;
      case DW_TAG_array_type:
        array(die, made);
        break;
      case DW_TAG_structure_type:
      case DW_TAG_class_type:
      case DW_TAG_union_type:
        structure(die, made);
        break;
      case DW_TAG_enumeration_type:
        made.kind = Kind::enumeration;
        made.is_signed = true;
        children(die, [&](Dwarf_Die& child) {
          Dwarf_Attribute attribute;
          Dwarf_Sword value = 0;
          if (dwarf_attr(&child, DW_AT_const_value, &attribute) != nullptr && dwarf_formsdata(&attribute, &value) == 0)
            made.enumerators.emplace_back(readable(text(child, DW_AT_name)), value);
        });
        break;
      case DW_TAG_typedef:
      case DW_TAG_const_type:
      case DW_TAG_volatile_type:
      case DW_TAG_restrict_type:
        made.kind = Kind::alias;
        made.target = target(die);
        if (dwarf_tag(&die) == DW_TAG_const_type) made.name = "const";
        if (dwarf_tag(&die) == DW_TAG_volatile_type) made.name = "volatile";
        if (dwarf_tag(&die) == DW_TAG_restrict_type) made.name = "__restrict__";
        break;
      case DW_TAG_subroutine_type:
        made.kind = Kind::function;
        break;
      default:
        made.kind = Kind::void_;
        break;
    }
  }

  static void base_type(Type& made, std::uint64_t encoding) {
    made.is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
    made.kind = encoding == DW_ATE_float                                             ? Type::Kind::floating
                : encoding == DW_ATE_boolean                                         ? Type::Kind::boolean
                : encoding == DW_ATE_signed_char || encoding == DW_ATE_unsigned_char ? Type::Kind::character
                                                                                     : Type::Kind::integer;
    if (made.kind == Type::Kind::integer && made.bytes == 1) made.kind = Type::Kind::character;
  }

  /// An array of arrays is one entry with several extents.
  void array(Dwarf_Die& die, Type& made) {
    std::vector<std::uint64_t> extents;
    children(die, [&](Dwarf_Die& child) {
      if (dwarf_tag(&child) != DW_TAG_subrange_type) return;
      const auto last = number(child, DW_AT_upper_bound);
      extents.push_back(number(child, DW_AT_count).value_or(last ? *last + 1 : 0));
    });
    if (extents.empty()) extents.push_back(0);
    const Type* element = target(die);
    for (std::size_t i = extents.size(); i-- > 0;) {
      Type& of = i == 0 ? made : info_.types.emplace_back();
      of.kind = Type::Kind::array;
      of.target = element;
      of.count = extents[i];
      const Type* whole = element;
      while (whole != nullptr && whole->kind == Type::Kind::alias) whole = whole->target;
      of.bytes = whole == nullptr ? 0 : extents[i] * whole->bytes;
      element = &of;
    }
  }

  void structure(Dwarf_Die& die, Type& made) {
    made.kind = Type::Kind::structure;
    children(die, [&](Dwarf_Die& child) {
      const int tag = dwarf_tag(&child);
      if (tag != DW_TAG_member && tag != DW_TAG_inheritance) return;
      if (number(child, DW_AT_external).value_or(0) != 0) return;  // A static member is a variable of its own.
      Member member;
      member.name = tag == DW_TAG_member ? text(child, DW_AT_name) : "";
      if (is_base(member.name)) member.name.clear();
      member.type = target(child);
      member.offset = member_offset(child);
      if (const auto bits = number(child, DW_AT_bit_size)) {
        member.bits = static_cast<std::uint32_t>(*bits);
        const std::uint64_t storage = number(child, DW_AT_byte_size).value_or(member.type ? member.type->bytes : 4);
        const std::uint64_t above = number(child, DW_AT_bit_offset).value_or(0);  // Counted from the highest bit.
        member.first_bit = static_cast<std::uint32_t>(8 * storage - above - *bits);
      }
      made.members.push_back(std::move(member));
    });
  }

  std::uint64_t member_offset(Dwarf_Die& die) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    if (dwarf_attr(&die, DW_AT_data_member_location, &attribute) == nullptr) return 0;
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (dwarf_getlocation(&attribute, &operations, &count) == 0 && count == 1 &&
        operations[0].atom == DW_OP_plus_uconst)
      return operations[0].number;
    return dwarf_formudata(&attribute, &value) == 0 ? value : 0;
  }

  const DebugSections& sections_;
  DebugInfo& info_;
  std::map<Dwarf_Off, const Type*> known_;
};

}  // namespace
}  // namespace warpbook::simulator::debugger

const char* warpbook_read_dwarf(const warpbook::simulator::debugger::DebugSections& sections,
                                warpbook::simulator::debugger::DebugInfo& info) {
  using namespace warpbook::simulator::debugger;
  std::vector<char> image = elf_image(sections);
  elf_version(EV_CURRENT);
  Elf* const elf = elf_memory(image.data(), image.size());
  Dwarf* const dwarf = elf == nullptr ? nullptr : dwarf_begin_elf(elf, DWARF_C_READ, nullptr);
  const char* wrong = dwarf == nullptr ? dwarf_errmsg(-1) : nullptr;
  if (dwarf != nullptr) {
    Walker walker(sections, info);
    std::size_t header = 0;
    Dwarf_Off next = 0;
    for (Dwarf_Off offset = 0; dwarf_nextcu(dwarf, offset, &next, &header, nullptr, nullptr, nullptr) == 0;
         offset = next) {
      Dwarf_Die die;
      if (dwarf_offdie(dwarf, offset + header, &die) != nullptr) walker.unit(die);
    }
    dwarf_end(dwarf);
  }
  if (elf != nullptr) elf_end(elf);
  return wrong;
}
