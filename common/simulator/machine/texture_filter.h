// How a texture unit filters several texels.
//
// Matches an H200 bit for bit (texture_probe, 2026-11-23): weights are whole 256ths that add up to 256. Texels of a
// slice are aligned to the largest exponent among those with a weight and truncated to 27 fraction bits; normalised
// integers become 16-bit ones. The weighted sum of all slices is exact and is rounded once, halves up in magnitude
// (floats) or in value (integers). For signed bytes the last of 16 bits may differ.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace warpbook::simulator {

constexpr std::int64_t kWholeWeight = 256;

/// The weights of the corners of a cell; their sum is @p whole. Corner 1 is the next in x, 2 in y, 4 in z.
/// @param fraction position between two texels in each dimension, in 256ths
/// @param weights receives 2, 4 or 8 weights
void corner_weights(std::int64_t whole, unsigned dimensions, const std::int64_t (&fraction)[3], std::int64_t* weights);

/// One channel of texels and their weights.
class FilteredChannel {
 public:
  /// @param slice a group of up to four texels: a level, or a layer in z
  void add(double value, std::int64_t weight, unsigned slice) {
    if (weight != 0) parts_[count_++] = {value, weight, slice};  // An infinity without a weight does not contribute.
  }
  /// For floating-point numbers.
  float floating() const;
  /// For numbers in [0, 1] or [-1, 1] stored as integers of @p bits.
  float normalised(unsigned bits, bool is_signed) const;

 private:
  struct Part {
    double value = 0;
    std::int64_t weight = 0;
    unsigned slice = 0;
  };
  std::span<const Part> parts() const { return {parts_.data(), count_}; }
  std::array<Part, 16> parts_;
  unsigned count_ = 0;
};

}  // namespace warpbook::simulator
