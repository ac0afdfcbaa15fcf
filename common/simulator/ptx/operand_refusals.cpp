// Coordinates of tensor copies, the widths of vectors, and literals that must be in a range.
#include "common/simulator/ptx/operand_refusals.h"

#include <algorithm>
#include <bit>

#include "common/simulator/ptx/operation_shapes.h"

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
  const auto& words = instruction.modifiers;
  const bool rows = std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word == "tile::gather4" || word == "tile::scatter4";
  });
  const std::size_t wanted = rows ? 5 : written_dimensions(instruction);
  std::size_t lists = 0;
  for (const Operand& operand : instruction.operands) {
    if (operand.kind != Operand::Kind::address || operand.elements.empty()) continue;
    ++lists;
    const Operand& list = operand.elements.front();
    const std::size_t written = list.kind == Operand::Kind::vector ? list.elements.size() : 1;
    if (written != wanted)
      return "it has " + std::to_string(written) + " coordinates and takes " + std::to_string(wanted);
  }
  if (lists != 1) return "it needs one tensor map with its coordinates, [map, {x, ...}]";
  // It stands where the word for its space does: a store's first address is the map, a load's second one, a prefetch's
  // only one.
  const auto global = std::find(words.begin(), words.end(), "global");
  const auto shared =
      std::find_if(words.begin(), words.end(), [](const std::string& word) { return word.starts_with("shared"); });
  const std::size_t place = shared < global && shared != words.end() ? 1 : 0;
  const bool there = place < instruction.operands.size() && !instruction.operands[place].elements.empty();
  return there ? std::string() : "its tensor map is operand " + std::to_string(place + 1);
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

/// The place and the length of a bit field, from operand @p place on: where they are literals, they have a byte.
std::string wrong_field(const Instruction& instruction, std::size_t place) {
  for (; place < instruction.operands.size(); ++place)
    if (instruction.operands[place].kind == Operand::Kind::integer)
      if (std::string wrong = wrong_literal(instruction, place, 0, 255); !wrong.empty()) return wrong;
  return {};
}

/// Operand @p place counts the bytes of a bulk copy.
std::string wrong_bulk_size(const Instruction& instruction, std::size_t place) {
  const Operand& operand = instruction.operands.at(place);
  if (operand.kind != Operand::Kind::integer) return {};
  if (operand.integer % 16 != 0) return "it copies " + std::to_string(operand.integer) + " bytes, not a multiple of 16";
  return wrong_literal(instruction, place, 0, 1048560);
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

/// The number of a barrier of the block, and how many threads take part, from operand @p place on; @p behind operands
/// follow.
std::string wrong_barrier(const Instruction& instruction, std::size_t place, std::size_t behind) {
  const auto& operands = instruction.operands;
  if (place < operands.size() && operands[place].kind == Operand::Kind::integer && operands[place].integer > 15)
    return "barriers are numbered 0 to 15, and " + std::to_string(static_cast<std::int64_t>(operands[place].integer)) +
           " is written";
  if (++place + behind < operands.size() && operands[place].kind == Operand::Kind::integer &&
      operands[place].integer % 32 != 0)
    return "the number of threads must be a multiple of 32, and " + std::to_string(operands[place].integer) +
           " is written";
  return {};
}

std::string wrong_size(const Instruction& instruction) {
  const auto& operands = instruction.operands;
  if (operands.size() < 3 || operands[2].kind != Operand::Kind::integer) return "its size must be an integer constant";
  const std::uint64_t size = operands[2].integer;
  const bool past_l1 = instruction.modifiers.size() > 1 && instruction.modifiers[1] == "cg";
  if (past_l1 ? size != 16 : size != 4 && size != 8 && size != 16)
    return "its size is " + std::to_string(size) + " and must be " + (past_l1 ? "16" : "4, 8 or 16");
  if (operands.size() == 4 && operands[3].kind == Operand::Kind::integer && operands[3].integer > size)
    return "it reads " + std::to_string(operands[3].integer) + " bytes and writes " + std::to_string(size);
  return {};
}

/// createpolicy's share of the accesses, 0 not included.
std::string wrong_fraction(const Instruction& instruction) {
  if (instruction.operands.size() < 2 || instruction.operands[1].kind != Operand::Kind::floating) return {};
  const Operand& operand = instruction.operands[1];
  const double value = operand.float_type == Type::f32
                           ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(operand.integer)))
                           : std::bit_cast<double>(operand.integer);
  return value > 0 && value <= 1 ? std::string() : "its fraction must be above 0 and at most 1";
}

