// What the debug information says about a program: types, functions, scopes, and where each variable is.
//
// Code addresses are lines of the PTX text: a variable has a location for the lines [from, to). PTX keeps a variable in
// a register, known by name, or in a PTX variable, at symbol + addend.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "common/simulator/ptx/types.h"

namespace warpbook::simulator::debugger {

struct Type;

/// A member of a struct, or a base class.
struct Member {
  std::string name;  ///< Empty: its members count as members of the whole.
  const Type* type = nullptr;
  std::uint64_t offset = 0;
  std::uint32_t bits = 0, first_bit = 0;  ///< For a bit field: the number of bits, and the lowest one.
};

struct Type {
  enum class Kind : std::uint8_t {
    void_,
    boolean,
    character,  ///< One byte.
    integer,
    floating,
    pointer,  ///< To `target`; also a reference.
    array,    ///< `count` elements of type `target`; 0: unknown number.
    structure,
    enumeration,
    alias,  ///< typedef, const or volatile: another name for `target`.
    function,
  };
  Kind kind = Kind::void_;
  std::string name;
  std::uint64_t bytes = 0;
  bool is_signed = false, is_reference = false;
  const Type* target = nullptr;
  std::uint64_t count = 0;
  std::vector<Member> members;
  std::vector<std::pair<std::string, std::int64_t>> enumerators;
};

/// Types that live as long as the pool.
using TypePool = std::deque<Type>;

struct Location {
  enum class Kind : std::uint8_t { unknown, in_register, at_symbol };
  Kind kind = Kind::unknown;
  std::string name;  ///< Of the register or symbol.
  std::int64_t addend = 0;
  ptx::Space space = ptx::Space::generic;  ///< State space of the symbol.
  std::uint32_t from = 0, to = ~0u;        ///< PTX lines.
};

struct Variable {
  std::string name;
  const Type* type = nullptr;
  std::vector<Location> locations;
  bool is_parameter = false;
};

struct Scope {
  std::uint32_t from = 0, to = 0;
  std::vector<Variable> variables;
  std::vector<Scope> inner;
};

struct Subprogram {
  std::string name, linkage_name;
  const Type* result = nullptr;
  std::uint32_t line = 0;
  Scope scope;
};

/// Whether @p name, as typed by the user, means @p known, e.g. "physics::total": with its namespaces or without.
inline bool is_called(const std::string& known, const std::string& name) {
  if (known == name) return true;
  return known.size() > name.size() + 2 && known.ends_with(name) &&
         known.compare(known.size() - name.size() - 2, 2, "::") == 0;
}

/// The debug information of one PTX text.
struct DebugInfo {
  TypePool types;
  std::vector<Subprogram> functions;
  std::vector<Variable> globals;
};

}  // namespace warpbook::simulator::debugger
