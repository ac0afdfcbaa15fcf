// The elements that a tensor copy moves (PTX ISA, "Tensors"): a tile, or the pixels of an im2col column.
//
// A tile is a box at the copy's coordinates, with the dimensions given by the map. A column is a number of pixels
// (elements of all dimensions but the first, which holds the channels). The first pixel is at the copy's coordinates;
// the next ones follow along w, then h, d and n. Pixels lie between two corners: `lower` is relative to the tensor's
// first pixel, `upper` to its last one. The copy's offsets (the position in a filter) are added to each pixel, and what
// then lies outside the tensor is filled. So each element of a filter needs one copy.
//
// All of this was checked on an H200 (2026-11-23; runtime/tests/tensor_answers.cu).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "common/simulator/machine/tensor_map.h"

namespace warpbook::simulator {

struct TensorBox {
  TensorMap map;
  std::array<std::int64_t, TensorMap::kMostDimensions> corner = {};
  std::array<std::uint32_t, TensorMap::kMostSpatial> offsets = {};  ///< For im2col.
  static constexpr std::uint16_t kGathered = 4;
  bool gathers = false;                               ///< A tile of rows that need not be adjacent,
  std::array<std::int64_t, kGathered> gathered = {};  ///< and which.

  /// A copy of these rows of a matrix instead of the rows of the map's box (.tile::gather4, .tile::scatter4).
  void gather(const std::array<std::int64_t, kGathered>& rows);

  /// Only the low 16, 8 or 5 bits of an offset count, depending on how many offsets there are.
  void cut_offsets();
  /// Why no copy can start at these coordinates; empty if one can.
  std::string wrong_corner() const;
  /// The same for a store from shared memory.
  std::string wrong_store() const;
};

/// Consecutive elements of the first dimension, all inside the tensor.
struct TensorStretch {
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  std::uint32_t at = 0;  ///< Their position in the box's bytes.
};

/// Walks the rows of a box.
class TensorRows {
 public:
  explicit TensorRows(const TensorBox& box)
      : map_(box.map), box_(box), at_(box.corner), rows_(static_cast<std::uint32_t>(box.map.rows())) {
    begin_ = std::max<std::int64_t>(box.corner[0], 0);
    end_ = std::min<std::int64_t>(box.corner[0] + (map_.im2col != 0 ? map_.channels : map_.count(0)),
                                  static_cast<std::int64_t>(map_.size(0)));
  }

  /// Calls f(TensorStretch) for each row that is partly inside the tensor. @returns false if f did
  template <class F>
  bool for_each(F f) {
    for (std::uint32_t row = 0; row < rows_; ++row) {
      TensorStretch stretch;
      if (find(row, stretch) && !f(stretch)) return false;
      if (map_.im2col != 0)
        next_pixel();
      else
        next_row();
    }
    return true;
  }

 private:
  bool find(std::uint32_t row, TensorStretch& stretch) const;
  void next_row();
  void next_pixel();

  const TensorMap& map_;
  const TensorBox& box_;
  std::array<std::int64_t, TensorMap::kMostDimensions> at_;  ///< Coordinates of the row, without the offsets.
  std::array<std::uint32_t, TensorMap::kMostDimensions> steps_ = {};
  std::int64_t begin_ = 0, end_ = 0;  ///< Range in the first dimension; not used for interleaved tensors.
  std::uint32_t rows_ = 0;
};

}  // namespace warpbook::simulator
