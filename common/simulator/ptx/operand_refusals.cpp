// Coordinates of tensor copies, the literals of tensormap, and the alignment of alloca.
#include "common/simulator/ptx/operand_refusals.h"

#include <bit>

namespace warpbook::simulator::ptx {
namespace {

/// The number of dimensions in the instruction: ".3d".
std::size_t written_dimensions(const Instruction& instruction) {
  for (const std::string& word : instruction.modifiers)
    if (word.size() == 2 && word[1] == 'd' && word[0] >= '1' && word[0] <= '5')
      return static_cast<std::size_t>(word[0] - '0');
  return 0;
}

std::string wrong_coordinates(const Instruction& instruction) {
  const std::size_t wanted = written_dimensions(instruction);
  std::size_t lists = 0;
  for (const Operand& operand : instruction.operands) {
    if (operand.kind != Operand::Kind::address || operand.elements.empty()) continue;
    ++lists;
    const Operand& list = operand.elements.front();
    const std::size_t written = list.kind == Operand::Kind::vector ? list.elements.size() : 1;
    if (written != wanted)
      return "it has " + std::to_string(written) + " coordinates and takes " + std::to_string(wanted);
  }
  return lists == 1 ? std::string() : "it needs one tensor map with its coordinates, [map, {x, ...}]";
}

/// For .im2col: one offset for each dimension except the first and the last.
std::string wrong_offsets(const Instruction& instruction, std::size_t place) {
  const std::size_t wanted = written_dimensions(instruction) - 2;
  const Operand& operand = instruction.operands.at(place);
  const std::size_t written = operand.kind == Operand::Kind::vector ? operand.elements.size() : 1;
  if (operand.kind == Operand::Kind::vector && written == wanted) return {};
  return "it has " + std::to_string(written) + " offsets of .im2col and takes " + std::to_string(wanted) +
         ", in braces";
}

/// Literal @p place must be between @p least and @p most.
std::string wrong_literal(const Instruction& instruction, std::size_t place, std::uint64_t least, std::uint64_t most) {
  const Operand& operand = instruction.operands.at(place);
  if (operand.kind != Operand::Kind::integer)
    return "its operand " + std::to_string(place + 1) + " must be an integer constant";
  const auto value = static_cast<std::uint64_t>(operand.integer);
  if (value >= least && value <= most) return {};
  const std::string range =
      least == most ? std::to_string(least) : std::to_string(least) + " to " + std::to_string(most);
  return "its operand " + std::to_string(place + 1) + " is " + std::to_string(value) + " and must be " + range;
}

/// Checks the alignment of an alloca.
std::string wrong_alignment(const Instruction& instruction) {
  if (instruction.operands.size() < 3) return {};
  constexpr std::uint64_t kMost = 1u << 23;
  const Operand& operand = instruction.operands[2];
  if (operand.kind != Operand::Kind::integer) return "its alignment must be an integer constant";
  const auto value = static_cast<std::uint64_t>(operand.integer);
  if (std::has_single_bit(value) && value <= kMost) return {};
  return "its alignment is " + std::to_string(value) + " and must be a power of two of at most " +
         std::to_string(kMost);
}

}  // namespace

std::string refused_operands(OperationId id, const Instruction& instruction) {
  std::string wrong;
  switch (id) {
    case OperationId::alloca:
      return wrong_alignment(instruction);
    case OperationId::cp_async_bulk_tensor_load:
    case OperationId::cp_async_bulk_tensor_load_multicast:
    case OperationId::cp_async_bulk_tensor_store:
    case OperationId::cp_async_bulk_tensor_store_im2col:
    case OperationId::cp_reduce_async_bulk_tensor:
    case OperationId::cp_reduce_async_bulk_tensor_im2col:
    case OperationId::cp_async_bulk_prefetch_tensor:
      return wrong_coordinates(instruction);
    case OperationId::cp_async_bulk_tensor_load_im2col:
    case OperationId::cp_async_bulk_tensor_load_im2col_multicast:
      wrong = wrong_coordinates(instruction);
      return wrong.empty() ? wrong_offsets(instruction, 3) : wrong;
    case OperationId::cp_async_bulk_prefetch_tensor_im2col:
      wrong = wrong_coordinates(instruction);
      return wrong.empty() ? wrong_offsets(instruction, 1) : wrong;
    case OperationId::tensormap_replace_box_dim:
    case OperationId::tensormap_replace_global_dim:
    case OperationId::tensormap_replace_global_stride:
    case OperationId::tensormap_replace_element_stride:
      return wrong_literal(instruction, 1, 0, 4);
    case OperationId::tensormap_replace_elemtype:
      return wrong_literal(instruction, 1, 0, 12);
    case OperationId::tensormap_replace_interleave_layout:
      return wrong_literal(instruction, 1, 0, 2);
    case OperationId::tensormap_replace_swizzle_mode:
      return wrong_literal(instruction, 1, 0, 3);
    case OperationId::tensormap_replace_fill_mode:
      return wrong_literal(instruction, 1, 0, 1);
    case OperationId::tensormap_cp_fenceproxy:
      return wrong_literal(instruction, 2, 128, 128);
    default:
      return {};
  }
}

}  // namespace warpbook::simulator::ptx
