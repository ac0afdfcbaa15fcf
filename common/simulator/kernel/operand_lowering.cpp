// Operands to register offsets: registers, immediates, special registers, symbols, addresses and vectors.
#include <array>
#include <bit>
#include <cctype>

#include "common/simulator/kernel/function_decoder.h"
#include "common/simulator/kernel/image_operations.h"
#include "common/simulator/kernel/operand_types.h"
#include "common/simulator/kernel/video_parts.h"
#include "common/simulator/ptx/fragments.h"
#include "common/simulator/ptx/group_products.h"

namespace warpbook::simulator {
namespace {

using ptx::Operand;
using ptx::Shape;
using ptx::Type;

bool is_signed(Type type) { return type == Type::s8 || type == Type::s16 || type == Type::s32 || type == Type::s64; }

bool is_wide(Type type) { return ptx::size_of(type) == 8; }

Type type_of(Shape shape, Type fixed, const ptx::Modifiers& modifiers) {
  switch (shape) {
    case Shape::type0:
      return modifiers.types[0];
    case Shape::type1:
      return modifiers.types[1];
    case Shape::type2:
      return modifiers.types[2];
    case Shape::wide:
      return widened(modifiers.types[0]);
    case Shape::fixed:
      return fixed;
    case Shape::predicate:
      return Type::pred;
    default:
      return modifiers.types[0];
  }
}

/// Values, or gradients, of a texture or surface must be as many as the operation takes.
void check_image_list(ptx::OperationId id, const ptx::Modifiers& modifiers, bool values, std::size_t count) {
  const bool texture =
      id != ptx::OperationId::suld && id != ptx::OperationId::sust && id != ptx::OperationId::sust_formatted;
  const std::size_t wanted = values ? (texture ? 4 : modifiers.vector) : gradients_of(modifiers.geometry);
  if (values ? count == wanted : count >= wanted) return;
  throw DecodeError("it has " + std::to_string(count) + (values ? " values" : " gradients") + " and takes " +
                    std::to_string(wanted));
}

/// The mask operand of a warp-level instruction written without .sync; nullptr for all others.
std::uint32_t* mask_without_sync(ptx::OperationId id, Operation& operation) {
  if (id == ptx::OperationId::shfl) return &operation.f;
  return id == ptx::OperationId::vote || id == ptx::OperationId::vote_ballot ? &operation.b : nullptr;
}

std::uint64_t truncated(std::uint64_t bits, Type type) {
  const unsigned bytes = ptx::size_of(type);
  return bytes >= 8 ? bits : bits & ((std::uint64_t{1} << (8 * bytes)) - 1);
}

std::uint64_t literal_bits(const Operand& operand, Type type) {
  if (operand.kind != Operand::Kind::floating || operand.float_type == type) return operand.integer;
  if (operand.float_type == Type::f32 && type == Type::f64)
    return std::bit_cast<std::uint64_t>(double{std::bit_cast<float>(static_cast<std::uint32_t>(operand.integer))});
  if (operand.float_type == Type::f64 && type == Type::f32)
    return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(std::uint64_t(operand.integer))));
  return operand.integer;
}

}  // namespace

std::uint32_t FunctionDecoder::temporary(unsigned bytes) {
  // Eight scratch slots of each width, for the moves around one instruction.
  if (bytes == 8) {
    if (wide_used_ == 8) throw NotHere("an instruction of function " + source_.name + " needs too many conversions");
    return temporaries_ + 8 * 128 + 256 * wide_used_++;
  }
  if (narrow_used_ == 8) throw NotHere("an instruction of function " + source_.name + " needs too many conversions");
  return temporaries_ + 128 * narrow_used_++;
}

std::uint32_t FunctionDecoder::register_slot(const std::string& name, RegisterClass* found) {
  const auto index = names_.find(name);
  if (!index) throw DecodeError("function " + source_.name + " uses " + name + ", which is not declared");
  *found = names_.classes()[*index];
  return constant_[*index] ? constant_offset_[*index] : slots_.offset[*index];
}

