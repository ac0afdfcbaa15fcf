// Creating and freeing CUDA arrays: formats, limits and the layout of levels.
#include <algorithm>
#include <bit>
#include <string>

#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/image_state.h"
#include "common/simulator/runtime/memory_api.h"
#include "common/simulator/runtime/number_text.h"

namespace warpbook::simulator::runtime {
namespace {

constexpr std::uint64_t kArrayAlignment = 512;
constexpr unsigned kKnownFlags =
    cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather | cudaArrayColorAttachment;

std::uint64_t rounded_up(std::uint64_t n, std::uint64_t to) { return (n + to - 1) / to * to; }

/// Channels and bits of the normalised integer formats, which determine everything else.
struct NormalizedKind {
  cudaChannelFormatKind kind;
  TexelFormat format;
};
constexpr TexelKind kUnsigned = TexelKind::unsigned_integer, kSigned = TexelKind::signed_integer;
constexpr NormalizedKind kNormalizedKinds[] = {
    {cudaChannelFormatKindUnsignedNormalized8X1, {kUnsigned, 8, 1, true}},
    {cudaChannelFormatKindUnsignedNormalized8X2, {kUnsigned, 8, 2, true}},
    {cudaChannelFormatKindUnsignedNormalized8X4, {kUnsigned, 8, 4, true}},
    {cudaChannelFormatKindUnsignedNormalized16X1, {kUnsigned, 16, 1, true}},
    {cudaChannelFormatKindUnsignedNormalized16X2, {kUnsigned, 16, 2, true}},
    {cudaChannelFormatKindUnsignedNormalized16X4, {kUnsigned, 16, 4, true}},
    {cudaChannelFormatKindSignedNormalized8X1, {kSigned, 8, 1, true}},
    {cudaChannelFormatKindSignedNormalized8X2, {kSigned, 8, 2, true}},
    {cudaChannelFormatKindSignedNormalized8X4, {kSigned, 8, 4, true}},
    {cudaChannelFormatKindSignedNormalized16X1, {kSigned, 16, 1, true}},
    {cudaChannelFormatKindSignedNormalized16X2, {kSigned, 16, 2, true}},
    {cudaChannelFormatKindSignedNormalized16X4, {kSigned, 16, 4, true}},
};

/// The most texels per axis, from the device's attributes; 0: there is no such axis.
struct Limits3 {
  const char* width = "";
  const char* height = "";
  const char* depth = "";
};
Limits3 limits_of(const cudaExtent& extent, unsigned flags, bool mipmapped) {
  const bool layered = (flags & cudaArrayLayered) != 0;
  if ((flags & cudaArrayCubemap) != 0)
    return layered ? Limits3{"maximum_texturecubemap_layered_width", "maximum_texturecubemap_layered_width",
                             "maximum_texturecubemap_layered_layers"}
                   : Limits3{"maximum_texturecubemap_width", "maximum_texturecubemap_width", ""};
  if (layered)
    return extent.height == 0 ? Limits3{"maximum_texture1d_layered_width", "", "maximum_texture1d_layered_layers"}
                              : Limits3{"maximum_texture2d_layered_width", "maximum_texture2d_layered_height",
                                        "maximum_texture2d_layered_layers"};
  if (extent.depth != 0) return {"maximum_texture3d_width", "maximum_texture3d_height", "maximum_texture3d_depth"};
  if (extent.height == 0) return {mipmapped ? "maximum_texture1d_mipmapped_width" : "maximum_texture1d_width", "", ""};
  if ((flags & cudaArrayTextureGather) != 0)
    return {"maximum_texture2d_gather_width", "maximum_texture2d_gather_height", ""};
  return mipmapped ? Limits3{"maximum_texture2d_mipmapped_width", "maximum_texture2d_mipmapped_height", ""}
                   : Limits3{"maximum_texture2d_width", "maximum_texture2d_height", ""};
}

/// What is wrong with an array's extent, for which its flags matter; nothing: it is valid.
std::optional<std::string> wrong_extent(const Runtime& runtime, const cudaExtent& extent, unsigned flags,
                                        bool mipmapped) {
  const bool layered = (flags & cudaArrayLayered) != 0, cubemap = (flags & cudaArrayCubemap) != 0;
  if (extent.width == 0) return "a width of 0 elements";
  if (cubemap && (extent.width != extent.height || extent.depth == 0 || extent.depth % 6 != 0))
    return "faces that are not square, or a depth that is no multiple of 6 (cudaArrayCubemap)";
  if (cubemap && !layered && extent.depth != 6) return "a cube with a depth other than 6 (without cudaArrayLayered)";
  if (cubemap && (flags & cudaArrayTextureGather) != 0)  // As an H200 (2026-11-24), which gathers from it.
    return "cudaArrayTextureGather for a cube";
  if (layered && extent.depth == 0) return "a depth of 0 layers (cudaArrayLayered)";
  if (!layered && !cubemap && extent.depth != 0 && extent.height == 0)
    return "a depth without a height: layers need cudaArrayLayered";
  const Limits3 limits = limits_of(extent, flags, mipmapped);
  const auto beyond = [&](std::size_t n, const char* limit) {
    return *limit != '\0' && n > static_cast<std::uint64_t>(runtime.device().attribute(limit));
  };
  for (const auto& [size, limit] :
       {std::pair{extent.width, limits.width}, {extent.height, limits.height}, {extent.depth, limits.depth}})
    if (beyond(size, limit))
      return std::to_string(size) + " elements, where the device's " + limit + " is " +
             std::to_string(runtime.device().attribute(limit));
  return std::nullopt;
}

/// "extent {16, 16, 5}, in elements"
std::string text_of(const cudaExtent& extent) {
  return "extent {" + std::to_string(extent.width) + ", " + std::to_string(extent.height) + ", " +
         std::to_string(extent.depth) + "}, in elements";
}

/// Lays out levels one after the other. @returns their total size in bytes
std::uint64_t lay_out(Image& image, const cudaExtent& extent, unsigned levels) {
  const bool volume = image.dimensions == 3;
  std::uint64_t at = 0;
  for (unsigned n = 0; n < levels; ++n) {
    const auto size = [&](std::size_t texels) {
      return static_cast<std::uint32_t>(std::max<std::size_t>(texels >> n, 1));
    };
    ImageLevel level;
    level.width = size(extent.width);
    level.height = size(extent.height);
    level.depth = volume ? size(extent.depth) : 1;
    level.offset = at;
    level.pitch = rounded_up(std::uint64_t{level.width} * image.format.bytes(), kTileBytes);
    level.slice = level.pitch * (image.dimensions > 1 ? rounded_up(level.height, kTileRows) : 1);
    at += level.slice * (volume ? level.depth : image.layers);
    at = rounded_up(at, kArrayAlignment);
    image.levels.push_back(level);
  }
  return at;
}

/// Checks, lays out and allocates. @param levels 0: not mipmapped
cudaError_t make_image(Runtime& runtime, const char* name, const cudaChannelFormatDesc* format, cudaExtent extent,
                       unsigned levels, unsigned flags, Image& image) {
  if (format == nullptr) return cudaErrorInvalidValue;
  if ((flags & (cudaArraySparse | cudaArrayDeferredMapping)) != 0)
    return not_supported(name, " for sparse arrays and arrays with deferred mapping");
  if ((flags & ~kKnownFlags) != 0) return refused(name, "unknown flags: " + hexadecimal(flags));
  if (const auto wrong = wrong_extent(runtime, extent, flags, levels != 0))
    return refused(name, *wrong + "; " + text_of(extent));
  cudaError_t error = cudaSuccess;
  const auto texels = texel_format(*format, error);
  if (!texels) return error == cudaErrorNotSupported ? not_supported(name, " for this channel format") : error;
  const bool layered = (flags & cudaArrayLayered) != 0, cubemap = (flags & cudaArrayCubemap) != 0;
  image.format = *texels;
  image.layered = layered;
  image.cubemap = cubemap;
  image.layers = layered || cubemap ? static_cast<std::uint32_t>(extent.depth) : 1;
  image.dimensions = extent.height == 0 ? 1 : extent.depth == 0 || layered || cubemap ? 2 : 3;
  const std::size_t longest = std::max({extent.width, extent.height, image.dimensions == 3 ? extent.depth : 0});
  const unsigned most = static_cast<unsigned>(std::bit_width(longest));
  image.bytes = lay_out(image, extent, std::clamp(levels, 1u, most));
  if (image.bytes > free_bytes(runtime)) return cudaErrorMemoryAllocation;
  const Allocation* const allocation =
      runtime.memory.allocate(image.bytes, MemoryKind::device, kArrayAlignment, {}, active_device());
  if (allocation == nullptr) return cudaErrorMemoryAllocation;
  image.address = allocation->address;
  if (runtime.checker) runtime.checker->allocated(image.address, image.bytes);
  runtime.profile.allocated(image.address, image.bytes, "device", name, runtime.places.here());
  const AllocationRecord* const record = runtime.profile.allocation_at(image.address);
  image.name = "the " + (record == nullptr ? std::string("array of ") : ordinal(record->ordinal) + " ") + name;
  return cudaSuccess;
}

void release_image(Runtime& runtime, const Image& image) {
  if (runtime.checker) runtime.checker->freed(image.address, image.bytes);
  runtime.profile.freed(image.address, runtime.places.here());
  runtime.memory.free(image.address);
}

}  // namespace

void ImageState::clear() {
  arrays.clear();
  mipmapped_arrays.clear();
  table.clear();
  textures.clear();
  surfaces.clear();
}

std::optional<TexelFormat> texel_format(const cudaChannelFormatDesc& format, cudaError_t& error) {
  error = cudaErrorInvalidChannelDescriptor;
  TexelFormat texels;
  const int bits[4] = {format.x, format.y, format.z, format.w};
  unsigned channels = 0;
  while (channels < 4 && bits[channels] != 0) ++channels;
  for (unsigned k = 0; k < 4; ++k)
    if (bits[k] != (k < channels ? bits[0] : 0)) return std::nullopt;
  if (channels == 0 || channels == 3) return std::nullopt;
  texels.channels = static_cast<std::uint8_t>(channels);
  texels.bits = static_cast<std::uint8_t>(bits[0]);
  switch (format.f) {
    case cudaChannelFormatKindUnsigned:
      texels.kind = kUnsigned;
      break;
    case cudaChannelFormatKindSigned:
      texels.kind = kSigned;
      break;
    case cudaChannelFormatKindFloat:
      texels.kind = TexelKind::floating;
      if (bits[0] == 8) return std::nullopt;
      break;
    case cudaChannelFormatKindNone:
      return std::nullopt;
    default: {
      const auto* const found = std::find_if(std::begin(kNormalizedKinds), std::end(kNormalizedKinds),
                                             [&](const NormalizedKind& row) { return row.kind == format.f; });
      if (found == std::end(kNormalizedKinds)) {
        error = cudaErrorNotSupported;
        return std::nullopt;
      }
      if (found->format.bits != bits[0] || found->format.channels != channels) return std::nullopt;
      error = cudaSuccess;
      return found->format;
    }
  }
  if (bits[0] != 8 && bits[0] != 16 && bits[0] != 32) return std::nullopt;
  error = cudaSuccess;
  return texels;
}

cudaError_t make_array(Runtime& runtime, const char* name, cudaArray_t* handle, const cudaChannelFormatDesc* format,
                       cudaExtent extent, unsigned flags) {
  if (handle == nullptr) return cudaErrorInvalidValue;
  Image image;
  if (const cudaError_t error = make_image(runtime, name, format, extent, 0, flags, image)) return error;
  Array* const array = runtime.images->arrays.add();
  *array = {*format, extent, flags, std::move(image), false};
  *handle = reinterpret_cast<cudaArray_t>(array);
  return cudaSuccess;
}

cudaError_t make_mipmapped_array(Runtime& runtime, const char* name, cudaMipmappedArray_t* handle,
                                 const cudaChannelFormatDesc* format, cudaExtent extent, unsigned levels,
                                 unsigned flags) {
  if (handle == nullptr || levels == 0) return cudaErrorInvalidValue;
  Image image;
  if (const cudaError_t error = make_image(runtime, name, format, extent, levels, flags, image)) return error;
  MipmappedArray* const made = runtime.images->mipmapped_arrays.add();
  *made = {*format, extent, flags, std::move(image), {}};
  for (const ImageLevel& level : made->image.levels) {
    Array* const array = runtime.images->arrays.add();
    *array = {*format, extent, flags, made->image, true};
    array->image.levels = {level};
    array->extent.width = level.width;
    if (extent.height != 0) array->extent.height = level.height;
    if (made->image.dimensions == 3) array->extent.depth = level.depth;
    array->image.name = "level " + std::to_string(made->levels.size()) + " of " + made->image.name;
    made->levels.push_back(array);
  }
  *handle = reinterpret_cast<cudaMipmappedArray_t>(made);
  return cudaSuccess;
}

cudaError_t free_array(Runtime& runtime, cudaArray_t handle) {
  if (handle == nullptr) return cudaSuccess;
  const Array* const array = runtime.images->arrays.find(handle);
  if (array == nullptr) return cudaErrorContextIsDestroyed;  // An H200 returns this error.
  if (array->is_level) return cudaErrorInvalidValue;
  if (const cudaError_t error = runtime.wait_for_all()) return error;
  release_image(runtime, array->image);
  runtime.images->arrays.remove(handle);
  return cudaSuccess;
}

cudaError_t free_mipmapped_array(Runtime& runtime, cudaMipmappedArray_t handle) {
  if (handle == nullptr) return cudaSuccess;
  const MipmappedArray* const array = runtime.images->mipmapped_arrays.find(handle);
  if (array == nullptr) return cudaErrorInvalidValue;
  if (const cudaError_t error = runtime.wait_for_all()) return error;
  release_image(runtime, array->image);
  for (const Array* level : array->levels) runtime.images->arrays.remove(level);
  runtime.images->mipmapped_arrays.remove(handle);
  return cudaSuccess;
}

}  // namespace warpbook::simulator::runtime
