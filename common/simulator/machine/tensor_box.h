// The elements that a copy of a tensor moves (PTX ISA, "Tensors"): a tile, or the pixels of an im2col column.
//
// A tile is a box at the copy's coordinates, of which each dimension is as long as the map says. A column is a number
// of pixels (elements of all dimensions but the first, which are channels): the first one is at the copy's coordinates,
// and the next ones follow along w, then h, d and n. Pixels of which there are are those between two corners: `lower`
// is counted from the tensor's first pixel, `upper` from its last one. To each the copy's offsets are added (where in a
// filter it is), and what then lies outside of the tensor is filled. So a filter's element needs one copy.
//
// An H200 was asked about all that (2026-11-23; runtime/tests/tensor_answers.cu).
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
  std::array<std::uint32_t, TensorMap::kMostSpatial> offsets = {};  ///< Of im2col.

  /// Of an offset 16, 8 or 5 bits count, the fewer the more there are.
  void cut_offsets();
  /// Why no copy can start there; empty if one can.
  std::string wrong_corner() const;
  /// The same of what goes the other way.
  std::string wrong_store() const;
};

/// Neighbours in the first dimension, all inside the tensor.
struct TensorStretch {
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  std::uint32_t at = 0;  ///< Where they are in the box's bytes.
};

/// Goes through the rows of a box.
class TensorRows {
 public:
  explicit TensorRows(const TensorBox& box)
      : map_(box.map), box_(box), at_(box.corner), rows_(static_cast<std::uint32_t>(box.map.rows())) {
    begin_ = std::max<std::int64_t>(box.corner[0], 0);
    end_ = std::min<std::int64_t>(box.corner[0] + (map_.im2col != 0 ? map_.channels : map_.count(0)),
                                  static_cast<std::int64_t>(map_.size(0)));
  }

  /// f(TensorStretch) for each row of which something is inside the tensor. @returns false if f did
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
  std::array<std::int64_t, TensorMap::kMostDimensions> at_;  ///< Of the row; offsets are not in it.
  std::array<std::uint32_t, TensorMap::kMostDimensions> steps_ = {};
  std::int64_t begin_ = 0, end_ = 0;  ///< In the first dimension; of interleaved tensors not used.
  std::uint32_t rows_ = 0;
};

}  // namespace warpbook::simulator
