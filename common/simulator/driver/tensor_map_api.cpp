// Tensor maps: 128 bytes that describe a tensor to the device. They are encoded in the program's process.
#include <cstring>

#include "common/simulator/driver/driver_api.h"
#include "common/simulator/driver/tensor_map_refusal.h"
#include "common/simulator/machine/tensor_map.h"

using namespace warpbook::simulator;

static_assert(sizeof(CUtensorMap) == TensorMap::kBytes);

/// Encodes @p request into @p map.
static CUresult encode_map(const char* call, const TensorMapRequest& request, CUtensorMap* map) {
  if (const std::string missing = unsupported_in(request); !missing.empty())
    return driver::refuse_tensor_map(call, missing);
  TensorMap made;
  if (map == nullptr || !encode(request, made).empty()) return CUDA_ERROR_INVALID_VALUE;
  *map = CUtensorMap{};
  std::memcpy(static_cast<void*>(map), &made, sizeof made);
  return CUDA_SUCCESS;
}

CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                const cuuint64_t* sizes, const cuuint64_t* strides, const cuuint32_t* box,
                                const cuuint32_t* element_strides, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                CUtensorMapFloatOOBfill fill) {
  TensorMapRequest request;
  request.type = static_cast<unsigned>(type);
  request.rank = rank;
  request.address = reinterpret_cast<std::uint64_t>(address);
  request.sizes = sizes;
  request.strides = strides;
  request.box = box;
  request.element_strides = element_strides;
  request.interleave = static_cast<unsigned>(interleave);
  request.swizzle = static_cast<unsigned>(swizzle);
  request.promotion = static_cast<unsigned>(promotion);
  request.fill = static_cast<unsigned>(fill);
  return encode_map("cuTensorMapEncodeTiled", request, map);
}

CUresult cuTensorMapEncodeIm2col(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                 const cuuint64_t* sizes, const cuuint64_t* strides, const int* lower, const int* upper,
                                 cuuint32_t channels, cuuint32_t pixels, const cuuint32_t* element_strides,
                                 CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                 CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  TensorMapRequest request;
  request.im2col = true;
  request.type = static_cast<unsigned>(type);
  request.rank = rank;
  request.address = reinterpret_cast<std::uint64_t>(address);
  request.sizes = sizes;
  request.strides = strides;
  request.lower = lower;
  request.upper = upper;
  request.channels = channels;
  request.pixels = pixels;
  request.element_strides = element_strides;
  request.interleave = static_cast<unsigned>(interleave);
  request.swizzle = static_cast<unsigned>(swizzle);
  request.promotion = static_cast<unsigned>(promotion);
  request.fill = static_cast<unsigned>(fill);
  return encode_map("cuTensorMapEncodeIm2col", request, map);
}

CUresult cuTensorMapReplaceAddress(CUtensorMap* map, void* address) {
  const auto wanted = reinterpret_cast<std::uint64_t>(address);
  if (map == nullptr || wanted == 0 || wanted % 16 != 0) return CUDA_ERROR_INVALID_VALUE;
  TensorMap made;
  std::memcpy(&made, static_cast<const void*>(map), sizeof made);
  if (made.magic != TensorMap::kMagic) return CUDA_ERROR_INVALID_VALUE;
  made.address = wanted;
  std::memcpy(static_cast<void*>(map), &made, sizeof made);
  return CUDA_SUCCESS;
}
