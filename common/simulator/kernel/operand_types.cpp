// Compares the types of operands with those of the row's shapes, as ptxas 13.0 was asked for each of them.
#include "common/simulator/kernel/operand_types.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "common/simulator/kernel/video_parts.h"
#include "common/simulator/ptx/modifiers.h"
#include "common/simulator/ptx/operation_shapes.h"

namespace warpbook::simulator {
namespace {

using ptx::Operand;
using ptx::OperationId;
using ptx::Shape;
using ptx::Type;

enum class Kind { bits, integer, floating };

Kind kind_of(Type type) {
  switch (type) {
    case Type::b8:
    case Type::b16:
    case Type::b32:
    case Type::b64:
    case Type::b128:
      return Kind::bits;
    case Type::f16:
    case Type::f32:
    case Type::f64:
    case Type::bf16:
    case Type::bf16x2:
    case Type::f16x2:
    case Type::tf32:
    case Type::f32x2:
    case Type::e4m3x2:
    case Type::e5m2x2:
    case Type::e2m1x2:
    case Type::e2m3x2:
    case Type::e3m2x2:
    case Type::ue8m0x2:
      return Kind::floating;
    default:
      return Kind::integer;  // Packed integers, too.
  }
}

/// Loads, stores and conversions take registers that are wider than the value, but not conversions of the newer types.
bool takes_wider(const ptx::Instruction& instruction) {
  static constexpr std::array<std::string_view, 6> kOpcodes = {"cvt", "ld", "ldu", "st", "suld", "sust"};
  static constexpr std::array<std::string_view, 9> kExact = {"bf16",   "bf16x2", "tf32",   "e4m3x2", "e5m2x2",
                                                             "e2m1x2", "e2m3x2", "e3m2x2", "ue8m0x2"};
  for (const std::string& word : instruction.modifiers)
    if (std::find(kExact.begin(), kExact.end(), word) != kExact.end()) return false;
  const bool asynchronous = !instruction.modifiers.empty() && instruction.modifiers[0] == "async";
  return !asynchronous && std::find(kOpcodes.begin(), kOpcodes.end(), instruction.opcode) != kOpcodes.end();
}

bool is_image(const ptx::Instruction& instruction) {
  static constexpr std::array<std::string_view, 6> kOpcodes = {"tex", "tld4", "txq", "suld", "sust", "suq"};
  return std::find(kOpcodes.begin(), kOpcodes.end(), instruction.opcode) != kOpcodes.end();
}

bool is_matrix(const ptx::Instruction& instruction) {
  static constexpr std::array<std::string_view, 6> kOpcodes = {"mma",      "wmma",     "wgmma",
                                                               "ldmatrix", "stmatrix", "movmatrix"};
  return std::find(kOpcodes.begin(), kOpcodes.end(), instruction.opcode) != kOpcodes.end();
}

/// Two whole numbers at once are bits to ptxas.
bool is_pair_of_integers(Type type) { return type == Type::u16x2 || type == Type::s16x2; }

/// Whether a result may be thrown away by "_".
bool may_discard(OperationId id, std::string_view opcode) {
  static constexpr std::array<std::string_view, 10> kOpcodes = {
      "atom", "setp", "lop3", "elect", "mbarrier", "multimem", "tex", "tld4", "clusterlaunchcontrol", "call"};
  return id == OperationId::match_all_sync || std::find(kOpcodes.begin(), kOpcodes.end(), opcode) != kOpcodes.end();
}

/// Whether operands that the table calls .b32 must be whole numbers: masks, and the words of these functions.
bool wants_whole_words(std::string_view opcode) {
  static constexpr std::array<std::string_view, 7> kOpcodes = {"dp4a", "dp2a",  "match", "redux",
                                                               "bmsk", "elect", "vote"};
  return std::find(kOpcodes.begin(), kOpcodes.end(), opcode) != kOpcodes.end();
}

/// @param typed .f16x2 passes for a whole number: where a type word of the instruction asks for it, and in some others
bool register_fits(Type declared, Type wanted, bool wider, bool typed) {
  const unsigned has = ptx::size_of(declared), needs = ptx::size_of(wanted);
  if (wider ? has < needs : has != needs) return false;
  if (is_pair_of_integers(wanted)) return kind_of(declared) == Kind::bits || declared == Type::f16x2;
  const Kind kind = kind_of(declared);
  if (kind == Kind::bits || kind_of(wanted) == Kind::bits) return true;
  if (declared == wanted) return true;
  // ptxas takes .f16x2 for a whole number.
  if (kind_of(wanted) == Kind::integer) return kind == Kind::integer || (typed && declared == Type::f16x2);
  return false;
}

bool is_wide_special_register(std::string_view name) {
  return name == "%clock64" || name == "%globaltimer" || name == "%current_graph_exec" || name.ends_with("_64");
}

std::string quoted(std::string_view name) { return std::string("'").append(name).append("'"); }

class Judge {
 public:
  Judge(const ptx::Match& match, const ptx::Instruction& instruction, const RegisterNames& names,
        const ptx::Module& module)
      : match_(match),
        instruction_(instruction),
        names_(names),
        module_(module),
        wider_(takes_wider(instruction)),
        moves_(instruction.opcode == "mov" || match.id == OperationId::cvt_integer) {}