std::uint32_t FunctionDecoder::predicate_slot(const Operand& operand) {
  if (operand.kind == Operand::Kind::integer) {
    return presets_.slot(Preset::Kind::constant, 1, operand.integer != 0 ? 0xffffffffu : 0u);
  }
  if (operand.name == "%is_explicit_cluster") return presets_.slot(Preset::Kind::is_explicit_cluster, 1);
  RegisterClass found;
  const std::uint32_t slot = register_slot(operand.name, &found);
  if (found != RegisterClass::predicate)
    throw DecodeError(operand.name + " in function " + source_.name + " is no predicate");
  return slot;
}

std::uint32_t FunctionDecoder::predicate_input(const Operand& operand, Operation& operation, unsigned place) {
  if (operand.negated) operation.flags.negate(place);
  return predicate_slot(operand);
}

std::uint32_t FunctionDecoder::guard_of(const Operand& guard, Operation& operation) {
  if (guard.negated) operation.flags.negate_guard();
  return predicate_slot(guard);
}

std::uint32_t FunctionDecoder::symbol(const std::string& name, std::int64_t addend, unsigned bytes) {
  const auto constant = [&](std::uint64_t value) {
    return presets_.slot(Preset::Kind::constant, bytes,
                         truncated(value + static_cast<std::uint64_t>(addend), bytes == 8 ? Type::b64 : Type::b32));
  };
  if (name == "WARP_SZ") return constant(32);
  if (const auto local = frame_.offset.find(name); local != frame_.offset.end()) {
    return presets_.slot(Preset::Kind::local, bytes, local->second + static_cast<std::uint64_t>(addend));
  }
  if (source_.entry) {
    const auto& parameters = context_.program.functions[index_].parameters;
    for (std::size_t i = 0; i < source_.parameters.size(); ++i) {
      if (source_.parameters[i].name == name) return constant(parameters[i].offset);
    }
  }
  if (const std::uint32_t* offset = context_.shared.find(source_.name, name)) return constant(*offset);
  if (context_.shared.is_dynamic(name)) {
    return presets_.slot(Preset::Kind::dynamic_shared, bytes, static_cast<std::uint64_t>(addend));
  }
  if (const auto function = context_.program.function_index.find(name);
      function != context_.program.function_index.end()) {
    return constant(kCodeBase + 16 * std::uint64_t{function->second});
  }
  if (const auto address = context_.address_of(name)) return constant(*address);
  throw DecodeError("function " + source_.name + " uses " + name + ", which is not defined in this module");
}

std::uint32_t FunctionDecoder::input(const Item& item, const Operand& operand, Type type, Operation& operation,
                                     unsigned place) {
  if (type == Type::pred) return predicate_input(operand, operation, place);
  if (operand.negated && video_width(item.match->id) == 0)
    throw DecodeError("`" + item.instruction->spelling() + "` has a negated operand, and takes none: " + operand.name);
  const unsigned bytes = is_wide(type) ? 8 : 4;
  switch (operand.kind) {
    case Operand::Kind::integer:
    case Operand::Kind::floating:
      return presets_.slot(Preset::Kind::constant, bytes, truncated(literal_bits(operand, type), type));
    case Operand::Kind::symbol:
      return symbol(operand.name, operand.addend, bytes);
    case Operand::Kind::reg: {
      if (const auto fixed = fixed_special_register(operand.name)) return presets_.slot(*fixed, bytes);
      if (const auto value = grid_value(operand.name)) return presets_.slot(Preset::Kind::gridid, bytes, *value);
      if (operand.name == kReservedSharedStart)
        return presets_.slot(Preset::Kind::total_smem_size, bytes, kReservedShared);
      if (operand.name == kOccupiedSharedSize)
        return presets_.slot(Preset::Kind::total_smem_size, bytes, kOccupiedShared);
      if (const auto value = constant_special_register(operand.name))
        return presets_.slot(Preset::Kind::constant, bytes, *value);
      if (const auto clock = clock_register(operand.name)) {
        Operation read;
        read.handler = context_.handlers.read_clock;
        read.d = temporary(bytes);
        read.immediate = *clock;
        read.count = static_cast<std::uint8_t>(bytes);
        clock_readings_.emplace_back(context_.program.operations.size(), &item - items_.data());
        append(read, item, true);
        return read.d;
      }
      RegisterClass found;
      const std::uint32_t slot = register_slot(operand.name, &found);
      if (found == RegisterClass::predicate)
        throw DecodeError(operand.name + " in function " + source_.name + " is a predicate");
      if ((found == RegisterClass::wide) == (bytes == 8)) return slot;
      Operation move;
      move.handler = bytes == 8 ? (is_signed(type) ? context_.handlers.widen_signed : context_.handlers.widen_unsigned)
                                : context_.handlers.narrow;
      move.d = temporary(bytes);
      move.a = slot;
      append(move, item, true);
      return move.d;
    }
    default:
      throw DecodeError("`" + item.instruction->spelling() + "` in function " + source_.name +
                        " has an operand that is no value");
  }
}

