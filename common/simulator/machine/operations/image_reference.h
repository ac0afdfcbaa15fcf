// For tests: textures in double precision, straight from the formulas of the CUDA programming guide.
#pragma once

#include <array>
#include <functional>

#include "common/simulator/machine/image.h"

namespace warpbook::simulator {

/// A texture as in the formulas: a function from texel to value.
struct ReferenceTexture {
  unsigned dimensions = 1;
  std::array<long, 3> size = {1, 1, 1};
  AddressMode mode = AddressMode::clamp;
  bool linear = false, normalized = false;
  double border = 0;
  std::function<double(long x, long y, long z)> texel;
};

double reference_sample(const ReferenceTexture& texture, std::array<double, 3> at);

/// The four texels of a bilinear footprint, counter-clockwise from (i, j + 1).
std::array<double, 4> reference_gather(const ReferenceTexture& texture, std::array<double, 3> at);

/// The level of detail from two derivatives, given in texels.
double reference_level(std::array<double, 3> dx, std::array<double, 3> dy);

/// Face and position (0 to 1) of a direction, from the guide's table.
struct ReferenceFace {
  int face = 0;
  double s = 0, t = 0;
};
ReferenceFace reference_face(double x, double y, double z);

}  // namespace warpbook::simulator