  std::string judge() const {
    const auto& shapes = ptx::shapes(match_.id);
    const auto& operands = instruction_.operands;
    if (video_width(match_.id) > 1) {
      const auto literal = [](const Operand& operand) { return operand.kind == Operand::Kind::integer; };
      if (std::any_of(operands.begin(), operands.end(), literal)) return "it takes no literals";
    }
    std::size_t place = 0;
    for (std::size_t k = 0; k < operands.size() && place < shapes.size(); ++k, ++place) {
      while (shapes.size() - place > operands.size() - k && shapes[place].optional) ++place;
      std::string wrong = is_matrix(instruction_) ? of_matrix(shapes[place], k)
                                                  : one(shapes[place], operands[k], k + 1 == operands.size());
      if (!wrong.empty()) return wrong;
    }
    return {};
  }

 private:
  Type type_of(Shape shape, Type fixed) const {
    const auto& types = match_.modifiers.types;
    switch (shape) {
      case Shape::type0:
        return types[0];
      case Shape::type1:
        return types[1];
      case Shape::type2:
        return types[2];
      case Shape::wide:
        return widened(types[0]);
      case Shape::fixed:
        return fixed;
      case Shape::any:
        return types[0];
      default:
        return Type::none;
    }
  }

  std::string one(const ptx::OperandShape& shape, const Operand& operand, bool last) const {
    if (operand.kind == Operand::Kind::address) return address(operand);
    if (shape.shape == Shape::address || shape.shape == Shape::place || shape.shape == Shape::image)
      return "it takes an address in brackets where '" + operand.name + "' stands";
    if (operand.kind == Operand::Kind::pair) {
      const std::string wrong = one(shape, operand.elements.at(0), last);
      return wrong.empty() ? scalar(operand.elements.at(1), type_of(shape.second, shape.second_fixed), true) : wrong;
    }
    if (shape.output && operand.negated) return "its result '" + operand.name + "' may not be negated";
    if (operand.kind == Operand::Kind::sink && shape.output && !may_discard(match_.id, instruction_.opcode))
      return "its result may not be thrown away";
    if (operand.kind == Operand::Kind::integer && shape.shape == Shape::predicate && compares() && has_brain_type())
      return "with .bf16 it takes no literal predicate";
    if (shape.shape != Shape::vector) {
      const bool fixed = shape.shape == Shape::fixed;
      const std::string& opcode = instruction_.opcode;
      const bool packs =
          shape.output && (match_.id == OperationId::cvt_pack || match_.id == OperationId::cvt_pack_into);
      const bool counts = shape.output && opcode == "vote";
      const bool whole =
          (fixed && !counts && wants_whole_words(opcode)) || opcode == "redux" || (last && opcode == "shfl") || packs;
      Type type = type_of(shape.shape, shape.fixed);
      if (whole && type == Type::b32) type = Type::u32;
      if (match_.id == OperationId::isspacep && type == Type::b64) type = Type::u64;
      if (opcode == "cp" && type == Type::b16) type = Type::u16;  // A mask of blocks or bytes.
      if (shape.optional && type == Type::b64) type = Type::u64;  // A cache policy.
      if (opcode == "fns") type = Type::b32;
      if (shape.output && compares() && type == Type::bf16) type = Type::u16;
      if (shape.output && compares() && type == Type::bf16x2) type = Type::b32;
      if (match_.id == OperationId::cvt_tf32 && shape.output) return of_bits(operand);
      const bool products = opcode == "dp2a" || opcode == "dp4a";
      const bool typed = products ? !shape.output && !last : opcode == "cvt" || opcode == "slct" || (!fixed && !whole);
      return scalar(operand, type, typed);
    }
    const Type type = type_of(shape.element, shape.fixed);
    if (operand.kind != Operand::Kind::vector) return scalar(operand, type, true);
    const Type element = shape.element == Shape::any ? part_of(type, operand.elements.size()) : type;
    if (shape.element == Shape::any && ptx::size_of(element) * operand.elements.size() != ptx::size_of(type))
      return "." + std::string(ptx::name_of(type)) + " has no " + std::to_string(operand.elements.size()) +
             " equal parts";
    for (const Operand& part : operand.elements)
      if (std::string wrong = scalar(part, element, true); !wrong.empty()) return wrong;
    return {};
  }

