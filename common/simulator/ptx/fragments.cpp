// Registers of fragments, from shape and type (PTX ISA 9.0, "Matrix Fragments for ...").
#include "common/simulator/ptx/fragments.h"

#include "common/simulator/ptx/group_products.h"

namespace warpbook::simulator::ptx {
namespace {

constexpr unsigned kLanes = 32;

unsigned registers(Type type, unsigned rows, unsigned columns) {
  const unsigned bits = element_bits(type);
  return rows * columns * bits / (kLanes * (bits == 64 ? 64 : 32));
}

/// wmma stores each element of an f16 operand twice, as the first device with tensor cores required.
unsigned wmma_registers(Type type, unsigned rows, unsigned columns) {
  return type == Type::f16 ? 8 : registers(type, rows, columns);
}

}  // namespace

unsigned element_bits(Type type) {
  switch (type) {
    case Type::b1:
      return 1;
    case Type::s4:
    case Type::u4:
      return 4;
    default:
      return 8 * size_of(type);
  }
}

std::array<unsigned, 4> fragment_registers(OperationId id, const Modifiers& modifiers) {
  const auto [m, n, k] = modifiers.matrix;
  const Type first = modifiers.types[0];
  switch (id) {
    case OperationId::ldmatrix:
      return {modifiers.matrices};
    case OperationId::stmatrix:
      return {0, modifiers.matrices};
    case OperationId::mma_half_quads: {
      const auto accumulator = [](Type type) { return type == Type::f16 ? 4u : 8u; };
      return {accumulator(first), 2, 2, accumulator(modifiers.types[3])};
    }
    case OperationId::mma_half:
    case OperationId::mma_bf16:
    case OperationId::mma_tf32:
    case OperationId::mma_f64:
    case OperationId::mma_fp8:
    case OperationId::mma_s8:
    case OperationId::mma_s4:
    case OperationId::mma_b1:
    case OperationId::wmma_mma_bf16:
    case OperationId::wmma_mma_tf32:
    case OperationId::wmma_mma_f64:
    case OperationId::wmma_mma_s8:
    case OperationId::wmma_mma_s4:
    case OperationId::wmma_mma_b1:
      return {registers(first, m, n), registers(modifiers.types[1], m, k), registers(modifiers.types[2], k, n),
              registers(modifiers.types[3], m, n)};
    case OperationId::mma_sp_half:
    case OperationId::mma_sp_bf16:
    case OperationId::mma_sp_tf32:
    case OperationId::mma_sp_fp8:
    case OperationId::mma_sp_s8:
    case OperationId::mma_sp_s4:  // Half of A is stored.
      return {registers(first, m, n), registers(modifiers.types[1], m, k / 2u), registers(modifiers.types[2], k, n),
              registers(modifiers.types[3], m, n)};
    case OperationId::wmma_mma_half:  // The types in the instruction are those of D and C.
      return {registers(first, m, n), 8, 8, registers(modifiers.types[1], m, n)};
    case OperationId::wmma_load_a:
    case OperationId::wmma_load_f64_a:
      return {wmma_registers(first, m, k)};
    case OperationId::wmma_load_b:
    case OperationId::wmma_load_f64_b:
      return {wmma_registers(first, k, n)};
    case OperationId::wmma_load_c:
    case OperationId::wmma_load_f64_c:
      return {registers(first, m, n)};
    case OperationId::wmma_store:
    case OperationId::wmma_store_f64:
      return {0, registers(first, m, n)};
    default:
      if (is_group_product(id)) return {registers(first, m / 4u, n), has_a_in_registers(id) ? 4u : 0u};
      return {};
  }
}

}  // namespace warpbook::simulator::ptx
