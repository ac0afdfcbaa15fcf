// Computes matrix lines from the operands of ldmatrix, stmatrix, wmma.load and wmma.store.
#include "common/simulator/machine/matrix_lines.h"

#include "common/simulator/machine/address_space.h"
#include "common/simulator/ptx/fragments.h"

namespace warpbook::simulator {
namespace {

using ptx::OperationId;

std::uint64_t row_address(const Warp& warp, const Operation* op, unsigned lane) {
  const std::byte* const slot = warp.registers + op->a;
  const auto displacement = static_cast<std::uint64_t>(op->immediate);
  return displacement + (op->flags.has_narrow_address() ? reinterpret_cast<const std::uint32_t*>(slot)[lane]
                                                        : reinterpret_cast<const std::uint64_t*>(slot)[lane]);
}

/// Sizes of the matrix that a wmma operation moves; 0 rows for other operations.
struct Size {
  unsigned rows = 0, columns = 0;
};
Size moved_size(OperationId id, const ptx::MatrixShape& shape) {
  switch (id) {
    case OperationId::wmma_load_a:
    case OperationId::wmma_load_f64_a:
      return {shape.m, shape.k};
    case OperationId::wmma_load_b:
    case OperationId::wmma_load_f64_b:
      return {shape.k, shape.n};
    case OperationId::wmma_load_c:
    case OperationId::wmma_load_f64_c:
    case OperationId::wmma_store:
    case OperationId::wmma_store_f64:
      return {shape.m, shape.n};
    default:
      return {};
  }
}

}  // namespace

MatrixLines matrix_lines(const Warp& warp, const Operation* op) {
  const OperationDetail& detail = warp.program->details[op->index];
  const ptx::Modifiers& m = detail.modifiers;
  MatrixLines lines;
  lines.write = detail.id == OperationId::stmatrix || detail.id == OperationId::wmma_store ||
                detail.id == OperationId::wmma_store_f64;
  if (detail.id == OperationId::ldmatrix || detail.id == OperationId::stmatrix) {
    lines.count = 8u * m.matrices;
    lines.bytes = 16;
    for (unsigned lane = 0; lane < lines.count; ++lane) lines.address[lane] = row_address(warp, op, lane);
  } else {
    const Size size = moved_size(detail.id, m.matrix);
    if (size.rows == 0) return {};
    const bool by_column = (m.column_major & 1) != 0;
    const unsigned bits = ptx::element_bits(m.types[0]), along = by_column ? size.rows : size.columns;
    const std::uint32_t stride = lines.write ? op->c : op->b;
    const std::uint64_t apart =
        stride == kNoOperand ? along : *reinterpret_cast<const std::uint32_t*>(warp.registers + stride);
    lines.count = by_column ? size.columns : size.rows;
    lines.bytes = along * bits / 8;
    for (unsigned i = 0; i < lines.count; ++i) lines.address[i] = row_address(warp, op, 0) + i * apart * bits / 8;
  }
  lines.shared = op->space == ptx::Space::shared;
  if (op->space != ptx::Space::generic) return lines;
  lines.shared = space_of(lines.address[0]) == ptx::Space::shared;
  for (unsigned i = 0; i < lines.count && lines.shared; ++i) lines.address[i] -= kSharedWindow;
  return lines;
}

}  // namespace warpbook::simulator
