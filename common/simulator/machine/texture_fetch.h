// Reading textures: coordinates to texels, texels to values, filtering.
//
// After the CUDA programming guide's appendix on texture fetching. A coordinate x (times the size, if it is normalised)
// is kept to 1/256 of a texel: the fraction of linear filtering has 8 bits, rounded to nearest, which an H200 confirmed
// for 512 of 512 places (2026-11-21; halves are rounded up here, which it was not asked). The weighted sum is exact and
// rounded once to f32. Not confirmed on an H200: values of more than one dimension, filtered integers (hardware may
// keep fewer bits), levels of detail (8 bits as well), gradients and anisotropy, cubemaps, mirrored coordinates that
// meet a texel's edge, and what channels give that the format does not have: 0, 0 and 1.
//
// This is compiled once, not for each instruction set, and without contraction: results are the same everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/simulator/machine/image.h"
#include "common/simulator/ptx/types.h"

namespace warpbook::simulator {

/// Where an instruction reads: coordinates as they are given.
struct TexturePlace {
  ptx::Geometry geometry = ptx::Geometry::d1;
  float at[3] = {0, 0, 0};
  std::uint32_t layer = 0;
};

/// The four registers that an instruction fills: floats, or the bits of integers.
struct TextureValue {
  std::uint32_t bits[4] = {0, 0, 0, 0};
};

class TextureFetch {
 public:
  /// @param texels the first byte of the image
  /// @param touched receives the number of each 32-byte sector that is read, counted from the image's address
  TextureFetch(const Texture& texture, const std::byte* texels, std::vector<std::uint64_t>& touched)
      : texture_(texture), sampler_(texture.sampler), image_(texture.image), texels_(texels), touched_(touched) {}

  /// From now on @p offsets receives where each texel that is read begins, from the first byte of the image.
  void note_texels(std::vector<std::uint64_t>& offsets) { offsets_ = &offsets; }

  /// At a level of detail; without one it is 0.
  TextureValue sample(const TexturePlace& place, double level);
  /// At the level of detail of two derivatives of the coordinates.
  TextureValue sample(const TexturePlace& place, const float (&dx)[3], const float (&dy)[3]);
  /// One channel of the four texels of a bilinear footprint: counter-clockwise from the lower left, which has the
  /// greater row.
  TextureValue gather(const TexturePlace& place, unsigned channel);
  /// Of linear memory; outside of it everything is 0.
  TextureValue fetch(std::int32_t index);

 private:
  struct Texel {
    double value[4] = {0, 0, 0, 0};
    std::uint32_t bits[4] = {0, 0, 0, 0};
  };
  /// A place on one level, in texels; `slice` is the layer and face.
  struct Point {
    unsigned dimensions = 1;
    double at[3] = {0, 0, 0};
    std::uint32_t slice = 0;
    bool of_cube = false;
  };

  Point point_of(const TexturePlace& place, const ImageLevel& level) const;
  std::uint32_t layer_of(const TexturePlace& place) const;
  std::int64_t resolve(std::int64_t index, unsigned axis, std::int64_t size, bool of_cube) const;
  Texel read(const ImageLevel& level, std::int64_t x, std::int64_t y, std::int64_t z);
  Texel texel(const ImageLevel& level, const Point& point, const std::int64_t (&index)[3]);
  Texel across_edges(const ImageLevel& level, std::uint32_t slice, std::int64_t x, std::int64_t y);
  Texel border() const;
  Texel on_level(const TexturePlace& place, std::size_t level);
  Texel on_levels(const TexturePlace& place, double level);
  TextureValue value_of(const Texel& texel, bool filtered) const;
  bool filters() const;

  const Texture& texture_;
  const Sampler& sampler_;
  const Image& image_;
  const std::byte* texels_;
  std::vector<std::uint64_t>& touched_;
  std::vector<std::uint64_t>* offsets_ = nullptr;
};

}  // namespace warpbook::simulator
