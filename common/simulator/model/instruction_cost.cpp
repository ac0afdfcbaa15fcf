// The exceptions to "one PTX instruction is one machine instruction on the pipe of its row".
#include "common/simulator/model/instruction_cost.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "common/simulator/ptx/group_products.h"

namespace warpbook::simulator {
namespace {

using ptx::OperationId;
using ptx::Pipe;
using ptx::Type;

InstructionCost make(std::initializer_list<std::pair<Pipe, double>> pipes, double latency) {
  InstructionCost cost;
  for (const auto& [pipe, count] : pipes) {
    cost.pipes[static_cast<std::size_t>(pipe)] += count;
    cost.instructions += count;
  }
  cost.latency = latency;
  return cost;
}

bool is_float(Type type) {
  switch (type) {
    case Type::f16:
    case Type::f16x2:
    case Type::bf16:
    case Type::bf16x2:
    case Type::tf32:
    case Type::f32:
    case Type::f32x2:
    case Type::f64:
      return true;
    default:
      return false;
  }
}

bool is_half(Type type) {
  return type == Type::f16 || type == Type::f16x2 || type == Type::bf16 || type == Type::bf16x2;
}

/// Conversions: integer to float runs on the ALU, every other change of the number format on the XU
/// (validation/arithmetic convert: 1.04 cycles each). Exceptions are conversions between f32 and halves, which are done
/// by packing and adding (validation/families functions f16_converts), and f32 that only saturates.
InstructionCost conversion(const ModelConstants& model, const OperationDetail& detail) {
  const Type to = detail.modifiers.types[0], from = detail.modifiers.types[1];
  const ptx::Rounding rounding = detail.modifiers.rounding;
  const bool to_integer = rounding == ptx::Rounding::rni || rounding == ptx::Rounding::rzi ||
                          rounding == ptx::Rounding::rmi || rounding == ptx::Rounding::rpi;
  if (is_half(to) && from == Type::f32) return make({{Pipe::alu, 1}}, model.alu_latency);
  if (to == Type::f32 && (is_half(from) || (from == Type::f32 && !to_integer)))
    return make({{Pipe::fma, 1}}, model.alu_latency);
  if (!is_float(to) && !is_float(from)) return make({{Pipe::alu, 1}}, model.alu_latency);
  if (is_float(to) && !is_float(from) && size_of(to) <= 4 && size_of(from) <= 4)
    return make({{Pipe::alu, 1}}, model.alu_latency);
  return make({{Pipe::xu, 1}}, model.xu_latency);
}

/// The machine code that ptxas 13.0 generates for an instruction on sm_90a: instructions on the tensor pipe and others.
struct MatrixCode {
  double tensor = 1, alu = 0, fma = 0;
  double chained = 1;  ///< This many tensor instructions wait for each other.
};
MatrixCode matrix_code(const OperationDetail& detail) {
  const ptx::Modifiers& m = detail.modifiers;
  switch (detail.id) {
    // Operands are converted to halves first, and the accumulator is added at the end.
    case OperationId::mma_fp8:
      return {2, m.matrix.k == 32 ? 12.0 : 6.0, m.types[0] == Type::f16 ? 2.0 : 4.0};
    // The same, and A's elements are moved to where two f16 products select them.
    case OperationId::mma_sp_fp8:
      return {2, 32, 4};
    // A's pairs are converted to bytes first, in two products.
    case OperationId::mma_sp_s4:
      return {2, 75.0 * m.matrix.k / 64, 0};
    // Elements are converted to bytes first.
    case OperationId::mma_s4:
    case OperationId::wmma_mma_s4:
      return {m.matrix.m == 8 ? 1.0 : 2.0, 138.0 * m.matrix.m * m.matrix.k / 1024,
              42.0 * m.matrix.m * m.matrix.k / 1024};
    // popc(a xor b) = popc(a) + popc(b) - 2 popc(a and b).
    case OperationId::mma_b1:
    case OperationId::wmma_mma_b1:
      return m.atomic == ptx::AtomicOp::xor_ ? MatrixCode{2, 6, 0} : MatrixCode{};
    case OperationId::wmma_mma_tf32:
      return {4, 0, 0, 2};  // Two tiles, each in two halves of k.
    case OperationId::wmma_mma_half:
    case OperationId::wmma_mma_bf16:
    case OperationId::wmma_mma_s8:
      return {2, 0, 0};  // Two tiles of 16 by 8.
    default:
      return {};
  }
}

/// Machine instructions of integers: so many whose product has 64 bits, others that multiply, others.
InstructionCost wide_products(const ModelConstants& model, double wide, double narrow, double alu, double latency) {
  InstructionCost cost = make({{Pipe::fmaheavy, wide + narrow}, {Pipe::alu, alu}}, latency);
  cost.pipes[static_cast<std::size_t>(Pipe::fmaheavy)] += wide * (model.wide_product_work - 1);
  return cost;
}

/// One of 64 bits is made of those of its halves; the upper half of one of 32 bits is a product of 64. As ptxas does
/// it.
InstructionCost product(const ModelConstants& model, bool wide, bool high) {
  if (wide)
    return high ? wide_products(model, 4, 0.5, 2.5, 4 * model.alu_latency)
                : wide_products(model, 1, 2, 0, 2.5 * model.alu_latency);
  return high ? wide_products(model, 1, 0, 0, model.alu_latency) : wide_products(model, 0, 1, 0, model.alu_latency);
}

InstructionCost division(const ModelConstants& model, bool is_signed) {
  InstructionCost cost = wide_products(model, 2, 4, is_signed ? 12 : 8, is_signed ? 84 : 78);
  cost.pipes[static_cast<std::size_t>(Pipe::xu)] = 3;
  cost.instructions += 3;
  return cost;
}

/// A subroutine of 70 instructions, of signed numbers some more. Chains of them (validation/families micro_division
/// u64_chain, s64_chain, 2026-11-23) take 398 and 478 cycles a step. Where eight warps of a scheduler do nothing else
/// (division u64_varying, s64_varying), each takes it 169 and 190 cycles; its multiplications explain 94.
InstructionCost wide_division(const ModelConstants& model, bool is_signed) {
  InstructionCost cost = wide_products(model, 14, 19, is_signed ? 46 : 34, is_signed ? 430 : 310);
  cost.pipes[static_cast<std::size_t>(Pipe::fmaheavy)] += is_signed ? 33 : 23;
  cost.pipes[static_cast<std::size_t>(Pipe::xu)] = 3;
  cost.instructions += 3;
  return cost;
}

/// Multiplications and additions of f16 that take the tensor cores as long as one of the type.
double weight_of(Type type) {
  switch (type) {
    case Type::tf32:
      return 2;
    case Type::s8:
    case Type::u8:
    case Type::s4:
    case Type::u4:  // As bytes.
      return 0.5;
    case Type::b1:
      return 0.125;
    default:
      return 1;
  }
}

/// A warp's part of wgmma: the columns of D determine it. A sparse A takes longer if it is in shared memory.
InstructionCost group_product(const ModelConstants& model, const OperationDetail& detail) {
  const bool slow = ptx::is_sparse_product(detail.id) && !ptx::has_a_in_registers(detail.id);
  const double columns = detail.modifiers.matrix.n + (slow ? 32.0 : 0.0);
  const double work = std::max(model.tensor_group_column_work * columns, model.tensor_group_least_work);
  return make({{Pipe::tensor, work / 32}},
              std::max(model.tensor_group_latency + model.tensor_group_column_latency * columns,
                       model.tensor_group_least_latency));
}

/// A matrix product. The tensor pipe counts its multiply-adds as f16 equivalents. Each instruction adds some work, and
/// takes as long as 1024 multiply-adds even if it has fewer.
InstructionCost matrix_product(const ModelConstants& model, const OperationDetail& detail) {
  const ptx::Modifiers& m = detail.modifiers;
  if (ptx::is_group_product(detail.id)) {
    InstructionCost of_group = group_product(model, detail);
    of_group.instructions = 1;
    return of_group;
  }
  const double products =
      static_cast<double>(m.matrix.m) * m.matrix.n * m.matrix.k / (ptx::is_sparse_product(detail.id) ? 2 : 1);
  const Type factor = detail.id == OperationId::wmma_mma_half ? Type::f16 : m.types[1];
  InstructionCost cost;
  if (detail.id == OperationId::mma_half_quads)  // No tensor instruction at all: the lanes compute it themselves.
    return make({{Pipe::fma, 40}, {Pipe::alu, 24}, {Pipe::lsu, 8}}, 20 * model.alu_latency);
  const MatrixCode code = matrix_code(detail);
  double work = 0, latency = 0;
  if (factor == Type::f64) {
    work = std::max(products, 512.0) * model.tensor_f64_weight;
    latency = model.tensor_f64_latency + model.tensor_f64_step_latency * (m.matrix.m * m.matrix.k / 64.0);
  } else {
    constexpr double kLeast = 1024, kUnit = 1024;
    const double each = products * weight_of(factor) / code.tensor;
    const double more = ptx::is_sparse_product(detail.id) ? 2 : 1;  // A sparse instruction takes longer.
    work = code.tensor * model.tensor_instruction_work * (more + std::max(each, kLeast) / kUnit);
    latency = code.chained * (model.tensor_latency + model.tensor_depth_latency * each / kUnit);
  }
  cost.pipes[static_cast<std::size_t>(Pipe::tensor)] = work / 32;
  cost.pipes[static_cast<std::size_t>(Pipe::alu)] = code.alu;
  cost.pipes[static_cast<std::size_t>(Pipe::fma)] = code.fma;
  cost.instructions = code.tensor + code.alu + code.fma;
  cost.latency = latency + (code.alu > 0 ? model.alu_latency : 0) + (code.fma > 0 ? model.alu_latency : 0);
  return cost;
}

}  // namespace

unsigned tensor_instructions(const OperationDetail& detail) {
  if (detail.pipe != Pipe::tensor || detail.id == OperationId::mma_half_quads) return 0;
  return static_cast<unsigned>(matrix_code(detail).tensor);
}

InstructionCost cost_of_known_divisor(const ModelConstants& model, bool is_signed) {
  return is_signed ? wide_products(model, 1, 6, 7, 10 * model.alu_latency)
                   : wide_products(model, 1, 3, 4, 6 * model.alu_latency);
}

InstructionCost cost_of_match(const ModelConstants& model, double values) {
  InstructionCost cost = make({{Pipe::xu, 1}}, model.xu_latency + model.match_value_latency * values);
  cost.pipes[static_cast<std::size_t>(Pipe::xu)] += model.match_value_work * values;
  return cost;
}

InstructionCost cost_of_wide_sum(const ModelConstants& model) {
  return wide_products(model, 1, 0, 0, model.alu_latency);
}

InstructionCost cost_of(const ModelConstants& model, const OperationDetail& detail) {
  const Type type = detail.modifiers.types[0];
  const bool wide = size_of(type) == 8;
  const double alu = model.alu_latency, xu = model.xu_latency;
  switch (detail.id) {
    // A floating-point reciprocal with corrections: three XU functions and conversions, and a dozen other instructions.
    // The 64-bit division is a subroutine.
    case OperationId::div_integer:
    case OperationId::rem:
      // Measured with chains of them (validation/families micro_division, 2026-11-23): 106 cycles a step, 114 signed.
      return wide ? wide_division(model, type == Type::s64) : division(model, type == Type::s32 || type == Type::s16);
    // validation/arithmetic divide: 4.4 cycles on the XU, ten instructions.
    case OperationId::div_f32:
      return make({{Pipe::xu, 2}, {Pipe::fma, 7}, {Pipe::alu, 1}}, xu + 8 * alu);
    case OperationId::div_approx_f32:
      return make({{Pipe::xu, 1}, {Pipe::fma, 2}, {Pipe::alu, 1}}, xu + 2 * alu);
    case OperationId::rcp_f32:
      // With the branch to a subroutine for numbers that are too small or too large, which the result waits for
      // (validation/families micro_latency reciprocal, 2026-11-23: 79 cycles a step with an addition).
      return make({{Pipe::xu, 1}, {Pipe::fma, 4}, {Pipe::alu, 2}, {Pipe::branch, 3}}, xu + 10 * alu);
    // validation/arithmetic square_root: eleven instructions.
    case OperationId::sqrt_f32:
      return make({{Pipe::xu, 1}, {Pipe::fma, 5}, {Pipe::alu, 4}}, xu + 6 * alu);
    // As Nsight Compute counts them, with the branch to a subroutine for rare operands (two of its instructions take a
    // further slot: functions f64_sqrt), and as chains of them take
    // (validation/families micro_latency f64_divide, f64_sqrt, f64_reciprocal, 2026-11-23: 124, 92 and 72 cycles a step
    // with an addition).
    case OperationId::div_f64:
      return make({{Pipe::xu, 1}, {Pipe::fp64, 8}, {Pipe::alu, 2}, {Pipe::fma, 2}, {Pipe::branch, 6}},
                  xu + 11 * model.fp64_latency);
    case OperationId::sqrt_f64:
      return make({{Pipe::xu, 1}, {Pipe::fp64, 8}, {Pipe::alu, 3}, {Pipe::fma, 3}, {Pipe::branch, 6}},
                  xu + 7.5 * model.fp64_latency);
    case OperationId::rcp_f64:
      return make({{Pipe::xu, 1}, {Pipe::fp64, 5}, {Pipe::alu, 1}, {Pipe::fma, 1}, {Pipe::branch, 4}},
                  xu + 5 * model.fp64_latency);
    // Subnormal operands are scaled before and after, unless .ftz is given.
    case OperationId::rcp_approx_f32:
    case OperationId::sqrt_approx_f32:
    case OperationId::rsqrt_approx_f32:
    case OperationId::lg2:
    case OperationId::ex2_f32:
      return detail.modifiers.ftz ? make({{Pipe::xu, 1}}, xu)
                                  : make({{Pipe::xu, 1}, {Pipe::alu, 1}, {Pipe::fma, 2}}, xu + 2 * alu);
    case OperationId::sin:
    case OperationId::cos:
      return make({{Pipe::xu, 1}, {Pipe::fma, 1}}, xu + alu);
    // The compiler distributes additions and shifts over two pipes.
    case OperationId::add_integer:
    case OperationId::sub_integer:
      return wide ? make({{Pipe::alu, 1}, {Pipe::fmaheavy, 1}}, 2 * alu)
                  : make({{Pipe::alu, 0.6}, {Pipe::fmaheavy, 0.4}}, alu);
    case OperationId::mul_integer:
    case OperationId::mad_integer:
      return product(model, wide, detail.modifiers.half == ptx::Half::hi);
    case OperationId::mul_wide:
    case OperationId::mad_wide:
      return wide_products(model, 1, 0, 0, alu);
    case OperationId::min_integer:
    case OperationId::max_integer:
    case OperationId::setp_integer:
    case OperationId::and_bits:
    case OperationId::or_bits:
    case OperationId::xor_bits:
    case OperationId::shl:
    case OperationId::shr:
    case OperationId::selp:
      return wide ? make({{Pipe::alu, 2}}, 2 * alu) : make({{Pipe::alu, 1}}, alu);
    case OperationId::cvt_integer:
    case OperationId::cvt_to_integer:
    case OperationId::cvt_from_integer:
    case OperationId::cvt_floating:
      return conversion(model, detail);
    // Comparisons of halves count as the ALU's (validation/families functions f16_exp).
    case OperationId::set_half:
    case OperationId::set_half_bool:
    case OperationId::setp_half:
    case OperationId::setp_half_bool:
      return make({{Pipe::alu, 1}}, alu);
    // Lanes of a warp wait for each other: an instruction (WARPSYNC, or NOP), but no arrival at a barrier of the block.
    // Trees of 256 numbers in 32,768 blocks, cold, take 39.5 us with nine barriers of the block and 37.6 with three and
    // six of the warp (H200, 2026-11-28).
    case OperationId::bar_warp_sync:
      return make({{Pipe::branch, 1}}, 0);
    // Results of a shuffle come from the shared memory pipe.
    case OperationId::shfl:
    case OperationId::shfl_sync:
      return make({{Pipe::lsu, 1}}, model.shared_latency);
    default:
      break;
  }
  switch (detail.pipe) {
    case Pipe::none:
      return {};
    case Pipe::tensor:
      return matrix_product(model, detail);
    case Pipe::fp64:
      return make({{Pipe::fp64, 1}}, model.fp64_latency);
    case Pipe::xu:
      return make({{Pipe::xu, 1}}, xu);
    case Pipe::lsu:
    case Pipe::branch:
    case Pipe::barrier:
      return make({{detail.pipe, 1}}, 0);
    default:
      return make({{detail.pipe, 1}}, alu);
  }
}

}  // namespace warpbook::simulator