/// A remote arrival tells nothing back.
std::string wrong_state(const Instruction& instruction) {
  const auto& words = instruction.modifiers;
  const bool remote = std::find(words.begin(), words.end(), "shared::cluster") != words.end();
  if (!remote || instruction.operands.empty() || instruction.operands[0].kind == Operand::Kind::sink) return {};
  return "of '.shared::cluster' it has no result: write '_'";
}

/// As many elements as ".v2", ".v4" or ".v8" says, and a cache policy where there is a hint.
std::string wrong_vector(const Instruction& instruction) {
  std::size_t wanted = 1;
  bool hint = false;
  for (const std::string& word : instruction.modifiers) {
    if (word == "v2" || word == "v4" || word == "v8") wanted = static_cast<std::size_t>(word[1] - '0');
    hint = hint || word == "L2::cache_hint";
  }
  const auto& operands = instruction.operands;
  for (const Operand& operand : operands) {
    const bool single = operand.kind == Operand::Kind::reg || operand.kind == Operand::Kind::integer ||
                        operand.kind == Operand::Kind::floating;
    if (wanted > 1 && single && !(hint && &operand == &operands.back()))
      return "it takes a vector of " + std::to_string(wanted) + " elements where '" + operand.name + "' stands";
    if (operand.kind != Operand::Kind::vector && (wanted == 1 || &operand == &operands.back())) continue;
    if (operand.kind != Operand::Kind::vector || operand.elements.size() == wanted) continue;
    return "it has a vector of " + std::to_string(operand.elements.size()) + " elements and takes " +
           std::to_string(wanted);
  }
  const auto addresses = [](const Operand& operand) { return operand.kind == Operand::Kind::address; };
  const auto place = std::find_if(operands.begin(), operands.end(), addresses);
  const bool reads = instruction.opcode == "ld";
  const auto behind = static_cast<std::size_t>(operands.end() - place);
  if (hint && behind < (reads ? 2u : 3u)) return "'.L2::cache_hint' needs a policy behind the other operands";
  return {};
}

/// Operand @p place must be a register of 128 bits, which is two halves here.
std::string wrong_half_pair(const Instruction& instruction, std::size_t place) {
  const Operand& operand = instruction.operands.at(place);
  if (operand.kind == Operand::Kind::vector && operand.elements.size() == 2) return {};
  return "its operand " + std::to_string(place + 1) + " must be a register of 128 bits";
}

/// All operands before @p end but the address are such registers.
std::string wrong_half_pairs(const Instruction& instruction, std::size_t end) {
  for (std::size_t k = 0; k < end; ++k)
    if (std::string wrong = k == 1 ? std::string() : wrong_half_pair(instruction, k); !wrong.empty()) return wrong;
  return {};
}

/// The block index in an answer to try_cancel: four registers.
std::string wrong_answer(const Instruction& instruction) {
  const Operand& operand = instruction.operands.at(0);
  if (operand.kind != Operand::Kind::vector || operand.elements.size() != 4) return "it writes a vector of 4 registers";
  return wrong_half_pair(instruction, 1);
}

/// A vector where the row has one register, also one of 128 bits: its list of registers would be taken for a register.
std::string misplaced_vector(OperationId id, const Instruction& instruction) {
  const auto& all = shapes(id);
  const auto& operands = instruction.operands;
  for (std::size_t k = 0, place = 0; k < operands.size() && place < all.size(); ++k, ++place) {
    while (all.size() - place > operands.size() - k && all[place].optional) ++place;
    const Operand& whole = operands[k].kind == Operand::Kind::pair ? operands[k].elements.front() : operands[k];
    if (whole.kind == Operand::Kind::vector && all[place].shape != Shape::vector)
      return "its operand " + std::to_string(k + 1) + " is a vector, and one register belongs there";
  }
  return {};
}

/// A register of 128 bits where a vector stands: ".v2", and fragments of matrices.
std::string register_for_vector(const Instruction& instruction) {
  const auto& words = instruction.modifiers;
  const bool vectors = instruction.opcode == "mma" || instruction.opcode == "wmma" ||
                       std::any_of(words.begin(), words.end(), [](const auto& w) { return w == "v2" || w == "v4"; });
  for (const Operand& operand : instruction.operands)
    if (vectors && operand.kind == Operand::Kind::vector && !operand.name.empty())
      return "it takes a vector where the register '" + operand.name + "' of 128 bits stands";
  return {};
}

