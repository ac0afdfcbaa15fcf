// Arrays, mipmapped arrays, texture and surface objects of the driver API.
#include <cstring>

#include "common/simulator/driver/driver_call.h"
#include "common/simulator/runtime/image_state.h"

namespace {

using namespace warpbook::simulator::driver;
using namespace warpbook::simulator::runtime;

/// The driver's formats and the runtime's.
struct FormatRow {
  CUarray_format format;
  int bits;
  cudaChannelFormatKind kind;
  unsigned channels;  ///< 0: as many as the descriptor gives.
};
constexpr FormatRow kFormatRows[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned, 0},
    {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned, 0},
    {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned, 0},
    {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned, 0},
    {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned, 0},
    {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned, 0},
    {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat, 0},
    {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat, 0},
    {CU_AD_FORMAT_UNORM_INT8X1, 8, cudaChannelFormatKindUnsignedNormalized8X1, 1},
    {CU_AD_FORMAT_UNORM_INT8X2, 8, cudaChannelFormatKindUnsignedNormalized8X2, 2},
    {CU_AD_FORMAT_UNORM_INT8X4, 8, cudaChannelFormatKindUnsignedNormalized8X4, 4},
    {CU_AD_FORMAT_UNORM_INT16X1, 16, cudaChannelFormatKindUnsignedNormalized16X1, 1},
    {CU_AD_FORMAT_UNORM_INT16X2, 16, cudaChannelFormatKindUnsignedNormalized16X2, 2},
    {CU_AD_FORMAT_UNORM_INT16X4, 16, cudaChannelFormatKindUnsignedNormalized16X4, 4},
    {CU_AD_FORMAT_SNORM_INT8X1, 8, cudaChannelFormatKindSignedNormalized8X1, 1},
    {CU_AD_FORMAT_SNORM_INT8X2, 8, cudaChannelFormatKindSignedNormalized8X2, 2},
    {CU_AD_FORMAT_SNORM_INT8X4, 8, cudaChannelFormatKindSignedNormalized8X4, 4},
    {CU_AD_FORMAT_SNORM_INT16X1, 16, cudaChannelFormatKindSignedNormalized16X1, 1},
    {CU_AD_FORMAT_SNORM_INT16X2, 16, cudaChannelFormatKindSignedNormalized16X2, 2},
    {CU_AD_FORMAT_SNORM_INT16X4, 16, cudaChannelFormatKindSignedNormalized16X4, 4},
};

/// Returns an error for formats that do not exist or are not supported.
CUresult channel_format(const char* name, CUarray_format format, unsigned channels, cudaChannelFormatDesc& made) {
  for (const FormatRow& row : kFormatRows) {
    if (row.format != format) continue;
    if (channels != 1 && channels != 2 && channels != 4) return CUDA_ERROR_INVALID_VALUE;
    if (row.channels != 0 && row.channels != channels) return CUDA_ERROR_INVALID_VALUE;
    made = {row.bits, channels > 1 ? row.bits : 0, channels > 2 ? row.bits : 0, channels > 3 ? row.bits : 0, row.kind};
    return CUDA_SUCCESS;
  }
  return warpbook::simulator::driver::not_supported(name, " for this format");
}

void describe_format(const cudaChannelFormatDesc& from, CUarray_format& format, unsigned& channels) {
  channels = from.y == 0 ? 1 : from.z == 0 ? 2 : 4;
  for (const FormatRow& row : kFormatRows)
    if (row.kind == from.f && row.bits == from.x) format = row.format;
}

const Array* array_of(const Runtime& device, CUarray handle) { return device.images->arrays.find(handle); }

