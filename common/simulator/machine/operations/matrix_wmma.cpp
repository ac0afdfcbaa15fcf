// wmma.load and wmma.store: a fragment from or to memory of any space, as a number of accesses of the lanes.
//
// The lanes hold what they would hold for mma (matrix.h). Each register is loaded or stored by one access of all lanes
// if its elements are adjacent in memory, and otherwise by one access per element. ptxas generates nearly the same, so
// the counters are those of these accesses. (For 16-bit matrices in shared memory ptxas uses ldmatrix, which takes as
// many wavefronts if rows do not conflict.)
#include <algorithm>

#include "common/simulator/machine/address_space.h"
#include "common/simulator/machine/operations/matrix.h"
#include "common/simulator/machine/operations/memory_forms.h"
#include "common/simulator/ptx/fragments.h"

namespace warpbook::simulator::operations::WB_ISA {

namespace {

enum class Role : std::uint8_t { a, b, c };

/// The position of a register's elements in the matrix.
struct Place {
  unsigned row = 0, column = 0;
};

/// The first element in register @p r of @p lane; elements have @p bits bits.
Place place_of(Role role, const ptx::MatrixShape& shape, unsigned bits, unsigned r, unsigned lane) {
  const unsigned in_lane = bits == 64 ? 1 : 32 / bits, in_quad = 4 * in_lane;
  const unsigned g = lane / 4, t = lane % 4, rows = shape.m == 8 ? 8 : 16;
  if (role == Role::a) {
    const unsigned of_tile = rows / 8 * shape.k / in_quad, tile = r / of_tile, i = r % of_tile;
    const unsigned half = rows == 16 ? i % 2 : 0, k = rows == 16 ? i / 2 : i;
    return {tile * rows + 8 * half + g, k * in_quad + t * in_lane};
  }
  if (role == Role::b) {
    const unsigned of_tile = shape.k / in_quad;
    return {r % of_tile * in_quad + t * in_lane, r / of_tile * 8 + g};
  }
  // Two adjacent columns for each half of the rows: two registers, or one for f16.
  const unsigned of_tile = bits == 16 ? rows / 8 : rows / 4, tile = r / of_tile, i = r % of_tile;
  const unsigned across = shape.n / 8;
  const unsigned half = bits == 16 ? i : i / 2, second = bits == 16 ? 0 : i % 2;
  return {tile / across * rows + 8 * half + g, tile % across * 8 + 2 * t + second};
}

/// One access of all lanes at byte addresses, in the space that the operation names.
template <class T, AccessKind Kind>
bool access(Warp& warp, const Operation* op, const std::uint64_t* address, std::uint32_t slot) {
  Operation part = *op;
  part.d = part.b = slot;
  part.immediate = 0;
  part.flags = {};
  const auto at_offsets = [&](std::uint64_t base) {
    alignas(64) std::uint32_t offset[kWarpSize];
    for (unsigned lane = 0; lane < kWarpSize; ++lane) offset[lane] = static_cast<std::uint32_t>(address[lane] - base);
    return access_shared<T, 1, Kind>(warp, &part, offset, 0) != nullptr;
  };
  if (op->space == ptx::Space::shared) return at_offsets(0);
  if (op->space == ptx::Space::generic && space_of(address[0]) == ptx::Space::shared) {
    MemoryCounters& counters = warp.worker->counters.memory[op->memory];
    const std::uint64_t requests = counters.requests, bytes = counters.bytes;
    const bool good = at_offsets(kSharedWindow);
    counters.shared_requests += counters.requests - requests;
    counters.shared_bytes += counters.bytes - bytes;
    return good;
  }
  if (op->space == ptx::Space::generic && space_of(address[0]) != ptx::Space::global) {
    raise(warp, op, FaultKind::out_of_bounds, 0, address[0], sizeof(T), Kind == AccessKind::store,
          {"wmma takes matrices in global or shared memory; this address is in neither", FaultCause::no_allocation});
    return false;
  }
  return access_global<T, 1, Kind>(warp, &part, address, 0, true) != nullptr;
}

/// The matrix's address, and the distance of its rows (or columns).
struct Matrix {
  std::uint64_t start = 0;
  std::uint64_t stride = 0;  ///< In elements.
  bool column_major = false;
};

bool find_matrix(Warp& warp, const Operation* op, std::uint32_t stride, unsigned packed, Matrix& matrix) {
  alignas(64) std::uint64_t widened[kWarpSize];
  const std::uint64_t* address = wide_addresses(warp, op, widened);
  const std::uint32_t* strides = stride == kNoOperand ? nullptr : slots<std::uint32_t>(warp, stride);
  for (unsigned lane = 1; lane < kWarpSize; ++lane) {
    if (address[lane] == address[0] && (strides == nullptr || strides[lane] == strides[0])) continue;
    raise(warp, op, FaultKind::unsupported, lane, address[lane], 0, false,
          "`" + warp.program->details[op->index].spelling +
              "` needs the same address and stride in all threads of the warp; they differ");
    return false;
  }
  matrix.start = address[0] + static_cast<std::uint64_t>(op->immediate);
  matrix.column_major = (modifiers_of(warp, op).column_major & 1) != 0;
  matrix.stride = strides == nullptr ? packed : strides[0];
  return true;
}

template <AccessKind Kind>
const Operation* move_fragment(Warp& warp, const Operation* op, Role role, const std::uint32_t* registers,
                               std::uint32_t stride) {
  if (const Together together = meet(warp, op); !together.go) [[unlikely]]
    return together.next;
  const Modifiers& m = modifiers_of(warp, op);
  const unsigned bits = ptx::element_bits(m.types[0]);
  const unsigned rows = role == Role::b ? m.matrix.k : m.matrix.m, columns = role == Role::a ? m.matrix.k : m.matrix.n;
  Matrix matrix;
  const bool is_column_major = (m.column_major & 1) != 0;
  if (!find_matrix(warp, op, stride, is_column_major ? rows : columns, matrix)) return nullptr;
  // The elements of one register are adjacent along k, and those of f16 accumulators along the row.
  const bool along_row = role != Role::b;
  const unsigned in_register = bits == 64 ? 1 : 32 / bits;
  const bool neighbours = in_register == 1 || along_row != matrix.column_major;
  const unsigned of_role =
      role == Role::c ? rows * columns * bits / (32 * (bits == 64 ? 64 : 32)) : rows * columns / (32 * in_register);
  alignas(64) std::uint64_t start[kWarpSize];
  const auto bit_place = [&](const Place& place) {
    return (matrix.column_major ? place.column * matrix.stride + place.row : place.row * matrix.stride + place.column) *
           bits;
  };
  // The address register may be one of the results.
  const unsigned count = std::max(1u, of_role);
  for (unsigned r = 0; r < count; ++r) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      start[lane] = matrix.start + bit_place(place_of(role, m.matrix, bits, r, lane)) / 8;
    const std::uint32_t slot = registers[r];
    if (bits == 64) {
      if (!access<std::uint64_t, Kind>(warp, op, start, slot)) return nullptr;
      continue;
    }
    if (neighbours) {
      if (!access<std::uint32_t, Kind>(warp, op, start, slot)) return nullptr;
      continue;
    }
    const unsigned element_bytes = bits / 8;
    std::uint32_t* const word = slots<std::uint32_t>(warp, slot);
    alignas(64) std::uint32_t whole[kWarpSize] = {};
    if constexpr (Kind == AccessKind::store) std::memcpy(whole, word, sizeof whole);
    bool good = true;
    for (unsigned e = 0; e < in_register && good; ++e) {
      if constexpr (Kind == AccessKind::store)
        for (unsigned lane = 0; lane < kWarpSize; ++lane) word[lane] = whole[lane] >> (e * bits);
      good = element_bytes == 1 ? access<std::uint8_t, Kind>(warp, op, start, slot)
                                : access<std::uint16_t, Kind>(warp, op, start, slot);
      if constexpr (Kind == AccessKind::load)
        for (unsigned lane = 0; lane < kWarpSize; ++lane)
          whole[lane] |= (word[lane] & ((1u << bits) - 1)) << (e * bits);
      for (unsigned lane = 0; lane < kWarpSize; ++lane) start[lane] += matrix.stride * element_bytes;
    }
    std::memcpy(word, whole, sizeof whole);
    if (!good) return nullptr;
  }
  if constexpr (Kind == AccessKind::load) {  // f16 operands have eight registers, whatever the shape.
    if (role != Role::c && bits == 16 && m.types[0] == Type::f16)
      for (unsigned r = count; r < 8; ++r)
        std::memcpy(slots<std::uint32_t>(warp, registers[r]), slots<std::uint32_t>(warp, registers[r % count]),
                    sizeof(std::uint32_t) * kWarpSize);
  }
  return op + 1;
}

template <Role R>
const Operation* load(Warp& warp, const Operation* op) {
  return move_fragment<AccessKind::load>(warp, op, R, fragment(warp, op->d), op->b);
}
/// Operands of each type have one depth. Types of less than a byte have one layout, in which they are adjacent.
template <Role R>
Handler load_factor(const Modifiers& m) {
  const bool by_column = (m.column_major & 1) != 0;
  switch (m.types[0]) {
    case Type::tf32:
      return m.matrix.k == 8 ? load<R> : nullptr;
    case Type::s4:
    case Type::u4:
      return m.matrix.k == 32 && by_column == (R == Role::b) ? load<R> : nullptr;
    case Type::b1:
      return m.matrix.k == 128 && by_column == (R == Role::b) ? load<R> : nullptr;
    default:
      return m.matrix.k == 16 ? load<R> : nullptr;
  }
}

const Operation* store(Warp& warp, const Operation* op) {
  return move_fragment<AccessKind::store>(warp, op, Role::c, fragment(warp, op->b), op->c);
}

}  // namespace

Handler resolve_wmma_load_a(const Modifiers& m) { return load_factor<Role::a>(m); }
Handler resolve_wmma_load_b(const Modifiers& m) { return load_factor<Role::b>(m); }
Handler resolve_wmma_load_c(const Modifiers&) { return load<Role::c>; }
Handler resolve_wmma_load_f64_a(const Modifiers&) { return load<Role::a>; }
Handler resolve_wmma_load_f64_b(const Modifiers&) { return load<Role::b>; }
Handler resolve_wmma_load_f64_c(const Modifiers&) { return load<Role::c>; }
Handler resolve_wmma_store(const Modifiers&) { return store; }
Handler resolve_wmma_store_f64(const Modifiers&) { return store; }

}  // namespace warpbook::simulator::operations::WB_ISA