std::string not_constant(OperationId id, const Instruction& instruction) {
  const auto& all = shapes(id);
  if (instruction.operands.size() != all.size()) return {};
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].shape == Shape::immediate && instruction.operands[i].kind != Operand::Kind::integer)
      return "its operand " + std::to_string(i + 1) + " must be an integer constant";
  return {};
}

}  // namespace

std::string refused_operands(OperationId id, const Instruction& instruction) {
  std::string wrong = not_constant(id, instruction);
  if (wrong.empty()) wrong = misplaced_vector(id, instruction);
  if (wrong.empty()) wrong = register_for_vector(instruction);
  if (!wrong.empty()) return wrong;
  switch (id) {
    case OperationId::bar_sync:
    case OperationId::bar_arrive:
    case OperationId::barrier_sync:
    case OperationId::barrier_arrive:
      return wrong_barrier(instruction, 0, 0);
    case OperationId::bar_red_popc:
    case OperationId::bar_red_pred:
    case OperationId::barrier_red_popc:
    case OperationId::barrier_red_pred:
      return wrong_barrier(instruction, 1, 1);
    case OperationId::cp_async:
    case OperationId::cp_async_cache_hint:
      return wrong_size(instruction);
    case OperationId::bfe:
      return wrong_field(instruction, 2);
    case OperationId::bfi:
      return wrong_field(instruction, 3);
    case OperationId::cp_async_bulk_load:
    case OperationId::cp_async_bulk_load_multicast:
    case OperationId::cp_async_bulk_share:
    case OperationId::cp_async_bulk_store:
    case OperationId::cp_async_bulk_store_masked:
    case OperationId::cp_reduce_async_bulk_share:
    case OperationId::cp_reduce_async_bulk_store:
      return wrong_bulk_size(instruction, 2);
    case OperationId::cp_async_bulk_prefetch:
      return wrong_bulk_size(instruction, 1);
    case OperationId::pmevent:
      return instruction.modifiers.empty() ? wrong_literal(instruction, 0, 0, 15) : std::string();
    case OperationId::discard:
    case OperationId::applypriority:
    case OperationId::fence_proxy_tensormap_acquire:
      return wrong_literal(instruction, 1, 128, 128);
    case OperationId::setmaxnreg:
      return wrong_literal(instruction, 0, 24, 256);
    case OperationId::createpolicy_fractional:
      return wrong_fraction(instruction);
    case OperationId::mbarrier_arrive:
    case OperationId::mbarrier_arrive_expect_tx:
    case OperationId::mbarrier_arrive_drop:
    case OperationId::mbarrier_arrive_drop_expect_tx:
      return wrong_state(instruction);
    case OperationId::ld:
    case OperationId::st:
    case OperationId::ld_param:
    case OperationId::st_param:
    case OperationId::ldu:
    case OperationId::atom:
    case OperationId::red:
    case OperationId::st_async:
      return wrong_vector(instruction);
    case OperationId::clusterlaunchcontrol_is_canceled:
    case OperationId::clusterlaunchcontrol_get_first_ctaid:
      return wrong_half_pair(instruction, 1);
    case OperationId::clusterlaunchcontrol_get_first_ctaids:
      return wrong_answer(instruction);
    case OperationId::st_bulk:
      return wrong_literal(instruction, 2, 0, 0);
    case OperationId::atom_exch_wide:
      return wrong_half_pairs(instruction, 3);
    case OperationId::atom_cas_wide:
      return wrong_half_pairs(instruction, 4);
    case OperationId::alloca:
      return wrong_alignment(instruction);
    case OperationId::cp_async_bulk_tensor_load:
    case OperationId::cp_async_bulk_tensor_load_multicast:
    case OperationId::cp_async_bulk_tensor_store:
    case OperationId::cp_async_bulk_tensor_store_im2col:
    case OperationId::cp_reduce_async_bulk_tensor:
    case OperationId::cp_reduce_async_bulk_tensor_im2col:
    case OperationId::cp_async_bulk_prefetch_tensor:
    case OperationId::cp_async_bulk_tensor_gather:
    case OperationId::cp_async_bulk_tensor_gather_multicast:
    case OperationId::cp_async_bulk_tensor_scatter:
    case OperationId::cp_async_bulk_prefetch_tensor_gather:
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
