// The syntax tree of a PTX module, close to the text: names are resolved later, by kernel/.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/simulator/ptx/types.h"

namespace warpbook::simulator::ptx {

/// A position in the CUDA source, from the last `.loc` (for inlined code the innermost position); file 0 means
/// "unknown". A `.loc` with line 0, which nvcc writes for code that belongs to no line, keeps the previous position.
struct SourcePosition {
  std::uint32_t file = 0;  ///< Key of Module::files.
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  bool of_toolkit = false;  ///< Code in headers of the CUDA toolkit; the position is where the program uses it.
};

/// One operand as written.
struct Operand {
  enum class Kind : std::uint8_t {
    reg,       ///< name: a register or a special register ("%tid.x"), `negated` for "!%p1"
    integer,   ///< integer: a literal, or the bits of one
    floating,  ///< integer: the bits of a 0f (f32, in the low half) or 0d (f64) literal; float_type says which
    symbol,    ///< name: a variable, function or label; addend
    address,   ///< [name + addend]: name is a register or a symbol, empty for an absolute address; `elements` holds
               ///< what follows the name in a texture's "[name, sampler, {x, y}]"
    vector,    ///< elements: {a, b, ...}
    pair,      ///< elements: the two outputs of "p|q"
    sink,      ///< "_"
  };
  Kind kind = Kind::sink;
  std::string name;
  std::uint64_t integer = 0;
  Type float_type = Type::none;
  std::int64_t addend = 0;
  bool negated = false;
  std::vector<Operand> elements;
};

struct Instruction {
  std::string opcode;                  ///< "ld"
  std::vector<std::string> modifiers;  ///< As written, without dots: {"global", "nc", "v4", "f32"}
  std::optional<Operand> guard;        ///< @%p or @!%p
  std::vector<Operand> operands;       ///< Empty for calls, see Call
  SourcePosition source;
  std::uint32_t ptx_line = 0;

  /// "ld.global.nc.v4.f32"
  std::string spelling() const;
};

/// A `call`, which is stored separately because its operands are lists.
struct Call {
  std::vector<Operand> returns;
  Operand callee;  ///< symbol, or reg for an indirect call
  std::vector<Operand> arguments;
  std::string prototype;  ///< Label of a .callprototype or .calltargets, or empty.
};

struct Variable {
  std::string name;
  Space space = Space::reg;
  Type type = Type::none;
  std::uint32_t alignment = 0;  ///< In bytes; the natural alignment if none is given.
  std::uint64_t elements = 1;   ///< Product of the array extents; 0 for `extern x[]`.
  std::uint64_t bytes() const { return elements * size_of(type); }
  bool external = false, visible = false, weak = false, managed = false;
  /// Initial bytes, zero-filled to bytes(); empty if there is no initialiser.
  std::vector<std::uint8_t> initial;
  /// Addresses within `initial` (8 bytes each, or 4) to be filled with a symbol's address.
  struct Relocation {
    std::uint64_t offset;
    std::uint32_t bytes;
    std::string symbol;
    std::int64_t addend;
    bool generic;
  };
  std::vector<Relocation> relocations;
  SourcePosition source;
};

/// Registers declared by one directive: "%r<67>" gives prefix "%r" and count 67; "%SP" gives count 0 (a single
/// register).
struct RegisterDeclaration {
  std::string name;
  Type type = Type::none;
  std::uint32_t count = 0;
};

struct Label {
  std::string name;
};

/// One statement of a body, in textual order. Nested "{ }" scopes are flattened: the parser makes the names that a
/// scope declares unique (and rewrites the operands that use them), so a body has one flat name space.
struct Statement {
  std::variant<Label, Instruction> node;
  std::optional<Call> call;  ///< Set when node is an Instruction with opcode "call".
};

/// `prototype_4 : .callprototype (.param .b32 _) _ (.param .b32 _);`
struct Prototype {
  std::string name;
  std::vector<Variable> returns, parameters;
};

/// `.branchtargets`/`.calltargets` lists by label.
struct TargetList {
  std::string name;
  std::vector<std::string> targets;
};

struct Function {
  std::string name;
  bool entry = false, external = false, weak = false, visible = false, noreturn = false;
  std::vector<Variable> returns, parameters;  ///< space param (or reg)
  std::vector<RegisterDeclaration> registers;
  std::vector<Variable> variables;  ///< .shared, .local and .param variables of the body
  std::vector<Prototype> prototypes;
  std::vector<TargetList> target_lists;
  std::vector<Statement> body;
  bool defined = false;
  std::optional<std::uint32_t> max_threads[3];       ///< .maxntid
  std::optional<std::uint32_t> required_threads[3];  ///< .reqntid
  std::optional<std::uint32_t> required_cluster[3];  ///< .reqnctapercluster
  std::optional<std::uint32_t> min_blocks;           ///< .minnctapersm
  std::optional<std::uint32_t> max_registers;        ///< .maxnreg
  SourcePosition source;
};

struct Module {
  std::uint32_t version_major = 0, version_minor = 0;
  std::string target;                          ///< "sm_90"
  std::map<std::uint32_t, std::string> files;  ///< From `.file`.
  std::vector<Variable> variables;             ///< Module scope: global, const, shared
  std::vector<Function> functions;
};

}  // namespace warpbook::simulator::ptx