std::uint32_t FunctionDecoder::output(const Item& item, const Operand& operand, Type type) {
  if (operand.kind == Operand::Kind::sink) return type == Type::pred ? kNoOperand : temporary(is_wide(type) ? 8 : 4);
  if (operand.kind != Operand::Kind::reg) {
    throw DecodeError("`" + item.instruction->spelling() + "` in function " + source_.name +
                      " writes to what is not a register");
  }
  RegisterClass found;
  const std::uint32_t slot = register_slot(operand.name, &found);
  if (type == Type::pred || found == RegisterClass::predicate) {
    if (type != Type::pred || found != RegisterClass::predicate) {
      throw DecodeError(operand.name + " in `" + item.instruction->spelling() + "` of function " + source_.name +
                        " is of the wrong kind");
    }
    return slot;
  }
  if ((found == RegisterClass::wide) == is_wide(type)) return slot;
  Operation move;  // The result goes to a scratch slot, and after the instruction from there to the register.
  move.handler = found == RegisterClass::narrow ? context_.handlers.narrow
                 : is_signed(type)              ? context_.handlers.widen_signed
                                                : context_.handlers.widen_unsigned;
  move.a = temporary(is_wide(type) ? 8 : 4);
  move.d = slot;
  after_.push_back(move);
  return move.a;
}

void FunctionDecoder::address(const Item& item, const Operand& operand, Operation& operation, unsigned place) {
  std::uint32_t slot = kNoOperand;
  const std::int64_t displacement = operand.addend;
  const ptx::Space space = operation.space;
  const bool narrow_space = space == ptx::Space::shared || space == ptx::Space::local || space == ptx::Space::param;
  RegisterClass found = narrow_space && place == 0 ? RegisterClass::narrow : RegisterClass::wide;
  if (operand.name.empty()) {
    slot = presets_.slot(Preset::Kind::constant, found == RegisterClass::wide ? 8 : 4, operand.integer);
  } else if (names_.find(operand.name)) {
    slot = register_slot(operand.name, &found);
  } else {
    slot = symbol(operand.name, 0, found == RegisterClass::wide ? 8 : 4);
  }
  if (place == 0) {
    operation.a = slot;
    operation.immediate = displacement;
    if (found == RegisterClass::narrow) operation.flags.set_narrow_address();
    return;
  }
  // The second address of cp.async: the two displacements share the immediate, the first in its low half.
  if (found == RegisterClass::narrow) {
    Operation move;
    move.handler = context_.handlers.widen_unsigned;
    move.d = temporary(8);
    move.a = slot;
    append(move, item, true);
    slot = move.d;
  }
  operation.immediate = static_cast<std::int64_t>((static_cast<std::uint64_t>(displacement) << 32) |
                                                  static_cast<std::uint32_t>(operation.immediate));
  operation.b = slot;
}

/// "[handle, {coordinates}]": the handle is operand a, the list of coordinates (if any) operand b.
void FunctionDecoder::image(const Item& item, const Operand& operand, Operation& operation) {
  if (!names_.find(operand.name))
    throw NotHere(operand.name + " is not a register: textures and surfaces are known by the handles of their objects");
  if (operand.elements.size() > 1 || operand.addend != 0)
    throw NotHere("a sampler of its own cannot be given: that of the texture object is used");
  Operand handle;
  handle.kind = Operand::Kind::reg;
  handle.name = operand.name;
  operation.a = input(item, handle, Type::b64, operation, 0);
  const unsigned wanted = coordinates_of(item.match->modifiers.geometry);
  if (operand.elements.empty()) {
    if (wanted != 0) throw DecodeError("its coordinates are missing");
    return;
  }
  const std::vector<Operand> scalar{operand.elements[0]};
  const std::vector<Operand>& parts =
      operand.elements[0].kind == Operand::Kind::vector ? operand.elements[0].elements : scalar;
  if (parts.size() < wanted)
    throw DecodeError("it has " + std::to_string(parts.size()) + " coordinates and takes " + std::to_string(wanted));
  std::vector<std::uint32_t> list;
  for (unsigned k = 0; k < wanted; ++k) list.push_back(input(item, parts[k], Type::b32, operation, 7));
  std::vector<std::uint32_t>& lists = context_.program.lists;
  operation.b = static_cast<std::uint32_t>(lists.size());
  lists.insert(lists.end(), list.begin(), list.end());
}

