// 8 x 8 matrices of 16-bit elements between shared memory and registers: ldmatrix, stmatrix, movmatrix.
//
// Eight lanes give the addresses of a matrix's rows, but each lane loads or stores two adjacent elements that need not
// be in its own row: lane 4 g + t those of row g and columns 2 t and 2 t + 1, or, if transposed, of rows 2 t and 2 t +
// 1 and column g. Each matrix is one pass of eight lanes with 16 bytes each, and more passes with bank conflicts.
#include <array>

#include "common/simulator/machine/address_space.h"
#include "common/simulator/machine/operations/matrix.h"
#include "common/simulator/machine/operations/memory_block.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

constexpr unsigned kRowBytes = 16, kRows = 8;
using Matrix = std::array<std::array<std::uint16_t, kRows>, kRows>;
static_assert(sizeof(Matrix) == kRows * kRowBytes && sizeof(Matrix) == 4 * kWarpSize);

void transpose(Matrix& matrix) {
  for (unsigned i = 0; i < kRows; ++i)
    for (unsigned j = 0; j < i; ++j) {
      const std::uint16_t kept = matrix[i][j];
      matrix[i][j] = matrix[j][i];
      matrix[j][i] = kept;
    }
}

/// Shared-memory offsets of all rows. @returns false after a fault.
template <unsigned Matrices>
bool find_rows(Warp& warp, const Operation* op, bool write, NarrowLanes& lanes) {
  constexpr std::uint32_t used = Matrices == 4 ? kFullMask : (1u << (kRows * Matrices)) - 1;
  alignas(64) std::uint32_t offset[kWarpSize];
  std::uint32_t displacement = static_cast<std::uint32_t>(op->immediate);
  const std::uint32_t* from = offset;
  if (op->space == ptx::Space::shared) {
    alignas(64) std::uint32_t narrowed[kWarpSize];
    std::memcpy(offset, narrow_addresses(warp, op, narrowed), sizeof offset);
  } else {
    alignas(64) std::uint64_t widened[kWarpSize];
    const std::uint64_t* address = wide_addresses(warp, op, widened);
    displacement = 0;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      const std::uint64_t at = address[lane] + static_cast<std::uint64_t>(op->immediate);
      if (((used >> lane) & 1) != 0 && space_of(at) != ptx::Space::shared) {
        raise(warp, op, FaultKind::out_of_bounds, lane, at, kRowBytes, write,
              {"a matrix's row is in shared memory; this generic address is not", FaultCause::outside_shared});
        return false;
      }
      offset[lane] = static_cast<std::uint32_t>(at - kSharedWindow);
    }
  }
  warp.exec = used;
  resolve_narrow<kRowBytes>(warp, from, displacement, warp.shared_bytes, lanes);
  if (!lanes.good) [[unlikely]]
    fail_outside(warp, op, ptx::Space::shared, from, displacement, kRowBytes, warp.shared_bytes, write);
  warp.exec = kFullMask;
  if (!lanes.good) return false;
  MemoryCounters& counters = warp.worker->counters.memory[op->memory];
  count_banks_of(counters, lanes.n * kRowBytes, count_banks<kRowBytes, false>(lanes.full, used));
  if (op->space != ptx::Space::shared) {
    counters.shared_requests += 1;
    counters.shared_bytes += lanes.n * kRowBytes;
  }
  return true;
}

template <unsigned Matrices, bool Transposed>
const Operation* load(Warp& warp, const Operation* op) {
  if (const Together together = meet(warp, op); !together.go) [[unlikely]]
    return together.next;
  NarrowLanes lanes;
  if (!find_rows<Matrices>(warp, op, false, lanes)) return nullptr;
  const std::uint32_t* d = fragment(warp, op->d);
  for (unsigned i = 0; i < Matrices; ++i) {
    Matrix matrix;
    for (unsigned row = 0; row < kRows; ++row)
      std::memcpy(&matrix[row], warp.shared + lanes.full[i * kRows + row], kRowBytes);
    if constexpr (Transposed) transpose(matrix);
    std::memcpy(slots<std::uint32_t>(warp, d[i]), &matrix, sizeof matrix);
  }
  return op + 1;
}

/// If rows overlap, the last one wins.
template <unsigned Matrices, bool Transposed>
const Operation* store(Warp& warp, const Operation* op) {
  if (const Together together = meet(warp, op); !together.go) [[unlikely]]
    return together.next;
  NarrowLanes lanes;
  if (!find_rows<Matrices>(warp, op, true, lanes)) return nullptr;
  const std::uint32_t* b = fragment(warp, op->b);
  for (unsigned i = 0; i < Matrices; ++i) {
    Matrix matrix;
    std::memcpy(&matrix, slots<std::uint32_t>(warp, b[i]), sizeof matrix);
    if constexpr (Transposed) transpose(matrix);
    for (unsigned row = 0; row < kRows; ++row)
      std::memcpy(warp.shared + lanes.full[i * kRows + row], &matrix[row], kRowBytes);
  }
  return op + 1;
}

const Operation* move(Warp& warp, const Operation* op) {
  if (const Together together = meet(warp, op); !together.go) [[unlikely]]
    return together.next;
  Matrix matrix;
  std::memcpy(&matrix, slots<std::uint32_t>(warp, op->a), sizeof matrix);
  transpose(matrix);
  std::memcpy(slots<std::uint32_t>(warp, op->d), &matrix, sizeof matrix);
  return op + 1;
}

}  // namespace

Handler resolve_ldmatrix(const Modifiers& m) {
  switch (m.matrices) {
    case 1:
      return m.trans ? load<1, true> : load<1, false>;
    case 2:
      return m.trans ? load<2, true> : load<2, false>;
    default:
      return m.trans ? load<4, true> : load<4, false>;
  }
}
Handler resolve_stmatrix(const Modifiers& m) {
  switch (m.matrices) {
    case 1:
      return m.trans ? store<1, true> : store<1, false>;
    case 2:
      return m.trans ? store<2, true> : store<2, false>;
    default:
      return m.trans ? store<4, true> : store<4, false>;
  }
}
Handler resolve_movmatrix(const Modifiers&) { return move; }

}  // namespace warpbook::simulator::operations::WB_ISA