  /// Operand @p k of a matrix instruction. In fragments the result has its type, and all other registers 32 bits, but
  /// those of .f64.
  std::string of_matrix(const ptx::OperandShape& shape, std::size_t k) const {
    const Operand& operand = instruction_.operands[k];
    const std::string& opcode = instruction_.opcode;
    const Type type = match_.modifiers.types[0];
    if (shape.shape == Shape::address || shape.shape == Shape::place) return one(shape, operand, false);
    if (shape.shape == Shape::vector) {
      if (operand.kind != Operand::Kind::vector)
        return "it takes a vector in braces where its operand " + std::to_string(k + 1) + " stands";
      const bool typed = k == 0 && (type == Type::s32 || type == Type::f32 || type == Type::f64);
      for (const Operand& part : operand.elements)
        if (std::string wrong = typed ? scalar(part, type, true) : fragment(part, type, is_factor(k)); !wrong.empty())
          return wrong;
      return {};
    }
    // The stride of wmma, and the metadata of mma.sp.
    const bool metadata = opcode == "mma" && shape.fixed == Type::b32;
    if (metadata && operand.kind != Operand::Kind::reg) return "its metadata must be a register";
    return metadata || opcode == "wmma" ? scalar(operand, shape.fixed, metadata) : std::string();
  }

  /// Whether operand @p place holds elements of a factor that no register of .f32 may. mma refuses that for factors of
  /// .f16 and .bf16, and dense ones of .tf32.
  bool is_factor(std::size_t place) const {
    const Type factor = match_.modifiers.types[1];
    const bool half = factor == Type::f16 || factor == Type::bf16;
    const bool dense = factor == Type::tf32 && !instruction_.modifiers.at(0).starts_with("sp");
    if (instruction_.opcode == "mma" && !half && !dense) return false;
    const bool loads = instruction_.opcode == "wmma" && instruction_.modifiers.at(0) == "load";
    const bool multiplies = instruction_.opcode == "mma" || instruction_.opcode == "wgmma" ||
                            (instruction_.opcode == "wmma" && instruction_.modifiers.at(0) == "mma");
    return loads ? place == 0 : multiplies && (place == 1 || place == 2);
  }

  std::string fragment(const Operand& part, Type type, bool is_factor) const {
    const auto found = part.kind == Operand::Kind::reg ? names_.find(part.name) : std::nullopt;
    const unsigned bytes = type == Type::f64 ? 8 : 4;
    if (!found) return {};
    const bool floating = is_factor && names_.types()[*found] == Type::f32;
    if (floating) return quoted(part.name) + " is .f32, and elements of a factor are in .b32";
    if (ptx::size_of(names_.types()[*found]) == bytes) return {};
    return quoted(part.name) + " is ." + std::string(ptx::name_of(names_.types()[*found])) +
           ", and a register here has " + std::to_string(8 * bytes) + " bits";
  }