/// An address among several: an 8-byte slot that holds the whole address. Its coordinates become a list.
std::uint32_t FunctionDecoder::place_address(const Item& item, const Operand& operand, Operation& operation) {
  const std::int64_t displacement = operand.addend;
  std::uint32_t slot = kNoOperand;
  if (operand.name.empty() || !names_.find(operand.name)) {
    slot = operand.name.empty() ? presets_.slot(Preset::Kind::constant, 8, static_cast<std::uint64_t>(displacement))
                                : symbol(operand.name, displacement, 8);
  } else {
    RegisterClass found = RegisterClass::wide;
    slot = register_slot(operand.name, &found);
    const auto append_move = [&](Handler handler, std::uint32_t a, std::uint32_t b) {
      Operation move;
      move.handler = handler;
      move.d = temporary(8);
      move.a = a;
      move.b = b;
      append(move, item, true);
      return move.d;
    };
    if (found == RegisterClass::narrow) slot = append_move(context_.handlers.widen_unsigned, slot, kNoOperand);
    if (displacement != 0) {
      ptx::Modifiers wide;
      wide.types[0] = Type::u64;
      const std::uint32_t constant = presets_.slot(Preset::Kind::constant, 8, static_cast<std::uint64_t>(displacement));
      slot = append_move(context_.handlers.find(ptx::OperationId::add_integer, wide), slot, constant);
    }
  }
  if (operand.elements.empty()) return slot;
  const Operand& coordinates = operand.elements.front();
  if (operand.elements.size() != 1 || coordinates.kind != Operand::Kind::vector)
    throw DecodeError("behind a tensor map there is one vector of coordinates");
  std::vector<std::uint32_t> list;
  for (const Operand& element : coordinates.elements) list.push_back(input(item, element, Type::s32, operation, 7));
  operation.immediate = static_cast<std::int64_t>(context_.program.lists.size());
  operation.count = static_cast<std::uint8_t>(list.size());
  context_.program.lists.insert(context_.program.lists.end(), list.begin(), list.end());
  return slot;
}

