// Walks the rows of a box.
#include "common/simulator/machine/tensor_box.h"

namespace warpbook::simulator {
namespace {

/// The last position of a column's pixels in dimension @p i.
std::int64_t last_place(const TensorMap& map, unsigned i) {
  return static_cast<std::int64_t>(map.last[i]) + map.upper[i - map.first_spatial()];
}

/// Whether the corners of im2col's box apply to dimension @p i.
bool is_spatial(const TensorMap& map, unsigned i) {
  return i >= map.first_spatial() && i - map.first_spatial() + 2u < map.dimensions;
}

}  // namespace

void TensorBox::gather(const std::array<std::int64_t, kGathered>& rows) {
  gathers = true;
  gathered = rows;
  corner[1] = rows[0];
  map.box[1] = kGathered;
  map.element_strides[1] = 1;
}

void TensorBox::cut_offsets() {
  if (map.dimensions < 5) {
    for (std::uint32_t& offset : offsets) offset &= map.dimensions == 3 ? 0xffffu : 0xffu;
    return;
  }
  // A value too large for its 5 bits overflows into the next one.
  const std::uint32_t packed = offsets[0] | offsets[1] << 5 | offsets[2] << 10;
  for (unsigned i = 0; i < 3; ++i) offsets[i] = packed >> (5 * i) & 0x1f;
}

std::string TensorBox::wrong_corner() const {
  if (map.interleave == 0 && corner[0] * map.element_bytes() % 16 != 0)
    return "a copy starts at element " + std::to_string(corner[0]) +
           " of the tensor's first dimension, which is not a multiple of 16 bytes";
  if (map.im2col == 0) return {};
  for (unsigned i = 0; i < map.dimensions; ++i) {
    if (!is_spatial(map, i)) continue;
    const std::int64_t first = map.lower[i - map.first_spatial()], last = last_place(map, i);
    if (corner[i] < first || corner[i] > last)
      return "an im2col copy starts at " + std::to_string(corner[i]) + " in dimension " + std::to_string(i) +
             ", but the pixel box of its tensor map is from " + std::to_string(first) + " to " + std::to_string(last);
  }
  return {};
}

std::string TensorBox::wrong_store() const {
  if (map.im2col == 0) return {};
  for (unsigned i = 0; i < map.dimensions; ++i) {
    if (corner[i] < 0)
      return "a store with an im2col map starts at " + std::to_string(corner[i]) + " in dimension " + std::to_string(i);
    if (is_spatial(map, i) && (map.lower[i - map.first_spatial()] < 0 || map.upper[i - map.first_spatial()] > 0))
      return "a store with an im2col map whose pixel box goes beyond the tensor in dimension " + std::to_string(i);
  }
  return {};
}

bool TensorRows::find(std::uint32_t row, TensorStretch& stretch) const {
  const unsigned size = map_.element_bytes(), first = map_.interleave == 0 ? 1 : 0;
  if (first == 1 && begin_ >= end_) return false;
  stretch.address = map_.address + (first == 1 ? static_cast<std::uint64_t>(begin_) * size : 0);
  for (unsigned i = first; i < map_.dimensions; ++i) {
    std::int64_t coordinate = at_[i];
    if (map_.im2col != 0 && is_spatial(map_, i)) coordinate += box_.offsets[i - map_.first_spatial()];
    if (coordinate < 0 || coordinate >= static_cast<std::int64_t>(map_.size(i))) return false;
    stretch.address += static_cast<std::uint64_t>(coordinate) * (i == 0 ? map_.slice_bytes() : map_.strides[i - 1]);
  }
  stretch.bytes = first == 0 ? map_.slice_bytes() : static_cast<std::uint32_t>(end_ - begin_) * size;
  stretch.at = row * map_.row_bytes() + (first == 0 ? 0 : static_cast<std::uint32_t>(begin_ - box_.corner[0]) * size);
  return true;
}

void TensorRows::next_row() {
  if (box_.gathers) {
    if (++steps_[1] < TensorBox::kGathered) at_[1] = box_.gathered[steps_[1]];
    return;
  }
  for (unsigned i = map_.interleave == 0 ? 1 : 0; i < map_.dimensions; ++i) {
    if (map_.interleave != 0 && i + 2 == map_.dimensions) continue;
    at_[i] += map_.element_strides[i];
    if (++steps_[i] < map_.count(i)) return;
    steps_[i] = 0;
    at_[i] = box_.corner[i];
  }
}

void TensorRows::next_pixel() {
  const unsigned image = map_.dimensions - 1u;
  for (unsigned i = 0; i < image; ++i) {
    if (!is_spatial(map_, i)) continue;
    at_[i] += map_.element_strides[i];
    if (at_[i] <= last_place(map_, i)) return;
    at_[i] = map_.lower[i - map_.first_spatial()];
  }
  at_[image] += map_.element_strides[image];
}

}  // namespace warpbook::simulator