  std::string address(const Operand& operand) const {
    for (const Operand& list : operand.elements)
      if (std::string wrong = coordinates(list); !wrong.empty()) return wrong;
    const auto found = names_.find(operand.name);
    if (!found) return place(operand);
    const Type declared = names_.types()[*found];
    if (ptx::size_of(declared) < 4 && needs_words(operand, ptx::size_of(declared)))
      return quoted(operand.name) + " has " + std::to_string(8 * ptx::size_of(declared)) +
             " bits, and an address here has 32 or 64";
    if (declared == Type::pred || kind_of(declared) == Kind::floating)
      return quoted(operand.name) + " is ." + std::string(ptx::name_of(declared)) + ", not an address";
    if (is_image(instruction_) && ptx::size_of(declared) != 8)
      return quoted(operand.name) + " is ." + std::string(ptx::name_of(declared)) +
             ", and a texture object has 64 bits";
    const ptx::Space space = match_.modifiers.space;
    const bool far = space == ptx::Space::global || space == ptx::Space::generic;
    const bool plain = ptx::is_atomic(match_.id) || match_.id == OperationId::ld || match_.id == OperationId::st;
    if (plain && far && ptx::size_of(declared) == 4)
      return quoted(operand.name) + " has 32 bits, and an address of " +
             (space == ptx::Space::global ? "global" : "generic") + " memory has 64";
    return {};
  }

  bool has_word(std::string_view word) const {
    const auto& words = instruction_.modifiers;
    return std::find(words.begin(), words.end(), word) != words.end();
  }

  /// Whether an address in 8 or 16 bits is refused, as @p bytes are here. (Most instructions widen it.)
  bool needs_words(const Operand& operand, unsigned bytes) const {
    const std::string& opcode = instruction_.opcode;
    if (opcode == "wmma" || opcode == "multimem") return true;
    if (opcode == "prefetch") return has_word("tensormap");
    // The mbarrier of a copy, and the destination of an asynchronous store or reduction.
    if (match_.id == OperationId::cp_async_bulk_load)
      return bytes == 2 && has_word("shared::cta") && number_of(operand) == 2;
    return (opcode == "st" || opcode == "red") && has_word("async") && &operand == &instruction_.operands[0];
  }

  /// The spaces that the instruction names: those of its addresses, in this order.
  std::size_t written_spaces(ptx::Space* of = nullptr, std::size_t number = 0) const {
    std::size_t count = 0;
    for (const std::string& word : instruction_.modifiers) {
      const auto space = ptx::parse_space(word);
      if (space && of != nullptr && count == number) *of = *space;
      count += space ? 1 : 0;
    }
    return count;
  }

  /// The addresses before @p operand.
  std::size_t number_of(const Operand& operand) const {
    return static_cast<std::size_t>(std::count_if(instruction_.operands.data(), &operand, [](const Operand& before) {
      return before.kind == Operand::Kind::address;
    }));
  }

  /// The space of the address @p operand. An mbarrier that stands behind addresses whose spaces are named is shared.
  ptx::Space space_of(const Operand& operand) const {
    const bool barrier = instruction_.opcode == "mbarrier" || has_word("mbarrier::complete_tx::bytes");
    ptx::Space space = barrier ? ptx::Space::shared : ptx::Space::generic;
    written_spaces(&space, number_of(operand));
    return space;
  }

  /// The address of a variable or parameter, by its name: it must be in the instruction's space. Generic addresses of
  /// constants and parameters have no names, nor have those of local variables in atomics.
  std::string place(const Operand& operand) const {
    const std::string& opcode = instruction_.opcode;
    if (opcode == "fence" || is_image(instruction_)) return {};
    const ptx::Space wanted = opcode == "prefetchu" ? ptx::Space::global : space_of(operand);
    if (operand.name.empty() && operand.elements.empty() && wanted != ptx::Space::local)
      return "only an address of local memory may be a number";
    bool fits = false, other = false;
    const auto look = [&](const std::vector<ptx::Variable>& variables) {
      for (const ptx::Variable& variable : variables) {
        if (variable.name != operand.name) continue;
        const bool generic = wanted == ptx::Space::generic && variable.space != ptx::Space::param &&
                             variable.space != ptx::Space::constant &&
                             (opcode != "atom" || variable.space != ptx::Space::local);
        (generic || variable.space == wanted ? fits : other) = true;
      }
    };
    look(module_.variables);
    for (const ptx::Function& function : module_.functions) {
      look(function.variables);
      look(function.parameters);
      look(function.returns);
    }
    return other && !fits ? quoted(operand.name) + " is in another space" : std::string();
  }

