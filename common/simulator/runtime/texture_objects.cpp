// Texture and surface objects: from the API's descriptions to the form that kernels use.
#include <algorithm>
#include <string>

#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/copy.h"
#include "common/simulator/runtime/image_state.h"
#include "common/simulator/runtime/number_text.h"

namespace warpbook::simulator::runtime {
namespace {

std::uint64_t attribute(const Runtime& runtime, const char* name) {
  return static_cast<std::uint64_t>(runtime.device().attribute(name));
}

/// An image of linear device memory that the program allocated itself.
cudaError_t image_of_memory(const Runtime& runtime, const char* name, const void* pointer,
                            const cudaChannelFormatDesc& format, std::uint64_t bytes, Image& image) {
  cudaError_t error = cudaSuccess;
  const auto texels = texel_format(format, error);
  if (!texels) return error == cudaErrorNotSupported ? not_supported(name, " for this channel format") : error;
  const auto place = locate(runtime, pointer, bytes);
  if (!place || place->allocation == nullptr)
    return refused(name, "memory that is not the device's for all of its " + std::to_string(bytes) + " bytes");
  image.format = *texels;
  image.address = reinterpret_cast<std::uint64_t>(pointer);
  image.bytes = bytes;
  // Allocations count as aligned for textures, whatever their addresses here.
  const std::uint64_t into = image.address - place->allocation->address;
  if (const std::uint64_t least = attribute(runtime, "texture_alignment"); into % least != 0)
    return refused(name, "an address " + std::to_string(into) + " bytes into its allocation: not a multiple of " +
                             std::to_string(least) + ", the device's texture alignment");
  const AllocationRecord* const record = runtime.profile.allocation_at(image.address);
  image.name = record == nullptr ? "memory" : "the " + ordinal(record->ordinal) + " " + record->call;
  return cudaSuccess;
}

cudaError_t linear_image(const Runtime& runtime, const char* name, const cudaResourceDesc& resource, Image& image) {
  const auto& memory = resource.res.linear;
  if (const cudaError_t error = image_of_memory(runtime, name, memory.devPtr, memory.desc, memory.sizeInBytes, image))
    return error;
  const std::uint64_t width = memory.sizeInBytes / image.format.bytes();
  if (const std::uint64_t most = attribute(runtime, "maximum_texture1d_linear_width"); width == 0 || width > most)
    return refused(name, std::to_string(width) + " elements of linear memory: 1 to " + std::to_string(most));
  image.kind = Image::Kind::linear;
  image.levels.push_back({0, static_cast<std::uint32_t>(width), 1, 1, memory.sizeInBytes, memory.sizeInBytes});
  return cudaSuccess;
}

cudaError_t pitched_image(const Runtime& runtime, const char* name, const cudaResourceDesc& resource, Image& image) {
  const auto& memory = resource.res.pitch2D;
  const auto is_beyond = [&](std::size_t n, const char* limit) { return n == 0 || n > attribute(runtime, limit); };
  if (is_beyond(memory.width, "maximum_texture2d_linear_width") ||
      is_beyond(memory.height, "maximum_texture2d_linear_height"))
    return refused(name, std::to_string(memory.height) + " rows of " + std::to_string(memory.width) +
                             " elements of pitched memory: none, or more than the device's textures may have");
  const std::uint64_t alignment = attribute(runtime, "texture_pitch_alignment");
  if (memory.pitchInBytes > attribute(runtime, "maximum_texture2d_linear_pitch") ||
      memory.pitchInBytes % alignment != 0)
    return refused(name, "a pitch of " + std::to_string(memory.pitchInBytes) + " bytes: not a multiple of " +
                             std::to_string(alignment) +
                             ", or more than the device's textures may have; cudaMallocPitch() gives a right one");
  cudaError_t error = cudaSuccess;
  const auto texels = texel_format(memory.desc, error);
  const std::uint64_t row = texels ? memory.width * texels->bytes() : 1;
  if (row > memory.pitchInBytes) return cudaErrorInvalidPitchValue;
  const std::uint64_t bytes = (memory.height - 1) * memory.pitchInBytes + row;
  if (const cudaError_t wrong = image_of_memory(runtime, name, memory.devPtr, memory.desc, bytes, image)) return wrong;
  image.kind = Image::Kind::pitch;
  image.dimensions = 2;
  image.levels.push_back({0, static_cast<std::uint32_t>(memory.width), static_cast<std::uint32_t>(memory.height), 1,
                          memory.pitchInBytes, bytes});
  return cudaSuccess;
}

/// The texel format of a view: the enumeration runs through kinds and sizes, with 1, 2 and 4 channels each.
std::optional<TexelFormat> view_format(cudaResourceViewFormat format) {
  if (format < cudaResViewFormatUnsignedChar1 || format > cudaResViewFormatFloat4) return std::nullopt;
  static constexpr struct {
    TexelKind kind;
    std::uint8_t bits;
  } kFormats[] = {{TexelKind::unsigned_integer, 8},  {TexelKind::signed_integer, 8},
                  {TexelKind::unsigned_integer, 16}, {TexelKind::signed_integer, 16},
                  {TexelKind::unsigned_integer, 32}, {TexelKind::signed_integer, 32},
                  {TexelKind::floating, 16},         {TexelKind::floating, 32}};
  const auto number = static_cast<unsigned>(format) - 1;
  const auto& row = kFormats[number / 3];
  return TexelFormat{row.kind, row.bits, static_cast<std::uint8_t>(1u << number % 3)};
}

cudaError_t apply_view(const char* name, const cudaResourceViewDesc& view, Image& image) {
  if (image.kind != Image::Kind::array) return refused(name, "a view of a resource that is no array");
  const auto format = view_format(view.format);
  if (!format) {
    const bool compressed = view.format >= cudaResViewFormatUnsignedBlockCompressed1 &&
                            view.format <= cudaResViewFormatUnsignedBlockCompressed7;
    return compressed ? not_supported(name, " for block-compressed formats")
                      : refused(name, "the format of the view: " + std::to_string(view.format));
  }
  if (format->bytes() != image.format.bytes())
    return refused(name, "a view with elements of " + std::to_string(format->bytes()) + " bytes of an array with " +
                             std::to_string(image.format.bytes()));
  image.format = *format;
  const ImageLevel& first = image.levels[0];
  const bool same = view.width == first.width && (image.dimensions < 2 || view.height == first.height) &&
                    (image.dimensions < 3 || view.depth == first.depth);
  if (!same) return refused(name, "a view that has not the array's width, height and depth");
  if (view.firstMipmapLevel > view.lastMipmapLevel || view.lastMipmapLevel >= image.levels.size() ||
      view.firstLayer > view.lastLayer || view.lastLayer >= std::max(image.layers, 1u))
    return refused(name, "a view of levels or layers that the array does not have");
  image.levels.erase(image.levels.begin() + view.lastMipmapLevel + 1, image.levels.end());
  image.levels.erase(image.levels.begin(), image.levels.begin() + view.firstMipmapLevel);
  if (image.layered) {
    const std::uint32_t layers = view.lastLayer - view.firstLayer + 1;
    if (image.cubemap && (layers % 6 != 0 || view.firstLayer % 6 != 0))
      return refused(name, "a view of a part of a cube");
    image.first_layer += view.firstLayer;
    image.layers = layers;
  }
  return cudaSuccess;
}

Sampler sampler_of(const cudaTextureDesc& texture) {
  Sampler sampler;
  for (unsigned k = 0; k < 3; ++k) sampler.address[k] = static_cast<AddressMode>(texture.addressMode[k]);
  sampler.linear = texture.filterMode == cudaFilterModeLinear;
  sampler.normalized_values = texture.readMode == cudaReadModeNormalizedFloat;
  sampler.normalized_coordinates = texture.normalizedCoords != 0;
  sampler.srgb = texture.sRGB != 0;
  sampler.seamless = texture.seamlessCubemap != 0;
  std::copy(std::begin(texture.borderColor), std::end(texture.borderColor), std::begin(sampler.border));
  sampler.anisotropy = texture.maxAnisotropy;
  sampler.linear_levels = texture.mipmapFilterMode == cudaFilterModeLinear;
  sampler.level_bias = texture.mipmapLevelBias;
  sampler.least_level = texture.minMipmapLevelClamp;
  sampler.greatest_level = texture.maxMipmapLevelClamp;
  return sampler;
}

static_assert(static_cast<int>(AddressMode::wrap) == cudaAddressModeWrap &&
              static_cast<int>(AddressMode::clamp) == cudaAddressModeClamp &&
              static_cast<int>(AddressMode::mirror) == cudaAddressModeMirror &&
              static_cast<int>(AddressMode::border) == cudaAddressModeBorder);

bool is_mode(int value, int greatest) { return value >= 0 && value <= greatest; }

cudaError_t check_sampling(const char* name, const cudaTextureDesc& texture, const Texture& made) {
  for (const cudaTextureAddressMode mode : texture.addressMode)
    if (!is_mode(mode, cudaAddressModeBorder))
      return refused(name, "the address mode " + std::to_string(static_cast<int>(mode)) +
                               ": a description that is not initialised? Begin with cudaTextureDesc how{}");
  if (!is_mode(texture.filterMode, cudaFilterModeLinear) || !is_mode(texture.mipmapFilterMode, cudaFilterModeLinear) ||
      !is_mode(texture.readMode, cudaReadModeNormalizedFloat))
    return refused(name,
                   "the filter or read mode: a description that is not initialised? Begin with "
                   "cudaTextureDesc how{}");
  const TexelFormat& format = made.image.format;
  if (made.sampler.normalized_values && format.kind != TexelKind::floating && format.bits == 32)
    return refused(name, "cudaReadModeNormalizedFloat for integers of 32 bits", cudaErrorInvalidNormSetting);
  if (made.sampler.linear && !made.gives_floats())
    return refused(name, "cudaFilterModeLinear for a texture that gives integers", cudaErrorInvalidFilterSetting);
  const bool coloured =
      std::any_of(std::begin(texture.borderColor), std::end(texture.borderColor), [](float part) { return part != 0; });
  const bool bordered = std::any_of(std::begin(texture.addressMode), std::end(texture.addressMode),
                                    [](cudaTextureAddressMode mode) { return mode == cudaAddressModeBorder; });
  if (coloured && bordered && !made.gives_floats())
    return not_supported(name, " for a border colour of a texture that gives integers");
  return cudaSuccess;
}

}  // namespace

cudaError_t make_texture(Runtime& runtime, const char* name, cudaTextureObject_t* handle,
                         const cudaResourceDesc* resource, const cudaTextureDesc* texture,
                         const cudaResourceViewDesc* view) {
  if (handle == nullptr || resource == nullptr || texture == nullptr) return cudaErrorInvalidValue;
  if (resource->flags != 0)
    return refused(name,
                   "a resource whose flags are not 0: one that is not initialised? Begin with cudaResourceDesc "
                   "resource{}");
  ImageState& images = *runtime.images;
  Texture made;
  made.sampler = sampler_of(*texture);
  cudaError_t error = cudaSuccess;
  switch (resource->resType) {
    case cudaResourceTypeArray: {
      const Array* const array = images.arrays.find(resource->res.array.array);
      if (array == nullptr && resource->res.array.array == nullptr)
        return refused(name, "a null pointer in place of an array");
      if (array == nullptr) return cudaErrorContextIsDestroyed;
      made.image = array->image;
      break;
    }
    case cudaResourceTypeMipmappedArray: {
      const MipmappedArray* const array = images.mipmapped_arrays.find(resource->res.mipmap.mipmap);
      if (array == nullptr) return refused(name, "a pointer that is no mipmapped array");
      if (!made.sampler.normalized_coordinates) return refused(name, "a mipmapped array without normalizedCoords = 1");
      made.image = array->image;
      break;
    }
    case cudaResourceTypeLinear:
      error = linear_image(runtime, name, *resource, made.image);
      break;
    case cudaResourceTypePitch2D:
      error = pitched_image(runtime, name, *resource, made.image);
      break;
    default:
      return refused(name, "the resource type " + std::to_string(static_cast<int>(resource->resType)));
  }
  if (error != cudaSuccess) return error;
  if (view != nullptr && (error = apply_view(name, *view, made.image)) != cudaSuccess) return error;
  // Linear memory is read unchanged: filter and address modes do not apply.
  if (made.image.kind == Image::Kind::linear) made.sampler.linear = false;
  if ((error = check_sampling(name, *texture, made)) != cudaSuccess) return error;
  *handle = images.table.add(std::move(made));
  images.textures[*handle] = {*resource, *texture, view == nullptr ? std::nullopt : std::optional(*view)};
  if (runtime.options.checks.any())
    runtime.objects.made(reinterpret_cast<const void*>(*handle), "texture object", name, runtime.places.here());
  return cudaSuccess;
}

cudaError_t make_surface(Runtime& runtime, const char* name, cudaSurfaceObject_t* handle,
                         const cudaResourceDesc* resource) {
  if (handle == nullptr || resource == nullptr) return cudaErrorInvalidValue;
  if (resource->resType != cudaResourceTypeArray) return refused(name, "what is no array (cudaResourceTypeArray)");
  ImageState& images = *runtime.images;
  const Array* const array = images.arrays.find(resource->res.array.array);
  if (array == nullptr) return refused(name, "a pointer that is no array");
  *handle = images.table.add(array->image);
  images.surfaces[*handle] = *resource;
  if (runtime.options.checks.any())
    runtime.objects.made(reinterpret_cast<const void*>(*handle), "surface object", name, runtime.places.here());
  return cudaSuccess;
}

cudaError_t destroy_texture(Runtime& runtime, cudaTextureObject_t handle) {
  if (runtime.images->table.texture(handle) == nullptr) return cudaSuccess;  // As on an H200.
  runtime.backlog.try_to_finish_all();                                       // Earlier launches may still read it.
  runtime.images->table.remove_texture(handle);
  runtime.images->textures.erase(handle);
  runtime.objects.gone(reinterpret_cast<const void*>(handle));
  return cudaSuccess;
}

cudaError_t destroy_surface(Runtime& runtime, cudaSurfaceObject_t handle) {
  if (runtime.images->table.surface(handle) == nullptr) return cudaSuccess;
  runtime.backlog.try_to_finish_all();
  runtime.images->table.remove_surface(handle);
  runtime.images->surfaces.erase(handle);
  runtime.objects.gone(reinterpret_cast<const void*>(handle));
  return cudaSuccess;
}

}  // namespace warpbook::simulator::runtime
