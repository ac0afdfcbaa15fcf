// cuMemcpy2D, cuMemcpy3D and their relatives, with and without arrays.
#include "common/simulator/driver/array_frame.h"
#include "common/simulator/driver/driver_api.h"
#include "common/simulator/runtime/array_copy.h"

namespace {

using namespace warpbook::simulator::driver;
using warpbook::simulator::runtime::ArrayCopy;
using warpbook::simulator::runtime::ArrayCopySide;

/// One side of a copy, with the fields that both structures have.
struct DriverSide {
  CUmemorytype type;
  const void* host;
  CUdeviceptr device;
  CUarray array;
  std::size_t pitch, height, x, y, z;
};

/// @returns false for an unknown memory type
bool read_side(const DriverSide& from, std::size_t width, std::size_t rows, ArrayCopySide& side) {
  if (from.type == CU_MEMORYTYPE_ARRAY) {
    side.array = from.array == nullptr ? 1 : reinterpret_cast<std::uint64_t>(from.array);
    side.x = from.x;
    side.y = from.y;
    side.z = from.z;
    return true;
  }
  if (from.type != CU_MEMORYTYPE_HOST && from.type != CU_MEMORYTYPE_DEVICE && from.type != CU_MEMORYTYPE_UNIFIED)
    return false;
  side.pitch = from.pitch == 0 ? width + from.x : from.pitch;
  side.slice_rows = from.height == 0 ? rows : from.height;
  const auto base = from.type == CU_MEMORYTYPE_HOST ? reinterpret_cast<std::uint64_t>(from.host)
                                                    : static_cast<std::uint64_t>(from.device);
  if (base != 0)
    side.base = reinterpret_cast<const void*>(base + (from.z * side.slice_rows + from.y) * side.pitch + from.x);
  return true;
}

cudaMemcpyKind direction(CUmemorytype to, CUmemorytype from) {
  if (to == CU_MEMORYTYPE_UNIFIED || from == CU_MEMORYTYPE_UNIFIED) return cudaMemcpyDefault;
  const bool to_host = to == CU_MEMORYTYPE_HOST, from_host = from == CU_MEMORYTYPE_HOST;
  if (to_host) return from_host ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost;
  return from_host ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice;
}

CUresult copy_rows(const char* name, const CUDA_MEMCPY2D* p, CUstream stream, bool blocking) {
  return copy_as_driver([&] {
    ArrayCopy copy;
    if (p == nullptr ||
        !read_side(
            {p->dstMemoryType, p->dstHost, p->dstDevice, p->dstArray, p->dstPitch, 0, p->dstXInBytes, p->dstY, 0},
            p->WidthInBytes, p->Height, copy.to) ||
        !read_side(
            {p->srcMemoryType, p->srcHost, p->srcDevice, p->srcArray, p->srcPitch, 0, p->srcXInBytes, p->srcY, 0},
            p->WidthInBytes, p->Height, copy.from))
      return cudaErrorInvalidValue;
    copy.name = name;
    copy.width = p->WidthInBytes;
    copy.height = p->Height;
    copy.kind = direction(p->dstMemoryType, p->srcMemoryType);
    copy.stream = stream;
    copy.blocking = blocking;
    return copy_array(copy);
  });
}

CUresult copy_slices(const char* name, const CUDA_MEMCPY3D* p, CUstream stream, bool blocking) {
  return copy_as_driver([&] {
    ArrayCopy copy;
    if (p == nullptr || p->srcLOD != 0 || p->dstLOD != 0 ||
        !read_side({p->dstMemoryType, p->dstHost, p->dstDevice, p->dstArray, p->dstPitch, p->dstHeight, p->dstXInBytes,
                    p->dstY, p->dstZ},
                   p->WidthInBytes, p->Height, copy.to) ||
        !read_side({p->srcMemoryType, p->srcHost, p->srcDevice, p->srcArray, p->srcPitch, p->srcHeight, p->srcXInBytes,
                    p->srcY, p->srcZ},
                   p->WidthInBytes, p->Height, copy.from))
      return cudaErrorInvalidValue;
    copy.name = name;
    copy.width = p->WidthInBytes;
    copy.height = p->Height;
    copy.depth = p->Depth;
    copy.kind = direction(p->dstMemoryType, p->srcMemoryType);
    copy.stream = stream;
    copy.blocking = blocking;
    return copy_array(copy);
  });
}

/// One side of a byte copy: an array of one dimension from byte @p offset on, or memory.
DriverSide in_array(CUarray array, std::size_t offset) {
  return {CU_MEMORYTYPE_ARRAY, nullptr, 0, array, 0, 0, offset, 0, 0};
}
DriverSide on_host(const void* memory) { return {CU_MEMORYTYPE_HOST, memory, 0, nullptr, 0, 0, 0, 0, 0}; }
DriverSide on_device(CUdeviceptr memory) { return {CU_MEMORYTYPE_DEVICE, nullptr, memory, nullptr, 0, 0, 0, 0, 0}; }

CUresult copy_bytes(const char* name, const DriverSide& to, const DriverSide& from, std::size_t bytes,
                    CUstream stream = nullptr, bool blocking = true) {
  for (const DriverSide* const side : {&to, &from})
    if (side->type == CU_MEMORYTYPE_ARRAY && side->array == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return copy_as_driver([&] {
    ArrayCopy copy;
    read_side(to, bytes, 1, copy.to);
    read_side(from, bytes, 1, copy.from);
    copy.name = name;
    copy.width = bytes;
    copy.kind = direction(to.type, from.type);
    copy.stream = stream;
    copy.blocking = blocking;
    return copy_array(copy);
  });
}

}  // namespace

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D* copy) { return copy_rows("cuMemcpy2D", copy, nullptr, true); }

CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D* copy) {
  return copy_rows("cuMemcpy2DUnaligned", copy, nullptr, true);
}

CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* copy, CUstream stream) {
  return copy_rows("cuMemcpy2DAsync", copy, stream, false);
}

CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D* copy) { return copy_slices("cuMemcpy3D", copy, nullptr, true); }

CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* copy, CUstream stream) {
  return copy_slices("cuMemcpy3DAsync", copy, stream, false);
}

CUresult cuMemcpyHtoA_v2(CUarray to, size_t offset, const void* from, size_t bytes) {
  return copy_bytes("cuMemcpyHtoA", in_array(to, offset), on_host(from), bytes);
}

CUresult cuMemcpyHtoAAsync_v2(CUarray to, size_t offset, const void* from, size_t bytes, CUstream stream) {
  return copy_bytes("cuMemcpyHtoAAsync", in_array(to, offset), on_host(from), bytes, stream, false);
}

CUresult cuMemcpyAtoH_v2(void* to, CUarray from, size_t offset, size_t bytes) {
  return copy_bytes("cuMemcpyAtoH", on_host(to), in_array(from, offset), bytes);
}

CUresult cuMemcpyAtoHAsync_v2(void* to, CUarray from, size_t offset, size_t bytes, CUstream stream) {
  return copy_bytes("cuMemcpyAtoHAsync", on_host(to), in_array(from, offset), bytes, stream, false);
}

CUresult cuMemcpyDtoA_v2(CUarray to, size_t offset, CUdeviceptr from, size_t bytes) {
  return copy_bytes("cuMemcpyDtoA", in_array(to, offset), on_device(from), bytes);
}

CUresult cuMemcpyAtoD_v2(CUdeviceptr to, CUarray from, size_t offset, size_t bytes) {
  return copy_bytes("cuMemcpyAtoD", on_device(to), in_array(from, offset), bytes);
}

CUresult cuMemcpyAtoA_v2(CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t bytes) {
  return copy_bytes("cuMemcpyAtoA", in_array(to, to_offset), in_array(from, from_offset), bytes);
}
