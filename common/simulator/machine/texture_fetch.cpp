// From coordinates to the values of a texture.
#include "common/simulator/machine/texture_fetch.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>

#include "common/simulator/machine/texture_filter.h"

namespace warpbook::simulator {
namespace {

constexpr std::int64_t kFraction = 256;  ///< Steps of a coordinate per texel.
constexpr double kFarthest = 1099511627776.0;
constexpr std::int64_t kOutside = -1;

double limited(double x) {
  if (std::isnan(x)) return 0;
  return std::clamp(x, -kFarthest, kFarthest);
}

std::int64_t floor_of(double x) { return static_cast<std::int64_t>(std::floor(x)); }
std::int64_t nearest_step(double x) { return floor_of(x * static_cast<double>(kFraction) + 0.5); }

double half_to_double(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double value = exponent == 0    ? std::ldexp(fraction, -24)
                 : exponent == 31 ? (fraction == 0 ? HUGE_VAL : std::nan(""))
                                  : std::ldexp(fraction + 1024, exponent - 25);
  return (bits & 0x8000) != 0 ? -value : value;
}

/// The linear value of an sRGB one, by definition (IEC 61966-2-1). x^2.4 is computed as x^2 times the fifth root of
/// x^2, by Newton's method, so that it is the same on every machine.
double linear_of_srgb(double x) {
  if (x <= 0.04045) return x / 12.92;
  const double base = (x + 0.055) / 1.055, square = base * base;
  double root = 1;
  for (int i = 0; i < 40; ++i) root = (4 * root + square / (root * root * root * root)) / 5;
  return square * root;
}
const std::array<double, 256>& linear_values() {
  static const std::array<double, 256> all = [] {
    std::array<double, 256> values{};
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = linear_of_srgb(static_cast<double>(i) / 255);
    return values;
  }();
  return all;
}

/// Base-2 logarithm of a positive number to 16 fraction bits, the same on every machine.
double log2_of(double x) {
  int exponent = 0;
  double mantissa = 2 * std::frexp(x, &exponent), result = exponent - 1;
  for (double bit = 0.5; bit > 1e-5; bit /= 2) {
    mantissa *= mantissa;
    if (mantissa < 2) continue;
    mantissa /= 2;
    result += bit;
  }
  return result;
}

std::int64_t modulo(std::int64_t x, std::int64_t n) {
  const std::int64_t rest = x % n;
  return rest < 0 ? rest + n : rest;
}

/// The axes of a face for a direction (CUDA programming guide, "Cubemap Textures"). Of equal axes z has precedence over
/// y, and y over x.
struct FaceAxes {
  std::uint32_t face = 0;
  unsigned m = 0, s = 0, t = 0;  ///< Index of the coordinate,
  double m_sign = 1, s_sign = 1, t_sign = 1;
};
FaceAxes face_axes(const double (&v)[3]) {
  const double x = std::abs(v[0]), y = std::abs(v[1]), z = std::abs(v[2]);
  if (z >= x && z >= y) return v[2] >= 0 ? FaceAxes{4, 2, 0, 1, 1, 1, -1} : FaceAxes{5, 2, 0, 1, -1, -1, -1};
  if (y >= x) return v[1] >= 0 ? FaceAxes{2, 1, 0, 2, 1, 1, 1} : FaceAxes{3, 1, 0, 2, -1, 1, -1};
  return v[0] >= 0 ? FaceAxes{0, 0, 2, 1, 1, -1, -1} : FaceAxes{1, 0, 2, 1, -1, 1, -1};
}
struct OnFace {
  std::uint32_t face = 0;
  double s = 0, t = 0;  ///< 0 to 1
};
OnFace face_of(const double (&v)[3]) {
  const FaceAxes axes = face_axes(v);
  const double m = axes.m_sign * v[axes.m];
  if (m == 0) return {axes.face, 0.5, 0.5};
  return {axes.face, (axes.s_sign * v[axes.s] / m + 1) / 2, (axes.t_sign * v[axes.t] / m + 1) / 2};
}
/// A direction through position s, t (-1 to 1, or slightly beyond) of a face.
void direction_of(std::uint32_t face, double s, double t, double (&v)[3]) {
  constexpr FaceAxes kAxes[6] = {{0, 0, 2, 1, 1, -1, -1}, {1, 0, 2, 1, -1, 1, -1}, {2, 1, 0, 2, 1, 1, 1},
                                 {3, 1, 0, 2, -1, 1, -1}, {4, 2, 0, 1, 1, 1, -1},  {5, 2, 0, 1, -1, -1, -1}};
  const FaceAxes& axes = kAxes[face];
  v[axes.m] = axes.m_sign;
  v[axes.s] = axes.s_sign * s;
  v[axes.t] = axes.t_sign * t;
}

bool is_cube(ptx::Geometry geometry) { return geometry == ptx::Geometry::cube || geometry == ptx::Geometry::acube; }

unsigned plain_dimensions(ptx::Geometry geometry) {
  switch (geometry) {
    case ptx::Geometry::d1:
    case ptx::Geometry::a1d:
      return 1;
    case ptx::Geometry::d3:
      return 3;
    default:
      return 2;
  }
}

}  // namespace

bool TextureFetch::filters() const { return sampler_.linear && texture_.gives_floats(); }

std::uint32_t TextureFetch::layer_of(const TexturePlace& place) const {
  const std::uint32_t faces = place.geometry == ptx::Geometry::acube ? 6 : 1;
  return std::min(place.layer, std::max(image_.layers / faces, 1u) - 1) * faces;
}

TextureFetch::Point TextureFetch::point_of(const TexturePlace& place, const ImageLevel& level) const {
  const std::uint32_t size[3] = {level.width, level.height, level.depth};
  Point point;
  point.dimensions = plain_dimensions(place.geometry);
  if (is_cube(place.geometry)) {
    const double direction[3] = {limited(place.at[0]), limited(place.at[1]), limited(place.at[2])};
    const OnFace on = face_of(direction);
    point.of_cube = true;
    point.slice = on.face + (place.geometry == ptx::Geometry::acube ? layer_of(place) : 0);
    point.at[0] = on.s * level.width;
    point.at[1] = on.t * level.height;
    return point;
  }
  const bool layered = place.geometry == ptx::Geometry::a1d || place.geometry == ptx::Geometry::a2d;
  if (layered) point.slice = layer_of(place);
  for (unsigned k = 0; k < point.dimensions; ++k)
    point.at[k] = limited(static_cast<double>(place.at[k]) * (sampler_.normalized_coordinates ? size[k] : 1));
  return point;
}

bool TextureFetch::clamps(unsigned axis, bool of_cube) const {
  if (of_cube && sampler_.seamless) return false;
  const AddressMode mode = sampler_.address[axis];
  return mode == AddressMode::clamp || (mode != AddressMode::border && !sampler_.normalized_coordinates);
}

/// The texel for an index; kOutside: the border. Without normalised coordinates there is neither wrapping nor
/// mirroring, as confirmed on an H200.
std::int64_t TextureFetch::resolve(std::int64_t index, unsigned axis, std::int64_t size) const {
  AddressMode mode = sampler_.address[axis];
  const bool repeats = mode == AddressMode::wrap || mode == AddressMode::mirror;
  if (repeats && !sampler_.normalized_coordinates) mode = AddressMode::clamp;
  switch (mode) {
    case AddressMode::wrap:
      return modulo(index, size);
    case AddressMode::mirror: {
      const std::int64_t place = modulo(index, 2 * size);
      return place < size ? place : 2 * size - 1 - place;
    }
    case AddressMode::border:
      return index < 0 || index >= size ? kOutside : index;
    case AddressMode::clamp:
      break;
  }
  return std::clamp<std::int64_t>(index, 0, size - 1);
}

TextureFetch::Texel TextureFetch::border() const {
  Texel texel;
  if (!texture_.gives_floats()) return texel;
  for (unsigned k = 0; k < 4; ++k) {
    texel.value[k] = static_cast<double>(sampler_.border[k]);
    texel.bits[k] = std::bit_cast<std::uint32_t>(sampler_.border[k]);
  }
  return texel;
}

TextureFetch::Texel TextureFetch::read(const ImageLevel& level, std::int64_t x, std::int64_t y, std::int64_t z) {
  const TexelFormat& format = image_.format;
  const auto ux = static_cast<std::uint64_t>(x) * format.bytes(), uy = static_cast<std::uint64_t>(y),
             uz = static_cast<std::uint64_t>(z);
  touched_.push_back((image_.address + image_.counted_offset(level, ux, uy, uz)) >> 4);
  const std::uint64_t offset = image_.offset_of(level, ux, uy, uz);
  if (offsets_ != nullptr) offsets_->push_back(offset);
  const std::byte* const at = texels_ + offset;
  const bool floats = texture_.gives_floats();
  Texel texel;
  texel.value[3] = 1;
  texel.bits[3] = floats ? std::bit_cast<std::uint32_t>(1.0f) : 1;
  for (unsigned k = 0; k < format.channels; ++k) {
    std::uint32_t raw = 0;
    std::memcpy(&raw, at + k * format.bits / 8, format.bits / 8);
    const unsigned unused = 32u - format.bits;
    const auto sign_extended = static_cast<std::int32_t>(raw << unused) >> unused;
    double& value = texel.value[k];
    if (format.kind == TexelKind::floating) {
      value = format.bits == 32 ? static_cast<double>(std::bit_cast<float>(raw))
                                : half_to_double(static_cast<std::uint16_t>(raw));
      texel.bits[k] = format.bits == 32 ? raw : std::bit_cast<std::uint32_t>(static_cast<float>(value));
      continue;
    }
    const bool is_signed = format.kind == TexelKind::signed_integer;
    if (!floats) {
      texel.bits[k] = is_signed ? static_cast<std::uint32_t>(sign_extended) : raw;
      continue;
    }
    if (is_signed) {
      value = std::max(-1.0, sign_extended / (std::ldexp(1.0, format.bits - 1) - 1));
    } else if (sampler_.srgb && format.bits == 8 && k < 3) {
      value = linear_values()[raw];
    } else {
      value = raw / (std::ldexp(1.0, format.bits) - 1);
    }
    texel.bits[k] = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  }
  return texel;
}

/// For a seamless cubemap: beyond an edge is the adjacent face. Beyond a corner there is nothing: a gather returns the
/// mean of the three texels that meet there.
TextureFetch::Texel TextureFetch::across_edges(const ImageLevel& level, std::uint32_t slice, std::int64_t x,
                                               std::int64_t y) {
  const auto size = static_cast<std::int64_t>(level.width);
  const bool out_x = x < 0 || x >= size, out_y = y < 0 || y >= size;
  if (!out_x && !out_y) return read(level, x, y, slice);
  if (out_x && out_y) {
    const std::int64_t cx = std::clamp<std::int64_t>(x, 0, size - 1), cy = std::clamp<std::int64_t>(y, 0, size - 1);
    const Texel corner[3] = {read(level, cx, cy, slice), across_edges(level, slice, x, cy),
                             across_edges(level, slice, cx, y)};
    Texel mean;
    for (unsigned k = 0; k < 4; ++k) mean.value[k] = (corner[0].value[k] + corner[1].value[k] + corner[2].value[k]) / 3;
    return mean;
  }
  const std::uint32_t face = slice % 6;
  const auto centre = [&](std::int64_t i) { return (2 * static_cast<double>(i) + 1) / static_cast<double>(size) - 1; };
  double direction[3];
  direction_of(face, centre(x), centre(y), direction);
  const OnFace on = face_of(direction);
  const auto place = [&](double s) {
    return std::clamp<std::int64_t>(floor_of(s * static_cast<double>(size)), 0, size - 1);
  };
  return read(level, place(on.s), place(on.t), slice - face + on.face);
}

TextureFetch::Texel TextureFetch::texel(const ImageLevel& level, const Point& point, const std::int64_t (&index)[3]) {
  if (point.of_cube && sampler_.seamless) return across_edges(level, point.slice, index[0], index[1]);
  const std::int64_t size[3] = {level.width, level.height, level.depth};
  std::int64_t at[3] = {0, 0, 0};
  for (unsigned k = 0; k < point.dimensions; ++k) {
    at[k] = resolve(index[k], k, size[k]);
    if (at[k] == kOutside) return border();
  }
  return read(level, at[0], at[1], point.dimensions == 3 ? at[2] : point.slice);
}

/// Filtering around a corner of a cube: the weight of the missing texel is distributed over the other three, a third to
/// each neighbour and the rest to the face's own texel (H200, 2026-11-24).
void TextureFetch::share_missing_corner(const std::int64_t (&first)[3], const std::int64_t (&size)[3],
                                        std::int64_t* weights) {
  const auto missing_of = [&](unsigned axis) { return first[axis] < 0 ? 0u : first[axis] + 1 >= size[axis] ? 1u : 2u; };
  const unsigned x = missing_of(0), y = missing_of(1);
  if (x == 2 || y == 2) return;
  const unsigned missing = x | y << 1;
  const std::int64_t third = (weights[missing] + 1) / 3;
  weights[missing ^ 1] += third;
  weights[missing ^ 2] += third;
  weights[missing ^ 3] += weights[missing] - 2 * third;
  weights[missing] = 0;
}

void TextureFetch::add_level(const TexturePlace& place, std::size_t number, std::int64_t whole, Parts& parts) {
  const unsigned slice = parts.count == 0 ? 0 : 2;
  const ImageLevel& level = image_.levels[number];
  const Point point = point_of(place, level);
  const std::int64_t size[3] = {level.width, level.height, level.depth};
  std::int64_t first[3] = {0, 0, 0}, fraction[3] = {0, 0, 0};
  for (unsigned k = 0; k < point.dimensions; ++k) {
    if (!filters()) {
      first[k] = floor_of(point.at[k]);
      continue;
    }
    std::int64_t steps = nearest_step(point.at[k] - 0.5);
    if (clamps(k, point.of_cube)) steps = std::clamp<std::int64_t>(steps, 0, (size[k] - 1) * kFraction);
    first[k] = steps >> 8;
    fraction[k] = steps & (kFraction - 1);
  }
  if (!filters()) {
    // A direction exactly on the edge of a face belongs to that face, also in seamless cubemaps (H200, 2026-11-24).
    if (point.of_cube && sampler_.seamless)
      for (unsigned k = 0; k < point.dimensions; ++k) first[k] = std::clamp<std::int64_t>(first[k], 0, size[k] - 1);
    parts.add(texel(level, point, first), whole, slice);
    return;
  }
  std::int64_t weights[8];
  corner_weights(whole, point.dimensions, fraction, weights);
  if (point.of_cube && sampler_.seamless) share_missing_corner(first, size, weights);
  for (unsigned corner = 0; corner < 1u << point.dimensions; ++corner) {
    if (weights[corner] == 0) continue;
    std::int64_t index[3] = {first[0], first[1], first[2]};
    for (unsigned k = 0; k < point.dimensions; ++k) index[k] += corner >> k & 1;
    parts.add(texel(level, point, index), weights[corner], slice + (corner >> 2));
  }
}

TextureFetch::Texel TextureFetch::blend(const Parts& parts) const {
  const bool normalised = image_.format.kind != TexelKind::floating && filters() && !sampler_.srgb;
  if (parts.count == 1 && !normalised) return parts.all[0].texel;
  Texel mixed;
  for (unsigned k = 0; k < 4; ++k) {
    FilteredChannel channel;
    for (const Part& part : std::span(parts.all.data(), parts.count))
      channel.add(filters() ? part.texel.value[k] : static_cast<double>(std::bit_cast<float>(part.texel.bits[k])),
                  part.weight, part.slice);
    const float value = normalised && k < image_.format.channels
                            ? channel.normalised(image_.format.bits, image_.format.kind == TexelKind::signed_integer)
                            : channel.floating();
    mixed.value[k] = static_cast<double>(value);
    mixed.bits[k] = std::bit_cast<std::uint32_t>(value);
  }
  return mixed;
}

TextureFetch::Texel TextureFetch::on_levels(const TexturePlace& place, double level) {
  Parts parts;
  const std::size_t last = image_.levels.size() - 1;
  if (last == 0) {
    add_level(place, 0, kWholeWeight, parts);
    return blend(parts);
  }
  const double bias = static_cast<double>(sampler_.level_bias);
  double limit = limited(level) +
                 static_cast<double>(floor_of(bias * static_cast<double>(kFraction))) / static_cast<double>(kFraction);
  limit = std::max(std::min(limit, static_cast<double>(sampler_.greatest_level)),
                   static_cast<double>(sampler_.least_level));
  limit = std::clamp(limited(limit), 0.0, static_cast<double>(last));
  if (!sampler_.linear_levels) {
    add_level(place, static_cast<std::size_t>(floor_of(limit + 0.5)), kWholeWeight, parts);
    return blend(parts);
  }
  const std::int64_t steps = floor_of(limit * static_cast<double>(kFraction));
  const auto first = static_cast<std::size_t>(steps >> 8);
  const std::int64_t fraction = steps & (kFraction - 1);
  add_level(place, first, kWholeWeight - fraction, parts);
  if (fraction != 0) add_level(place, first + 1, fraction, parts);
  return blend(parts);
}

TextureValue TextureFetch::value_of(const Texel& texel, bool filtered) const {
  TextureValue value;
  for (unsigned k = 0; k < 4; ++k)
    value.bits[k] = filtered ? std::bit_cast<std::uint32_t>(static_cast<float>(texel.value[k])) : texel.bits[k];
  return value;
}

TextureValue TextureFetch::sample(const TexturePlace& place, double level) {
  return value_of(on_levels(place, level), filters());
}

TextureValue TextureFetch::sample(const TexturePlace& place, const float (&dx)[3], const float (&dy)[3]) {
  const ImageLevel& base = image_.levels[0];
  const double size[3] = {static_cast<double>(base.width), static_cast<double>(base.height),
                          static_cast<double>(base.depth)};
  const bool cube = is_cube(place.geometry);
  // In texels of the first level.
  const auto length_of = [&](const float(&d)[3]) {
    double squares = 0;
    if (cube) {
      const double v[3] = {limited(place.at[0]), limited(place.at[1]), limited(place.at[2])};
      const FaceAxes axes = face_axes(v);
      const double m = axes.m_sign * v[axes.m], dm = axes.m_sign * limited(d[axes.m]);
      const auto derivative = [&](unsigned axis, double sign) {
        const double s = sign * v[axis], ds = sign * limited(d[axis]);
        return m == 0 ? 0 : (ds * m - s * dm) / (m * m) / 2 * size[0];
      };
      const double s = derivative(axes.s, axes.s_sign), t = derivative(axes.t, axes.t_sign);
      squares = s * s + t * t;
    } else {
      for (unsigned k = 0; k < plain_dimensions(place.geometry); ++k) {
        const double step = limited(d[k]) * (sampler_.normalized_coordinates ? size[k] : 1);
        squares += step * step;
      }
    }
    return std::sqrt(squares);
  };
  const double x = length_of(dx), y = length_of(dy), longer = std::max(x, y), shorter = std::min(x, y);
  if (!(longer > 0)) return sample(place, -kFarthest);
  double samples = 1;
  if (sampler_.anisotropy > 1 && filters()) {
    const double most = std::min(sampler_.anisotropy, 16u);
    samples = shorter * most <= longer ? most : std::ceil(longer / shorter);
  }
  // To 8 fraction bits, the resolution of levels.
  const double level = static_cast<double>(nearest_step(log2_of(longer / samples))) / static_cast<double>(kFraction);
  if (samples == 1) return sample(place, level);
  // The mean along the longer derivative (EXT_texture_filter_anisotropic).
  const float(&along)[3] = x >= y ? dx : dy;
  Texel mean;
  for (double i = 1; i <= samples; ++i) {
    TexturePlace moved = place;
    for (unsigned k = 0; k < 3; ++k)
      moved.at[k] = static_cast<float>(static_cast<double>(place.at[k]) +
                                       static_cast<double>(along[k]) * (i / (samples + 1) - 0.5));
    const Texel part = on_levels(moved, level);
    for (unsigned k = 0; k < 4; ++k) mean.value[k] += part.value[k] / samples;
  }
  return value_of(mean, true);
}

TextureValue TextureFetch::gather(const TexturePlace& place, unsigned channel) {
  const ImageLevel& level = image_.levels[0];
  const Point point = point_of(place, level);
  const std::int64_t x = nearest_step(point.at[0] - 0.5) >> 8, y = nearest_step(point.at[1] - 0.5) >> 8;
  const std::int64_t index[4][3] = {{x, y + 1, 0}, {x + 1, y + 1, 0}, {x + 1, y, 0}, {x, y, 0}};
  TextureValue value;
  for (unsigned k = 0; k < 4; ++k) {
    const Texel found = texel(level, point, index[k]);
    const bool is_mean = point.of_cube && sampler_.seamless;
    value.bits[k] = value_of(found, is_mean && texture_.gives_floats()).bits[channel];
  }
  return value;
}

TextureValue TextureFetch::fetch(std::int32_t index) {
  if (index < 0 || static_cast<std::uint32_t>(index) >= image_.levels[0].width) return {};
  return value_of(read(image_.levels[0], index, 0, 0), false);
}

}  // namespace warpbook::simulator
