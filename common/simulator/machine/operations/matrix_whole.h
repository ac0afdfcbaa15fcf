// Tiles of integer products: reading operand elements from registers, and writing sums as results.
//
// Compiled once for each instruction set, like lanes.h.
#pragma once

#include "common/simulator/machine/operations/matrix.h"

namespace warpbook::simulator::operations::WB_ISA {

inline bool is_signed_factor(Type type) { return type == Type::s8 || type == Type::s4; }

constexpr unsigned kMostWholeDepth = 128;  ///< Largest k of a tile.

/// A tile of products; C is added to it.
template <unsigned Rows>
void finish_whole(Warp& warp, const std::uint32_t* d, std::int32_t (*sum)[Rows], bool saturates,
                  const std::uint32_t (*start)[Rows]) {
  std::uint32_t result[8][Rows];
  for (unsigned column = 0; column < 8; ++column) {
    for (unsigned row = 0; row < Rows; ++row) {
      const std::uint32_t wrapped = start[column][row] + static_cast<std::uint32_t>(sum[column][row]);
      const std::int64_t whole = std::int64_t{static_cast<std::int32_t>(start[column][row])} + sum[column][row];
      const bool over = whole != static_cast<std::int32_t>(wrapped);
      result[column][row] = saturates && over ? (whole < 0 ? 0x80000000u : 0x7fffffffu) : wrapped;
    }
  }
  scatter_d<std::uint32_t, Rows>(warp, d, result);
}

/// The elements in a byte of a register: one of 8 bits, or two of 4, the first in the low half.
template <bool Signed>
std::int32_t whole_byte(std::uint8_t byte) {
  return Signed ? static_cast<std::int8_t>(byte) : std::int32_t{byte};
}
template <bool Signed>
std::int32_t low_half(std::uint8_t byte) {
  return Signed ? static_cast<std::int8_t>(byte << 4) >> 4 : byte & 15;
}
template <bool Signed>
std::int32_t high_half(std::uint8_t byte) {
  return Signed ? static_cast<std::int8_t>(byte) >> 4 : byte >> 4;
}

/// An operand as out[k][row]: bytes one by one; 4-bit values in two passes, first all low halves and then all high
/// ones. A and B have the same order, and the sum does not depend on it.
template <unsigned Bits, class Gather>
void gather_whole(bool is_signed, unsigned depth, unsigned width, std::int32_t* out, Gather gather) {
  if constexpr (Bits == 8) {
    gather(out, is_signed ? whole_byte<true> : whole_byte<false>);
  } else {
    gather(out, is_signed ? low_half<true> : low_half<false>);
    gather(out + depth / 2 * width, is_signed ? high_half<true> : high_half<false>);
  }
}

}  // namespace warpbook::simulator::operations::WB_ISA
