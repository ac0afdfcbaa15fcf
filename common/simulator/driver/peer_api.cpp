// Copies between devices.
#include "common/simulator/driver/driver_call.h"
#include "common/simulator/runtime/cuda_api.h"

using namespace warpbook::simulator::driver;

namespace {

/// The device of a context that a copy names, or CUDA_ERROR_INVALID_CONTEXT.
CUresult device_of_context(CUcontext handle, int& device) {
  const Context* const context = find_context(handle);
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  device = static_cast<int>(context->device);
  return CUDA_SUCCESS;
}

/// Calls @p copy(to device, from device).
template <class Copy>
CUresult between_contexts(CUcontext to, CUcontext from, Copy copy) {
  return forward([&]() -> CUresult {
    int to_device = 0, from_device = 0;
    if (const CUresult error = device_of_context(to, to_device)) return error;
    if (const CUresult error = device_of_context(from, from_device)) return error;
    return result_of(copy(to_device, from_device));
  });
}

/// The same copy for the runtime API; false if a side is not linear memory.
bool translate_peer(const CUDA_MEMCPY3D_PEER& copy, cudaMemcpy3DPeerParms& same) {
  const auto address_of = [](CUmemorytype type, CUdeviceptr device, const void* host) -> void* {
    return type == CU_MEMORYTYPE_HOST ? const_cast<void*>(host) : reinterpret_cast<void*>(device);
  };
  if (copy.srcMemoryType == CU_MEMORYTYPE_ARRAY || copy.dstMemoryType == CU_MEMORYTYPE_ARRAY) return false;
  same.srcPtr = {address_of(copy.srcMemoryType, copy.srcDevice, copy.srcHost), copy.srcPitch, copy.WidthInBytes,
                 copy.srcHeight};
  same.dstPtr = {address_of(copy.dstMemoryType, copy.dstDevice, copy.dstHost), copy.dstPitch, copy.WidthInBytes,
                 copy.dstHeight};
  same.srcPos = {copy.srcXInBytes, copy.srcY, copy.srcZ};
  same.dstPos = {copy.dstXInBytes, copy.dstY, copy.dstZ};
  same.extent = {copy.WidthInBytes, copy.Height, copy.Depth};
  return true;
}

template <class Copy>
CUresult copy_peer_box(const char* name, const CUDA_MEMCPY3D_PEER* copy, Copy run) {
  if (copy == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaMemcpy3DPeerParms same{};
  if (!translate_peer(*copy, same)) return warpbook::simulator::driver::not_supported(name, " with arrays");
  return between_contexts(copy->dstContext, copy->srcContext, [&](int to, int from) {
    same.dstDevice = to;
    same.srcDevice = from;
    return run(same);
  });
}

void* peer_pointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

}  // namespace

CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes) {
  return between_contexts(to_context, from_context, [&](int to_device, int from_device) {
    return cudaMemcpyPeer(peer_pointer(to), to_device, peer_pointer(from), from_device, bytes);
  });
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes,
                           CUstream stream) {
  return between_contexts(to_context, from_context, [&](int to_device, int from_device) {
    return cudaMemcpyPeerAsync(peer_pointer(to), to_device, peer_pointer(from), from_device, bytes, stream);
  });
}

CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* copy) {
  return copy_peer_box("cuMemcpy3DPeer", copy,
                       [](const cudaMemcpy3DPeerParms& same) { return cudaMemcpy3DPeer(&same); });
}

CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* copy, CUstream stream) {
  return copy_peer_box("cuMemcpy3DPeerAsync", copy,
                       [&](const cudaMemcpy3DPeerParms& same) { return cudaMemcpy3DPeerAsync(&same, stream); });
}