  /// Of images and tensors: 32 bits each.
  std::string coordinates(const Operand& operand) const {
    for (const Operand& element : operand.elements)
      if (std::string wrong = coordinates(element); !wrong.empty()) return wrong;
    const auto found = operand.kind == Operand::Kind::reg ? names_.find(operand.name) : std::nullopt;
    if (!found || ptx::size_of(names_.types()[*found]) == 4) return {};
    return quoted(operand.name) + " is ." + std::string(ptx::name_of(names_.types()[*found])) +
           ", and a coordinate has 32 bits";
  }

  std::string scalar(const Operand& operand, Type wanted, bool typed) const {
    if (wanted == Type::none) return {};
    switch (operand.kind) {
      case Operand::Kind::reg:
        return of_register(operand, wanted, typed);
      case Operand::Kind::symbol:
        return of_symbol(operand, wanted);
      case Operand::Kind::integer:
        if (wanted != Type::pred && (kind_of(wanted) == Kind::floating || is_pair_of_integers(wanted)))
          return "it takes ." + std::string(ptx::name_of(wanted)) + ", and a whole number is written";
        return {};
      case Operand::Kind::floating:
        return of_literal(operand, wanted);
      default:
        return {};
    }
  }

  bool compares() const { return instruction_.opcode == "set" || instruction_.opcode == "setp"; }
  bool has_brain_type() const {
    const auto& types = match_.modifiers.types;
    return std::any_of(std::begin(types), std::end(types),
                       [](Type type) { return type == Type::bf16 || type == Type::bf16x2; });
  }

  std::string of_register(const Operand& operand, Type wanted, bool typed) const {
    std::string name = operand.name;
    if (const std::size_t part = part_of_register(name).size(); part != 0 && video_width(match_.id) != 0)
      name.resize(name.size() - part - 1);
    const auto found = names_.find(name);
    if (!found) return of_special_register(operand, wanted);
    const Type declared = names_.types()[*found];
    if (declared == Type::pred && match_.id == OperationId::cp_async) return {};  // It makes the copy write zeros.
    if ((declared == Type::pred) != (wanted == Type::pred)) return mismatch(operand.name, declared, wanted);
    if (declared == Type::pred) return {};
    if (match_.id == OperationId::isspacep && kind_of(declared) != Kind::floating && ptx::size_of(declared) == 4)
      return {};
    return register_fits(declared, wanted, wider_, typed) ? std::string() : mismatch(operand.name, declared, wanted);
  }

  /// A result of 32 bits that has no other type.
  std::string of_bits(const Operand& operand) const {
    const auto found = operand.kind == Operand::Kind::reg ? names_.find(operand.name) : std::nullopt;
    if (!found || names_.types()[*found] == Type::b32) return {};
    return mismatch(operand.name, names_.types()[*found], Type::b32);
  }

  static std::string mismatch(std::string_view name, Type declared, Type wanted) {
    return quoted(name) + " is ." + std::string(ptx::name_of(declared)) + " where ." +
           std::string(ptx::name_of(wanted)) + " belongs";
  }

