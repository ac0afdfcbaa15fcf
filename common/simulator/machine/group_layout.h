// Where a wgmma operand lies in shared memory, according to its matrix descriptor (PTX ISA 9.0, "Matrix descriptor").
// Used by the operation and by checkers.
//
// Memory is read in pieces of 16 bytes. Eight of them, 16 bytes apart (no swizzle) or one in each row of a swizzle
// pattern of 128, 64 or 32 bytes, are neighbours in the other direction: eight rows of A (columns of B), or, if
// transposed, eight values of k. The distance from one group of eight to the next is the stride or the leading
// dimension byte offset ("lead"), as an H200 answered (tensor_probe, 2026-11-23):
//
//                    groups of rows   pieces along k           transposed: groups of k   pieces along rows
//   no swizzle       stride           lead                     lead                      stride
//   swizzle          stride           16 bytes, within the     stride                    16 bytes, and the lead
//                                     pattern's row                                      from pattern to pattern
//
// B of a sparse wgmma has 64 bytes of k: what those mean in a pattern of 32 bytes is not known, so it is rejected.
//
// A swizzle exchanges pieces of a row of the pattern: bits 4 to 6 of an address are xored with bits 7 to 9 (two bits
// and one bit for the smaller patterns), minus the base offset. Addresses are those in shared memory, not positions in
// the matrix.
#pragma once

#include <cstdint>

namespace warpbook::simulator {

constexpr unsigned kPieceBytes = 16;

struct GroupLayout {
  std::uint32_t start = 0, lead = 0, stride = 0;
  std::uint32_t base = 0;
  std::uint32_t pieces = 1;  ///< Pieces per row of the pattern: 8, 4, 2; 1 without a swizzle.
  bool transposed = false;

  /// Address of piece @p piece of line @p line: a row of A (column of B), or, if transposed, a value of k.
  [[gnu::always_inline]] std::uint32_t place(unsigned line, unsigned piece) const {
    const std::uint32_t eights = line / 8, in_eight = line % 8;
    if (pieces == 1)
      return start + in_eight * kPieceBytes +
             (transposed ? eights * lead + piece * stride : eights * stride + piece * lead);
    const std::uint32_t within = piece % pieces * kPieceBytes + piece / pieces * lead;
    const std::uint32_t address = start + in_eight * pieces * kPieceBytes + eights * stride + within;
    return address ^ ((((address >> 7) - base) & (pieces - 1)) << 4);
  }
};

[[gnu::always_inline]] inline GroupLayout group_layout(std::uint64_t descriptor, bool transposed) {
  const auto field = [&](unsigned bit, unsigned bits) {
    return static_cast<std::uint32_t>(descriptor >> bit & ((std::uint64_t{1} << bits) - 1));
  };
  const std::uint32_t swizzle = field(62, 2);
  return {field(0, 14) * kPieceBytes,         field(16, 14) * kPieceBytes,
          field(32, 14) * kPieceBytes,        field(49, 3),
          swizzle == 0 ? 1u : 16u >> swizzle, transposed};
}

}  // namespace warpbook::simulator
