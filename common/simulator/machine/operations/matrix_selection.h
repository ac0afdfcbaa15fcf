// What the metadata of a sparse product select (PTX ISA 9.0, "Sparse matrix storage").
//
// Of four adjacent elements along k two are stored (of s4 and u4: of four pairs, two); of two tf32 elements one is
// stored. Four bits give the positions in a group: two 2-bit numbers, or for tf32 which half. A register of a lane
// holds four groups of one row and four of another, or eight of one; the selector says which lanes of a quad hold them.
// The bits are not checked: they select what they say, even the same element twice, as on an H200 (tensor_probe,
// 2026-11-23).
//
// Compiled once for each instruction set, like lanes.h.
#pragma once

#include "common/simulator/machine/operations/matrix_tile.h"

namespace warpbook::simulator::operations::WB_ISA {

/// @param stored number of stored elements per row of A
/// @param bits size of an element
/// @param metadata one word per lane
inline Selection selection_of(unsigned stored, unsigned bits, unsigned selector, const std::uint32_t* metadata) {
  Selection selection;
  const unsigned unit = bits == 4 ? 2 : 1, in_group = bits == 32 ? 1 : 2 * unit, groups = stored / in_group;
  const unsigned lanes = groups / 4, first = lanes == 1 ? selector : lanes == 2 ? 2 * selector : 0;
  for (unsigned row = 0; row < 16; ++row) {
    const unsigned high = row / 8;
    for (unsigned group = 0; group < groups; ++group) {
      // With 16-bit and 32-bit elements a lane holds groups of two rows, with smaller ones eight groups of one row.
      const bool two_rows = bits >= 16;
      const unsigned lane = two_rows ? first + group / 4 : first + high + group / 8 * 2;
      const unsigned shift = two_rows ? 16 * high + group % 4 * 4 : group % 8 * 4;
      const std::uint32_t places = metadata[row % 8 * 4 + lane] >> shift & 15u;
      for (unsigned i = 0; i < in_group; ++i) {
        const unsigned place = bits == 32 ? places >> 3 : (places >> (i / unit * 2) & 3u) * unit + i % unit;
        selection.of[group * in_group + i][row] =
            static_cast<std::uint8_t>(group * (bits == 32 ? 2 : 4 * unit) + place);
      }
    }
  }
  return selection;
}

}  // namespace warpbook::simulator::operations::WB_ISA
