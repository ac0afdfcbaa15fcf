// Images: the memory behind texture and surface objects, and the table in which kernels look up their handles.
//
// The texels of a CUDA array lie in device memory of their own, row by row, padded to whole tiles of 64 bytes by 8
// rows. Programs cannot observe where a texel lies: arrays are accessible only through copies, textures and surfaces.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace warpbook::simulator {

enum class TexelKind : std::uint8_t { unsigned_integer, signed_integer, floating };

/// The format of an image's elements.
struct TexelFormat {
  TexelKind kind = TexelKind::unsigned_integer;
  std::uint8_t bits = 32;     ///< Of each channel: 8, 16 or 32.
  std::uint8_t channels = 1;  ///< 1, 2 or 4.
  bool normalized = false;    ///< For integers: they represent 0 to 1 or -1 to 1, however they are read.
  unsigned bytes() const { return static_cast<unsigned>(bits) / 8 * channels; }
  bool operator==(const TexelFormat&) const = default;
};

/// A level of a mipmap; images without mipmaps have one level, `levels[0]`.
struct ImageLevel {
  std::uint64_t offset = 0;                        ///< From the image's address.
  std::uint32_t width = 0, height = 1, depth = 1;  ///< In texels.
  std::uint64_t pitch = 0;                         ///< Bytes between rows
  std::uint64_t slice = 0;                         ///< and between slices or layers.
};

struct Image {
  enum class Kind : std::uint8_t {
    linear,  ///< From cudaMalloc, with one index.
    pitch,   ///< The same, with rows.
    array,
  };
  Kind kind = Kind::array;
  std::uint8_t dimensions = 1;  ///< Without the layer: 1, 2 or 3.
  bool layered = false, cubemap = false;
  TexelFormat format;
  std::uint64_t address = 0;  ///< Device address.
  std::uint64_t bytes = 0;
  std::uint32_t first_layer = 0, layers = 1;  ///< Faces of a cubemap are layers.
  std::vector<ImageLevel> levels;
  std::string name;  ///< For messages: "the 2nd cudaMallocArray".

  /// Rows and columns are close in memory: tiles of 16 bytes by 2 rows are sectors.
  bool is_tiled() const { return kind == Kind::array && dimensions > 1; }
  /// Where a texel's bytes begin, relative to `address`.
  std::uint64_t offset_of(const ImageLevel& level, std::uint64_t x_bytes, std::uint64_t y, std::uint64_t z) const {
    return level.offset + (z + first_layer) * level.slice + y * level.pitch + x_bytes;
  }
  /// Where hardware would store them, to count sectors and lines; see docs/counters.md.
  std::uint64_t counted_offset(const ImageLevel& level, std::uint64_t x_bytes, std::uint64_t y, std::uint64_t z) const;
};

constexpr std::uint64_t kTileBytes = 64, kTileRows = 8;  ///< Arrays with rows are padded to a multiple of this.

enum class AddressMode : std::uint8_t { wrap, clamp, mirror, border };

/// How a texture is read (cudaTextureDesc).
struct Sampler {
  AddressMode address[3] = {AddressMode::clamp, AddressMode::clamp, AddressMode::clamp};
  bool linear = false;             ///< cudaFilterModeLinear
  bool normalized_values = false;  ///< cudaReadModeNormalizedFloat
  bool normalized_coordinates = false;
  bool srgb = false;
  bool seamless = false;  ///< For cubemaps.
  float border[4] = {0, 0, 0, 0};
  unsigned anisotropy = 0;     ///< 0 and 1: none.
  bool linear_levels = false;  ///< mipmapFilterMode
  float level_bias = 0, least_level = 0, greatest_level = 0;
};

struct Texture {
  Image image;
  Sampler sampler;
  /// Whether values are floats; otherwise they are the bits of integers.
  bool gives_floats() const {
    return image.format.kind == TexelKind::floating || image.format.normalized || sampler.normalized_values;
  }
};

/// Not thread safe: objects are created and destroyed only between launches. Handles are not reused.
class ImageTable {
 public:
  std::uint64_t add(Texture texture);
  std::uint64_t add(Image surface);
  bool remove_texture(std::uint64_t handle) { return textures_.erase(handle) != 0; }
  bool remove_surface(std::uint64_t handle) { return surfaces_.erase(handle) != 0; }
  const Texture* texture(std::uint64_t handle) const;
  const Image* surface(std::uint64_t handle) const;
  /// Why @p handle is not valid, for a message: "it was destroyed".
  std::string explain(std::uint64_t handle, bool wants_texture) const;
  void clear();

 private:
  std::map<std::uint64_t, Texture> textures_;
  std::map<std::uint64_t, Image> surfaces_;
  std::uint64_t given_ = 0;
};

}  // namespace warpbook::simulator
