// Tensor maps: 128 bytes that describe a tensor to the device. They are made where the program runs.
#include <cstring>

#include "common/simulator/driver/driver_api.h"
#include "common/simulator/driver/tensor_map_refusal.h"
#include "common/simulator/machine/tensor_map.h"

using namespace warpbook::simulator;

CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                const cuuint64_t* sizes, const cuuint64_t* strides, const cuuint32_t* box,
                                const cuuint32_t* element_strides, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                CUtensorMapFloatOOBfill fill) {
  static_assert(sizeof(CUtensorMap) == TensorMap::kBytes);
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
  if (const std::string missing = unsupported_in(request); !missing.empty())
    return driver::refuse_tensor_map("cuTensorMapEncodeTiled", missing);
  TensorMap made;
  if (map == nullptr || !encode(request, made).empty()) return CUDA_ERROR_INVALID_VALUE;
  *map = CUtensorMap{};
  std::memcpy(static_cast<void*>(map), &made, sizeof made);
  return CUDA_SUCCESS;
}
