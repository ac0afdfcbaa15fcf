// Positions of texels, and the table of texture and surface objects.
#include "common/simulator/machine/image.h"

#include <utility>

namespace warpbook::simulator {

/// The byte order in a tile of 64 bytes by 8 rows ("GOB"), known from open-source drivers: a sector is 16 bytes of 2
/// rows, a line 32 bytes of 4 rows. Slices of volumes are counted one by one.
std::uint64_t Image::counted_offset(const ImageLevel& level, std::uint64_t x, std::uint64_t y, std::uint64_t z) const {
  if (!is_tiled()) return offset_of(level, x, y, z);
  const std::uint64_t tiles_in_row = level.pitch / kTileBytes;
  const std::uint64_t tile = y / kTileRows * tiles_in_row + x / kTileBytes;
  const std::uint64_t within = x % 64 / 32 * 256 + y % 8 / 2 * 64 + x % 32 / 16 * 32 + y % 2 * 16 + x % 16;
  return level.offset + (z + first_layer) * level.slice + tile * (kTileBytes * kTileRows) + within;
}

std::uint64_t ImageTable::add(Texture texture) {
  textures_.emplace(++given_, std::move(texture));
  return given_;
}

std::uint64_t ImageTable::add(Image surface) {
  surfaces_.emplace(++given_, std::move(surface));
  return given_;
}

const Texture* ImageTable::texture(std::uint64_t handle) const {
  const auto found = textures_.find(handle);
  return found == textures_.end() ? nullptr : &found->second;
}

const Image* ImageTable::surface(std::uint64_t handle) const {
  const auto found = surfaces_.find(handle);
  return found == surfaces_.end() ? nullptr : &found->second;
}

std::string ImageTable::explain(std::uint64_t handle, bool wants_texture) const {
  if (wants_texture && surfaces_.count(handle) != 0) return "it is a surface object";
  if (!wants_texture && textures_.count(handle) != 0) return "it is a texture object";
  if (handle != 0 && handle <= given_) return "it was destroyed before the kernel ran";
  return "no call ever returned it";
}

void ImageTable::clear() {
  textures_.clear();
  surfaces_.clear();
}

}  // namespace warpbook::simulator
