// Peer access between devices, and copies between them.
#include "common/simulator/runtime/about_device.h"
#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/copy.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/peer_access.h"

namespace warpbook::simulator::runtime {

using simulator::only_device;

cudaError_t enable_peer_access(Runtime& runtime, unsigned peer) {
  VirtualDevice& device = runtime.here();
  if (runtime.link(device.number, peer) == nullptr) return cudaErrorPeerAccessUnsupported;
  if ((device.peers & only_device(peer)) != 0) return cudaErrorPeerAccessAlreadyEnabled;
  device.peers |= only_device(peer);
  runtime.memory.set_access(peer, runtime.memory.access(peer) | only_device(device.number));
  return cudaSuccess;
}

cudaError_t disable_peer_access(Runtime& runtime, unsigned peer) {
  VirtualDevice& device = runtime.here();
  if ((device.peers & only_device(peer)) == 0) return cudaErrorPeerAccessNotEnabled;
  if (const cudaError_t error = runtime.wait_for_all()) return error;
  device.peers &= ~only_device(peer);
  runtime.memory.set_access(peer, runtime.memory.access(peer) & ~only_device(device.number));
  return cudaSuccess;
}

}  // namespace warpbook::simulator::runtime

namespace {

using namespace warpbook::simulator::runtime;
using warpbook::simulator::Link;

cudaError_t copy_peer(const char* name, void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                      cudaStream_t stream, bool blocking) {
  return call(blocking ? CallKind::ordinary : CallKind::enqueue, name, [&](Runtime& runtime) {
    if (bytes == 0) return cudaSuccess;
    if (!is_device(runtime, to_device) || !is_device(runtime, from_device)) return cudaErrorInvalidDevice;
    Stream* const place = runtime.find_stream(stream);
    if (place == nullptr) return cudaErrorInvalidResourceHandle;
    return copy(runtime, *place, to, from, bytes, cudaMemcpyDeviceToDevice, blocking);
  });
}

Box peer_box_of(const cudaPitchedPtr& memory, const cudaPos& position) {
  const char* const base = static_cast<const char*>(memory.ptr);
  const std::uint64_t offset = (position.z * memory.ysize + position.y) * memory.pitch + position.x;
  return {base == nullptr ? nullptr : base + offset, memory.pitch, memory.ysize};
}

cudaError_t copy_peer_box(const char* name, const cudaMemcpy3DPeerParms* p, cudaStream_t stream, bool blocking) {
  if (p == nullptr) return remember(cudaErrorInvalidValue);
  if (p->srcArray != nullptr || p->dstArray != nullptr) return not_supported(name, " with arrays");
  return call(blocking ? CallKind::ordinary : CallKind::enqueue, name, [&](Runtime& runtime) {
    if (!is_device(runtime, p->dstDevice) || !is_device(runtime, p->srcDevice)) return cudaErrorInvalidDevice;
    Stream* const place = runtime.find_stream(stream);
    if (place == nullptr) return cudaErrorInvalidResourceHandle;
    const BoxSize size{p->extent.width, p->extent.height, p->extent.depth};
    if (size.width > p->dstPtr.pitch || size.width > p->srcPtr.pitch) return cudaErrorInvalidPitchValue;
    return copy(runtime, *place, peer_box_of(p->dstPtr, p->dstPos), peer_box_of(p->srcPtr, p->srcPos), size,
                cudaMemcpyDeviceToDevice, blocking);
  });
}

}  // namespace

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return call(CallKind::ordinary, "cudaDeviceCanAccessPeer", [&](Runtime& runtime) {
    if (can == nullptr) return cudaErrorInvalidValue;
    if (!is_device(runtime, device) || !is_device(runtime, peer)) return cudaErrorInvalidDevice;
    *can = runtime.link(static_cast<unsigned>(device), static_cast<unsigned>(peer)) != nullptr;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  return call(CallKind::ordinary, "cudaDeviceEnablePeerAccess", [&](Runtime& runtime) {
    if (!is_device(runtime, peer)) return cudaErrorInvalidDevice;
    if (flags != 0) return cudaErrorInvalidValue;
    return enable_peer_access(runtime, static_cast<unsigned>(peer));
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return call(CallKind::ordinary, "cudaDeviceDisablePeerAccess", [&](Runtime& runtime) {
    if (!is_device(runtime, peer)) return cudaErrorInvalidDevice;
    return disable_peer_access(runtime, static_cast<unsigned>(peer));
  });
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int from, int to) {
  return call(CallKind::ordinary, "cudaDeviceGetP2PAttribute", [&](Runtime& runtime) {
    if (value == nullptr) return cudaErrorInvalidValue;
    if (!is_device(runtime, from) || !is_device(runtime, to) || from == to) return cudaErrorInvalidDevice;
    const Link* const link = runtime.link(static_cast<unsigned>(from), static_cast<unsigned>(to));
    switch (attribute) {
      case cudaDevP2PAttrPerformanceRank:
        *value = link == nullptr ? 0 : static_cast<int>(link->performance_rank);
        return cudaSuccess;
      case cudaDevP2PAttrAccessSupported:
        *value = link != nullptr;
        return cudaSuccess;
      case cudaDevP2PAttrNativeAtomicSupported:
        *value = link != nullptr && link->native_atomics != 0;
        return cudaSuccess;
      case cudaDevP2PAttrCudaArrayAccessSupported:
        *value = link != nullptr && link->array_access != 0;
        return cudaSuccess;
      default:
        return cudaErrorInvalidValue;
    }
  });
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
  return copy_peer("cudaMemcpyPeer", to, to_device, from, from_device, bytes, nullptr, true);
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                cudaStream_t stream) {
  return copy_peer("cudaMemcpyPeerAsync", to, to_device, from, from_device, bytes, stream, false);
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* parameters) {
  return copy_peer_box("cudaMemcpy3DPeer", parameters, nullptr, true);
}

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* parameters, cudaStream_t stream) {
  return copy_peer_box("cudaMemcpy3DPeerAsync", parameters, stream, false);
}
