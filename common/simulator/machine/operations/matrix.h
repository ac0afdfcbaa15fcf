// What matrix operations share: the registers of a fragment, and waiting for all lanes of the warp.
//
// A fragment's registers hold rows of 16 bytes: the four lanes of a quad hold one row of A, or one column of B, or, of
// C and D, two adjacent columns per lane (PTX ISA 9.0, "Matrix Fragments for ..."). This one rule covers all shapes and
// types, and the bytes of a slot in order are elements in order. With E elements in a register:
//
//   A, 16 rows: register r, lane 4 g + t: row g + 8 (r % 2), elements (r / 2) * 4 E + t E ...
//   A, 8 rows:  register r, lane 4 g + t: row g,             elements r * 4 E + t E ...
//   B:          register r, lane 4 g + t: column g,          elements r * 4 E + t E ...
//   C, D:       row g + 8 h, columns 2 t and 2 t + 1: registers 2 h and 2 h + 1, or both halves of register h (f16)
//
// wmma has larger shapes: a matrix of more than 16 rows or 8 columns consists of several of these, one after the other.
//
// Compiled once for each instruction set, like lanes.h.
#pragma once

#include <string>

#include "common/simulator/machine/control.h"
#include "common/simulator/machine/operations/handlers.h"
#include "common/simulator/machine/worker.h"

namespace warpbook::simulator::operations::WB_ISA {

/// Registers of a fragment; @p operand is their index in the operand lists.
inline const std::uint32_t* fragment(const Warp& warp, std::uint32_t operand) {
  return warp.program->lists.data() + operand;
}

/// Whether an operation that all lanes execute together can proceed.
struct Together {
  bool go = true;
  const Operation* next = nullptr;  ///< What the handler returns if it cannot.
};

/// Waits for lanes on other paths. All 32 must arrive: the manual leaves open what fewer would get.
inline Together meet(Warp& warp, const Operation* op) {
  if (warp.exec == kFullMask) [[likely]]
    return {};
  const bool apart = warp.active != warp.live && !state_of(warp).synchronised;
  if (apart) {
    Waiting reason;
    reason.path.next = op;
    reason.lanes = kFullMask;
    return {false, state_of(warp).wait(reason)};
  }
  const unsigned lane = static_cast<unsigned>(std::countr_zero(warp.exec));
  return {false, raise(warp, op, FaultKind::unsupported, lane, 0, 0, false,
                       "`" + warp.program->details[op->index].spelling + "` is executed by " +
                           std::to_string(lanes_in(warp.exec)) +
                           " of the 32 threads of a warp: all of them together hold the matrices")};
}

/// A matrix product in tiles of 16 (or 8) by 8, and the registers of each tile.
struct Tiles {
  unsigned rows = 16;  ///< Rows of a tile.
  unsigned k = 0;
  unsigned down = 1, across = 1;  ///< Number of tiles.
  unsigned a_registers = 0, b_registers = 0;
};

/// @param bits size of an element of A and B
inline Tiles tiles_of(const ptx::MatrixShape& shape, unsigned bits) {
  Tiles tiles;
  tiles.rows = shape.m == 8 ? 8 : 16;
  tiles.k = shape.k;
  tiles.down = shape.m / tiles.rows;
  tiles.across = shape.n / 8u;
  const unsigned lane_bits = 32 * (bits == 64 ? 64 : 32);
  tiles.a_registers = tiles.rows * tiles.k * bits / lane_bits;
  tiles.b_registers = 8 * tiles.k * bits / lane_bits;
  return tiles;
}
constexpr unsigned kMostTiles = 4;

/// The elements of a slot in order, as T.
template <class T>
struct Elements {
  static constexpr unsigned kInLane = sizeof(Slot<T>) / sizeof(T), kInQuad = 4 * kInLane;
  T of[kWarpSize * kInLane];
  Elements(const Warp& warp, std::uint32_t slot) { std::memcpy(of, warp.registers + slot, sizeof of); }
};

/// A tile of A as out[k][row]; each element is converted by convert(T).
template <class T, unsigned Rows, class Out, class F>
inline void gather_a(const Warp& warp, const std::uint32_t* registers, unsigned count, Out* out, F convert) {
  using E = Elements<T>;
  for (unsigned r = 0; r < count; ++r) {
    const E elements(warp, registers[r]);
    const unsigned row = Rows == 16 ? 8 * (r % 2) : 0, k = (Rows == 16 ? r / 2 : r) * E::kInQuad;
    for (unsigned j = 0; j < E::kInQuad; ++j)
      for (unsigned g = 0; g < 8; ++g) out[(k + j) * Rows + row + g] = convert(elements.of[g * E::kInQuad + j]);
  }
}

/// A tile of B as out[k][column].
template <class T, class Out, class F>
inline void gather_b(const Warp& warp, const std::uint32_t* registers, unsigned count, Out* out, F convert) {
  using E = Elements<T>;
  for (unsigned r = 0; r < count; ++r) {
    const E elements(warp, registers[r]);
    for (unsigned j = 0; j < E::kInQuad; ++j)
      for (unsigned g = 0; g < 8; ++g) out[(r * E::kInQuad + j) * 8 + g] = convert(elements.of[g * E::kInQuad + j]);
  }
}

/// A tile of C or D as Word[column][row], where each register holds one element.
template <class Word, unsigned Rows>
inline void gather_c(Warp& warp, const std::uint32_t* registers, Word (*out)[Rows]) {
  for (unsigned r = 0; r < Rows / 4; ++r) {
    const Word* from = slots<Word>(warp, registers[r]);
    for (unsigned lane = 0; lane < kWarpSize; ++lane) out[2 * (lane % 4) + r % 2][lane / 4 + 8 * (r / 2)] = from[lane];
  }
}
template <class Word, unsigned Rows>
inline void scatter_d(Warp& warp, const std::uint32_t* registers, const Word (*from)[Rows]) {
  for (unsigned r = 0; r < Rows / 4; ++r) {
    Word* to = slots<Word>(warp, registers[r]);
    for (unsigned lane = 0; lane < kWarpSize; ++lane) to[lane] = from[2 * (lane % 4) + r % 2][lane / 4 + 8 * (r / 2)];
  }
}

}  // namespace warpbook::simulator::operations::WB_ISA
