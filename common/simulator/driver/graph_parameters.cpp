// Translates parameters of graph nodes.
#include "common/simulator/driver/graph_parameters.h"

namespace warpbook::simulator::driver {
namespace {

bool is_host(CUmemorytype type) { return type == CU_MEMORYTYPE_HOST; }

cudaMemcpyKind kind_of(const CUDA_MEMCPY3D& parameters) {
  if (parameters.srcMemoryType == CU_MEMORYTYPE_UNIFIED || parameters.dstMemoryType == CU_MEMORYTYPE_UNIFIED)
    return cudaMemcpyDefault;
  if (is_host(parameters.srcMemoryType))
    return is_host(parameters.dstMemoryType) ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
  return is_host(parameters.dstMemoryType) ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}

cudaPitchedPtr side(CUmemorytype type, const void* host, CUdeviceptr device, std::size_t pitch, std::size_t width,
                    std::size_t height) {
  void* const base = is_host(type) ? const_cast<void*>(host) : reinterpret_cast<void*>(device);
  return {base, pitch, width, height};
}

}  // namespace

cudaKernelNodeParams runtime_kernel(const CUDA_KERNEL_NODE_PARAMS& parameters) {
  cudaKernelNodeParams kernel{};
  kernel.func =
      parameters.func != nullptr ? reinterpret_cast<void*>(parameters.func) : reinterpret_cast<void*>(parameters.kern);
  kernel.gridDim = {parameters.gridDimX, parameters.gridDimY, parameters.gridDimZ};
  kernel.blockDim = {parameters.blockDimX, parameters.blockDimY, parameters.blockDimZ};
  kernel.sharedMemBytes = parameters.sharedMemBytes;
  kernel.kernelParams = parameters.kernelParams;
  kernel.extra = parameters.extra;
  return kernel;
}

CUDA_KERNEL_NODE_PARAMS driver_kernel(const cudaKernelNodeParams& kernel) {
  CUDA_KERNEL_NODE_PARAMS parameters{};
  parameters.func = reinterpret_cast<CUfunction>(kernel.func);
  parameters.gridDimX = kernel.gridDim.x;
  parameters.gridDimY = kernel.gridDim.y;
  parameters.gridDimZ = kernel.gridDim.z;
  parameters.blockDimX = kernel.blockDim.x;
  parameters.blockDimY = kernel.blockDim.y;
  parameters.blockDimZ = kernel.blockDim.z;
  parameters.sharedMemBytes = kernel.sharedMemBytes;
  parameters.kernelParams = kernel.kernelParams;
  return parameters;
}

cudaMemcpy3DParms runtime_copy(const CUDA_MEMCPY3D& parameters) {
  cudaMemcpy3DParms copy{};
  const std::size_t width = parameters.WidthInBytes;
  copy.srcPtr = side(parameters.srcMemoryType, parameters.srcHost, parameters.srcDevice, parameters.srcPitch, width,
                     parameters.srcHeight);
  copy.dstPtr = side(parameters.dstMemoryType, parameters.dstHost, parameters.dstDevice, parameters.dstPitch, width,
                     parameters.dstHeight);
  copy.srcPos = {parameters.srcXInBytes, parameters.srcY, parameters.srcZ};
  copy.dstPos = {parameters.dstXInBytes, parameters.dstY, parameters.dstZ};
  copy.extent = {width, parameters.Height, parameters.Depth};
  copy.kind = kind_of(parameters);
  // The runtime's call rejects arrays.
  if (parameters.srcMemoryType == CU_MEMORYTYPE_ARRAY || parameters.dstMemoryType == CU_MEMORYTYPE_ARRAY)
    copy.srcArray = reinterpret_cast<cudaArray_t>(1);
  return copy;
}

CUDA_MEMCPY3D driver_copy(const cudaMemcpy3DParms& copy) {
  CUDA_MEMCPY3D parameters{};
  const auto type = [&](bool host) {
    return copy.kind == cudaMemcpyDefault ? CU_MEMORYTYPE_UNIFIED : host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  };
  parameters.srcMemoryType = type(copy.kind == cudaMemcpyHostToDevice || copy.kind == cudaMemcpyHostToHost);
  parameters.dstMemoryType = type(copy.kind == cudaMemcpyDeviceToHost || copy.kind == cudaMemcpyHostToHost);
  parameters.srcHost = copy.srcPtr.ptr;
  parameters.srcDevice = reinterpret_cast<CUdeviceptr>(copy.srcPtr.ptr);
  parameters.srcPitch = copy.srcPtr.pitch;
  parameters.srcHeight = copy.srcPtr.ysize;
  parameters.dstHost = copy.dstPtr.ptr;
  parameters.dstDevice = reinterpret_cast<CUdeviceptr>(copy.dstPtr.ptr);
  parameters.dstPitch = copy.dstPtr.pitch;
  parameters.dstHeight = copy.dstPtr.ysize;
  parameters.WidthInBytes = copy.extent.width;
  parameters.Height = copy.extent.height;
  parameters.Depth = copy.extent.depth;
  return parameters;
}

cudaGraphNodeParams runtime_any(const CUgraphNodeParams& parameters) {
  cudaGraphNodeParams any{};
  static_assert(sizeof any == sizeof parameters);
  // All parameters but those of copies begin alike; the driver adds a context at the end.
  std::memcpy(static_cast<void*>(&any), &parameters, sizeof any);
  if (parameters.type == CU_GRAPH_NODE_TYPE_MEMCPY) {
    any.memcpy = {};
    any.memcpy.flags = parameters.memcpy.flags;
    any.memcpy.copyParams = runtime_copy(parameters.memcpy.copyParams);
  }
  if (parameters.type == CU_GRAPH_NODE_TYPE_KERNEL && parameters.kernel.func == nullptr)
    any.kernel.func = reinterpret_cast<void*>(parameters.kernel.kern);
  return any;
}

void give_back(const cudaGraphNodeParams& from, CUgraphNodeParams& to) {
  if (to.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) to.alloc.dptr = reinterpret_cast<CUdeviceptr>(from.alloc.dptr);
  if (to.type == CU_GRAPH_NODE_TYPE_CONDITIONAL) to.conditional.phGraph_out = from.conditional.phGraph_out;
}

}  // namespace warpbook::simulator::driver
