// The formulas: "Texture Fetching" and "Cubemap Textures" of the CUDA programming guide.
#include "common/simulator/machine/operations/image_reference.h"

#include <cmath>

namespace warpbook::simulator {
namespace {

/// T[i, j, k], where indices may be out of range.
double fetch(const ReferenceTexture& t, const std::array<long, 3>& index) {
  std::array<long, 3> in{};
  for (unsigned k = 0; k < t.dimensions; ++k) {
    const long n = t.size[k], i = index[k];
    const AddressMode mode = t.normalized || t.mode == AddressMode::border ? t.mode : AddressMode::clamp;
    if (mode == AddressMode::wrap) {
      in[k] = i - n * static_cast<long>(std::floor(static_cast<double>(i) / static_cast<double>(n)));
    } else if (mode == AddressMode::mirror) {
      const long turn = static_cast<long>(std::floor(static_cast<double>(i) / static_cast<double>(n)));
      const long rest = i - n * turn;
      in[k] = turn % 2 == 0 ? rest : n - 1 - rest;
    } else if (i < 0 || i >= n) {
      if (mode == AddressMode::border) return t.border;
      in[k] = i < 0 ? 0 : n - 1;
    } else {
      in[k] = i;
    }
  }
  return t.texel(in[0], in[1], in[2]);
}

double in_texels(const ReferenceTexture& t, unsigned k, double x) {
  return t.normalized ? x * static_cast<double>(t.size[k]) : x;
}

/// Rounds to nearest with eight fraction bits.
double fraction8(double x) { return std::floor(x * 256 + 0.5) / 256; }

}  // namespace

double reference_sample(const ReferenceTexture& t, std::array<double, 3> at) {
  std::array<long, 3> i{};
  std::array<double, 3> a{};
  for (unsigned k = 0; k < t.dimensions; ++k) {
    const double x = in_texels(t, k, at[k]), b = x - 0.5;
    i[k] = static_cast<long>(std::floor(t.linear ? b : x));
    a[k] = t.linear ? fraction8(b - std::floor(b)) : 0;
  }
  if (!t.linear) return fetch(t, i);
  double value = 0;
  for (long z = 0; z < (t.dimensions > 2 ? 2 : 1); ++z)
    for (long y = 0; y < (t.dimensions > 1 ? 2 : 1); ++y)
      for (long x = 0; x < 2; ++x) {
        const double weight = (x != 0 ? a[0] : 1 - a[0]) * (y != 0 ? a[1] : 1 - a[1]) * (z != 0 ? a[2] : 1 - a[2]);
        if (weight != 0) value += weight * fetch(t, {i[0] + x, i[1] + y, i[2] + z});
      }
  return value;
}

std::array<double, 4> reference_gather(const ReferenceTexture& t, std::array<double, 3> at) {
  const long i = static_cast<long>(std::floor(fraction8(in_texels(t, 0, at[0]) - 0.5)));
  const long j = static_cast<long>(std::floor(fraction8(in_texels(t, 1, at[1]) - 0.5)));
  return {fetch(t, {i, j + 1, 0}), fetch(t, {i + 1, j + 1, 0}), fetch(t, {i + 1, j, 0}), fetch(t, {i, j, 0})};
}

double reference_level(std::array<double, 3> dx, std::array<double, 3> dy) {
  const double a = std::hypot(dx[0], dx[1], dx[2]), b = std::hypot(dy[0], dy[1], dy[2]);
  return std::log2(a > b ? a : b);
}

ReferenceFace reference_face(double x, double y, double z) {
  const double ax = std::abs(x), ay = std::abs(y), az = std::abs(z);
  int face = 0;
  double m = 1, s = 0, t = 0;
  if (ax > ay && ax > az) {
    face = x > 0 ? 0 : 1;
    m = ax;
    s = x > 0 ? -z : z;
    t = -y;
  } else if (ay > az) {
    face = y > 0 ? 2 : 3;
    m = ay;
    s = x;
    t = y > 0 ? z : -z;
  } else {
    face = z > 0 ? 4 : 5;
    m = az;
    s = z > 0 ? x : -x;
    t = -y;
  }
  return {face, (s / m + 1) / 2, (t / m + 1) / 2};
}

}  // namespace warpbook::simulator
