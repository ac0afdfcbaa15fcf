// How the decoder classifies instructions that are linear in the block index, and what a kernel keeps of them.
#include <algorithm>

#include "common/simulator/kernel/function_decoder.h"

namespace warpbook::simulator {
namespace {

using ptx::OperationId;
using ptx::Type;
using LinearShape = LinearForm::Shape;
using LinearValue = LinearForm::Value;

/// The operand types of an instruction.
struct LinearSignature {
  LinearShape shape = LinearShape::other;
  Type result = Type::none, first = Type::none, rest = Type::none;  ///< `rest`: of the last operand, if there are
                                                                    ///< several.
};

bool is_whole(Type type) {
  switch (type) {
    case Type::b32:
    case Type::u32:
    case Type::s32:
    case Type::b64:
    case Type::u64:
    case Type::s64:
      return true;
    default:
      return false;
  }
}

LinearSignature linear_signature(const ptx::Match& match) {
  const ptx::Modifiers& m = match.modifiers;
  const Type type = m.types[0], wide = type == Type::s32 ? Type::s64 : Type::u64;
  const bool narrow = type == Type::s32 || type == Type::u32;
  switch (match.id) {
    case OperationId::mov:
      return {LinearShape::sum, type, type, type};
    case OperationId::cvta:
    case OperationId::cvta_to:  // A generic address in global memory equals the global address.
      return {m.space == ptx::Space::global ? LinearShape::sum : LinearShape::other, type, type, type};
    case OperationId::cvt_integer:
      return {m.sat ? LinearShape::other : LinearShape::sum, type, m.types[1], m.types[1]};
    case OperationId::add_integer:
    case OperationId::sub_integer:
    case OperationId::neg_integer:
      return {LinearShape::sum, type, type, type};
    case OperationId::mul_integer:
      return {m.half == ptx::Half::lo ? LinearShape::product : LinearShape::other, type, type, type};
    case OperationId::mad_integer:
      return {m.half == ptx::Half::lo ? LinearShape::product_and_third : LinearShape::other, type, type, type};
    case OperationId::mul_wide:
      return {narrow ? LinearShape::product : LinearShape::other, wide, type, type};
    case OperationId::mad_wide:
      return {narrow ? LinearShape::product_and_third : LinearShape::other, wide, type, wide};
    case OperationId::shl:
      return {LinearShape::shifted, type, type, Type::u32};
    default:
      return {};
  }
}

}  // namespace

bool FunctionDecoder::is_same_for_all(const ptx::Operand& operand) const {
  if (!std::all_of(operand.elements.begin(), operand.elements.end(),
                   [&](const ptx::Operand& element) { return is_same_for_all(element); }))
    return false;
  if (operand.kind != ptx::Operand::Kind::reg || names_.find(operand.name)) return true;
  const auto fixed = fixed_special_register(operand.name);
  return !fixed || !(differs_by_thread(*fixed) || differs_by_block(*fixed));
}

std::optional<LinearForm::Operand> FunctionDecoder::linear_operand(const ptx::Operand& operand, Type type) const {
  if (!operand.elements.empty()) return std::nullopt;
  switch (operand.kind) {
    case ptx::Operand::Kind::integer:
    case ptx::Operand::Kind::symbol:
      return LinearForm::Operand{LinearValue::same_for_all, kNoRegister};
    case ptx::Operand::Kind::reg:
      break;
    default:
      return std::nullopt;
  }
  if (const auto name = names_.find(operand.name)) {
    if (names_.classes()[*name] != class_of(type)) return std::nullopt;
    return LinearForm::Operand{LinearValue::reg, *name};
  }
  if (clock_register(operand.name)) return std::nullopt;
  const auto fixed = fixed_special_register(operand.name);
  if (!fixed) return LinearForm::Operand{LinearValue::same_for_all, kNoRegister};
  if (is_block_index(*fixed)) return LinearForm::Operand{LinearValue::block_index, kNoRegister};
  if (differs_by_block(*fixed)) return std::nullopt;
  return LinearForm::Operand{differs_by_thread(*fixed) ? LinearValue::differs_by_thread : LinearValue::same_for_all,
                             kNoRegister};
}

LinearForm FunctionDecoder::linear_form(const Item& item) const {
  LinearForm form;
  if (!item.match || item.call || item.skip_branch || !item.problem.empty()) return form;
  const auto& operands = item.instruction->operands;
  form.shares_inputs =
      std::all_of(operands.begin(), operands.end(), [&](const ptx::Operand& o) { return is_same_for_all(o); });
  const OperationId id = item.match->id;
  if ((id == OperationId::ld || id == OperationId::st) && item.match->modifiers.space == ptx::Space::global) {
    const auto name = names_.find(operands[id == OperationId::ld ? 1 : 0].name);
    if (name && names_.classes()[*name] == RegisterClass::wide) form.address = *name;
    return form;
  }
  const LinearSignature signature = linear_signature(*item.match);
  if (signature.shape == LinearShape::other || item.instruction->guard || operands.size() < 2 ||
      !is_whole(signature.result) || !is_whole(signature.first) || operands[0].kind != ptx::Operand::Kind::reg)
    return form;
  const auto result = names_.find(operands[0].name);
  if (!result || names_.classes()[*result] != class_of(signature.result)) return form;
  for (std::size_t k = 1; k < operands.size(); ++k) {
    const bool last = k > 1 && k + 1 == operands.size();
    const auto operand = linear_operand(operands[k], last ? signature.rest : signature.first);
    if (!operand) return form;
    form.operands.push_back(*operand);
  }
  form.shape = signature.shape;
  form.widens = ptx::size_of(signature.result) > ptx::size_of(signature.first);
  form.is_signed = signature.first == Type::s32;
  return form;
}

void FunctionDecoder::find_linear(const std::vector<Access>& access, const std::vector<InstructionKind>& kinds) {
  const std::size_t registers = names_.classes().size();
  if (!source_.entry || keeps_addresses() || items_.empty()) {
    linear_.instructions.assign(items_.size(), false);
    linear_.registers.assign(registers, false);
    linear_.filled.assign(registers, false);
    return;
  }
  std::vector<LinearForm> forms;
  std::vector<bool> crosses_lanes;
  for (const Item& item : items_) forms.push_back(linear_form(item));
  for (const InstructionKind& kind : kinds) crosses_lanes.push_back(kind.crosses_lanes);
  linear_ = find_block_linear(forms, access, once_, crosses_lanes, slots_.live_at_entry, registers,
                              graph_->blocks().front().end);
}

/// Translates linear registers to their slots, for the machine; runs after make_code().
void FunctionDecoder::make_linear(std::size_t first_list) {
  Program& program = context_.program;
  Function& function = program.functions[index_];
  const auto own = [&](std::uint32_t slot) { return presets_.bytes() + (slot - kConstantSlots); };
  for (std::uint32_t name = 0; name < linear_.filled.size(); ++name) {
    if (linear_.filled[name])
      function.linear.filled.push_back({own(constant_offset_[name]), names_.classes()[name] == RegisterClass::wide});
  }
  for (std::uint32_t& slot : function.linear.origins) slot = own(slot);
  for (const BlockLinear::Check& check : linear_.checks)
    function.linear.checks.push_back({own(constant_offset_[check.reg]), check.is_signed});
  // The block index itself need not be filled in if nothing else reads it.
  const auto first = program.code.begin() + program.code_of[function.begin];
  for (Preset& preset : function.presets) {
    const auto reads = [&](const Operation& operation) {
      const std::uint32_t operands[] = {operation.d, operation.e, operation.a,    operation.b,
                                        operation.c, operation.f, operation.guard};
      return std::find(std::begin(operands), std::end(operands), preset.slot) != std::end(operands);
    };
    const auto list = program.lists.begin() + static_cast<std::ptrdiff_t>(first_list);
    preset.only_linear = is_block_index(preset.kind) && !function.linear.operations.empty() &&
                         std::none_of(first, program.code.end(), reads) &&
                         std::find(list, program.lists.end(), preset.slot) == program.lists.end();
  }
}

}  // namespace warpbook::simulator