  std::string of_special_register(const Operand& operand, Type wanted) const {
    const std::string_view name = operand.name;
    if (!name.starts_with('%') || wanted == Type::pred) return {};
    const bool known = fixed_special_register(name) || grid_value(name) || constant_special_register(name) ||
                       clock_register(name) || name == kReservedSharedStart || name == kOccupiedSharedSize;
    if (!known) return {};  // It is refused for that.
    const bool floating = instruction_.opcode == "mov" && kind_of(wanted) == Kind::floating;
    if (!moves_ || floating)
      return quoted(name) + " is a special register, which only 'mov' and 'cvt' of integers take";
    const bool wide = is_wide_special_register(name);
    if (name == "%gridid" || (wider_ && (wide || ptx::size_of(wanted) != 8))) return {};
    if (wide != (ptx::size_of(wanted) == 8))
      return quoted(name) + " has " + (wide ? "64" : "32") + " bits where ." + std::string(ptx::name_of(wanted)) +
             " belongs";
    return {};
  }

  std::string of_symbol(const Operand& operand, Type wanted) const {
    static constexpr std::array<std::string_view, 6> kOpcodes = {"mov",        "cvta", "mapa",
                                                                 "getctarank", "call", "mbarrier"};
    if (operand.name == "WARP_SZ") return {};
    if (std::find(kOpcodes.begin(), kOpcodes.end(), instruction_.opcode) == kOpcodes.end())
      return quoted(operand.name) + " is not a register: only 'mov' and 'cvta' take an address by its name";
    if (instruction_.opcode == "cvta") return of_converted(operand);
    if (instruction_.opcode == "mov" && kind_of(wanted) == Kind::floating)
      return quoted(operand.name) + " is an address, not a ." + std::string(ptx::name_of(wanted));
    if (instruction_.opcode != "mov" || ptx::size_of(wanted) != 4) return {};
    const bool far =
        std::any_of(module_.variables.begin(), module_.variables.end(), [&](const ptx::Variable& variable) {
          return variable.name == operand.name &&
                 (variable.space == ptx::Space::global || variable.space == ptx::Space::constant);
        });
    return far ? "the address of " + quoted(operand.name) + " has 64 bits" : std::string();
  }

  /// The address of a variable that cvta makes a generic one.
  std::string of_converted(const Operand& operand) const {
    if (match_.id == OperationId::cvta_to) return quoted(operand.name) + " is not a register";
    bool elsewhere = false, there = false;
    const auto look = [&](const std::vector<ptx::Variable>& variables) {
      for (const ptx::Variable& variable : variables)
        if (variable.name == operand.name) (variable.space == match_.modifiers.space ? there : elsewhere) = true;
    };
    look(module_.variables);
    for (const ptx::Function& function : module_.functions) look(function.variables);
    return elsewhere && !there ? quoted(operand.name) + " is in another space" : std::string();
  }

  std::string of_literal(const Operand& operand, Type wanted) const {
    const std::string text = "it takes ." + std::string(ptx::name_of(wanted)) + ", and a floating-point number ";
    if (match_.id == OperationId::cvt_tf32 && operand.float_type != Type::f32) return text + "of 64 bits is written";
    if (wanted == Type::f32 || wanted == Type::f64) return {};
    if (wanted == Type::pred || kind_of(wanted) != Kind::bits) return text + "is written";
    if (ptx::size_of(operand.float_type) == ptx::size_of(wanted)) return {};
    return text + "of " + std::to_string(8 * ptx::size_of(operand.float_type)) + " bits is written";
  }

  const ptx::Match& match_;
  const ptx::Instruction& instruction_;
  const RegisterNames& names_;
  const ptx::Module& module_;
  bool wider_, moves_;
};

}  // namespace

Type widened(Type type) {
  switch (type) {
    case Type::u8:
      return Type::u16;
    case Type::s8:
      return Type::s16;
    case Type::u16:
      return Type::u32;
    case Type::s16:
      return Type::s32;
    case Type::u32:
      return Type::u64;
    case Type::s32:
      return Type::s64;
    default:
      return Type::b64;
  }
}

Type part_of(Type whole, std::size_t parts) {
  const std::size_t bytes = ptx::size_of(whole) / parts;
  return bytes == 8 ? Type::b64 : bytes == 4 ? Type::b32 : bytes == 2 ? Type::b16 : Type::b8;
}

std::string refused_types(const ptx::Match& match, const ptx::Instruction& instruction, const RegisterNames& names,
                          const ptx::Module& module) {
  return Judge(match, instruction, names, module).judge();
}

}  // namespace warpbook::simulator
