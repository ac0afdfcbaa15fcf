// The names that a function's body declares, scope by scope, and how nested scopes are flattened.
//
// PTX lets any "{ }" declare registers, variables and labels of its own, and lets labels be used before they are
// declared. A body is flattened in two steps: while a nested scope is open, its declarations are collected with a new
// name each ("p" becomes "p@3", which no PTX identifier can be); when it closes, the operands inside it that use
// them are rewritten. The outermost scope keeps its names.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/simulator/ptx/ast.h"

namespace warpbook::simulator::ptx {

/// The width of a register of 128 bits, which is two registers: its halves.
inline constexpr unsigned kHalves = 128;
/// Suffixes that name the elements of a vector register.
inline constexpr const char* kVectorElements[] = {".x", ".y", ".z", ".w"};

class Scopes {
 public:
  /// @param function receives the declarations; close() rewrites its body
  explicit Scopes(Function& function) : function_(function) {}

  void open();
  void close();
  std::size_t depth() const { return open_.size(); }

  /// Declares a name in the current scope and returns the name that the flat body uses for it.
  std::string declare(std::string_view name);
  /// @param width number of elements of a vector register (".reg .v2"), each a register of its own: "%r1.x", "%r1.y";
  /// kHalves for one of 128 bits, which is two such registers
  std::string declare_register(std::string_view name, unsigned width = 1);
  /// "%r<5>": declares %r0 to %r4 and returns the new prefix.
  std::string declare_registers(std::string_view prefix, std::uint32_t count);

  /// Whether the current scope has @p name already, or registers that are counted from it ("%r<5>").
  bool is_taken(std::string_view name) const;
  /// Whether one of @p prefix with a number below @p count is: "%r<3>" beside "%r" is right, and beside "%r1" is not.
  bool is_range_taken(std::string_view prefix, std::uint32_t count) const;
  /// True if @p name is a register: by a declaration in an open scope, or else by its '%'.
  bool is_register(std::string_view name) const;
  /// Elements of the vector register @p name, or kHalves; 1 for any other name.
  unsigned register_width(std::string_view name) const;

 private:
  struct Name {
    std::string replacement;
    bool is_register = false;
    unsigned width = 1;
  };
  /// Allows lookups by string view.
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
  };
  struct Range {
    std::string prefix;
    std::uint32_t count;
    std::string replacement;
  };
  struct Scope {
    std::uint32_t number = 0;  ///< 0 for the outermost scope.
    std::size_t first_statement = 0;
    std::size_t first_target_list = 0;
    std::unordered_map<std::string, Name, Hash, std::equal_to<>> names;
    std::vector<Range> ranges;
  };

  std::string suffix() const;
  static bool has(const Range& range, std::string_view name);
  static const Range* find_range(const Scope& scope, std::string_view name);
  static void rename(const Scope& scope, std::string& name);
  static void rename(const Scope& scope, Operand& operand);

  Function& function_;
  std::vector<Scope> open_;
  std::uint32_t last_number_ = 0;
  bool percent_symbols_ = false;  ///< A variable has a name like a register's, e.g. GCC's "%frame_ar".
};

}  // namespace warpbook::simulator::ptx