CUresult resource_of(const char* name, const CUDA_RESOURCE_DESC& from, cudaResourceDesc& to) {
  to.resType = static_cast<cudaResourceType>(from.resType);
  to.flags = from.flags;
  switch (from.resType) {
    case CU_RESOURCE_TYPE_ARRAY:
      to.res.array.array = reinterpret_cast<cudaArray_t>(from.res.array.hArray);
      return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      to.res.mipmap.mipmap = reinterpret_cast<cudaMipmappedArray_t>(from.res.mipmap.hMipmappedArray);
      return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_LINEAR:
      to.res.linear.devPtr = reinterpret_cast<void*>(from.res.linear.devPtr);
      to.res.linear.sizeInBytes = from.res.linear.sizeInBytes;
      return channel_format(name, from.res.linear.format, from.res.linear.numChannels, to.res.linear.desc);
    case CU_RESOURCE_TYPE_PITCH2D:
      to.res.pitch2D.devPtr = reinterpret_cast<void*>(from.res.pitch2D.devPtr);
      to.res.pitch2D.width = from.res.pitch2D.width;
      to.res.pitch2D.height = from.res.pitch2D.height;
      to.res.pitch2D.pitchInBytes = from.res.pitch2D.pitchInBytes;
      return channel_format(name, from.res.pitch2D.format, from.res.pitch2D.numChannels, to.res.pitch2D.desc);
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

void resource_back(const cudaResourceDesc& from, CUDA_RESOURCE_DESC& to) {
  to = {};
  to.resType = static_cast<CUresourcetype>(from.resType);
  switch (from.resType) {
    case cudaResourceTypeArray:
      to.res.array.hArray = reinterpret_cast<CUarray>(from.res.array.array);
      break;
    case cudaResourceTypeMipmappedArray:
      to.res.mipmap.hMipmappedArray = reinterpret_cast<CUmipmappedArray>(from.res.mipmap.mipmap);
      break;
    case cudaResourceTypeLinear:
      to.res.linear.devPtr = reinterpret_cast<CUdeviceptr>(from.res.linear.devPtr);
      to.res.linear.sizeInBytes = from.res.linear.sizeInBytes;
      describe_format(from.res.linear.desc, to.res.linear.format, to.res.linear.numChannels);
      break;
    case cudaResourceTypePitch2D:
      to.res.pitch2D.devPtr = reinterpret_cast<CUdeviceptr>(from.res.pitch2D.devPtr);
      to.res.pitch2D.width = from.res.pitch2D.width;
      to.res.pitch2D.height = from.res.pitch2D.height;
      to.res.pitch2D.pitchInBytes = from.res.pitch2D.pitchInBytes;
      describe_format(from.res.pitch2D.desc, to.res.pitch2D.format, to.res.pitch2D.numChannels);
      break;
  }
}

cudaTextureDesc texture_of(const CUDA_TEXTURE_DESC& from) {
  cudaTextureDesc to{};
  for (unsigned k = 0; k < 3; ++k) to.addressMode[k] = static_cast<cudaTextureAddressMode>(from.addressMode[k]);
  to.filterMode = static_cast<cudaTextureFilterMode>(from.filterMode);
  // The driver's 32-bit integer formats are never normalised, whatever the flag says.
  to.readMode = (from.flags & CU_TRSF_READ_AS_INTEGER) != 0 ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
  to.sRGB = (from.flags & CU_TRSF_SRGB) != 0;
  to.normalizedCoords = (from.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  to.disableTrilinearOptimization = (from.flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0;
  to.seamlessCubemap = (from.flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0;
  for (unsigned k = 0; k < 4; ++k) to.borderColor[k] = from.borderColor[k];
  to.maxAnisotropy = from.maxAnisotropy;
  to.mipmapFilterMode = static_cast<cudaTextureFilterMode>(from.mipmapFilterMode);
  to.mipmapLevelBias = from.mipmapLevelBias;
  to.minMipmapLevelClamp = from.minMipmapLevelClamp;
  to.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
  return to;
}

void texture_back(const cudaTextureDesc& from, CUDA_TEXTURE_DESC& to) {
  to = {};
  for (unsigned k = 0; k < 3; ++k) to.addressMode[k] = static_cast<CUaddress_mode>(from.addressMode[k]);
  to.filterMode = static_cast<CUfilter_mode>(from.filterMode);
  to.flags = (from.readMode == cudaReadModeElementType ? CU_TRSF_READ_AS_INTEGER : 0u) |
             (from.sRGB != 0 ? CU_TRSF_SRGB : 0u) | (from.normalizedCoords != 0 ? CU_TRSF_NORMALIZED_COORDINATES : 0u) |
             (from.disableTrilinearOptimization != 0 ? CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION : 0u) |
             (from.seamlessCubemap != 0 ? CU_TRSF_SEAMLESS_CUBEMAP : 0u);
  for (unsigned k = 0; k < 4; ++k) to.borderColor[k] = from.borderColor[k];
  to.maxAnisotropy = from.maxAnisotropy;
  to.mipmapFilterMode = static_cast<CUfilter_mode>(from.mipmapFilterMode);
  to.mipmapLevelBias = from.mipmapLevelBias;
  to.minMipmapLevelClamp = from.minMipmapLevelClamp;
  to.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
}

/// The same structure under another name.
template <class To, class From>
To alike_view(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(static_cast<void*>(&to), &from, sizeof to);
  return to;
}

bool reads_wide_integers(const Runtime& device, const cudaResourceDesc& resource) {
  const auto is_wide = [](const cudaChannelFormatDesc& format) {
    return format.x == 32 && (format.f == cudaChannelFormatKindSigned || format.f == cudaChannelFormatKindUnsigned);
  };
  switch (resource.resType) {
    case cudaResourceTypeArray: {
      const Array* const array = device.images->arrays.find(resource.res.array.array);
      return array != nullptr && is_wide(array->format);
    }
    case cudaResourceTypeMipmappedArray: {
      const MipmappedArray* const array = device.images->mipmapped_arrays.find(resource.res.mipmap.mipmap);
      return array != nullptr && is_wide(array->format);
    }
    case cudaResourceTypeLinear:
      return is_wide(resource.res.linear.desc);
    case cudaResourceTypePitch2D:
      return is_wide(resource.res.pitch2D.desc);
  }
  return false;
}

}  // namespace

CUresult cuArrayCreate_v2(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* descriptor) {
  return driver_call(CallKind::ordinary, "cuArrayCreate", [&](Runtime& device) {
    if (descriptor == nullptr) return CUDA_ERROR_INVALID_VALUE;
    cudaChannelFormatDesc format{};
    if (const CUresult error = channel_format("cuArrayCreate", descriptor->Format, descriptor->NumChannels, format))
      return error;
    const cudaError_t error = make_array(device, "cuArrayCreate", reinterpret_cast<cudaArray_t*>(array), &format,
                                         {descriptor->Width, descriptor->Height, 0}, 0);
    if (error == cudaSuccess) current_context()->arrays.insert(*array);
    return result_of(error);
  });
}

CUresult cuArray3DCreate_v2(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* descriptor) {
  return driver_call(CallKind::ordinary, "cuArray3DCreate", [&](Runtime& device) {
    if (descriptor == nullptr) return CUDA_ERROR_INVALID_VALUE;
    cudaChannelFormatDesc format{};
    if (const CUresult error = channel_format("cuArray3DCreate", descriptor->Format, descriptor->NumChannels, format))
      return error;
    const cudaError_t error = make_array(device, "cuArray3DCreate", reinterpret_cast<cudaArray_t*>(array), &format,
                                         {descriptor->Width, descriptor->Height, descriptor->Depth}, descriptor->Flags);
    if (error == cudaSuccess) current_context()->arrays.insert(*array);
    return result_of(error);
  });
}

CUresult cuArrayDestroy(CUarray array) {
  return driver_call(CallKind::ordinary, "cuArrayDestroy", [&](Runtime& device) {
    if (array == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    current_context()->arrays.erase(array);
    return result_of(free_array(device, reinterpret_cast<cudaArray_t>(array)));
  });
}

CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR* descriptor, CUarray handle) {
  return driver_call(CallKind::ordinary, "cuArrayGetDescriptor", [&](Runtime& device) {
    const Array* const array = array_of(device, handle);
    if (array == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (descriptor == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *descriptor = {};
    descriptor->Width = array->extent.width;
    descriptor->Height = array->extent.height;
    describe_format(array->format, descriptor->Format, descriptor->NumChannels);
    return CUDA_SUCCESS;
  });
}

CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR* descriptor, CUarray handle) {
  return driver_call(CallKind::ordinary, "cuArray3DGetDescriptor", [&](Runtime& device) {
    const Array* const array = array_of(device, handle);
    if (array == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (descriptor == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *descriptor = {};
    descriptor->Width = array->extent.width;
    descriptor->Height = array->extent.height;
    descriptor->Depth = array->extent.depth;
    descriptor->Flags = array->flags;
    describe_format(array->format, descriptor->Format, descriptor->NumChannels);
    return CUDA_SUCCESS;
  });
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray* array, const CUDA_ARRAY3D_DESCRIPTOR* descriptor, unsigned levels) {
  return driver_call(CallKind::ordinary, "cuMipmappedArrayCreate", [&](Runtime& device) {
    if (descriptor == nullptr) return CUDA_ERROR_INVALID_VALUE;
    cudaChannelFormatDesc format{};
    if (const CUresult error =
            channel_format("cuMipmappedArrayCreate", descriptor->Format, descriptor->NumChannels, format))
      return error;
    const cudaError_t error =
        make_mipmapped_array(device, "cuMipmappedArrayCreate", reinterpret_cast<cudaMipmappedArray_t*>(array), &format,
                             {descriptor->Width, descriptor->Height, descriptor->Depth}, levels, descriptor->Flags);
    if (error == cudaSuccess) current_context()->mipmapped_arrays.insert(*array);
    return result_of(error);
  });
}

CUresult cuMipmappedArrayGetLevel(CUarray* level, CUmipmappedArray array, unsigned number) {
  return forward([&] {
    return cudaGetMipmappedArrayLevel(reinterpret_cast<cudaArray_t*>(level),
                                      reinterpret_cast<cudaMipmappedArray_t>(array), number);
  });
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray array) {
  return driver_call(CallKind::ordinary, "cuMipmappedArrayDestroy", [&](Runtime& device) {
    if (array == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    current_context()->mipmapped_arrays.erase(array);
    return result_of(free_mipmapped_array(device, reinterpret_cast<cudaMipmappedArray_t>(array)));
  });
}

CUresult cuTexObjectCreate(CUtexObject* object, const CUDA_RESOURCE_DESC* resource, const CUDA_TEXTURE_DESC* texture,
                           const CUDA_RESOURCE_VIEW_DESC* view) {
  return driver_call(CallKind::ordinary, "cuTexObjectCreate", [&](Runtime& device) {
    if (object == nullptr || resource == nullptr || texture == nullptr) return CUDA_ERROR_INVALID_VALUE;
    cudaResourceDesc made{};
    if (const CUresult error = resource_of("cuTexObjectCreate", *resource, made)) return error;
    cudaTextureDesc sampling = texture_of(*texture);
    if (reads_wide_integers(device, made)) sampling.readMode = cudaReadModeElementType;
    cudaResourceViewDesc seen{};
    if (view != nullptr) seen = alike_view<cudaResourceViewDesc>(*view);
    cudaTextureObject_t handle = 0;
    const cudaError_t error =
        make_texture(device, "cuTexObjectCreate", &handle, &made, &sampling, view == nullptr ? nullptr : &seen);
    if (error != cudaSuccess) return result_of(error);
    *object = handle;
    current_context()->textures.insert(handle);
    return CUDA_SUCCESS;
  });
}

CUresult cuTexObjectDestroy(CUtexObject object) {
  return forward([&] { return cudaDestroyTextureObject(object); });
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUtexObject object) {
  return forward([&] {
    if (resource == nullptr) return cudaErrorInvalidValue;
    cudaResourceDesc found{};
    const cudaError_t error = cudaGetTextureObjectResourceDesc(&found, object);
    if (error == cudaSuccess) resource_back(found, *resource);
    return error;
  });
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* texture, CUtexObject object) {
  return forward([&] {
    if (texture == nullptr) return cudaErrorInvalidValue;
    cudaTextureDesc found{};
    const cudaError_t error = cudaGetTextureObjectTextureDesc(&found, object);
    if (error == cudaSuccess) texture_back(found, *texture);
    return error;
  });
}

CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC* view, CUtexObject object) {
  return forward([&] {
    if (view == nullptr) return cudaErrorInvalidValue;
    cudaResourceViewDesc found{};
    const cudaError_t error = cudaGetTextureObjectResourceViewDesc(&found, object);
    if (error == cudaSuccess) *view = alike_view<CUDA_RESOURCE_VIEW_DESC>(found);
    return error;
  });
}

CUresult cuSurfObjectCreate(CUsurfObject* object, const CUDA_RESOURCE_DESC* resource) {
  return driver_call(CallKind::ordinary, "cuSurfObjectCreate", [&](Runtime& device) {
    if (object == nullptr || resource == nullptr) return CUDA_ERROR_INVALID_VALUE;
    cudaResourceDesc made{};
    if (const CUresult error = resource_of("cuSurfObjectCreate", *resource, made)) return error;
    cudaSurfaceObject_t handle = 0;
    const cudaError_t error = make_surface(device, "cuSurfObjectCreate", &handle, &made);
    if (error != cudaSuccess) return result_of(error);
    *object = handle;
    current_context()->surfaces.insert(handle);
    return CUDA_SUCCESS;
  });
}

CUresult cuSurfObjectDestroy(CUsurfObject object) {
  return forward([&] { return cudaDestroySurfaceObject(object); });
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUsurfObject object) {
  return forward([&] {
    if (resource == nullptr) return cudaErrorInvalidValue;
    cudaResourceDesc found{};
    const cudaError_t error = cudaGetSurfaceObjectResourceDesc(&found, object);
    if (error == cudaSuccess) resource_back(found, *resource);
    return error;
  });
}

CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t* width, CUarray_format format, unsigned channels, CUdevice device) {
  cudaChannelFormatDesc made{};
  if (const CUresult error = channel_format("cuDeviceGetTexture1DLinearMaxWidth", format, channels, made)) return error;
  return forward([&] { return cudaDeviceGetTexture1DLinearMaxWidth(width, &made, device); }, Needs::initialised);
}