void FunctionDecoder::emit_operands(const Item& item, Operation& operation) {
  Program& program = context_.program;
  const ptx::Modifiers& modifiers = item.match->modifiers;
  const auto& shapes = ptx::shapes(item.match->id);
  const auto& operands = item.instruction->operands;
  std::uint32_t* const outputs[] = {&operation.d, &operation.e};
  std::uint32_t unread = kNoOperand;  // A cache policy after five inputs.
  std::uint32_t* const inputs[] = {&operation.a, &operation.b, &operation.c, &operation.f, &operation.e, &unread};
  unsigned out = 0, in = 0;
  bool has_address = false;
  const bool of_image = is_image_operation(item.match->id), stores = is_surface_store(item.match->id);
  std::size_t shape_index = 0;
  const std::array<unsigned, 4> fragments = ptx::fragment_registers(item.match->id, modifiers);
  std::vector<std::int64_t> numbers;  // Immediates.
  for (std::size_t k = 0; k < operands.size(); ++k, ++shape_index) {
    const Operand& operand = operands[k];
    // Operands left out in the middle ("bar.red d, a, p" for "d, a, b?, p") shift the others.
    while (shapes.size() - shape_index > operands.size() - k && shapes[shape_index].optional) {
      ++shape_index;
      ++in;
    }
    const ptx::OperandShape& shape = shapes[shape_index];
    const Type type = type_of(shape.shape == Shape::vector ? shape.element : shape.shape, shape.fixed, modifiers);
    if (shape.shape == Shape::address) {
      address(item, operand, operation, has_address ? 1 : 0);
      has_address = true;
      ++in;
    } else if (shape.shape == Shape::image) {
      image(item, operand, operation);
      in += 2;
    } else if (shape.shape == Shape::place) {
      const std::uint32_t slot = place_address(item, operand, operation);
      *inputs[in++] = slot;
    } else if (shape.shape == Shape::immediate) {
      numbers.push_back(static_cast<std::int64_t>(operand.integer));
      if (has_address)
        operation.count = static_cast<std::uint8_t>(operand.integer);
      else
        operation.immediate = ptx::is_group_product(item.match->id) ? ptx::pack_immediates(numbers) : numbers.back();
    } else if (operand.kind == Operand::Kind::vector || (k < fragments.size() && fragments[k] != 0) ||
               (of_image && shape.shape == Shape::vector)) {
      // A texture's values may be paired with a predicate.
      const bool pair = operand.kind == Operand::Kind::pair;
      const Operand& whole = pair ? operand.elements.at(0) : operand;
      const Type element = shape.element == Shape::any ? part_of(type, whole.elements.size()) : type;
      const std::vector<Operand> scalar{whole};  // A fragment of one register may be written without braces.
      const std::vector<Operand>& parts = whole.kind == Operand::Kind::vector ? whole.elements : scalar;
      if (k < fragments.size() && fragments[k] != 0 && parts.size() != fragments[k])
        throw DecodeError("its operand " + std::to_string(k + 1) + " has " + std::to_string(parts.size()) +
                          " registers, and this shape takes " + std::to_string(fragments[k]));
      std::vector<std::uint32_t> list;
      for (const Operand& part : parts) {
        if (!shape.output)
          list.push_back(input(item, part, element, operation, 7));
        else if (part.kind == Operand::Kind::sink && (of_image || shape.element == Shape::any))
          list.push_back(kNoOperand);
        else
          list.push_back(output(item, part, element));
      }
      const std::uint32_t first = static_cast<std::uint32_t>(program.lists.size());
      program.lists.insert(program.lists.end(), list.begin(), list.end());
      *(shape.output ? outputs[out++] : inputs[in++]) = first;
      // For textures and surfaces the values are counted, not the gradients.
      if (!of_image || shape.output || stores) operation.count = static_cast<std::uint8_t>(list.size());
      if (of_image) check_image_list(item.match->id, modifiers, shape.output || stores, list.size());
      if (pair)
        *outputs[out++] = output(item, operand.elements.at(1), type_of(shape.second, shape.second_fixed, modifiers));
    } else if (shape.output) {
      const bool pair = operand.kind == Operand::Kind::pair;
      *outputs[out++] = output(item, pair ? operand.elements.at(0) : operand, type);
      if (pair)
        *outputs[out++] = output(item, operand.elements.at(1), type_of(shape.second, shape.second_fixed, modifiers));
    } else {
      const unsigned place = in++;
      *inputs[place] =
          skips_source(item, k) ? size_unless(item, operand) : input(item, operand, type, operation, place);
    }
  }
  if (ptx::is_group_product(item.match->id) || ptx::is_sparse_product(item.match->id)) {
    const std::string wrong = ptx::wrong_immediates(item.match->id, modifiers, numbers);
    if (!wrong.empty()) throw DecodeError(wrong);
  }
}

/// Whether operand @p k is the predicate of a cp.async that makes it write zeros.
bool FunctionDecoder::skips_source(const Item& item, std::size_t k) const {
  if (item.match->id != ptx::OperationId::cp_async || k != 3) return false;
  const auto found = names_.find(item.instruction->operands[k].name);
  return found && names_.types()[*found] == Type::pred;
}

/// The bytes that a cp.async reads: none where @p ignores holds, or else all.
std::uint32_t FunctionDecoder::size_unless(const Item& item, const Operand& ignores) {
  ptx::Modifiers bits;
  bits.types[0] = Type::b32;
  Operation select;
  select.handler = context_.handlers.find(ptx::OperationId::selp, bits);
  select.a = presets_.slot(Preset::Kind::constant, 4, 0);
  select.b = presets_.slot(Preset::Kind::constant, 4, item.instruction->operands[2].integer);
  select.c = predicate_input(ignores, select, 2);
  select.d = temporary(4);
  append(select, item, true);
  return select.d;
}

