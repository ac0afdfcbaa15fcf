// Where a factor of wgmma lies in shared memory, by its matrix descriptor (PTX ISA 9.0, "Matrix descriptor"). For the
// operation and for checkers.
//
// Memory is read in pieces of 16 bytes. Eight of them, 16 bytes apart (no swizzle) or one in each row of a pattern of
// 128, 64 or 32 bytes, are neighbours in the other direction: eight rows of A (columns of B), or, transposed, eight of
// k. From one such eight to the next it is the stride or the lead, as an H200 answered (tensor_probe, 2026-11-23):
//
//                    eights of rows   pieces along k           transposed: eights of k   pieces along rows
//   no swizzle       stride           lead                     lead                      stride
//   swizzle          stride           16 bytes, within the     stride                    16 bytes, and the lead
//                                     pattern's row                                      from pattern to pattern
//
// A sparse product's B has 64 bytes of k: what those mean to a pattern of 32 is not known, and refused.
//
// A swizzle exchanges pieces of a row of the pattern: bits 4 to 6 of an address xor bits 7 to 9 (two and one for the
// smaller patterns), less the base offset. Addresses are those of shared memory, not places in the matrix.
#pragma once

#include <cstdint>

namespace warpbook::simulator {

constexpr unsigned kPieceBytes = 16;

struct GroupLayout {
  std::uint32_t start = 0, lead = 0, stride = 0;
  std::uint32_t base = 0;
  std::uint32_t pieces = 1;  ///< In a row of the pattern: 8, 4, 2; 1 without a swizzle.
  bool transposed = false;

  /// Piece @p piece of line @p line: a row of A (column of B), or, transposed, one of k.
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
