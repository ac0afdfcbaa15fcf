// Undefined bits and matrix operations: an element of a product is undefined if anything in its row of A, its column of
// B or its element of C is.
//
// Values loaded by ldmatrix are tracked (TaintChecker::load_matrix). Values loaded by wmma.load count as defined, and
// so do stored matrices.
#include <algorithm>

#include "common/simulator/machine/address_space.h"
#include "common/simulator/machine/matrix_lines.h"
#include "common/simulator/machine/taint.h"
#include "common/simulator/ptx/fragments.h"
#include "common/simulator/ptx/group_products.h"

namespace warpbook::simulator {
namespace {

using ptx::OperationId;

/// The lanes in which a register of a list is undefined, and the origin.
struct Undefined {
  std::uint32_t lanes = 0;
  std::uint32_t origin = 0;
};
Undefined undefined_in(const Warp& warp, const TaintRule& rule, std::uint32_t slot, std::uint8_t size) {
  Undefined found;
  if (!taint::any(warp, rule, slot, size)) return found;
  std::array<std::uint64_t, kWarpSize> bits{};
  taint::read(warp, rule, slot, size, bits.data());
  for (unsigned lane = 0; lane < kWarpSize; ++lane) found.lanes |= (bits[lane] != 0 ? 1u : 0u) << lane;
  found.origin = taint::origin(warp, rule, slot);
  return found;
}

}  // namespace

void TaintChecker::matrix(WarpState& warp, const Operation* op, const TaintRule& rule) {
  const OperationDetail& detail = warp.program->details[op->index];
  const std::uint32_t* const lists = warp.program->lists.data();
  const auto registers = ptx::fragment_registers(detail.id, detail.modifiers);
  const std::uint8_t size = detail.modifiers.types[0] == ptx::Type::f64 ? 8 : 4;
  std::array<std::uint64_t, kWarpSize> out{};
  if (detail.id == OperationId::movmatrix) {
    const Undefined found = undefined_in(warp, rule, op->a, 4);
    out.fill(found.lanes != 0 ? taint::mask_of(4) : 0);
    taint::write(warp, rule, op->d, 4, out.data(), found.origin);
    return;
  }
  if (ptx::is_group_product(detail.id)) {  // Undefined accumulators stay undefined, unless the product starts from 0.
    const bool sparse = ptx::is_sparse_product(detail.id);
    const std::uint32_t scale = *reinterpret_cast<const std::uint32_t*>(warp.registers + (sparse ? op->f : op->c));
    const bool accumulates = (scale ^ (0u - std::uint32_t{op->flags.negates(sparse ? 3 : 2)})) != 0;
    for (unsigned r = 0; r < registers[0] && !accumulates; ++r) taint::define(warp, rule, lists[op->d + r], 4);
    return;
  }
  if (detail.id == OperationId::ldmatrix) {
    load_matrix(warp, op, rule);
    return;
  }
  if (registers[1] == 0 || registers[2] == 0) {  // In memory.
    for (unsigned r = 0; r < registers[0]; ++r) taint::define(warp, rule, lists[op->d + r], size);
    return;
  }
  // Quads of lanes share one of eight rows of A and columns of B. Which of several tiles they belong to is ignored, and
  // so are the rows and columns of the four quads of m8n8k4.
  const bool quads = detail.id == OperationId::mma_half_quads;
  std::uint32_t rows = 0, columns = 0, origin = 0;
  const auto add = [&](std::uint32_t list, unsigned count, std::uint32_t& groups) {
    for (unsigned r = 0; r < count; ++r) {
      const Undefined found = undefined_in(warp, rule, lists[list + r], size);
      for (unsigned lane = 0; lane < kWarpSize; ++lane) groups |= ((found.lanes >> lane) & 1u) << (lane / 4);
      if (origin == 0) origin = found.origin;
    }
  };
  add(op->a, registers[1], rows);
  add(op->b, registers[2], columns);
  if (quads && (rows | columns) != 0) rows = 0xff;
  // Only with m8n8k4 may C and D have different types, and so different numbers of registers.
  std::uint32_t of_c[8] = {};
  for (unsigned r = 0; r < registers[3]; ++r) {
    const Undefined found = undefined_in(warp, rule, lists[op->c + r], size);
    of_c[r * registers[0] / registers[3] % 8] |= found.lanes;
    if (registers[0] > registers[3] && r * 2 + 1 < 8) of_c[r * 2 + 1] |= found.lanes;
    if (origin == 0) origin = found.origin;
  }
  for (unsigned r = 0; r < registers[0]; ++r) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      const unsigned first = lane % 4 * 2;  // Its columns are this one and the next.
      const bool undefined =
          ((rows >> (lane / 4)) & 1) != 0 || ((columns >> first) & 3) != 0 || ((of_c[r % 8] >> lane) & 1) != 0;
      out[lane] = undefined ? taint::mask_of(size) : 0;
    }
    taint::write(warp, rule, lists[op->d + r], size, out.data(), origin);
  }
}

void TaintChecker::stored_matrix(WarpState& warp, const Operation* op) {
  const MatrixLines lines = matrix_lines(warp, op);
  if (!lines.write) return;
  for (unsigned i = 0; i < lines.count; ++i)
    wrote(warp, 0, lines.address[i] + (lines.shared ? kSharedWindow : 0), lines.bytes);
}

}  // namespace warpbook::simulator