/// A slot with the lanes that execute what comes next.
std::uint32_t FunctionDecoder::active_lanes(const Item& item) {
  Operation active;
  active.handler = context_.handlers.find(ptx::OperationId::activemask, {});
  active.d = temporary(4);
  append(active, item, true);
  return active.d;
}

VideoParts FunctionDecoder::parts_of(const Item& item) const {
  if (video_width(item.match->id) != 0) return video_parts(item.match->id, *item.instruction);
  for (const Operand& operand : item.instruction->operands)
    if (operand.kind == Operand::Kind::reg && !part_of_register(operand.name).empty())
      throw DecodeError(operand.name + " is a part of a register: only video instructions take parts");
  return {};
}

void FunctionDecoder::emit_plain(const Item& item, Operation& operation) {
  Program& program = context_.program;
  ptx::Modifiers modifiers = item.match->modifiers;
  operation.atomic = modifiers.atomic;
  const auto& operands = item.instruction->operands;
  const auto& shapes = ptx::shapes(item.match->id);
  bool accesses_memory = reads_or_writes_image(item.match->id);
  for (std::size_t k = 0; k < operands.size() && k < shapes.size(); ++k) {
    accesses_memory |= shapes[k].shape == Shape::place;
    if (shapes[k].shape != Shape::address) continue;
    accesses_memory = true;
    if (k > 0 && shapes[0].shape == Shape::address) break;
    // A symbol has a state space even if the instruction names none.
    if (modifiers.space == ptx::Space::generic && context_.shared.find(source_.name, operands[k].name)) {
      modifiers.space = ptx::Space::shared;
    }
    if (modifiers.space == ptx::Space::generic && frame_.offset.count(operands[k].name) != 0)
      modifiers.space = ptx::Space::local;
    // In device functions, and for the arguments of calls, .param is memory in the frame.
    const bool own_parameter = source_.entry && !frame_.offset.count(operands[k].name);
    if (modifiers.space == ptx::Space::param && !own_parameter) modifiers.space = ptx::Space::local;
  }
  operation.space = modifiers.space;
  operation.handler = context_.handlers.find(item.match->id, modifiers);
  if (operation.handler == nullptr) {
    refuse_or_fail(operation, item, "this combination of modifiers has no meaning here");
    return;
  }
  VideoParts parts;
  try {
    parts = parts_of(item);
    emit_operands(item, operation);
  } catch (const NotHere& error) {
    fail(operation, item, error.what());
    return;
  } catch (const DecodeError& error) {
    refuse_or_fail(operation, item, error.what());
    return;
  }
  if (video_width(item.match->id) != 0) operation.immediate = parts.packed();
  if (std::uint32_t* const mask = mask_without_sync(item.match->id, operation)) *mask = active_lanes(item);
  if (accesses_memory && modifiers.space != ptx::Space::param) {
    operation.memory = static_cast<std::uint32_t>(program.memory_operations.size());
    program.memory_operations.push_back(static_cast<std::uint32_t>(program.operations.size()));
  }
  give_pattern(item, operation);
}

void FunctionDecoder::give_pattern(const Item& item, Operation& operation) {
  const bool loads = item.match->id == ptx::OperationId::ld;
  if (!source_.entry || (!loads && item.match->id != ptx::OperationId::st)) return;
  Function& function = context_.program.functions[index_];
  const auto name = names_.find(item.instruction->operands[loads ? 1 : 0].name);
  const bool narrow = operation.flags.has_narrow_address();
  if (operation.space == ptx::Space::shared && narrow) {
    if (!name || (constant_[*name] && !linear_.registers[*name])) operation.pattern = function.patterns++;
    return;
  }
  if (operation.space != ptx::Space::global || narrow || keeps_addresses()) return;
  if (!name || !constant_[*name] || linear_.filled[*name]) return;
  operation.pattern = static_cast<std::uint32_t>(function.global_patterns.size());
  std::uint32_t origin = kNoOperand;
  if (linear_.registers[*name]) {
    const auto [entry, added] = origins_.emplace(*name, static_cast<std::uint32_t>(function.linear.origins.size()));
    if (added) function.linear.origins.push_back(constant_offset_[*name]);
    origin = entry->second;
  }
  function.global_patterns.push_back(origin);
}

}  // namespace warpbook::simulator
