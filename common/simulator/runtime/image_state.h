// CUDA arrays, mipmapped arrays, texture and surface objects: the objects behind their handles.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "common/simulator/machine/image.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/handles.h"

namespace warpbook::simulator::runtime {

class Runtime;

/// The object behind cudaArray_t: an array of its own, or a level of a mipmapped array.
struct Array {
  cudaChannelFormatDesc format = {};
  cudaExtent extent = {};  ///< As requested: 0 for dimensions that the array does not have.
  unsigned flags = 0;
  Image image;            ///< One level.
  bool is_level = false;  ///< Its memory belongs to the mipmapped array.
};

/// The object behind cudaMipmappedArray_t.
struct MipmappedArray {
  cudaChannelFormatDesc format = {};
  cudaExtent extent = {};
  unsigned flags = 0;
  Image image;
  std::vector<Array*> levels;
};

/// The description from which a texture object was made.
struct TextureDescription {
  cudaResourceDesc resource = {};
  cudaTextureDesc texture = {};
  std::optional<cudaResourceViewDesc> view;
};

struct ImageState {
  HandleTable<Array> arrays;
  HandleTable<MipmappedArray> mipmapped_arrays;
  ImageTable table;
  std::map<std::uint64_t, TextureDescription> textures;
  std::map<std::uint64_t, cudaResourceDesc> surfaces;
  void clear();
};

/// The format of @p format, or nothing if it is not supported: @p error says why.
std::optional<TexelFormat> texel_format(const cudaChannelFormatDesc& format, cudaError_t& error);

/// Makes an array for the call @p name.
cudaError_t make_array(Runtime& runtime, const char* name, cudaArray_t* handle, const cudaChannelFormatDesc* format,
                       cudaExtent extent, unsigned flags);
/// The same for a mipmapped array with @p levels levels, or as many as are possible.
cudaError_t make_mipmapped_array(Runtime& runtime, const char* name, cudaMipmappedArray_t* handle,
                                 const cudaChannelFormatDesc* format, cudaExtent extent, unsigned levels,
                                 unsigned flags);
cudaError_t free_array(Runtime& runtime, cudaArray_t handle);
cudaError_t free_mipmapped_array(Runtime& runtime, cudaMipmappedArray_t handle);

cudaError_t make_texture(Runtime& runtime, const char* name, cudaTextureObject_t* handle,
                         const cudaResourceDesc* resource, const cudaTextureDesc* texture,
                         const cudaResourceViewDesc* view);
cudaError_t make_surface(Runtime& runtime, const char* name, cudaSurfaceObject_t* handle,
                         const cudaResourceDesc* resource);
cudaError_t destroy_texture(Runtime& runtime, cudaTextureObject_t handle);
cudaError_t destroy_surface(Runtime& runtime, cudaSurfaceObject_t handle);

}  // namespace warpbook::simulator::runtime
