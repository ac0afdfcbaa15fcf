// Reading textures: coordinates to texels, texels to values, filtering.
//
// Follows the CUDA programming guide's appendix on texture fetching, and what an H200 returned on 2026-11-21 and
// 2026-11-23 (texture_probe). A coordinate x (times the size, if it is normalised) is kept to 1/256 of a texel, rounded
// to nearest, halves up; a level of detail is truncated to 1/256. Filtering is in texture_filter.h. Confirmed bit for
// bit: reads of one to three dimensions, layers, cubemaps, gather, all address modes, normalised integers, levels of
// detail. A level computed from derivatives may be off by 1/256, because of the hardware's logarithm. Not confirmed:
// anisotropy (an H200 gives other values), filtered halves and sRGB, and the value of channels that the format does not
// have: 0, 0 and 1.
//
// This is compiled once, not for each instruction set, and without contraction: results are the same everywhere.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/simulator/machine/image.h"
#include "common/simulator/ptx/types.h"

namespace warpbook::simulator {

/// Where an instruction reads: the coordinates in the instruction.
struct TexturePlace {
  ptx::Geometry geometry = ptx::Geometry::d1;
  float at[3] = {0, 0, 0};
  std::uint32_t layer = 0;
};

/// The four registers that an instruction fills: floats, or integers as bits.
struct TextureValue {
  std::uint32_t bits[4] = {0, 0, 0, 0};
};

class TextureFetch {
 public:
  /// @param texels the first byte of the image
  /// @param touched receives the position of each texel that is read, in units of 16 bytes, for the counters
  TextureFetch(const Texture& texture, const std::byte* texels, std::vector<std::uint64_t>& touched)
      : texture_(texture), sampler_(texture.sampler), image_(texture.image), texels_(texels), touched_(touched) {}

  /// From now on @p offsets receives the offset of each texel that is read, from the first byte of the image.
  void note_texels(std::vector<std::uint64_t>& offsets) { offsets_ = &offsets; }

  /// At a level of detail; 0 for instructions without one.
  TextureValue sample(const TexturePlace& place, double level);
  /// At the level of detail that follows from two derivatives of the coordinates.
  TextureValue sample(const TexturePlace& place, const float (&dx)[3], const float (&dy)[3]);
  /// One channel of the four texels of a bilinear footprint, counter-clockwise from the lower left, which is in the
  /// greater row.
  TextureValue gather(const TexturePlace& place, unsigned channel);
  /// For linear memory; outside it everything is 0.
  TextureValue fetch(std::int32_t index);

 private:
  struct Texel {
    double value[4] = {0, 0, 0, 0};
    std::uint32_t bits[4] = {0, 0, 0, 0};
  };
  /// A texel and its weight, in 256ths.
  struct Part {
    Texel texel;
    std::int64_t weight = 0;
    unsigned slice = 0;  ///< For texels that the filter aligns together.
  };
  struct Parts {
    std::array<Part, 16> all;  ///< Eight corners on each of two levels.
    unsigned count = 0;
    void add(const Texel& texel, std::int64_t weight, unsigned slice) { all[count++] = {texel, weight, slice}; }
  };
  /// A position on one level, in texels; `slice` is the layer and face.
  struct Point {
    unsigned dimensions = 1;
    double at[3] = {0, 0, 0};
    std::uint32_t slice = 0;
    bool of_cube = false;
  };

  Point point_of(const TexturePlace& place, const ImageLevel& level) const;
  std::uint32_t layer_of(const TexturePlace& place) const;
  /// Positions beyond an edge are moved to the edge: there is nothing to interpolate.
  bool clamps(unsigned axis, bool of_cube) const;
  std::int64_t resolve(std::int64_t index, unsigned axis, std::int64_t size) const;
  Texel read(const ImageLevel& level, std::int64_t x, std::int64_t y, std::int64_t z);
  Texel texel(const ImageLevel& level, const Point& point, const std::int64_t (&index)[3]);
  Texel across_edges(const ImageLevel& level, std::uint32_t slice, std::int64_t x, std::int64_t y);
  Texel border() const;
  static void share_missing_corner(const std::int64_t (&first)[3], const std::int64_t (&size)[3],
                                   std::int64_t* weights);
  void add_level(const TexturePlace& place, std::size_t level, std::int64_t whole, Parts& parts);
  Texel blend(const Parts& parts) const;
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
